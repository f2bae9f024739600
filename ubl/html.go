package ubl

import (
	_ "embed" // for the style
	"strings"

	"esnaf/store/trade"
)

//go:embed note.css
var noteStyle string

// markup is HTML of our own. Text between quotes in the code is that, a value of a
// record never is: those come in by the places that put fills.
type markup string

// page is an HTML page that is being written. (Go's own templates find methods by their
// names, so that the linker must keep every method of the program: 3 MB for one page.)
type page struct{ html strings.Builder }

// escape is what stands for the characters that would not be text between tags or in a
// quoted attribute, and for + and NUL, which old browsers made something else of.
var escape = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "'", "&#39;", "+", "&#43;", "\x00", "\uFFFD")

// put writes form, in which each {} stands for the next of values.
func (p *page) put(form markup, values ...string) {
	rest := string(form)
	for _, v := range values {
		before, after, _ := strings.Cut(rest, "{}")
		p.html.WriteString(before)
		p.html.WriteString(escape.Replace(v))
		rest = after
	}
	p.html.WriteString(rest)
}

// DespatchHTML is the despatch note of s as one page for people, in Turkish, which
// needs nothing from elsewhere and can be printed. s must be frozen, otherwise the
// error is a Conflict.
func DespatchHTML(s *trade.Shipment) ([]byte, error) {
	n, err := noteOf(s)
	if err != nil {
		return nil, err
	}
	return n.page(), nil
}

func (n *note) page() []byte {
	var p page
	p.put(`<!DOCTYPE html>
<html lang="tr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{} {}</title>
<style>
`, n.Title, n.Number)
	p.put(markup(noteStyle))
	p.put("</style>\n</head>\n<body>\n<h1>{}</h1>\n<div class=\"parties\">\n", n.Title)
	p.party("Gönderen", n.Seller)
	p.party("Alıcı", n.Buyer)
	p.put("</div>\n<dl>")
	for _, f := range n.Facts {
		p.put("\n<dt>{}</dt><dd>{}</dd>", f.Label, f.Text)
	}
	p.put(`
</dl>
<table>
<thead><tr><th class="number">No</th><th>Kod</th><th>Malın cinsi</th><th class="number">Miktar</th><th>Birim</th></tr></thead>
<tbody>`)
	for _, g := range n.Goods {
		p.goods(g)
	}
	p.put("\n</tbody>\n</table>\n")
	if n.Notes != "" {
		p.put(`<p class="notes">{}</p>`, n.Notes)
	}
	p.put("\n<p class=\"hint\">{}</p>\n<div class=\"signers\"><div>{}</div><div>{}</div></div>\n</body>\n</html>\n", n.Hint, n.Signers[0], n.Signers[1])
	return []byte(p.html.String())
}

func (p *page) party(role string, lines []string) {
	p.put("<section><h2>{}</h2>", role)
	for _, line := range lines {
		p.put("<p>{}</p>", line)
	}
	p.put("</section>\n")
}

func (p *page) goods(g goods) {
	p.put("\n<tr><td class=\"number\">{}</td><td>{}</td><td>{}", g.No, g.Code, g.Name)
	if g.Pieces != "" {
		p.put("<small>{}</small>", g.Pieces)
	}
	p.put("</td><td class=\"number\">{}</td><td>{}</td></tr>", g.Quantity, g.Unit)
}
