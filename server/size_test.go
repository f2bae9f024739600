package server_test

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strings"
	"testing"
)

// The size card. A file or function over it is two ideas in one room.
const (
	maxFileLines = 400
	maxFuncLines = 60
)

// sized is something with a length in lines, at a place.
type sized struct {
	lines int
	what  string
}

// TestSizeCard measures every Go file that a person wrote, tests among them;
// with -v it prints the longest.
func TestSizeCard(t *testing.T) {
	var files, funcs []sized
	eachGoFile(t, func(path string) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, path, text, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		if ast.IsGenerated(f) {
			return
		}
		files = append(files, sized{bytes.Count(text, []byte("\n")), path})
		for _, fn := range functions(f) {
			lines := spans(fset, fn)
			if strings.HasSuffix(path, "_test.go") {
				lines -= tables(fset, fn)
			}
			funcs = append(funcs, sized{lines, fmt.Sprintf("%s:%d", path, fset.Position(fn.Pos()).Line)})
		}
	})
	checkSizes(t, "file", files, maxFileLines)
	checkSizes(t, "function", funcs, maxFuncLines)
}

// spans is how many lines n goes over.
func spans(fset *token.FileSet, n ast.Node) int {
	return fset.Position(n.End()).Line - fset.Position(n.Pos()).Line + 1
}

// tables is how many lines of a test are rows of its tables: they are data, and a
// row more makes no function harder to read.
func tables(fset *token.FileSet, fn ast.Node) (lines int) {
	ast.Inspect(fn, func(n ast.Node) bool {
		lit, ok := n.(*ast.CompositeLit)
		if ok {
			lines += spans(fset, lit) - 1
		}
		return !ok
	})
	return lines
}

func checkSizes(t *testing.T, kind string, all []sized, limit int) {
	t.Helper()
	if len(all) == 0 {
		t.Fatalf("no %s found to measure", kind)
	}
	slices.SortStableFunc(all, func(a, b sized) int { return cmp.Compare(b.lines, a.lines) })
	for i, s := range all {
		switch {
		case s.lines > limit:
			t.Errorf("%s: a %s of %d lines, %d allowed", s.what, kind, s.lines, limit)
		case i < 10:
			t.Logf("%4d lines  %s", s.lines, s.what)
		}
	}
	t.Logf("%d %ss, half of them over %d lines", len(all), kind, all[len(all)/2].lines)
}

// functions returns the declared functions of a file, and the literals that
// are the value of a package variable.
func functions(f *ast.File) []ast.Node {
	var all []ast.Node
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok {
			all = append(all, fn)
			continue
		}
		ast.Inspect(d, func(n ast.Node) bool {
			lit, ok := n.(*ast.FuncLit)
			if ok {
				all = append(all, lit)
			}
			return !ok
		})
	}
	return all
}

// TestExportsAreDocumented asks for a doc comment on every exported type,
// function, method, constant and variable, and one on every package.
func TestExportsAreDocumented(t *testing.T) {
	for _, p := range house(t) {
		if !slices.ContainsFunc(p.files, func(f *ast.File) bool { return f.Doc != nil }) {
			t.Errorf("package %s has no package comment", p.path)
		}
		if p.path == "." {
			continue
		}
		for _, f := range p.files {
			if ast.IsGenerated(f) {
				continue
			}
			for _, d := range f.Decls {
				for _, id := range undocumented(d) {
					t.Errorf("%s: %s has no doc comment", p.fset.Position(id.Pos()), id.Name)
				}
			}
		}
	}
}

// undocumented returns the exported names that d declares without a comment. A
// comment on a group speaks for the whole group.
func undocumented(d ast.Decl) []*ast.Ident {
	var names []*ast.Ident
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Doc == nil && (d.Recv == nil || ast.IsExported(receiver(d.Recv.List[0].Type))) {
			names = append(names, d.Name)
		}
	case *ast.GenDecl:
		if d.Doc != nil {
			return nil
		}
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				if s.Doc == nil && s.Comment == nil {
					names = append(names, s.Name)
				}
			case *ast.ValueSpec:
				if s.Doc == nil && s.Comment == nil {
					names = append(names, s.Names...)
				}
			}
		}
	}
	return slices.DeleteFunc(names, func(id *ast.Ident) bool { return !id.IsExported() })
}

// receiver returns the name of a receiver's type: T of *T and of T[K].
func receiver(x ast.Expr) string {
	for {
		switch e := x.(type) {
		case *ast.StarExpr:
			x = e.X
		case *ast.IndexExpr:
			x = e.X
		case *ast.IndexListExpr:
			x = e.X
		case *ast.Ident:
			return e.Name
		default:
			return ""
		}
	}
}

// TestUndocumentedSeesThrough keeps the check above honest.
func TestUndocumentedSeesThrough(t *testing.T) {
	src := "package p\n\n// Given is said.\ntype Given int\n\ntype Bare int\n\nfunc (g *Given) Loud() {}\n\nfunc (h *hidden[K]) Loud() {}\n\n" +
		"// Two of a kind.\nconst (\n\tA = 1\n\tB = 2\n)\n\nvar (\n\tC = 3 // said\n\tD = 4\n\te = 5\n)\n"
	f, err := parser.ParseFile(token.NewFileSet(), "p.go", src, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, d := range f.Decls {
		for _, id := range undocumented(d) {
			got = append(got, id.Name)
		}
	}
	if want := "Bare Loud D"; strings.Join(got, " ") != want {
		t.Errorf("undocumented: got %q, want %q", got, want)
	}
}
