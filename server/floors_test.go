package server_test

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"
	"testing"
)

// floors says how high each package stands, the folder of main.go being ".".
// A package imports only from floors below its own, so nothing calls up and a
// request goes straight down. A new package needs its row here first.
var floors = map[string]int{
	"store/money": 0, "store/clock": 0, "auth": 0, "webhook/sign": 0, "server/console": 0, "ubl/font": 0, "ubl/bounded": 0,
	"store/trade": 1, "ubl/paper": 1,
	"store": 2, "ubl": 2, "ubl/kittest": 2,
	"server/wire": 3, "server/sheet": 3, "webhook": 3, "ubl/gib": 3,
	"server/standin": 4,
	"server":         5,
	"server/cli":     6, "server/esnaftest": 6,
	".": 7,
}

// owners names the only packages that may import a library, so that replacing
// it stays the work of one folder. Rows without a package are for tests alone:
// linked into the program they would slow its start, or as templates do keep the
// linker from leaving out 3 MB that nobody calls.
var owners = map[string][]string{
	"modernc.org/sqlite":            {"store"},
	"database/sql":                  nil,
	"zombiezen.com/go/sqlite":       {"store"},
	"github.com/go-chi/chi":         {"server", "server/wire", "server/standin"},
	"github.com/spf13/cobra":        {"server/cli"},
	"github.com/golang-jwt/jwt":     {"auth"},
	"golang.org/x/time":             {"auth"},
	"github.com/xuri/excelize":      nil,
	"codeberg.org/go-pdf/fpdf":      {"ubl/paper"},
	"html/template":                 nil,
	"text/template":                 nil,
	"testing":                       {"server/esnaftest", "ubl/kittest"},
	"github.com/google/go-cmp":      nil,
	"pgregory.net/rapid":            nil,
	"go.uber.org/goleak":            nil,
	"github.com/getkin/kin-openapi": nil,
	"github.com/pb33f":              nil,
}

// banned lists, for the packages that are told everything they need to know,
// what would let them find out for themselves.
var banned = map[string][]string{
	"store/money": {"math/rand", "crypto/rand", "os", "net/http"},
	"store/trade": {"math/rand", "crypto/rand", "os", "net/http", "encoding/xml"},
	"ubl":         {"math/rand", "crypto/rand", "os", "net/http"},
}

func TestFloors(t *testing.T) {
	for _, p := range house(t) {
		here, ok := floors[p.path]
		if !ok {
			t.Errorf("package %s has no floor: give it one in floors_test.go", p.path)
			continue
		}
		for path, file := range p.imports() {
			dep, ours := strings.CutPrefix(path, "esnaf/")
			if height, known := floors[dep]; ours && (!known || height >= here) {
				t.Errorf("%s: %s (floor %d) imports %s (floor %d): only lower floors may be imported", file, p.path, here, dep, height)
			}
			standard := !strings.Contains(strings.Split(path, "/")[0], ".") && !ours
			if p.path == "webhook/sign" && !standard {
				t.Errorf("%s: imports %s: receivers copy this package, so it stays with the standard library", file, path)
			}
		}
	}
}

func TestLibrariesStayWithTheirOwners(t *testing.T) {
	for _, p := range house(t) {
		for path, file := range p.imports() {
			for lib, pkgs := range owners {
				if within(path, lib) && !slices.Contains(pkgs, p.path) {
					t.Errorf("%s: imports %s: only %q may, none meaning tests alone", file, path, pkgs)
				}
			}
			for _, lib := range banned[p.path] {
				if within(path, lib) {
					t.Errorf("%s: %s imports %s: a pure package is handed what it needs", file, p.path, path)
				}
			}
		}
	}
}

// TestOneClock finds readers of the machine's clock: they would not follow a
// frozen or advanced clock, neither in tests nor in the stand-in.
func TestOneClock(t *testing.T) {
	for _, p := range house(t) {
		if p.path == "store/clock" {
			continue
		}
		p.each(func(n ast.Node) {
			if s, ok := n.(*ast.SelectorExpr); ok && p.packageOf(s.X) == "time" && slices.Contains([]string{"Now", "Since", "Until"}, s.Sel.Name) {
				t.Errorf("%s: time.%s reads the machine's clock: take the time from clock.Clock", p.fset.Position(s.Pos()), s.Sel.Name)
			}
		})
	}
}

// TestNoFloats holds amounts away from binary fractions where business is done;
// drawing a PDF may use them.
func TestNoFloats(t *testing.T) {
	for _, p := range house(t) {
		if p.path != "store/money" && p.path != "store/trade" {
			continue
		}
		p.each(func(n ast.Node) {
			if id, ok := n.(*ast.Ident); ok && (id.Name == "float32" || id.Name == "float64") {
				t.Errorf("%s: %s in %s: money and rates are money's fixed point", p.fset.Position(id.Pos()), id.Name, p.path)
			}
		})
	}
}

// TestNoPackageState finds package variables that functions change, and those
// of a type that is only good for being changed. Changes through a method of
// the variable's own pass unseen.
func TestNoPackageState(t *testing.T) {
	for _, p := range house(t) {
		complain := func(at ast.Node, what string) {
			t.Errorf("%s: %s: state belongs to a value made at the root and handed down", p.fset.Position(at.Pos()), what)
		}
		for _, f := range p.files {
			for _, d := range f.Decls {
				switch d := d.(type) {
				case *ast.GenDecl:
					if d.Tok == token.VAR {
						ast.Inspect(d, func(n ast.Node) bool {
							if p.isState(n) {
								complain(n, "package variable made to be changed")
							}
							_, fn := n.(*ast.FuncLit) // what a function declares inside is its own
							return !fn
						})
					}
				case *ast.FuncDecl:
					if d.Name.Name == "init" && d.Recv == nil {
						continue
					}
					ast.Inspect(d, func(n ast.Node) bool {
						for _, e := range changed(n) {
							if p.isPackageVar(e) {
								complain(e, "package variable changed")
							}
						}
						return true
					})
				}
			}
		}
	}
}

// within tells whether an import path is lib or lies under it.
func within(path, lib string) bool { return path == lib || strings.HasPrefix(path, lib+"/") }

// changed returns the expressions that a statement or builtin call writes to.
func changed(n ast.Node) []ast.Expr {
	switch n := n.(type) {
	case *ast.AssignStmt:
		if n.Tok != token.DEFINE {
			return n.Lhs
		}
	case *ast.IncDecStmt:
		return []ast.Expr{n.X}
	case *ast.CallExpr:
		if f, ok := n.Fun.(*ast.Ident); ok && len(n.Args) > 0 && slices.Contains([]string{"delete", "clear", "copy"}, f.Name) {
			return n.Args[:1]
		}
	}
	return nil
}
