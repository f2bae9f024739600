package gib

import (
	"bufio"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"esnaf/store"
	"esnaf/store/trade"
)

// userList reads the XML of the list token by token. It takes tokens raw, which is
// a third faster, and so holds itself that every element is closed by its own name.
//
// The elements it knows are those of the package guide's NewUserList.xsd; others
// are passed over, whatever is in them.
type userList struct {
	d      *xml.Decoder
	room   *room
	zone   *time.Location
	add    func(store.Taxpayer) error
	passed int

	path  []string // the open elements
	text  []byte   // of the innermost
	whole bool     // the root was there and is closed

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
	l := userList{room: &room{r: bufio.NewReaderSize(r, 64<<10)}, zone: zone, add: add}
	l.d = xml.NewDecoder(l.room)
	for {
		l.room.left = maxToken
		token, err := l.d.RawToken()
		switch {
		case errors.Is(err, io.EOF) && l.whole:
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
	line, _ := l.d.InputPos()
	switch {
	case errors.Is(err, errNoRoom):
		return l.bad("something in it is far too long", "içinde fazlasıyla uzun bir şey var")
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.As(err, &syntax) && strings.Contains(syntax.Msg, "unexpected EOF"):
		return badList("it ends too early", "erken bitiyor")
	case errors.As(err, &syntax):
		return badList(fmt.Sprintf("line %d is not XML", line), fmt.Sprintf("%d. satır XML değil", line))
	}
	return badList("the XML is damaged, or in another encoding than UTF-8", "XML bozuk ya da UTF-8'den başka bir kodlamada")
}

func (l *userList) bad(english, turkish string) error {
	line, _ := l.d.InputPos()
	return badList(fmt.Sprintf("line %d: %s", line, english), fmt.Sprintf("%d. satır: %s", line, turkish))
}

func (l *userList) notList() error {
	return l.bad("this is not a list of registered users (UserList)", "bu bir kayıtlı kullanıcı listesi (UserList) değil")
}

func (l *userList) take(token xml.Token) error {
	switch t := token.(type) {
	case xml.StartElement:
		return l.open(t)
	case xml.CharData:
		if len(l.path) == 0 && len(bytes.TrimSpace(t)) > 0 {
			return l.notList()
		}
		if l.text = append(l.text, t...); len(l.text) > maxText {
			return l.bad("a text is far too long", "bir metin fazlasıyla uzun")
		}
	case xml.EndElement:
		return l.close(t.Name.Local)
	case xml.Directive: // a document type may define entities that grow without end
		return l.bad("a document type (DOCTYPE) is not taken", "belge türü tanımı (DOCTYPE) kabul edilmiyor")
	}
	return nil
}

func (l *userList) open(e xml.StartElement) error {
	name := e.Name.Local
	switch {
	case len(l.path) == 0 && (name != "UserList" || l.whole):
		return l.notList()
	case len(l.path) == maxDepth:
		return l.bad("elements lie too deep in each other", "öğeler çok derin iç içe")
	}
	l.path, l.text = append(l.path, name), l.text[:0]
	switch {
	case l.at("User"):
		l.user, l.aliases = store.Taxpayer{}, l.aliases[:0]
	case l.at("User", "Documents", "Document"):
		l.document = ""
		for _, a := range e.Attr {
			if a.Name.Local == "type" {
				l.document = a.Value
			}
		}
	case l.at("User", "Documents", "Document", "Alias"):
		if l.aliases = append(l.aliases, alias{document: l.document}); len(l.aliases) > maxAliases {
			return l.bad("a user has too many aliases", "bir kullanıcının çok fazla etiketi var")
		}
	}
	return nil
}

// at tells whether the innermost element lies so in the root.
func (l *userList) at(names ...string) bool { return slices.Equal(l.path[1:], names) }

func (l *userList) close(name string) error {
	if len(l.path) == 0 || l.path[len(l.path)-1] != name {
		return l.bad("an element is closed that is not open", "açık olmayan bir öğe kapatılıyor")
	}
	var err error
	switch {
	case len(l.path) == 1:
		l.whole = true
	case l.at("User"):
		err = l.emit()
	case l.at("User", "Identifier"):
		l.user.TaxNumber = l.word()
	case l.at("User", "Title"):
		l.user.Title = l.word()
	case l.at("User", "Type"):
		l.user.Type = l.word()
	case len(l.path) == 6 && slices.Equal(l.path[1:5], []string{"User", "Documents", "Document", "Alias"}):
		l.aliases[len(l.aliases)-1].set(name, l)
	}
	l.path, l.text = l.path[:len(l.path)-1], l.text[:0]
	return err
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

// room gives the decoder no more bytes for one token than are left: it would keep
// a token of gigabytes in memory before it showed it.
type room struct {
	r    *bufio.Reader
	left int
}

var errNoRoom = errors.New("a token is too long")

// ReadByte is what the decoder reads by.
func (r *room) ReadByte() (byte, error) {
	if r.left--; r.left < 0 {
		return 0, errNoRoom
	}
	return r.r.ReadByte()
}

// Read makes room a Reader, as the decoder asks; it does not use it.
func (r *room) Read(p []byte) (int, error) { return r.r.Read(p) }
