package store_test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"esnaf/store"
	"esnaf/store/trade"
)

// finds lists the codes of the companies that q finds.
func (b *book) finds(who store.Who, q string) (codes []string) {
	b.t.Helper()
	recs, _ := list[trade.Company](b, who, &store.Companies.List, trade.Query{Search: q, Limit: 50})
	for _, c := range recs {
		codes = append(codes, c.Code)
	}
	slices.Sort(codes)
	return codes
}

// The agreed table of what is folded into what (testdata/vectors).
func TestSearchFoldsAsAgreed(t *testing.T) {
	text, err := os.ReadFile("../testdata/vectors/search-fold.json")
	if err != nil {
		t.Fatal(err)
	}
	var vectors []struct {
		Query, Text string
		Match       bool
	}
	if err := json.Unmarshal(text, &vectors); err != nil || len(vectors) == 0 {
		t.Fatalf("%d vectors, %v", len(vectors), err)
	}
	b := open(t)
	for i, v := range vectors {
		b.company(b.who, trade.Company{Name: v.Text, Code: fmt.Sprintf("V%d", i)})
	}
	for i, v := range vectors {
		if got := slices.Contains(b.finds(b.who, v.Query), fmt.Sprintf("V%d", i)); got != v.Match {
			t.Errorf("%q finds %q: %v, want %v", v.Query, v.Text, got, v.Match)
		}
	}
}

func TestSearch(t *testing.T) {
	b := open(t)
	for code, name := range map[string]string{
		"A-1": "Yıldız Güneş İnşaat San. ve Tic. Ltd. Şti.", "A-2": "YILDIZ HOLDİNG A.Ş.", "B-1": "O'Neill & Oğulları", "B-2": "100% Doğal_Gıda*",
	} {
		b.company(b.who, trade.Company{Name: name, Code: code, TaxNumber: map[string]string{"A-2": trade.CompleteVKN("555666777")}[code]})
	}
	for _, test := range []struct {
		about, q string
		want     string
	}{
		{"a whole word", "yıldız", "A-1 A-2"},
		{"the start of one", "yıl", "A-1 A-2"},
		{"one letter", "y", "A-1 A-2"},
		{"the start of a later word", "inş", "A-1"},
		{"not the middle of a word", "ldız", ""},
		{"several words in any order", "san yildiz gunes", "A-1"},
		{"all of them must be there", "yıldız doğal", ""},
		{"one word twice", "yildiz yildiz", "A-1 A-2"},
		{"one the start of another", "yildiz y", "A-1 A-2"},
		{"a code with its sign", "a-1", "A-1"},
		{"what begins several stored words", "o", "B-1"},
		{"a tax number", "555666777", "A-2"},
		{"the start of a tax number", "5556", "A-2"},
		{"words with signs between them", "o'neill&oğ", "B-1"},
		{"signs alone", "%", ""},
		{"signs alone", "_", ""},
		{"signs alone", "*", ""},
		{"signs alone", `"`, ""},
		{"signs alone", "' ;--", ""},
		{"a backslash", `\`, ""},
		{"a sign does not stand for letters", "yıl%dız", ""},
		{"a star neither", "yıldı*", "A-1 A-2"}, // yıldı alone, the star is no letter
		{"search syntax of other engines", "NEAR(yıldız", ""},
		{"words around a percent sign", "100%", "B-2"},
		{"a NUL", "y\x00ıldız", ""},
		{"letters of other scripts", "名前", ""},
		{"what is no text at all", "\xff\xfe", ""},
	} {
		t.Run(test.about, func(t *testing.T) {
			if got := strings.Join(b.finds(b.who, test.q), " "); got != test.want {
				t.Errorf("%q finds %q, want %q", test.q, got, test.want)
			}
		})
	}
	if got := b.finds(b.who, strings.Repeat("yıldız ", 60)); len(got) != 2 {
		t.Errorf("a question of 60 words finds %q", got)
	}
}

// What is found follows the records: by their new words, no longer by the old.
func TestSearchFollowsChanges(t *testing.T) {
	b := open(t)
	c := b.company(b.who, trade.Company{Name: "Eski Unvan", Code: "K1"})
	b.write(b.who, func(tx *store.Tx) error {
		_, err := tx.UpdateCompany(c.ID, store.Any, trade.Company{Name: "Yeni Unvan", Code: "K1"})
		return err
	})
	for q, want := range map[string]int{"eski": 0, "yeni": 1, "unvan": 1, "k1": 1} {
		if got := b.finds(b.who, q); len(got) != want {
			t.Errorf("after the change %q finds %d, want %d", q, len(got), want)
		}
	}
	b.write(b.who, func(tx *store.Tx) error { return tx.DeleteCompany(c.ID, store.Any) })
	if got := b.finds(b.who, "yeni"); len(got) != 0 {
		t.Errorf("a deleted company is found")
	}
	recs, _ := list[trade.Company](b, b.who, &store.Companies.List, trade.Query{Search: "yeni", IncludeDeleted: true})
	if len(recs) != 1 {
		t.Errorf("with deleted ones %d found, want 1", len(recs))
	}
}

// The words of one account, and of other kinds of record, are found by nobody
// else.
func TestSearchStaysInItsPlace(t *testing.T) {
	b := open(t)
	other := b.tenant("Öbür Ltd.", trade.CompleteVKN("111222333"))
	b.company(other, trade.Company{Name: "Kanarya", Code: "GIZLI"})
	b.product(b.who, trade.Product{Name: "Kanarya yemi"})
	b.company(b.who, trade.Company{Name: "Kanaat", Code: "K2"})
	for q, want := range map[string]string{"kanarya": "", "kana": "K2", "gizli": "", "k": "K2"} {
		if got := strings.Join(b.finds(b.who, q), " "); got != want {
			t.Errorf("%q finds %q, want %q", q, got, want)
		}
	}
}

// A page of what many words begin reads on where the last one ended.
func TestSearchWalks(t *testing.T) {
	b := open(t)
	for i := range 60 {
		b.company(b.who, trade.Company{Name: fmt.Sprintf("Firma%d ortak", i%4)})
	}
	for _, q := range []string{"ortak", "firma", "firma ortak", "firma1 or"} {
		whole, _ := walk(t, b.DB, b.who, &store.Companies.List, trade.Query{Limit: 200, Search: q})
		paged, _ := walk(t, b.DB, b.who, &store.Companies.List, trade.Query{Limit: 7, Search: q})
		if want := map[bool]int{true: 15, false: 60}[q == "firma1 or"]; len(whole) != want || !slices.Equal(whole, paged) {
			t.Errorf("%q: %d at once, %d by pages, want %d", q, len(whole), len(paged), want)
		}
	}
}
