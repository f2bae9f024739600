package trade

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// verbs lists the arguments a sentence speaks of, in the order it does.
func verbs(sentence string) []string {
	return regexp.MustCompile(`%(\[\d\])?[a-z%]`).FindAllString(sentence, -1)
}

// arguments is how many arguments a sentence has to be given: as many as it speaks of,
// or up to the last that it names by its number.
func arguments(sentence string) (n int) {
	for _, v := range verbs(sentence) {
		if n++; v[1] == '[' {
			n = max(n-1, int(v[2]-'0'))
		}
	}
	return n
}

// Every code is said in both languages, of the same things.
func TestEveryCodeIsSaidInBothLanguages(t *testing.T) {
	for _, code := range Codes() {
		en, tr := Template(code, English), Template(code, Turkish)
		if en == "" || tr == "" || en == tr {
			t.Errorf("%s is said as %q and %q", code, en, tr)
		}
		if !slices.Equal(verbs(en), verbs(tr)) {
			t.Errorf("%s speaks of other things in each language:\n%s\n%s", code, en, tr)
		}
		if !strings.HasSuffix(en, ".") && code != ValidationFailed || strings.Contains(en, "%!") {
			t.Errorf("%s is no sentence: %q", code, en)
		}
		if bare := regexp.MustCompile(`%(\[\d\])?[dv] ([a-z]+ )?(seconds|characters|bytes|entries|decimals|digits|rows|fields|records|numbers|webhooks)`).FindString(en); bare != "" {
			t.Errorf("%s counts without a singular: %q", code, bare)
		}
		if !regexp.MustCompile(`^[a-z][a-z_]+$`).MatchString(string(code)) {
			t.Errorf("%q is no name for programs", code)
		}
	}
}

// source is what the whole program says with codes.
type source struct {
	declared map[string]string // constant -> code
	used     map[string]bool   // constants named anywhere but in their own file
	calls    []call
}

// call is one place where a failure is told.
type call struct {
	at       token.Position
	constant string
	args     int // what the sentence is given to speak of
}

// readSource reads every product file of the module.
func readSource(t *testing.T) source {
	t.Helper()
	s := source{declared: map[string]string{}, used: map[string]bool{}}
	fset := token.NewFileSet()
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && len(d.Name()) > 2) {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		f, err := parser.ParseFile(fset, path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(f, func(n ast.Node) bool { s.note(fset, filepath.Base(path) == "texts.go", n); return true })
		return nil
	})
	if err != nil || len(s.declared) < 50 {
		t.Fatalf("%d codes found, %v", len(s.declared), err)
	}
	return s
}

func (s *source) note(fset *token.FileSet, home bool, n ast.Node) {
	switch n := n.(type) {
	case *ast.ValueSpec:
		if id, ok := n.Type.(*ast.Ident); home && ok && id.Name == "Code" && len(n.Values) == 1 {
			s.declared[n.Names[0].Name] = strings.Trim(n.Values[0].(*ast.BasicLit).Value, `"`)
		}
	case *ast.Ident:
		s.used[n.Name] = s.used[n.Name] || !home
	case *ast.CallExpr:
		name, code := told(n)
		if code >= 0 && len(n.Args) > code && n.Ellipsis == 0 {
			c := call{at: fset.Position(n.Pos()), constant: name, args: len(n.Args) - code - 1}
			if code == 1 && !isFail(n) {
				c.args++ // a fault's sentence also speaks of its field
			}
			if lit, ok := n.Args[len(n.Args)-1].(*ast.CompositeLit); ok && lastName(lit.Type) == "Aside" {
				c.args-- // a sentence of its own
			}
			s.calls = append(s.calls, c)
		}
	}
}

// told names the constant that a call tells a failure by, and its place among the
// arguments; -1 for any other call.
func told(n *ast.CallExpr) (constant string, at int) {
	fn := lastName(n.Fun)
	if fn != "Fail" && fn != "Add" || len(n.Args) < 2 {
		return "", -1
	}
	constant = lastName(n.Args[1])
	if constant == "" || !ast.IsExported(constant) {
		return "", -1
	}
	return constant, 1
}

func isFail(n *ast.CallExpr) bool { return lastName(n.Fun) == "Fail" }

// lastName is x of x, p.x and p.q.x.
func lastName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	}
	return ""
}

// Wherever a failure is told, its sentence gets what it speaks of: no more, no
// less.
func TestSentencesGetWhatTheySpeakOf(t *testing.T) {
	s := readSource(t)
	checked := 0
	for _, c := range s.calls {
		code, ok := s.declared[c.constant]
		if !ok {
			continue // some other Add
		}
		checked++
		if want := arguments(Template(Code(code), English)); want > 0 && c.args != want {
			t.Errorf("%s: %s speaks of %d things and is given %d", c.at, code, want, c.args)
		}
	}
	if checked < 60 {
		t.Errorf("only %d places found where a failure is told", checked)
	}
}

// A code that nobody tells would promise clients what never comes.
func TestNoCodeIsWithoutUse(t *testing.T) {
	s := readSource(t)
	for constant, code := range s.declared {
		if !s.used[constant] {
			t.Errorf("%s (%s) is told nowhere", constant, code)
		}
		if Template(Code(code), English) == "" {
			t.Errorf("%s (%s) has no sentence", constant, code)
		}
	}
	if len(s.declared) != len(Codes()) {
		t.Errorf("%d codes are declared, %d have sentences", len(s.declared), len(Codes()))
	}
}

func TestSentences(t *testing.T) {
	fault := Fault{Field: "lines[0].vatRate", Code: OutOfRange, Args: []any{0, 100}}
	for _, test := range []struct {
		text, want string
	}{
		{fault.Text(English), "lines[0].vatRate must be from 0 to 100."},
		{fault.Text(Turkish), "lines[0].vatRate 0 ile 100 arasında olmalı."},
		{Fail(Invalid, ValidationFailed, 1, fault).Text(English), "1 field is not valid. lines[0].vatRate must be from 0 to 100."},
		{Fail(Invalid, ValidationFailed, 3, fault).Text(English), "3 fields are not valid. lines[0].vatRate must be from 0 to 100."},
		{Fail(Invalid, ValidationFailed, 2, fault).Text(Turkish), "2 alan geçerli değil. lines[0].vatRate 0 ile 100 arasında olmalı."},
		{Fail(Throttled, RateLimited, 1).Text(English), "Too many requests; wait 1 second."},
		{Fail(Throttled, RateLimited, 2).Text(English), "Too many requests; wait 2 seconds."},
		{Fail(Throttled, RateLimited, 1).Text(Turkish), "Çok fazla istek; 1 saniye bekleyin."},
		{Fault{Field: "serialNos", Code: SerialCount, Args: []any{Piece}}.Text(English), "serialNos must have 1 serial number, one for each whole piece."},
		{Fault{Field: "lines", Code: TooMany, Args: []any{1}}.Text(English), "lines has more than 1 entry."},
		{Fault{Field: "{1:a|b}", Code: TooMany, Args: []any{2}}.Text(English), "{1:a|b} has more than 2 entries."},
		{Fail(NotFound, RecordNotFound, "company").Error(), "company was not found."},
		{Fail(Forbidden, CrossTenant, "unused").Error(), "This belongs to another account."},
		{Fail(Malformed, BadParameter, "q", Phrase{"too long", "çok uzun"}).Text(Turkish), "q parametresi kabul edilmiyor: çok uzun."},
		{Fail(Invalid, Code("new_code")).Error(), "new_code"},
	} {
		if test.text != test.want {
			t.Errorf("said %q, want %q", test.text, test.want)
		}
	}
}
