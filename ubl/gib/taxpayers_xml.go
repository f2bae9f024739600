package gib

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"esnaf/store"
	"esnaf/store/trade"
	"esnaf/ubl/bounded"
)

// userList reads the XML of the list token by token.
//
// The elements it knows are those of the package guide's NewUserList.xsd; others
// are passed over, whatever is in them.
type userList struct {
	*bounded.XML
	zone   *time.Location
	add    func(store.Taxpayer) error
	passed int

	text []byte // of the innermost element

	user     store.Taxpayer // what its aliases have in common
	aliases  []alias
	document string // the kind of the Document that is open
}

// alias is one Alias as it is written.
type alias struct{ document, name, created, deleted string }

// readList reads the XML of a list.
func readList(r io.Reader, add func(store.Taxpayer) error) (passed int, err error) {
	zone, err := time.LoadLocation("Europe/Istanbul") // times in the list have no zone of their own
	if err != nil {
		return 0, err
	}
	l := userList{XML: bounded.NewXML(r, maxToken, maxDepth), zone: zone, add: add}
	for {
		token, err := l.Next()
		switch {
		case errors.Is(err, io.EOF):
			return l.passed, nil
		case err != nil:
			return 0, l.refuse(err)
		}
		if err := l.take(token); err != nil {
			return 0, err
		}
	}
}

// refuse says why the XML ends where it does.
func (l *userList) refuse(err error) error {
	var syntax *xml.SyntaxError
	switch {
	case errors.Is(err, bounded.ErrFull):
		return l.bad("something in it is far too long", "içinde fazlasıyla uzun bir şey var")
	case errors.Is(err, bounded.ErrOutside):
		return l.notList()
	case errors.Is(err, bounded.ErrDeep):
		return l.bad("elements lie too deep in each other", "öğeler çok derin iç içe")
	case errors.Is(err, bounded.ErrNesting):
		return l.bad("an element is closed that is not open", "açık olmayan bir öğe kapatılıyor")
	case errors.Is(err, bounded.ErrDirective):
		return l.bad("a document type (DOCTYPE) is not taken", "belge türü tanımı (DOCTYPE) kabul edilmiyor")
	case errors.Is(err, io.ErrUnexpectedEOF), errors.As(err, &syntax) && strings.Contains(syntax.Msg, "unexpected EOF"):
		return badList("it ends too early", "erken bitiyor")
	case errors.As(err, &syntax):
		return l.bad("this is not XML", "burası XML değil")
	}
	return badList("the XML is damaged, or in another encoding than UTF-8", "XML bozuk ya da UTF-8'den başka bir kodlamada")
}

func (l *userList) bad(english, turkish string) error {
	return badList(fmt.Sprintf("line %d: %s", l.Line(), english), fmt.Sprintf("%d. satır: %s", l.Line(), turkish))
}

func (l *userList) notList() error {
	return l.bad("this is not a list of registered users (UserList)", "bu bir kayıtlı kullanıcı listesi (UserList) değil")
}

func (l *userList) take(token xml.Token) error {
	switch t := token.(type) {
	case xml.StartElement:
		return l.open(t)
	case xml.CharData:
		if l.text = append(l.text, t...); len(l.text) > maxText {
			return l.bad("a text is far too long", "bir metin fazlasıyla uzun")
		}
	case xml.EndElement:
		err := l.close(t.Name.Local)
		l.text = l.text[:0]
		return err
	}
	return nil
}

func (l *userList) open(e xml.StartElement) error {
	l.text = l.text[:0]
	switch {
	case l.At() && e.Name.Local != "UserList":
		return l.notList()
	case l.At("User"):
		l.user, l.aliases = store.Taxpayer{}, l.aliases[:0]
	case l.At("User", "Documents", "Document"):
		l.document = ""
		for _, a := range e.Attr {
			if a.Name.Local == "type" {
				l.document = a.Value
			}
		}
	case l.At("User", "Documents", "Document", "Alias"):
		if l.aliases = append(l.aliases, alias{document: l.document}); len(l.aliases) > maxAliases {
			return l.bad("a user has too many aliases", "bir kullanıcının çok fazla etiketi var")
		}
	}
	return nil
}

func (l *userList) close(name string) error {
	switch {
	case l.At("User"):
		return l.emit()
	case l.At("User", "Identifier"):
		l.user.TaxNumber = l.word()
	case l.At("User", "Title"):
		l.user.Title = l.word()
	case l.At("User", "Type"):
		l.user.Type = l.word()
	case l.At("User", "Documents", "Document", "Alias", name):
		l.aliases[len(l.aliases)-1].set(name, l)
	}
	return nil
}

func (a *alias) set(name string, l *userList) {
	switch name {
	case "Name":
		a.name = l.word()
	case "CreationTime":
		a.created = l.word()
	case "DeletionTime":
		a.deleted = l.word()
	}
}

// word is the text of the innermost element.
func (l *userList) word() string { return strings.TrimSpace(string(l.text)) }

// emit hands on the aliases of a user that are in force and can be used.
func (l *userList) emit() error {
	for _, a := range l.aliases {
		if a.deleted != "" || a.document != "Invoice" && a.document != "DespatchAdvice" {
			continue
		}
		t := l.user
		t.Document, t.Alias = a.document, a.name
		var err error
		if t.Since, err = time.ParseInLocation("2006-01-02T15:04:05", a.created, l.zone); err != nil {
			t.Since, err = time.Parse(time.RFC3339, a.created)
		}
		if err != nil || !trade.HasTaxNumberForm(t.TaxNumber) || t.Alias == "" || len(t.Alias) > 250 {
			l.passed++
			continue
		}
		if err := l.add(t); err != nil {
			return err
		}
	}
	return nil
}
