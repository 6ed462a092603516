package addscope

import (
	"go/ast"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
	"github.com/mrgen-io/mrgen/generator/internal/workshop/goedit"
	"github.com/mrgen-io/mrgen/generator/run"
)

// register adds the packages of one scope to the lists with the other scope's, for schemes and for controllers,
// in packages that aren't copied. pair leads from the listed packages to the new ones, and folder names the new
// scope.
func (a *adder) register(pair run.ScopePair, folder string) {
	for _, dir := range sorted(a.folders) {
		if _, isCopied := pair.Counterpart(dir); isCopied {
			continue
		}
		for _, name := range sorted(a.folders[dir].files) {
			content, err := os.ReadFile(filepath.Join(a.opts.Root, filepath.FromSlash(name)))
			if err != nil {
				continue // it was parsed a moment ago
			}
			f, err := goedit.Parse(a.opts.Root, name, content)
			if err != nil {
				continue
			}
			a.registerIn(f, pair, folder)
			if !f.IsEdited() {
				continue
			}
			edited, err := f.Edited()
			if err != nil {
				a.errorf(diag.Position{File: name},
					"mrgen can't add to this file: %v: run gofmt on it, and put each element of a list on a line of its own", err)
				continue
			}
			a.added.Files[name] = edited
		}
	}
}

// registerIn adds to the lists in a file.
func (a *adder) registerIn(f *goedit.File, pair run.ScopePair, folder string) {
	imports := map[string]string{} // the other scope's folders, by the names of the imported packages
	for _, spec := range f.Syntax.Imports {
		dir, below := strings.CutPrefix(gosyntax.ImportPath(spec), a.module+"/")
		to, isCopied := pair.Counterpart(dir)
		if !below || !isCopied || a.folders[dir] == nil {
			continue
		}
		imports[gosyntax.NameIn(spec, func(string) string { return a.folders[dir].name })] = to
	}
	for node := range ast.Preorder(f.Syntax) {
		var elements []ast.Expr
		switch node := node.(type) {
		case *ast.CompositeLit:
			// An inner literal has no type, and lists nothing of its own.
			if node.Type != nil {
				elements = node.Elts
			}
		case *ast.CallExpr:
			elements = node.Args
		}
		for _, element := range elements {
			of, ok := element.(*ast.SelectorExpr)
			if !ok || of.Sel.Name != "AddToScheme" && !strings.HasPrefix(of.Sel.Name, "Setup") {
				continue
			}
			name := qualifier(of)
			to := imports[name]
			if to == "" {
				continue
			}
			alias := f.Import(a.module+"/"+to, a.module, folder+name, folder+path.Base(path.Dir(to))+name)
			f.InsertElement(element, alias+strings.TrimPrefix(f.Text(element), name))
		}
	}
}

// qualifier returns the first name in a chain of selectors, or "".
func qualifier(x ast.Expr) string {
	selector, ok := x.(*ast.SelectorExpr)
	for ok {
		if name, isName := selector.X.(*ast.Ident); isName {
			return name.Name
		}
		selector, ok = selector.X.(*ast.SelectorExpr)
	}
	return ""
}
