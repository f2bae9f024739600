package server

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/go-json-experiment/json/jsontext"

	"esnaf/server/sheet"
	"esnaf/store"
	"esnaf/store/trade"
)

// head is the first row of a file: which column stands where.
type head struct {
	table   *sheet.Table
	columns []*column // by place; nil where no title stands
	titles  []string
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
	first := table.Rows[0]
	known, fields := columnsByTitle(columns), make([]string, len(columns))
	for i, c := range columns {
		fields[i] = c.field
	}
	used := map[*column]string{}
	for _, title := range first.Cells {
		c := known[folded(title)]
		switch {
		case title == "":
		case c == nil:
			faults = append(faults, rowFault{row: first.N, column: title, Fault: trade.Fault{Field: title, Code: trade.UnknownColumn, Args: []any{strings.Join(fields, ", ")}}})
		case used[c] != "":
			faults = append(faults, rowFault{row: first.N, column: title, Fault: trade.Fault{Field: title, Code: trade.Exclusive, Args: []any{used[c]}}})
			c = nil
		default:
			used[c] = title
		}
		h.columns, h.titles = append(h.columns, c), append(h.titles, title)
	}
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
}

// patch is the row as a merge patch of a record. An empty cell says nothing: what
// the record has there stays. Cells that cannot be read are faults of the change.
func (l *line) patch(tx *store.Tx) ([]byte, error) {
	l.given = map[string]string{}
	b := []byte{'{'}
	for i, cell := range l.Cells {
		if cell == "" {
			continue
		}
		if i >= len(l.columns) || l.columns[i] == nil {
			tx.Check().Add(columnName(i), trade.UnknownColumn, strings.Join(l.titles, ", "))
			continue
		}
		c := l.columns[i]
		value, err := l.value(tx, c, cell)
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

// literal is a value in JSON. What should be a number and is none goes as a text,
// to be refused as any other of the wrong type.
func (c *column) literal(value string) []byte {
	if n, err := strconv.Atoi(value); c.kind == integerCell && err == nil {
		return strconv.AppendInt(nil, int64(n), 10)
	}
	if c.kind == booleanCell {
		return []byte(value)
	}
	b, _ := jsontext.AppendQuote(nil, value)
	return b
}

// value is what a cell says, as the record has it.
func (l *line) value(tx *store.Tx, c *column, cell string) (string, error) {
	if strings.ContainsFunc(cell, unusable) {
		tx.Check().Add(c.field, trade.WrongType, trade.Phrase{"a text without control characters", "denetim karakteri içermeyen bir metin"})
		return "", nil
	}
	switch c.kind {
	case digitsCell, integerCell:
		return l.table.Digits(cell), nil
	case decimalCell:
		plain, ok := l.table.Decimal(cell)
		if !ok {
			tx.Check().Add(c.field, trade.DoubtfulDecimal, cell)
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
		id, _, err := store.Companies.ByCode(&tx.View, cell)
		if id == "" && err == nil {
			tx.Check().Add(c.field, trade.RecordNotFound)
		}
		return id, err
	}
	return cell, nil
}

// unusable tells of characters that no document could carry (XML 1.0 section 2.2).
func unusable(r rune) bool {
	return unicode.IsControl(r) && r != '\t' && r != '\n' && r != '\r' || r == '\uFFFE' || r == '\uFFFF'
}

// columnName is what spreadsheets call a column: A, B, ..., Z, AA.
func columnName(i int) string {
	name := ""
	for i++; i > 0; i = (i - 1) / 26 {
		name = string(rune('A'+(i-1)%26)) + name
	}
	return name
}
