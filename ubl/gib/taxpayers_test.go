package gib_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"esnaf/store"
	"esnaf/store/trade"
	"esnaf/ubl/gib"
)

// listed is the XML of one user with one alias for each kind of document.
func listed(number, title, kind string, aliases ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<User><Identifier>%s</Identifier><Title>%s</Title><Type>%s</Type><FirstCreationTime>2014-04-01T00:00:00</FirstCreationTime><AccountType>GIBPORTAL</AccountType><Documents>", number, title, kind)
	for _, a := range aliases {
		document, rest, _ := strings.Cut(a, " ")
		fmt.Fprintf(&b, `<Document type="%s"><Alias>%s</Alias></Document>`, document, rest)
	}
	return b.String() + "</Documents></User>"
}

func userList(users ...string) string {
	return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<UserList>\n" + strings.Join(users, "\n") + "</UserList>\n"
}

// zipped packs files, name and content in turn.
func zipped(t testing.TB, files ...string) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(files); i += 2 {
		w, err := z.Create(files[i])
		if err == nil {
			_, err = w.Write([]byte(files[i+1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// readTaxpayers reads a list into lines.
func readTaxpayers(file string) (lines []string, passed int, err error) {
	passed, err = gib.ReadTaxpayers(strings.NewReader(file), int64(len(file)), func(t store.Taxpayer) error {
		lines = append(lines, fmt.Sprint(t.TaxNumber, " ", t.Document, " ", t.Alias, " ", t.Title, " ", t.Type, " ", t.Since.UTC().Format("2006-01-02 15:04")))
		return nil
	})
	return lines, passed, err
}

const (
	created = "<Name>urn:mail:defaultpk@ada.com.tr</Name><CreationTime>2014-04-01T00:00:00</CreationTime>"
	ada     = "1234567890 Invoice urn:mail:defaultpk@ada.com.tr Ada & Oğlu Ltd. Şti. OZEL 2014-03-31 21:00"
)

func TestTheListOfRegisteredUsers(t *testing.T) {
	one := userList(listed("1234567890", "Ada &amp; Oğlu Ltd. Şti.", "OZEL", "Invoice "+created))
	for _, row := range []struct {
		name, file string
		want       []string
		passed     int
	}{
		{"bare XML", one, []string{ada}, 0},
		{"with a mark of the byte order", "\ufeff" + one, []string{ada}, 0},
		{"in a ZIP file", zipped(t, "newUserPkList.xml", one), []string{ada}, 0},
		{"in a folder of one", zipped(t, "liste/", "", "liste/L.XML", one), []string{ada}, 0},
		{"nobody", userList(), nil, 0},
		{
			"both documents, two aliases", userList(listed("12345678901", "A", "KAMU", "Invoice "+created+"</Alias><Alias><Name>urn:b</Name><CreationTime>2020-01-02T10:30:00+03:00</CreationTime>", "DespatchAdvice <Name>urn:c</Name><CreationTime>2026-07-01T10:30:00.5</CreationTime>")),
			[]string{"12345678901 Invoice urn:mail:defaultpk@ada.com.tr A KAMU 2014-03-31 21:00", "12345678901 Invoice urn:b A KAMU 2020-01-02 07:30", "12345678901 DespatchAdvice urn:c A KAMU 2026-07-01 07:30"},
			0,
		},
		{"a deleted alias, and an empty deletion", userList(listed("1234567890", "Ada &amp; Oğlu Ltd. Şti.", "OZEL", "Invoice <Name>urn:old</Name><CreationTime>2014-04-01T00:00:00</CreationTime><DeletionTime>2015-01-01T00:00:00</DeletionTime>", "Invoice "+created+"<DeletionTime/>")), []string{ada}, 0},
		{"elements and documents of another kind", userList("<Stamp a='b'>x<y/></Stamp><!-- c -->", listed("1234567890", "Ada &amp; Oğlu Ltd. Şti.", "OZEL", "Archive "+created, "Invoice <Extra><Name>urn:x</Name></Extra>"+created)), []string{ada}, 0},
		{"the title behind, in CDATA, with names of a space", strings.ReplaceAll(userList("<u:User><Documents><Document type='Invoice'><Alias>"+created+"</Alias></Document></Documents><Identifier> 1234567890\n</Identifier><Type>OZEL</Type><Title><![CDATA[Ada & Oğlu]]> Ltd. Şti.</Title></u:User>"), "<UserList>", "<UserList xmlns:u='urn:u'>"), []string{ada}, 0},
		{
			"what cannot be used", userList(listed("123", "A", "OZEL", "Invoice "+created), listed("1234567890", "A", "OZEL", "Invoice <Name>urn:a</Name><CreationTime>yesterday</CreationTime>", "Invoice <CreationTime>2014-04-01T00:00:00</CreationTime>", "Invoice <Name>"+strings.Repeat("u", 251)+"</Name><CreationTime>2014-04-01T00:00:00</CreationTime>")),
			nil, 4,
		},
	} {
		t.Run(row.name, func(t *testing.T) {
			got, passed, err := readTaxpayers(row.file)
			if diff := cmp.Diff(row.want, got); err != nil || diff != "" || passed != row.passed {
				t.Errorf("%d passed over, %v\n%s", passed, err, diff)
			}
		})
	}
}

func TestListsThatAreNotTaken(t *testing.T) {
	whole := userList(listed("1234567890", "Ada", "OZEL", "Invoice "+created))
	packed := zipped(t, "l.xml", whole)
	for _, row := range []struct{ name, file, says string }{
		{"empty", "", "it is empty"},
		{"nothing but spaces", " \n", "ends too early"},
		{"garbage", "\x1f\n\x8b\x00garbage", "neither a ZIP file nor XML"},
		{"a ZIP file of garbage", "PK\x03\x04\ngarbage", "no ZIP file that can be read"},
		{"a ZIP file of nothing at all", zipped(t), "is empty: it holds no XML"},
		{"UTF-16", "\xff\xfe<\x00", "nor XML in UTF-8"},
		{"cut off", whole[:len(whole)-20], "ends too early"},
		{"cut off in a tag", whole[:len(whole)-3], "ends too early"},
		{"a ZIP file cut off", packed[:len(packed)-30], "damaged or not whole"},
		{"a damaged ZIP file", packed[:60] + "xxxxxxxx" + packed[68:], "damaged"},
		{"another file", "%PDF-1.7 not a list", "not a list of registered users"},
		{"another document", "<Invoice></Invoice>", "not a list of registered users"},
		{"two lists", whole + "<UserList></UserList>", "not a list of registered users"},
		{"crossed elements", "<UserList><User></UserList></User>", "closed that is not open"},
		{"a document type", "<!DOCTYPE UserList [<!ENTITY a 'b'>]>" + whole, "DOCTYPE"},
		{"an entity", strings.Replace(whole, "Ada", "&a;", 1), "line 3: this is not XML"},
		{"another encoding", strings.Replace(whole, "UTF-8", "ISO-8859-9", 1), "another encoding"},
		{"bad UTF-8", strings.Replace(whole, "Ada", "A\xfda", 1), "this is not XML"},
		{"too deep", "<UserList>" + strings.Repeat("<a>", 20) + strings.Repeat("</a>", 20) + "</UserList>", "too deep"},
		{"a huge text", strings.Replace(whole, "Ada", strings.Repeat("a", 100_000), 1), "far too long"},
		{"a huge name", strings.Replace(whole, "<User>", "<"+strings.Repeat("a", 100_000)+"/><User>", 1), "far too long"},
		{"a long text", strings.Replace(whole, "Ada", strings.Repeat("a", 5_000), 1), "far too long"},
		{"countless aliases", userList(listed("1234567890", "A", "OZEL", "Invoice "+strings.Repeat("</Alias><Alias>", 1001))), "too many aliases"},
		{"two files", zipped(t, "a.xml", whole, "b.xml", whole), "one XML file and nothing else"},
		{"a ZIP file of another kind", zipped(t, "a.csv", whole), "one XML file and nothing else"},
		{"an empty ZIP file", zipped(t, "a/", ""), "is empty"},
		{"a bomb", zipped(t, "a.xml", "<UserList>"+strings.Repeat(" ", 8<<20)+"</UserList>"), "more tightly"},
	} {
		t.Run(row.name, func(t *testing.T) {
			_, _, err := readTaxpayers(row.file)
			if trade.KindOf(err) != trade.Malformed || !strings.Contains(err.Error(), row.says) || !strings.HasPrefix(err.Error(), "The file is not taken: ") {
				t.Errorf("%v, want %q", err, row.says)
			}
		})
	}
}

// What the caller makes of an entry ends the reading.
func TestTheListEndsWithItsReader(t *testing.T) {
	full := errors.New("full")
	file := userList(listed("1234567890", "Ada", "OZEL", "Invoice "+created, "Invoice "+created))
	n := 0
	_, err := gib.ReadTaxpayers(strings.NewReader(file), int64(len(file)), func(store.Taxpayer) error { n++; return full })
	if !errors.Is(err, full) || n != 1 {
		t.Errorf("%v after %d entries", err, n)
	}
}

// Whatever the file holds, reading it ends with entries that can be kept, or with a
// sentence.
func FuzzReadTaxpayers(f *testing.F) {
	whole := userList(listed("1234567890", "Ada", "OZEL", "Invoice "+created+"<DeletionTime/>", "DespatchAdvice "+created))
	f.Add([]byte(whole))
	f.Add([]byte(whole[:len(whole)/2]))
	f.Add([]byte(zipped(f, "l.xml", whole)))
	f.Add([]byte("<!DOCTYPE a><UserList/>"))
	f.Add([]byte("<UserList><User><Documents><Document type='Invoice'><Alias></Alias></Document></Documents></User></UserList>"))
	f.Fuzz(func(t *testing.T, file []byte) {
		_, err := gib.ReadTaxpayers(bytes.NewReader(file), int64(len(file)), func(x store.Taxpayer) error {
			if !trade.HasTaxNumberForm(x.TaxNumber) || x.Alias == "" || len(x.Alias) > 250 || len(x.Title) > 4<<10 || x.Since.IsZero() {
				t.Errorf("%+v", x)
			}
			return nil
		})
		if err != nil && trade.KindOf(err) != trade.Malformed {
			t.Error(err)
		}
	})
}
