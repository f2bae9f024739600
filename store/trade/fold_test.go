package trade

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// found is the search as the store does it: every word asked for begins a word of
// the text, and a question without words finds nothing.
func found(text, question string) bool {
	have, want := Words(Fold(text)), Words(Fold(question))
	for _, w := range want {
		if !slices.ContainsFunc(have, func(h string) bool { return strings.HasPrefix(h, w) }) {
			return false
		}
	}
	return len(want) > 0
}

func TestSearchVectors(t *testing.T) {
	rows := readVectors[[]struct {
		Query, Text string
		Match       bool
	}](t, "search-fold")
	if len(rows) == 0 {
		t.Error("no rows")
	}
	for _, r := range rows {
		if got := found(r.Text, r.Query); got != r.Match {
			t.Errorf("%q finds %q: %v, want %v", r.Query, r.Text, got, r.Match)
		}
	}
}

func TestSearch(t *testing.T) {
	for _, c := range []struct {
		text, question string
		want           bool
	}{
		{"C-0001", "c-0001", true},
		{"C-0001", "C-00", true},
		{"C-0001", "0001", true},
		{"C-0001", "01", false}, // begins no word
		{"C000001 Demir Çelik A.Ş. 9205121120", "celik demir", true},
		{"C000001 Demir Çelik A.Ş. 9205121120", "demir, çelik", true},
		{"C000001 Demir Çelik A.Ş. 9205121120", "a.ş.", true},
		{"C000001 Demir Çelik A.Ş. 9205121120", "demir ltd", false},
		{"Ayşe Yılmaz ayse@firma.com.tr", "firma.com", true},
		{"İnşaat", "inş", true},
		{"Ünlü", "unlu", true},
		{"Çan Şan", "san can", true},
		{"I\u0307zmir", "izmir", true}, // what lower-casing an İ leaves behind
		{"izmir", "İZMİR", true},
		{"%50 indirim", "%", false},
		{"%50 indirim", "%50", true},
		{"%50 indirim", "_", false},
		{"%50 indirim", "*", false},
		{"%50 indirim", `"`, false},
		{"%50 indirim", " ", false},
		{"Müller GmbH", "muller", true},
		{"Москва", "моск", true},
	} {
		if got := found(c.text, c.question); got != c.want {
			t.Errorf("%q finds %q: %v, want %v", c.question, c.text, got, c.want)
		}
	}
}

func TestFold(t *testing.T) {
	for in, want := range map[string]string{
		"":                  "",
		"İIıiÎî":            "iiiiii",
		"ÇçĞğÖöŞşÜüÛûÂâ":    "ccggoossuuuuaa",
		"i\u0307I\u0307":    "ii",
		"Éclair ÑANDÚ ЖЁ Σ": "éclair ñandú жё σ",
		"TITLE 42 (%_*'\")": "title 42 (%_*'\")",
		"a\xffb":            "a\ufffdb",
	} {
		if got := Fold(in); got != want {
			t.Errorf("Fold(%q) = %q, want %q", in, got, want)
		}
	}
	plain := "already plain 0001"
	same := true
	if n := testing.AllocsPerRun(100, func() { same = same && Fold(plain) == plain }); n != 0 || !same {
		t.Errorf("a text that needs no change costs %v allocations", n)
	}
}

func TestSortVectors(t *testing.T) {
	rows := readVectors[[][]string](t, "turkish-sort")
	rows = append(
		rows,
		strings.Split(alphabet, ""),
		[]string{"", " a", "-a", "0", "9", "A", "Ab", "Z", "Éclair", "Ж"},
		[]string{"a b", "a-b", "a1", "ab"},
		[]string{"Hâla", "Hâlâ 2", "Halb"},
	)
	for _, want := range rows {
		got := slices.Clone(want)
		slices.Reverse(got)
		slices.SortStableFunc(got, func(a, b string) int { return strings.Compare(SortKey(a), SortKey(b)) })
		if !slices.Equal(got, want) {
			t.Errorf("sorted %q, want %q", got, want)
		}
	}
	for _, same := range [][]string{{"ISPARTA", "ısparta", "Isparta"}, {"İĞNE", "iğne", "îğne"}, {"SÛR", "sur"}, {"y\u0301", "y"}, {"a,b", "a.b", "a-b"}} {
		for _, s := range same {
			if SortKey(s) != SortKey(same[0]) {
				t.Errorf("%q and %q have keys %q and %q", s, same[0], SortKey(s), SortKey(same[0]))
			}
		}
	}
}

func FuzzText(f *testing.F) {
	for _, s := range []string{"İSTANBUL BÜYÜKŞEHİR", "C-0001", "i\u0307", "a\xff", "\x00\x1f", "ǅ ẞ K ϴ İ", "日本 🍕", ""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		folded := Fold(s)
		if again := Fold(folded); again != folded || !utf8.ValidString(folded) {
			t.Errorf("Fold(%q) = %q, and of that %q", s, folded, again)
		}
		words := Words(folded)
		for _, w := range words {
			if w == "" || !slices.Equal(Words(w), []string{w}) {
				t.Errorf("%q has the word %q, which is none", s, w)
			}
		}
		if found(s, s) != (len(words) > 0) {
			t.Errorf("%q does not find itself", s)
		}
		key := SortKey(s)
		if !utf8.ValidString(key) || len(key) > 3*len(s) {
			t.Errorf("SortKey(%q) = %q", s, key)
		}
		for i := range len(key) {
			if key[i] < ' ' {
				t.Errorf("SortKey(%q) = %q has a control character", s, key)
			}
		}
	})
}

// The key must put any two texts of the alphabet as the alphabet does, letter by
// letter, whatever their case.
func TestSortKeyFollowsTheAlphabet(t *testing.T) {
	letters := []rune(alphabet)
	word := rapid.SliceOfN(rapid.IntRange(0, len(letters)-1), 0, 4)
	spell := func(w []int) (s string) {
		for _, at := range w {
			s += string(letters[at])
		}
		return s
	}
	rapid.Check(t, func(t *rapid.T) {
		a, b := word.Draw(t, "a"), word.Draw(t, "b")
		if got, want := strings.Compare(SortKey(spell(a)), SortKey(spell(b))), slices.Compare(a, b); got != want {
			t.Fatalf("%q against %q: %d, want %d", spell(a), spell(b), got, want)
		}
	})
}
