package scaffold

import (
	"errors"
	"go/ast"
	"go/scanner"
	"go/token"
	"iter"
	"os"
	"path/filepath"
	"slices"

	"github.com/mrgen-io/mrgen/generator/internal/authoring/goedit"
	"github.com/mrgen-io/mrgen/generator/internal/diag"
)

// edit changes a file of the author, on top of earlier edits.
func (a *addition) edit(name string, change func(string, *goedit.File) diag.List) {
	content, isEdited := a.files[name]
	if !isEdited {
		var err error
		if content, err = os.ReadFile(filepath.Join(a.root, filepath.FromSlash(name))); err != nil {
			a.diags = append(a.diags, unreadable(name, err))
			return
		}
	}
	f, err := goedit.Parse(a.root, name, content)
	if err != nil {
		a.diags = append(a.diags, unparsable(name, err))
		return
	}
	a.diags = append(a.diags, change(name, f)...)
	if a.files[name], err = f.Edited(); err != nil {
		a.diags = append(a.diags, diag.Errorf(diag.Position{File: name}, codeScaffold,
			"mrgen can't add to this file: %v: run gofmt on it, and put each element of a list on a line of its own", err))
	}
	a.edited[name] = true
}

// unparsable returns the diagnostic for a file that can't be parsed.
func unparsable(name string, err error) diag.Diagnostic {
	at := diag.Position{File: name}
	var list scanner.ErrorList
	if errors.As(err, &list) && len(list) > 0 {
		at.Line, at.Column = list[0].Pos.Line, list[0].Pos.Column
		err = errors.New(list[0].Msg)
	}
	return diag.Errorf(at, codeScaffold, "cannot parse this file: %v: correct it first", diag.Cause(err))
}

// A registration adds a function of a package to a list of such functions: a composite literal, or
// the arguments of a call.
type registration struct {
	// alias is the name to import the package with, if it is free.
	alias, importPath, module string
	// what names the elements of the list for messages. They end with one of the selectors.
	what      string
	selectors []string
	function  string
}

// add adds the function to the list in a file, if it isn't there.
func (r registration) add(name string, f *goedit.File) diag.List {
	element := f.Import(r.importPath, r.module, r.alias) + r.function
	var last ast.Expr
	present := false
	f.EachElement(func(x ast.Expr) {
		if s, ok := x.(*ast.SelectorExpr); ok && slices.Contains(r.selectors, s.Sel.Name) {
			last = x
			present = present || f.Text(x) == element
		}
	})
	switch {
	case present:
	case last == nil:
		return diag.List{diag.Errorf(diag.Position{File: name}, codeScaffold,
			"there is no list of %s in this file to add %s to: write one, as mrgen init does", r.what, element)}
	default:
		f.InsertElement(last, element)
	}
	return nil
}

// typeSpecs iterates over the types that a file declares.
func typeSpecs(file *ast.File) iter.Seq2[*ast.GenDecl, *ast.TypeSpec] {
	return func(yield func(*ast.GenDecl, *ast.TypeSpec) bool) {
		for _, decl := range file.Decls {
			d, ok := decl.(*ast.GenDecl)
			if !ok || d.Tok != token.TYPE {
				continue
			}
			for _, spec := range d.Specs {
				if !yield(d, spec.(*ast.TypeSpec)) {
					return
				}
			}
		}
	}
}

// findType returns the declaration of a type in a file, or nil.
func findType(file *ast.File, name string) (*ast.GenDecl, *ast.TypeSpec) {
	for declaration, spec := range typeSpecs(file) {
		if spec.Name.Name == name {
			return declaration, spec
		}
	}
	return nil, nil
}
