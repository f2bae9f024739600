package sheet

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"esnaf/store/trade"
	"esnaf/ubl/bounded"
)

// readCSV reads text whose cells are parted by a comma, a semicolon (as Excel
// writes it in Turkey) or a tab, in UTF-8 or in the Turkish code page of Windows.
func readCSV(file *io.SectionReader, limits Limits) (*Table, error) {
	if file.Size() > int64(limits.Bytes) {
		return nil, limits.tooMuch()
	}
	text, err := decoded(file)
	if err != nil {
		return nil, err
	}
	t := &Table{limits: limits}
	var row int
	if text, t.comma, row, err = begun(text); err != nil {
		return nil, err
	}
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
			return nil, notCSV(err, row-end)
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

// notCSV says why a row cannot be read. Its number is that of its line and more.
func notCSV(err error, more int) error {
	var at *csv.ParseError
	switch {
	case errors.Is(err, bounded.ErrFull):
		return bad("a row has more than 1 MB, perhaps because a quotation mark is not closed", "bir satır 1 MB'tan uzun, belki kapanmayan bir tırnak yüzünden")
	case trade.KindOf(err) != "":
		return err
	case errors.As(err, &at):
		return inRow(at.StartLine+more, `a quotation mark (") stands where none may, or is not closed`, `tırnak (") yanlış yerde ya da kapatılmamış`)
	}
	return bad("it cannot be read", "okunamıyor")
}

// decoded is the text of a file in UTF-8. Any file of bytes is text in some code
// page: one that is not UTF-8 is taken for windows-1254, of which ISO 8859-9 is
// the part that has letters, unless it has bytes that mean nothing there. The ı of
// DOS (code page 857) is one of those.
func decoded(file *io.SectionReader) (*bufio.Reader, error) {
	sample := make([]byte, 3)
	n, _ := file.ReadAt(sample, 0) // a short file ends here with an error
	switch sample = sample[:n]; {
	case bytes.Equal(sample, []byte("\xef\xbb\xbf")):
		_, err := file.Seek(3, io.SeekStart)
		return bufio.NewReader(&checked{r: file}), err
	case bytes.HasPrefix(sample, []byte("\xff\xfe")), bytes.HasPrefix(sample, []byte("\xfe\xff")):
		return nil, bad("it is in UTF-16: save it as CSV in UTF-8", "UTF-16 kodlamasında: UTF-8 CSV olarak kaydedin")
	}
	utf, err := isUTF8(file)
	if err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	if err != nil {
		return nil, bad("it cannot be read", "okunamıyor")
	}
	if utf {
		return bufio.NewReader(&checked{r: file}), nil
	}
	return bufio.NewReader(&checked{r: charmap.Windows1254.NewDecoder().Reader(file)}), nil
}

// isUTF8 reads a file to its end, or to what is not UTF-8.
func isUTF8(file io.Reader) (bool, error) {
	for r := bufio.NewReaderSize(file, 64<<10); ; {
		c, n, err := r.ReadRune()
		switch {
		case errors.Is(err, io.EOF):
			return true, nil
		case err != nil, c == utf8.RuneError && n == 1:
			return false, err
		}
	}
}

// checked refuses bytes that mean nothing in their code page.
type checked struct{ r io.Reader }

func (c *checked) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	if bytes.Contains(p[:n], []byte("\uFFFD")) || bytes.IndexByte(p[:n], 0) >= 0 {
		return 0, bad("it is neither in UTF-8 nor in windows-1254 (Turkish): save it as CSV in UTF-8", "ne UTF-8 ne de windows-1254 (Türkçe): UTF-8 CSV olarak kaydedin")
	}
	return n, err
}

// begun looks at the beginning of a text, what is there of its head, to tell how it
// is written. A first line such as sep=; holds no titles: in it Excel is told what parts the
// cells. row is how many rows are behind.
func begun(text *bufio.Reader) (rest *bufio.Reader, comma rune, row int, err error) {
	const enough = 4096
	first, err := text.Peek(enough)
	if endsInCR(first) {
		text = bufio.NewReader(lineFeeds{text})
		first, err = text.Peek(enough)
	}
	if trade.KindOf(err) != "" {
		return nil, 0, 0, err
	}
	line, _, ended := bytes.Cut(first, []byte("\n"))
	said := bytes.TrimSuffix(line, []byte("\r"))
	if !ended || len(said) != 5 || !bytes.EqualFold(said[:4], []byte("sep=")) || !bytes.ContainsAny(said[4:], ",;\t|") {
		return text, commaOf(first), 0, nil
	}
	comma = rune(said[4])
	_, err = text.Discard(len(line) + 1)
	return text, comma, 1, err
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
