package sheet

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"esnaf/ubl/bounded"
)

// readCSV reads text whose cells are parted by a comma, a semicolon (as Excel
// writes it in Turkey) or a tab, in UTF-8 or in the Turkish code page of Windows.
func readCSV(file *io.SectionReader, charset string, limits Limits) (*Table, error) {
	if file.Size() > int64(limits.Bytes) {
		return nil, limits.tooMuch()
	}
	text, err := decoded(file, charset)
	if err != nil {
		return nil, err
	}
	text, comma, row := begun(text)
	t := &Table{limits: limits, comma: comma}
	left := &bounded.Reader{R: text}
	r := csv.NewReader(left)
	r.Comma, r.FieldsPerRecord, r.ReuseRecord = t.comma, -1, true
	for end := 0; ; {
		left.Left = maxRow
		cells, err := r.Read()
		if errors.Is(err, io.EOF) {
			return t, nil
		}
		if err != nil {
			return nil, notCSV(err, row, end)
		}
		// A spreadsheet shows a cell of several lines in one row, and an empty line,
		// which the reader passes over, in a row of its own.
		line, _ := r.FieldPos(0)
		row += line - end
		end = line
		for _, c := range cells {
			end += strings.Count(c, "\n")
		}
		if err := t.add(Row{N: row, Cells: cells}); err != nil {
			return nil, err
		}
	}
}

// notCSV says why the row cannot be read that follows a row, which ends in the line end.
func notCSV(err error, row, end int) error {
	var at *csv.ParseError
	switch {
	case errors.Is(err, bounded.ErrFull):
		english, turkish := fmt.Sprintf("the row after row %d", row), fmt.Sprintf("%d. satırdan sonraki satır", row)
		if row == 0 {
			english, turkish = "its first row", "ilk satırı"
		}
		return bad(english+" has more than 1 MB, perhaps because a quotation mark is not closed", turkish+" 1 MB'tan uzun, belki kapanmayan bir tırnak yüzünden")
	case errors.As(err, &at):
		return inRow(at.StartLine+row-end, `a quotation mark (") stands where none may, or is not closed`, `tırnak (") yanlış yerde ya da kapatılmamış`)
	}
	return bad("it cannot be read", "okunamıyor")
}

// Charsets are the names of the codes that a text may be said to be in.
var Charsets = []string{"utf-8", "windows-1254", "iso-8859-9"}

// Charset is the one of Charsets that a text of the charset name is read in, "" for none.
func Charset(name string) string {
	switch name {
	case "utf8", "us-ascii", "ascii":
		return Charsets[0]
	case "cp1254":
		return Charsets[1]
	case "latin5", "iso8859-9", "iso_8859-9":
		return Charsets[2]
	}
	if slices.Contains(Charsets, name) {
		return name
	}
	return ""
}

// decoded is the text of a file in UTF-8. Any file of bytes is text in some code
// page: one of which nobody says its charset and that is not UTF-8 is taken for
// windows-1254, of which ISO 8859-9 is the part that has letters, unless it has bytes that
// mean nothing there. The ı of DOS (code page 857) is one of those. What begins with the
// mark of UTF-8 is that, whatever is said.
func decoded(file *io.SectionReader, charset string) (*bufio.Reader, error) {
	sample := make([]byte, 4)
	n, _ := file.ReadAt(sample, 0) // a short file ends here with an error
	sample = sample[:n]
	if string(sample) == "\xff\xfe\x00\x00" || string(sample) == "\x00\x00\xfe\xff" {
		return nil, bad("it is in UTF-32: save it as CSV in UTF-8", "UTF-32 kodlamasında: UTF-8 CSV olarak kaydedin")
	}
	if bytes.HasPrefix(sample, []byte("\xff\xfe")) || bytes.HasPrefix(sample, []byte("\xfe\xff")) {
		return nil, bad("it is in UTF-16: save it as CSV in UTF-8", "UTF-16 kodlamasında: UTF-8 CSV olarak kaydedin")
	}
	marked := bytes.HasPrefix(sample, []byte("\xef\xbb\xbf"))
	if marked {
		charset = Charsets[0]
	}
	if charset == "" || charset == Charsets[0] {
		flaw, line, err := firstFlaw(file)
		switch {
		case err != nil:
			return nil, bad("it cannot be read", "okunamıyor")
		case flaw == 0 && marked:
			return bufio.NewReader(io.NewSectionReader(file, 3, file.Size())), nil
		case flaw == 0:
			return bufio.NewReader(io.NewSectionReader(file, 0, file.Size())), nil
		case flaw != notUTF8 || charset != "":
			return nil, flaw.refused(line, "UTF-8")
		}
	}
	text := func() io.Reader {
		return charmap.Windows1254.NewDecoder().Reader(io.NewSectionReader(file, 0, file.Size()))
	}
	flaw, line, err := firstFlaw(text())
	switch {
	case err != nil:
		return nil, bad("it cannot be read", "okunamıyor")
	case flaw == lost && charset == "":
		return nil, bad("it is neither in UTF-8 nor in windows-1254 (Turkish): save it as CSV in UTF-8", "ne UTF-8 ne de windows-1254 (Türkçe): UTF-8 CSV olarak kaydedin")
	case flaw == lost:
		return nil, notUTF8.refused(line, "windows-1254")
	case flaw != 0:
		return nil, flaw.refused(line, "")
	}
	return bufio.NewReader(text()), nil
}

