package store

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"esnaf/store/trade"
)

// Record is a pointer to a record type that embeds trade.Meta, as every Table keeps.
type Record[T any] interface {
	*T
	Base() *trade.Meta
}

// Table keeps one kind of record: the whole record as JSON in doc, and beside it
// the columns that are searched, sorted, joined or constrained.
type Table[T any, P Record[T]] struct {
	Name   string             // of the SQL table
	One    string             // what one record is called in a sentence
	Path   string             // of the resource on Interface A, when it is not the table's name
	Prefix string             // of its ids
	Tells  Tells              // the events of its making, changing and deleting
	Cols   []string           // promoted columns
	Vals   func(P) []any      // their values
	Search func(P) string     // what q finds the record by; nil: nothing
	Code   Code[P]            // what live records are told apart by
	Keeps  func(*Tx, P) error // why a record may not be deleted now; nil: it always may
	List   ListRules
	// Joined appends figures that are no part of the stored record, since they move
	// without it, as members: ,"balance":"1.00". nil: none.
	Joined func(v *View, id string, dst []byte) ([]byte, error)
	insert string
}

// Code is the unique code or number of a table's live records: its column, which has
// the name of the field, and how a record that comes without one gets it. The zero
// Code is none.
type Code[P any] struct {
	Col    string
	Letter string // what a drawn one begins with
	Of     func(P) *string
}

// table completes a Table with its SQL.
func table[T any, P Record[T]](t Table[T, P]) *Table[T, P] {
	cols := strings.Join(t.Cols, ", ")
	t.insert = fmt.Sprintf("INSERT INTO %s (tenant, id, version, updated_at, doc, search, %s) VALUES (?, ?, ?, ?, ?, ?%s)", t.Name, cols, strings.Repeat(", ?", len(t.Cols)))
	t.List.name, t.List.prefix, t.List.joined = t.Name, t.Prefix, t.Joined
	t.Path = cmp.Or(t.Path, t.Name)
	return &t
}

// Doc is a record as stored: its version and its JSON, to be sent as it is.
type Doc struct {
	Version int64
	JSON    []byte
}

// byID finds a record of the account. The + keeps SQLite to the index of ids, whose keys
// are half as long as those of tenant and id.
const byID = " WHERE id = ? AND +tenant = ?"

// docBytes is doc as it lies in the file. A text is copied once more on its way out, to
// have a zero byte after it.
const docBytes = "CAST(doc AS BLOB)"

// Doc reads the stored bytes of a live record, which can be sent.
func (t *Table[T, P]) Doc(v *View, id string) (Doc, error) {
	d, err := t.stored(v, id)
	if err == nil {
		err = sound(d.JSON)
	}
	return d, err
}

// stored is Doc for who decodes it.
func (t *Table[T, P]) stored(v *View, id string) (Doc, error) {
	var row [2]any
	err := v.first(row[:], "SELECT version, "+docBytes+" FROM "+t.Name+byID+" AND deleted_at IS NULL", id, v.who.Tenant)
	switch {
	case noRows(err):
		return Doc{}, v.missing(t.One, id)
	case err != nil:
		return Doc{}, err
	}
	return Doc{row[0].(int64), row[1].([]byte)}, nil
}

// Shown is Doc with the joined figures, as a read answers it.
func (t *Table[T, P]) Shown(v *View, id string) (Doc, error) {
	d, err := t.Doc(v, id)
	if err != nil || t.Joined == nil {
		return d, err
	}
	d.JSON, err = t.List.join(v, d.JSON, 0)
	return d, err
}

// Record reads a live record, as stored and decoded.
func (t *Table[T, P]) Record(v *View, id string) (d Doc, rec T, err error) {
	if d, err = t.stored(v, id); err == nil {
		err = decode(d.JSON, &rec)
	}
	return d, rec, err
}

// Get reads a live record.
func (t *Table[T, P]) Get(v *View, id string) (rec T, err error) {
	_, rec, err = t.Record(v, id)
	return rec, err
}

