package server

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/go-json-experiment/json/jsontext"

	"esnaf/server/sheet"
	"esnaf/server/wire"
	"esnaf/store"
	"esnaf/store/trade"
)

// head is the first row of a file: which column stands where.
type head struct {
	table   *sheet.Table
	columns []*column // by place; nil where no title stands
	titles  []string
	numbers sheet.Decimals
}

// rowFault is something wrong in a file: the fault of a field, or of a title, and
// where it stands.
type rowFault struct {
	row    int
	column string // its title in the file; "" when the file has no such column
	trade.Fault
}

// readHead finds the columns of a file by their titles. What it does not know is a
// fault: data that nobody asked for may well be data under a misspelt title.
func readHead(table *sheet.Table, columns []column) (h head, faults []rowFault) {
	h.table = table
	first := table.Row(0)
	known := columnsByTitle(columns)
	used := map[*column]string{}
	var decimals []int
	for i, title := range first.Cells {
		c := known[folded(title)]
		bad := func(code trade.Code, args ...any) {
			faults = append(faults, rowFault{row: first.N, column: title, Fault: trade.Fault{Field: title, Code: code, Args: append([]any{title}, args...)}})
		}
		switch {
		case title == "":
			c = nil
		case c == nil:
			bad(trade.UnknownColumn, titlesOf(columns))
		case used[c] != "":
			bad(trade.RepeatedColumn, used[c], columnName(i), c.field)
		default:
			used[c] = columnName(i)
			if c.kind == decimalCell {
				decimals = append(decimals, i)
			}
		}
		h.columns, h.titles = append(h.columns, c), append(h.titles, title)
	}
	h.numbers = table.Decimals(decimals)
	return h, faults
}

// titleOf is the title under which the file has a field.
func (h *head) titleOf(field string) string {
	for i, c := range h.columns {
		if c != nil && c.field == field {
			return h.titles[i]
		}
	}
	return ""
}

// line is one row on its way to become a record.
type line struct {
	*head
	sheet.Row
	given map[string]string // by field, as it will stand in the record
	id    string            // of the record, as the file says
	found string            // id of the record that the row changes
}

// patch is the row as a merge patch of a record. An empty cell says nothing: what
// the record has there stays. Cells that cannot be read are faults of the change.
func (l *line) patch(tx *store.Tx) ([]byte, error) {
	l.given = map[string]string{}
	b, untitled := []byte{'{'}, false
	for i, cell := range l.Cells {
		if cell == "" {
			continue
		}
		if i >= len(l.columns) || l.columns[i] == nil {
			if !untitled { // one for the row: a hundred more would say the same
				tx.Check().Add(columnName(i), trade.UntitledColumn, l.N, l.table.Row(0).N, columnName(i))
			}
			untitled = true
			continue
		}
		c := l.columns[i]
		if c.kind == ignoredCell || !l.readable(tx.Check(), c, i) {
			continue
		}
		switch c.kind {
		case idCell:
			l.id = cell
			continue
		case deletedCell:
			tx.Check().Add(c.field, trade.RowDeleted)
			return nil, tx.Check().Err()
		}
		value, err := l.value(tx, c, i, cell)
		if err != nil {
			return nil, err
		}
		if tx.Check().Has(c.field) {
			continue
		}
		l.given[c.field] = value
		if len(b) > 1 {
			b = append(b, ',')
		}
		b, _ = jsontext.AppendQuote(b, c.field)
		b = append(append(b, ':'), c.literal(value)...)
	}
	return append(b, '}'), nil
}

// readable tells whether a cell of a workbook holds what its column can have.
func (l *line) readable(f *trade.Check, c *column, i int) bool {
	cell, must := l.Cells[i], trade.Phrase{}
	switch kind := l.Kind(i); {
	case kind == sheet.Failed && cell == "=":
		must = trade.Phrase{"a value, and its cell has a formula that was never worked out", "bir değer, hücresinde ise hiç hesaplanmamış bir formül var"}
	case kind == sheet.Failed:
		must = trade.Phrase{"a value, and its cell has the error " + cell, "bir değer, hücresinde ise şu hata var: " + cell}
	case kind == sheet.Boolean && c.kind != booleanCell:
		must = trade.Phrase{"a text or a number, and its cell has " + cell, "metin ya da sayı, hücresinde ise şu var: " + cell}
	default:
		return true
	}
	f.Add(c.field, trade.WrongType, must)
	return false
}

