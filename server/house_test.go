package server_test

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// housePackage is one folder's product files (no tests), resolved just far
// enough to tell package names and package variables from local names.
// Imports are not followed, which keeps the whole house under a second.
type housePackage struct {
	path  string
	fset  *token.FileSet
	files []*ast.File
	scope *types.Scope
	info  types.Info
}

// house reads every package of the module.
func house(t *testing.T) []*housePackage {
	t.Helper()
	found := map[string]*housePackage{}
	eachGoFile(t, func(path string) {
		if strings.HasSuffix(path, "_test.go") {
			return
		}
		dir, err := filepath.Rel("..", filepath.Dir(path))
		if err != nil {
			t.Fatal(err)
		}
		dir = filepath.ToSlash(dir)
		if found[dir] == nil {
			found[dir] = &housePackage{path: dir, fset: token.NewFileSet()}
		}
		f, err := parser.ParseFile(found[dir].fset, path, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		found[dir].files = append(found[dir].files, f)
	})
	if len(found) == 0 {
		t.Fatal("no product Go file found above this folder")
	}
	for _, p := range found {
		p.info.Uses = map[*ast.Ident]types.Object{}
		half := types.Config{Importer: noImports{}, Error: func(error) {}, FakeImportC: true}
		pkg, _ := half.Check(p.path, p.fset, p.files, &p.info) // the compiler reports what is wrong better than this could
		p.scope = pkg.Scope()
	}
	return slices.SortedFunc(maps.Values(found), func(a, b *housePackage) int { return strings.Compare(a.path, b.path) })
}

// eachGoFile calls f with each Go file of the module, leaving out folders that
// the go command leaves out.
func eachGoFile(t *testing.T, f func(path string)) {
	t.Helper()
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() && path != ".." && (name == "testdata" || name == "node_modules" || name[0] == '.' || name[0] == '_') {
			return filepath.SkipDir
		}
		if !d.IsDir() && strings.HasSuffix(name, ".go") {
			f(path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

type noImports struct{}

func (noImports) Import(string) (*types.Package, error) { return nil, errors.New("not followed") }

// imports maps each imported path to a file that imports it.
func (p *housePackage) imports() map[string]string {
	all := map[string]string{}
	for _, f := range p.files {
		for _, im := range f.Imports {
			path, _ := strconv.Unquote(im.Path.Value) // the parser has checked it
			all[path] = p.fset.Position(im.Pos()).Filename
		}
	}
	return all
}

func (p *housePackage) each(f func(ast.Node)) {
	for _, file := range p.files {
		ast.Inspect(file, func(n ast.Node) bool { f(n); return true })
	}
}

// packageOf returns the import path that x names, or "".
func (p *housePackage) packageOf(x ast.Expr) string {
	if id, ok := x.(*ast.Ident); ok {
		if name, ok := p.info.Uses[id].(*types.PkgName); ok {
			return name.Imported().Path()
		}
	}
	return ""
}

// isPackageVar tells whether writing to x reaches a variable of this package
// or of another one.
func (p *housePackage) isPackageVar(x ast.Expr) bool {
	for {
		switch e := x.(type) {
		case *ast.IndexExpr:
			x = e.X
		case *ast.SliceExpr:
			x = e.X
		case *ast.SelectorExpr:
			x = e.X
		case *ast.StarExpr:
			x = e.X
		case *ast.ParenExpr:
			x = e.X
		case *ast.Ident:
			v, ok := p.info.Uses[e].(*types.Var)
			return ok && v.Parent() == p.scope || p.packageOf(e) != ""
		default:
			return false
		}
	}
}

// isState tells whether n names a type that exists to be changed.
func (p *housePackage) isState(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.ChanType:
		return true
	case *ast.SelectorExpr:
		from := p.packageOf(n.X)
		return from == "sync/atomic" || from == "sync" && slices.Contains([]string{"Mutex", "RWMutex", "Map", "Once", "WaitGroup"}, n.Sel.Name)
	}
	return false
}