// Find is Get for a reference: a record that is not there is a fault of field,
// not an error of the request.
func (t *Table[T, P]) Find(tx *Tx, f *trade.Check, field, id string) (rec T, ok bool, err error) {
	rec, err = t.Get(&tx.View, id)
	return rec, err == nil, amiss(f, field, err)
}

// amiss takes up that the record a field refers to is not there, or is another
// tenant's; any other error stays one.
func amiss(f *trade.Check, field string, err error) error {
	switch trade.KindOf(err) {
	case trade.NotFound:
		f.Add(field, trade.RecordNotFound)
		return nil
	case trade.Forbidden:
		f.Add(field, trade.CrossTenant)
		return nil
	}
	return err
}

// Ever is Get of a record that may have been deleted since.
func (t *Table[T, P]) Ever(v *View, id string) (rec T, err error) {
	var row [1]any
	err = v.first(row[:], "SELECT "+docBytes+" FROM "+t.Name+byID, id, v.who.Tenant)
	switch {
	case noRows(err):
		return rec, v.missing(t.One, id)
	case err != nil:
		return rec, err
	}
	return rec, decode(row[0].([]byte), &rec)
}

// refer is Find, but of what is kept a deleted record does as well.
func (t *Table[T, P]) refer(tx *Tx, field, id string, k kept) (rec T, ok bool, err error) {
	if !k.ids[id] {
		return t.Find(tx, tx.Check(), field, id)
	}
	rec, err = t.Ever(&tx.View, id)
	return rec, err == nil, amiss(tx.Check(), field, err)
}

// Add stores a new record and sets its Meta.
func (t *Table[T, P]) Add(tx *Tx, rec P) (Doc, error) {
	m := rec.Base()
	at := trade.At(tx.now)
	m.ID, m.Version, m.CreatedAt, m.UpdatedAt, m.DeletedAt = tx.db.ids.InOrder(t.Prefix, tx.now), 1, at, at, 0
	return t.addAs(tx, rec)
}

// addAs stores a new record whose Meta is set.
func (t *Table[T, P]) addAs(tx *Tx, rec P) (Doc, error) {
	m := rec.Base()
	doc, err := encode(rec)
	if err != nil {
		return Doc{}, err
	}
	search := t.searchText(rec)
	args := append(make([]any, 0, 6+len(t.Cols)), tx.who.Tenant, m.ID, m.Version, int64(m.UpdatedAt), string(doc), search)
	if _, err := tx.exec(t.insert, append(args, t.Vals(rec)...)...); err != nil {
		return Doc{}, t.clash(err)
	}
	if search != "" {
		tx.db.unfiled++
	}
	return Doc{m.Version, doc}, nil
}

// Put stores rec in the place of old, one version on. Where the clock was set back
// meanwhile its time stays: who reads what has changed since then must find it.
func (t *Table[T, P]) Put(tx *Tx, old, rec P) (Doc, error) {
	tx.follow(old.Base(), rec.Base())
	doc, err := encode(rec)
	if err != nil {
		return Doc{}, err
	}
	return t.putDoc(tx, old, rec, doc)
}

// follow makes m the Meta of the version after old.
func (tx *Tx) follow(old, m *trade.Meta) {
	m.Version, m.UpdatedAt = old.Version+1, max(trade.At(tx.now), old.UpdatedAt)
}

// putDoc is Put of a record that is encoded already.
func (t *Table[T, P]) putDoc(tx *Tx, old, rec P, doc []byte) (Doc, error) {
	m := rec.Base()
	was, search := "", ""
	if t.Search != nil && t.Search(old) != t.Search(rec) {
		was, search = t.searchText(old), t.searchText(rec)
	}
	text, args := t.update(tx, old, rec, doc, was, search)
	n, err := tx.exec(text, args...)
	if err != nil {
		return Doc{}, t.clash(err)
	}
	if n != 1 { // the writer is alone, so this cannot be a race
		return Doc{}, fmt.Errorf("%s %s: version %d is not there", t.One, m.ID, m.Version-1)
	}
	if was != search {
		err = tx.refile(t.Name, t.Prefix, m.ID, was, search)
	}
	return Doc{m.Version, doc}, err
}

