package sheet_test

import (
	"crypto/sha256"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding/charmap"

	"esnaf/server/sheet"
	"esnaf/store/trade"
)

// rows writes the rows of a file as text: the number of each, its cells, and which
// of them are of another kind.
func rows(t *sheet.Table) (lines []string) {
	for i := range t.Len() {
		r := t.Row(i)
		line := fmt.Sprint(r.N, " ", strings.Join(r.Cells, "|"))
		for _, kind := range []struct {
			name string
			is   sheet.Kind
		}{{" booleans", sheet.Boolean}, {" failed", sheet.Failed}} {
			for i := range r.Cells {
				if r.Kind(i) == kind.is {
					line += fmt.Sprint(kind.name, " ", i)
					kind.name = ""
				}
			}
		}
		lines = append(lines, line)
	}
	return lines
}

// limits are small enough to be met by a test.
var limits = sheet.Limits{Rows: 20_000, Bytes: 16 << 20}

func read(file string) (*sheet.Table, error) {
	return sheet.Read(strings.NewReader(file), int64(len(file)), "", limits)
}

func turkish(t testing.TB, text string) string {
	t.Helper()
	s, err := charmap.Windows1254.NewEncoder().String(text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestCSV(t *testing.T) {
	want := []string{"1 Ünvan|Şehir", "2 Ada, Ltd; Şti.|Iğdır"}
	for _, row := range []struct {
		name, file string
		want       []string
	}{
		{"commas", "Ünvan,Şehir\n\"Ada, Ltd; Şti.\",Iğdır\n", want},
		{"semicolons, line ends of Windows, no end of the last", "Ünvan;Şehir\r\n\"Ada, Ltd; Şti.\";Iğdır", want},
		{"tabs", "Ünvan\tŞehir\nAda, Ltd; Şti.\tIğdır\n", want},
		{"a byte order mark", "\xef\xbb\xbfÜnvan;Şehir\nAda, Ltd\u003b Şti.;Iğdır\n", []string{"1 Ünvan|Şehir", "2 Ada, Ltd|Şti.|Iğdır"}},
		{"windows-1254", turkish(t, "Ünvan,Şehir\n\"Ada, Ltd; Şti.\",Iğdır\n"), want},
		{"marks apart from their letters", "U\u0308nvan,S\u0327ehir\n\"Ada, Ltd; Şti.\", Iğdır \n", want},
		{"one column", "Ünvan\nAda\n", []string{"1 Ünvan", "2 Ada"}},
		{"commas in a quoted title", "\"a,b,c\";d\n1;2\n", []string{"1 a,b,c|d", "2 1|2"}},
		{"empty lines, and cells of several", "\n\na;b\n\"x\ny\n\";2\n\n;\n3;4\n", []string{"3 a|b", "4 x\ny|2", "7 3|4"}},
		{"rows of other lengths", "a;b\n1\n1;2;3\n", []string{"1 a|b", "2 1", "3 1|2|3"}},
		{"what parts them said", "sep=;\r\na,b,c;d\r\n1;2\r\n", []string{"2 a,b,c|d", "3 1|2"}},
		{"behind a byte order mark, in capitals, a tab", "\xef\xbb\xbfSEP=\t\na,b,c\td\n", []string{"2 a,b,c|d"}},
		{"a bar, and an empty line", "sep=|\n\na,b;c|d\n\"x\ny\"|2\n3|4\n", []string{"3 a,b;c|d", "4 x\ny|2", "5 3|4"}},
		{"a comma", "sep=,\na;b;c,d\n", []string{"2 a;b;c|d"}},
		{"another thing said", "sep=:\na:b\n", []string{"1 sep=:", "2 a:b"}},
		{"a title like it", "sep=;b\n1;2\n", []string{"1 sep=|b", "2 1|2"}},
		{"line ends of an old Macintosh", "a;b\r\"x\ny\r\";2\r\r3;4\r", []string{"1 a|b", "2 x\ny|2", "4 3|4"}},
		{"the same with what parts them", "sep=;\ra,b,c;d\r1;2", []string{"2 a,b,c|d", "3 1|2"}},
		{"line ends of Windows doubled", "a;b\r\r\n1;2\r\r\n", []string{"1 a|b", "2 1|2"}},
		{"line ends of Windows in a cell", "a;b\r\n\"x\r\ny\";2\r\n", []string{"1 a|b", "2 x\ny|2"}},
		{"quotation marks in a cell", "a\n\"say \"\"x\"\"\"\n", []string{"1 a", "2 say \"x\""}},
	} {
		t.Run(row.name, func(t *testing.T) { readsAs(t, row.file, row.want) })
	}
}

func TestFilesThatAreNotRead(t *testing.T) {
	var texts strings.Builder
	for i := range 220_000 {
		fmt.Fprintf(&texts, "<si><t>%x</t></si>", sha256.Sum256(fmt.Append(nil, i)))
	}
	for _, row := range []struct{ name, file, says string }{
		{"nothing", "", "it is empty"},
		{"nothing in it", " \n;;\n", "it is empty"},
		{"UTF-16", "\xff\xfea\x00\n\x00", "UTF-16"},
		{"UTF-32", "\xff\xfe\x00\x00a\x00\x00\x00", "it is in UTF-32: save"},
		{"UTF-32, the other way round", "\x00\x00\xfe\xff\x00\x00\x00a", "it is in UTF-32: save"},
		{"DOS", "\x9fehir;\x8d\n", "neither in UTF-8 nor in windows-1254"},
		{"a picture", "\x89PNG\r\n\x1a\n\x00\x00", "its line 3 has a NUL byte, which no text has"},
		{"UTF-16 without its mark", "a\x00;\x00b\x00\r\x00\n\x00", "its line 1 has a NUL byte, which no text has: it is no CSV file, is damaged, or is in UTF-16 or UTF-32"},
		{"a NUL byte among Turkish letters", turkish(t, "şehir;a\r\nşey;b\r\n\x00"), "its line 3 has a NUL byte"},
		{"a NUL byte among lines of a Macintosh", "a\rb\r\x00", "its line 3 has a NUL byte"},
		{"a letter that was lost", "şehir\nI\uFFFDdır\n", "its line 2 has the sign U+FFFD, which stands for a letter that was lost"},
		{"the mark of UTF-8 and no UTF-8", "\xef\xbb\xbfşehir\nI\xf0dır\n", "it is said to be in UTF-8, and its line 2 is not"},
		{"an old workbook", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "XLS"},
		{"a damaged workbook", "PK\x03\x04 and no more", "no workbook"},
		{"an open quotation mark", "a,b\n1,2\n\"3,4\n5,6\n", "row 3: a quotation mark"},
		{"a quotation mark within", "a,b\n1,2\"3\"\n", "row 2: a quotation mark"},
		{"the same below a line that is no row", "sep=|\na|b\n1|2\"3\"\n", "row 3: a quotation mark"},
		{"the same below a cell of several lines", "a,b\n\"x\ny\nz\",1\n\n1,2\"3\"\n", "row 4: a quotation mark"},
		{"a row without end", "a,b\n\"" + strings.Repeat("x\n", 1<<20), "the row after row 1 has more than 1 MB, perhaps because a quotation mark is not closed."},
		{"a row without end of empty cells", "a,b\n" + strings.Repeat(",", 1<<21), "the row after row 1 has more than 1 MB"},
		{"a row without end below cells of several lines", "a,b\n\n\"1\n2\",3\n\"" + strings.Repeat("x\n", 1<<20), "the row after row 3 has more than 1 MB"},
		{"titles without end", "\"" + strings.Repeat("x\n", 1<<20), "its first row has more than 1 MB"},
		{"too large", strings.Repeat("x", 16<<20+1), "its cells take more than 16 MB"},
		{"countless cells", turkish(t, strings.Repeat(strings.Repeat("şş;", 199)+"ş\n", 20_000)), "its cells take more than 16 MB"},
		{"a text named by countless cells", packed(t, strings.Repeat(`<row><c t="s"><v>0</v></c></row>`, 800), "xl/sharedStrings.xml", "<sst><si><t>"+strings.Repeat("x", 30_000)+"</t></si></sst>"), "its cells take more than 16 MB"},
		{"countless texts that no cell names", packed(t, "", "xl/sharedStrings.xml", "<sst>"+texts.String()+"</sst>"), "its cells take more than 16 MB"},
		{"countless columns", "a\n" + strings.Repeat("1,", 200) + "1\n", "row 2: it has more than 200 columns"},
		{"countless rows", "a\n" + strings.Repeat("1\n", 20_001), "more than 20000 rows"},
	} {
		t.Run(row.name, func(t *testing.T) {
			_, err := read(row.file)
			if trade.KindOf(err) != trade.Malformed || !strings.Contains(err.Error(), row.says) {
				t.Errorf("%v, want %q", err, row.says)
			}
		})
	}
}

// A file takes little more memory than its text, however many cells it is in.
func TestWhatATableTakes(t *testing.T) {
	file := strings.Repeat(strings.Repeat("ab,", 11)+"ab\n", 100_001)
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.GC() // what pools held goes with the second
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := heap()
	table, err := sheet.Read(strings.NewReader(file), int64(len(file)), "", sheet.Limits{Rows: 100_000, Bytes: 96 << 20})
	if err != nil {
		t.Fatal(err)
	}
	if took := heap() - before; took > 12<<20 {
		t.Errorf("%d rows take %d KB, their file %d KB", table.Len(), took>>10, len(file)>>10)
	}
	runtime.KeepAlive(file)
	if last := table.Row(100_000); last.N != 100_001 || len(last.Cells) != 12 || last.Cells[11] != "ab" {
		t.Errorf("the last is %+v", last)
	}
}

// What a number says depends on who wrote the file.
func TestNumbers(t *testing.T) {
	files := map[string]string{"comma": "a,b\n", "semicolon": "a;b\n", "tab": "a\tb\n", "workbook": workbook(t, []any{"a", "b"})}
	for _, row := range []struct {
		cell, comma, semicolon, other string // "?": either way; "=": as it is
	}{
		{"1234", "=", "=", "="},
		{"1234.5", "=", "=", "="},
		{"-1234,5", "-1234.5", "-1234.5", "-1234.5"},
		{"1.234,50", "1234.50", "1234.50", "1234.50"},
		{"1,234.50 TL", "1234.50", "1234.50", "1234.50"},
		{"1.234.567", "1234567", "1234567", "1234567"},
		{"1,234,567", "1234567", "1234567", "1234567"},
		{"₺ 12\u00a0345,6", "12345.6", "12345.6", "12345.6"},
		{"%20", "20", "20", "20"},
		{"1.234", "=", "?", "?"},
		{"-1,234 TL", "?", "-1.234", "?"},
		{"0,125", "0.125", "0.125", "0.125"},
		{"0.125", "=", "=", "="},
		{"1234,567", "1234.567", "1234.567", "1234.567"},
		{"1.2.3", "=", "=", "="},
		{"1,23.4", "=", "=", "="},
		{"ten", "=", "=", "="},
		{"007", "=", "=", "="},
		{"1.23456789E9", "=", "=", "="},
	} {
		for name, want := range map[string]string{"comma": row.comma, "semicolon": row.semicolon, "tab": row.other, "workbook": row.other} {
			table, err := read(files[name])
			if err != nil {
				t.Fatal(err)
			}
			got, ok := table.Decimals([]int{0, 1}).Read(row.cell, sheet.Plain)
			if !ok {
				got = "?"
			} else if want == "=" {
				want = row.cell
			}
			if got != want {
				t.Errorf("%s in a file with %s: %q, want %q", row.cell, name, got, want)
			}
		}
	}
	csv, _ := read(files["comma"])
	book, _ := read(files["workbook"])
	if a, b := csv.Digits("1.23E9"), book.Digits("1.23E9"); a != "1.23E9" || b != "1230000000" {
		t.Errorf("digits: %s and %s", a, b)
	}
}

// Numbers that a workbook stores as such say what they are, whatever its texts are like.
func TestStoredNumbers(t *testing.T) {
	table, err := read(workbook(t, []any{"a", "b"}, []any{1.234, "12,50"}, []any{1234567890.0, "1.234"}, []any{0.1 + 0.2, "1,234"}, []any{1e-7, "x"}))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	numbers := table.Decimals([]int{0, 1})
	for i := 1; i < table.Len(); i++ {
		r := table.Row(i)
		for at, cell := range r.Cells {
			plain, _ := numbers.Read(cell, r.Kind(at))
			got = append(got, plain)
		}
	}
	if diff := cmp.Diff([]string{"1.234", "12.50", "1234567890", "1234", "0.3", "1.234", "0.0000001", "x"}, got); diff != "" {
		t.Error(diff)
	}
	for cell, want := range map[string]string{"0.30000000000000004": "0.3", "1.23456789E9": "1234567890", "1E999": "1E999", "007": "007"} {
		if plain, ok := numbers.Read(cell, sheet.Number); plain != want || !ok {
			t.Errorf("%s is %s, want %s", cell, plain, want)
		}
	}
}

// A sign before three digits means what the other numbers of the file say that it means.
func TestNumbersOfOneFile(t *testing.T) {
	for _, row := range []struct{ file, point, comma string }{ // what 1.234 and 1,234 are in it; "?": either way
		{"a;b\n12,50;x\n", "1234", "1.234"},
		{"a,b\n\"12,50\",x\n", "1234", "1.234"},
		{"a,b\nx,\"12,50\"\n", "1234", "1.234"}, // in another column
		{"a\tb\n0,125\t\n", "1234", "1.234"},
		{"a;b\n1.234.567;x\n", "1234", "1.234"},
		{"a;b\n-1.234,56 TL;x\n", "1234", "1.234"},
		{workbook(t, []any{"a"}, []any{"12,50"}), "1234", "1.234"},
		{"a;b\n12.50;x\n", "1.234", "1234"},
		{"a,b\n\"1,234.56\",x\n", "1.234", "1234"},
		{"a,b\n\"1,234,567\",x\n", "1.234", "1234"},
		{workbook(t, []any{"a"}, []any{"12.50"}), "1.234", "1234"},
		{"a,b\n12.5,\"1,5\"\n", "?", "?"}, // it says both
		{"a;b\n12.5;1,5\n", "?", "?"},
		{"a,b\n\"A.Ş. 1,5\",x\n", "1.234", "?"}, // which are no numbers
		{"a,b\n12.05.2026,\"1,\"\n", "1.234", "?"},
		{"a;b;c\n1;2;12.5\n", "?", "1.234"}, // a column of something else
		{"12,5;b;c\n1;2\n", "?", "1.234"},   // a title
		{workbook(t, []any{"a"}, []any{12.5}), "?", "?"},
	} {
		table, err := read(row.file)
		if err != nil {
			t.Fatal(err)
		}
		numbers := table.Decimals([]int{0, 1})
		for cell, want := range map[string]string{"1.234": row.point, "1,234": row.comma, "1234": "1234"} {
			got, ok := numbers.Read(cell, sheet.Plain)
			if !ok {
				got = "?"
			}
			if got != want {
				t.Errorf("%s in %.40q: %s, want %s", cell, row.file, got, want)
			}
		}
	}
}

// readsAs reads a file and compares its rows.
func readsAs(t *testing.T, file string, want []string) {
	t.Helper()
	table, err := read(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, rows(table)); diff != "" {
		t.Error(diff)
	}
}