// flaw is what no text has.
type flaw int

const (
	notUTF8 flaw = iota + 1
	lost         // the sign that stands for what could not be decoded
	nul
)

// firstFlaw reads a text to its end, or to what no text has, in which line it tells.
func firstFlaw(text io.Reader) (flaw, int, error) {
	line, before := 1, rune(0)
	for r := bufio.NewReaderSize(text, 64<<10); ; {
		c, n, err := r.ReadRune()
		switch {
		case errors.Is(err, io.EOF):
			return 0, 0, nil
		case err != nil:
			return 0, 0, err
		case c == utf8.RuneError && n == 1:
			return notUTF8, line, nil
		case c == utf8.RuneError:
			return lost, line, nil
		case c == 0:
			return nul, line, nil
		case c == '\r', c == '\n' && before != '\r':
			line++
		}
		before = c
	}
}

// refused says that a line has the flaw. charset is what the text should be in.
func (f flaw) refused(line int, charset string) error {
	switch f {
	case nul:
		return bad(fmt.Sprintf("its line %d has a NUL byte, which no text has: it is no CSV file, is damaged, or is in UTF-16 or UTF-32; save it as CSV in UTF-8", line),
			fmt.Sprintf("%d. satırında NUL baytı var, metinde bu olmaz: CSV değil, bozuk ya da UTF-16 veya UTF-32 kodlamasında; UTF-8 CSV olarak kaydedin", line))
	case lost:
		return bad(fmt.Sprintf("its line %d has the sign U+FFFD, which stands for a letter that was lost when the file was made: make it anew in UTF-8", line),
			fmt.Sprintf("%d. satırında U+FFFD işareti var, dosya hazırlanırken kaybolan bir harfin yerinde durur: UTF-8 olarak yeniden hazırlayın", line))
	}
	return bad(fmt.Sprintf("it is said to be in %s, and its line %d is not: correct the charset that is said, or save it as CSV in UTF-8", charset, line),
		fmt.Sprintf("%s olduğu söyleniyor, %d. satırı ise değil: bildirilen karakter kümesini düzeltin ya da UTF-8 CSV olarak kaydedin", charset, line))
}

// begun looks at the beginning of a text, what is there of its head, to tell how it
// is written. A first line such as sep=; holds no titles: in it Excel is told what parts the
// cells. row is how many rows are behind.
func begun(text *bufio.Reader) (rest *bufio.Reader, comma rune, row int) {
	const enough = 4096
	first, _ := text.Peek(enough) // a short text ends here with an error
	if endsInCR(first) {
		text = bufio.NewReader(lineFeeds{text})
		first, _ = text.Peek(enough)
	}
	line, _, ended := bytes.Cut(first, []byte("\n"))
	said := bytes.TrimSuffix(line, []byte("\r"))
	if !ended || len(said) != 5 || !bytes.EqualFold(said[:4], []byte("sep=")) || !bytes.ContainsAny(said[4:], ",;\t|") {
		return text, commaOf(first), 0
	}
	comma = rune(said[4])
	_, _ = text.Discard(len(line) + 1) // it was peeked at
	return text, comma, 1
}

// endsInCR tells whether lines end in carriage returns alone, as old programs of
// the Macintosh write them.
func endsInCR(text []byte) bool {
	quoted := false
	for i, c := range text {
		switch {
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '\n':
			return false
		case c == '\r' && i+1 < len(text) && text[i+1] != '\r':
			return text[i+1] != '\n'
		}
	}
	return false
}

// lineFeeds is a text with line feeds for its carriage returns.
type lineFeeds struct{ r io.Reader }

func (l lineFeeds) Read(p []byte) (int, error) {
	n, err := l.r.Read(p)
	for i, c := range p[:n] {
		if c == '\r' {
			p[i] = '\n'
		}
	}
	return n, err
}

// commaOf finds what parts the cells of the first line that is not empty: whichever
// of the three stands there most, outside of quotation marks.
func commaOf(text []byte) rune {
	counts := map[rune]int{}
	quoted := false
	for _, c := range string(text) {
		if c == '"' {
			quoted = !quoted
		}
		if c == '\n' && !quoted && len(counts) > 0 {
			break
		}
		if !quoted && (c > ' ' || c == '\t') {
			counts[c]++
		}
	}
	comma := ','
	for _, c := range ";\t" {
		if counts[c] > counts[comma] {
			comma = c
		}
	}
	return comma
}
