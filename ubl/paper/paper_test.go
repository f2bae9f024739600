package paper

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func sheet() Sheet {
	s := New(time.Date(2026, 9, 15, 10, 0, 0, 0, time.UTC), "tr", "Deneme", "Sayfa", func(Sheet) {})
	s.AddPage()
	s.Letters("", 8)
	return s
}

// A text goes on in further lines between its words, and within a word only where it
// is longer than a line; nothing of it is lost.
func TestWrap(t *testing.T) {
	s := sheet()
	for _, c := range []struct {
		text  string
		width float64
		want  []string
	}{
		{"", 20, []string{""}},
		{"kısa", 20, []string{"kısa"}},
		{"bir iki üç", 9, []string{"bir iki", "üç"}},
		{"bir\niki", 20, []string{"bir", "iki"}},
		{"a  b\tc", 20, []string{"a b c"}},
		{"ŞŞŞŞ", s.GetStringWidth("ŞŞ") + 0.1, []string{"ŞŞ", "ŞŞ"}},
		{"ŞŞŞ .", s.GetStringWidth("ŞŞ") + 0.1, []string{"ŞŞ", "Ş ."}},
		{"Ş", 0.1, []string{"Ş"}},
	} {
		if diff := cmp.Diff(c.want, s.wrap(c.text, c.width)); diff != "" {
			t.Errorf("%q on %.1f mm (-want +got):\n%s", c.text, c.width, diff)
		}
	}
	long := strings.Repeat("uzunbirkelime", 60)
	if got := strings.Join(s.wrap(long, 40), ""); got != long {
		t.Errorf("%d letters of %d", len(got), len(long))
	}
}

// A letter wider than the line is printed all the same, once.
func TestWrapTooNarrow(t *testing.T) {
	if got := sheet().wrap("abc", 0.1); !slices.Equal(got, []string{"a", "b", "c"}) {
		t.Errorf("%q", got)
	}
}

func TestFitting(t *testing.T) {
	s := sheet()
	if got := s.Fitting("Ankara", 50); got != "Ankara" {
		t.Errorf("%q", got)
	}
	if got := s.Fitting(strings.Repeat("Ankara", 20), 20); !strings.HasSuffix(got, "…") || s.GetStringWidth(got) > 20 {
		t.Errorf("%q is %.1f mm", got, s.GetStringWidth(got))
	}
	if got := Printable("a\nb😀"); got != "a b\ufffd" {
		t.Errorf("%q", got)
	}
	if got := Spaced(" a", "", "b  c "); got != "a b c" {
		t.Errorf("%q", got)
	}
}

// The same calls give the same file; a row that is long goes over to the next page.
func TestBytes(t *testing.T) {
	columns := []Column{{"Ad", 150, "L"}, {"Miktar", 30, "R"}}
	file := func() []byte {
		s := sheet()
		s.Say("B", 12, "Başlık")
		s.Say("", 8, "") // nothing
		s.Letters("", 8)
		s.Titles(columns)
		s.Wrapped(columns, "B", strings.Repeat("kelime ", 1500), "123456789012345678901234567890")
		b, err := s.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	one := file()
	if !bytes.Equal(one, file()) {
		t.Error("another file the second time")
	}
	if pages := bytes.Count(one, []byte("/Type /Page\n")); pages < 2 {
		t.Errorf("%d pages", pages)
	}
}