// literal is a value in JSON. What should be a number and is none goes as a text,
// to be refused as any other of the wrong type.
func (c *column) literal(value string) []byte {
	if n, err := strconv.Atoi(value); c.kind == integerCell && err == nil {
		return strconv.AppendInt(nil, int64(n), 10)
	}
	if c.kind == booleanCell || c.kind == jsonCell {
		return []byte(value)
	}
	b, _ := jsontext.AppendQuote(nil, value)
	return b
}

// value is what a cell in the column at says, as the record has it.
func (l *line) value(tx *store.Tx, c *column, at int, cell string) (string, error) {
	if strings.ContainsFunc(cell, unusable) {
		tx.Check().Add(c.field, trade.WrongType, trade.Phrase{"a text without control characters", "denetim karakteri içermeyen bir metin"})
		return "", nil
	}
	if l.table.IsCSV() {
		cell = wire.Unguarded(cell)
	}
	switch c.kind {
	case digitsCell, integerCell:
		return l.table.Digits(cell), nil
	case decimalCell:
		plain, ok := l.numbers.Read(cell, l.Kind(at))
		if !ok {
			tx.Check().Add(c.field, trade.DoubtfulDecimal, doubt(l.numbers), cell)
		}
		return plain, nil
	case booleanCell:
		word, ok := booleans[folded(cell)]
		if !ok {
			tx.Check().Add(c.field, trade.WrongType, trade.Phrase{"yes or no", "evet ya da hayır"})
		}
		return word, nil
	case choiceCell:
		if word := c.words[folded(cell)]; word != "" {
			return word, nil
		}
		return strings.ToUpper(cell), nil
	case companyCell:
		return l.company(tx, c, cell)
	case jsonCell:
		if !isPlainJSON(cell) {
			tx.Check().Add(c.field, trade.WrongType, trade.Phrase{"JSON, as an export has it", "dışa aktarımdaki gibi JSON"})
		}
	}
	return cell, nil
}

// doubt is why nobody can tell what a number of a file is.
func doubt(numbers sheet.Decimals) trade.Phrase {
	if comma, point := numbers.Both[0], numbers.Both[1]; comma != "" {
		return trade.Phrase{fmt.Sprintf("other numbers of the file tell both, as %q and %q do", comma, point), fmt.Sprintf("dosyadaki öbür sayılar ikisini de gösteriyor (%q ve %q)", comma, point)}
	}
	return trade.Phrase{"no other number of the file tells which", "dosyadaki başka bir sayı hangisi olduğunu göstermiyor"}
}

// company finds the company of a cell: by its code, or by its id as exports have it.
func (l *line) company(tx *store.Tx, c *column, cell string) (id string, err error) {
	if id, _, err = store.Companies.ByCode(&tx.View, cell); id != "" || err != nil {
		return id, err
	}
	var elsewhere trade.Check // of another account is nowhere
	_, ok, err := store.Companies.Find(tx, &elsewhere, c.field, cell)
	if ok {
		return cell, nil
	}
	if err == nil {
		tx.Check().Add(c.field, trade.UnknownCompanyCode, l.titleOf(c.field), cell)
	}
	return "", err
}

// isPlainJSON tells whether a cell is one object or list, that holds little else
// inside it: bodies may not be nested without end either.
func isPlainJSON(cell string) bool {
	v := jsontext.Value(cell)
	if kind := v.Kind(); kind != '{' && kind != '[' || !v.IsValid() {
		return false
	}
	for d := jsontext.NewDecoder(strings.NewReader(cell)); d.StackDepth() <= 4; {
		if _, err := d.ReadToken(); err != nil {
			return true // its end
		}
	}
	return false
}

// unusable tells of characters that no document could carry (XML 1.0 section 2.2).
func unusable(r rune) bool {
	return unicode.IsControl(r) && r != '\t' && r != '\n' && r != '\r' || r == '\uFFFE' || r == '\uFFFF' || trade.TurnsText(r)
}

// columnName is what spreadsheets call a column: A, B, ..., Z, AA.
func columnName(i int) string {
	name := ""
	for i++; i > 0; i = (i - 1) / 26 {
		name = string(rune('A'+(i-1)%26)) + name
	}
	return name
}
