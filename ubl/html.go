package ubl

import (
	"bytes"
	_ "embed" // for the page
	"html/template"
	"sync"

	"esnaf/store/trade"
)

//go:embed note.html
var notePage string

// noteTemplate is parsed once; a fault in it would show in every test.
var noteTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("note").Parse(notePage))
})

// DespatchHTML is the despatch note of s as one page for people, in Turkish, which
// needs nothing from elsewhere and can be printed. s must be frozen, otherwise the
// error is a Conflict.
func DespatchHTML(s *trade.Shipment) ([]byte, error) {
	n, err := noteOf(s)
	if err != nil {
		return nil, err
	}
	var page bytes.Buffer
	err = noteTemplate().Execute(&page, n)
	return page.Bytes(), err
}