// update is the statement that puts rec in the place of old. It names only the
// columns that change: SQLite would touch the index of every other one too.
func (t *Table[T, P]) update(tx *Tx, old, rec P, doc []byte, was, search string) (string, []any) {
	m := rec.Base()
	set := "UPDATE " + t.Name + " SET version = ?, updated_at = ?, doc = ?"
	args := append(make([]any, 0, 8+len(t.Cols)), m.Version, int64(m.UpdatedAt), string(doc))
	add := func(col string, value any) {
		set += ", " + col + " = ?"
		args = append(args, value)
	}
	if m.DeletedAt != old.Base().DeletedAt {
		add("deleted_at", nilIfZero(m.DeletedAt))
	}
	if was != search {
		add("search", search)
	}
	before := t.Vals(old)
	for i, v := range t.Vals(rec) {
		if v != before[i] {
			add(t.Cols[i], v)
		}
	}
	return set + byID + " AND version = ?", append(args, m.ID, tx.who.Tenant, m.Version-1)
}

// Drop marks rec deleted: it stays readable for who asks for deleted rows, and
// its codes become free again.
func (t *Table[T, P]) Drop(tx *Tx, rec P) (Doc, error) {
	gone := *rec
	P(&gone).Base().DeletedAt = trade.At(tx.now)
	return t.Put(tx, rec, &gone)
}

// searchText is the words a record is found by, a space between them.
func (t *Table[T, P]) searchText(rec P) string {
	if t.Search == nil {
		return ""
	}
	return strings.Join(trade.Words(trade.Fold(t.Search(rec))), " ")
}

// clash tells a broken uniqueness by the field that broke it.
func (t *Table[T, P]) clash(err error) error {
	if codeOf(err) != codeUnique {
		return err
	}
	if field := t.Code.Col; field != "" && strings.Contains(err.Error(), t.Name+"."+field) {
		e := trade.Fail(trade.Conflict, trade.Duplicate, field)
		e.Faults = []trade.Fault{{Field: field, Code: trade.Duplicate}}
		return e
	}
	return err
}

func nilIfZero(i trade.Instant) any {
	if i == 0 {
		return nil
	}
	return int64(i)
}

// encode writes a record the same way every time: fields in their order, map
// keys sorted.
func encode(rec any) ([]byte, error) { return json.Marshal(rec, json.Deterministic(true)) }

// decode reads what encode wrote. Fields that a later version dropped are
// passed over.
func decode(doc []byte, rec any) error {
	if err := json.Unmarshal(doc, rec); err != nil {
		return unreadable(err)
	}
	return nil
}

// sound is nil when doc is JSON as encode writes it. A record is sent as it lies there, and
// who reads it is told when it is none.
func sound(doc []byte) error {
	if !jsontext.Value(doc).IsValid(jsontext.AllowDuplicateNames(true)) {
		return errUnreadable
	}
	return whole(doc)
}

// whole is the part of sound that a page of records is worth, of which all would cost a third
// more: doc begins with its id, by which lists go on, and has an end.
func whole(doc []byte) error {
	if !bytes.HasPrefix(doc, []byte(idFirst)) || !bytes.HasSuffix(doc, []byte("}")) {
		return errUnreadable
	}
	return nil
}

func unreadable(err error) error { return fmt.Errorf("%w: %w", errUnreadable, err) }

// Unreadable is what a caller may hear of err, which met a stored record that is not what
// was written.
func Unreadable(err error) error { return plain(unreadable(err)) }

// errUnreadable is that of a stored record that is not what encode wrote.
var errUnreadable = errors.New("stored record")
