package layout

import (
	"go/ast"
	"go/token"
	"path"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
	"github.com/mrgen-io/mrgen/generator/internal/workshop/goedit"
)

// A List is a place that lists functions of packages of the module, or calls them one after the other.
type List struct {
	// Elements are those functions, in order.
	Elements []Element
	// Function is the enclosing function, or "".
	Function string
}

// An Element is a function in a List.
type Element struct {
	// Dir is the folder of its package, and Function the name selected in it, such as Setup.
	Dir, Function string
	// Node is the element of the list, an expression, or the statement with the call.
	Node ast.Node
	// Called is the function in it.
	Called ast.Expr
	// IsModel is set if another function could be in the same statement or element.
	IsModel bool
}

// Append adds a function below the element, in the form of a model.
func (e Element) Append(f *goedit.File, model Element, function string) {
	text := strings.Replace(f.Text(model.Node), f.Text(model.Called), function, 1)
	switch node := e.Node.(type) {
	case ast.Expr:
		f.InsertElement(node, text)
	case ast.Stmt:
		f.InsertStatement(node, text)
	}
}

// Has reports whether a function of the package in a folder is in the list.
func (l List) Has(dir string) bool {
	return slices.ContainsFunc(l.Elements, func(e Element) bool { return e.Dir == dir })
}

// Model returns the last element that can serve as a pattern for another, or nil.
func (l List) Model() *Element {
	for _, e := range slices.Backward(l.Elements) {
		if e.IsModel {
			return &e
		}
	}
	return nil
}

// SetupLists returns a file's lists of functions that set up controllers.
func (m *Module) SetupLists(file *ast.File) []List {
	return m.Lists(file, func(dir, function string) int {
		if p := m.Packages[dir]; p != nil {
			return p.functions[function]
		}
		return 0
	})
}

// SchemeLists returns a file's lists of functions that add kinds to a scheme.
func (m *Module) SchemeLists(file *ast.File) []List {
	return m.Lists(file, func(dir, function string) int {
		p := m.Packages[dir]
		if registers := p != nil && (p.Builder != "" || p.Registers); registers && AddsToScheme(function) {
			return 1
		}
		return 0
	})
}

// Lists returns the lists of functions in a file. parameters returns a function's number of parameters, or 0 to
// skip the function.
func (m *Module) Lists(file *ast.File, parameters func(dir, function string) int) []List {
	f := m.finder(file, parameters)
	for _, decl := range file.Decls {
		f.function = ""
		if decl, ok := decl.(*ast.FuncDecl); ok {
			f.function = decl.Name.Name
		}
		for node := range ast.Preorder(decl) {
			f.visit(node)
		}
	}
	return f.found
}

// Functions returns the functions that a file names, in lists or elsewhere. parameters is as in [Module.Lists].
func (m *Module) Functions(file *ast.File, parameters func(dir, function string) int) []Element {
	f := m.finder(file, parameters)
	var found []Element
	for node := range ast.Preorder(file) {
		if x, ok := node.(*ast.SelectorExpr); ok {
			found = append(found, f.functions(x)...)
		}
	}
	return found
}

func (m *Module) finder(file *ast.File, parameters func(dir, function string) int) finder {
	return finder{module: m, imports: gosyntax.NewImports(file, m.nameOf), parameters: parameters}
}

// nameOf returns the name of a package of the module, or "" for others.
func (m *Module) nameOf(importPath string) string {
	dir, ours := m.dirOf(importPath)
	switch {
	case !ours:
		return ""
	// About to be written, see Announce.
	case m.Packages[dir] == nil:
		return path.Base(dir)
	}
	return m.Packages[dir].Name
}

type finder struct {
	module     *Module
	imports    *gosyntax.Imports
	parameters func(dir, function string) int
	function   string
	found      []List
}

func (f *finder) visit(node ast.Node) {
	list := List{Function: f.function}
	switch node := node.(type) {
	case *ast.CompositeLit:
		if node.Type == nil {
			return // an element of the outer literal
		}
		list.Elements = f.elements(node.Elts)
	case *ast.CallExpr:
		list.Elements = f.elements(node.Args)
		name, _ := node.Fun.(*ast.Ident)
		if isAppend := name != nil && name.Name == "append"; !isAppend && len(list.Elements) < len(node.Args) {
			return // it has other arguments, so it isn't a list
		}
	case *ast.BlockStmt:
		for _, statement := range node.List {
			list.Elements = append(list.Elements, f.call(statement)...)
		}
	}
	if len(list.Elements) > 0 {
		f.found = append(f.found, list)
	}
}

// elements returns the functions among the elements of a list.
func (f *finder) elements(list []ast.Expr) []Element {
	var found []Element
	for _, x := range list {
		in := f.functions(x)
		for _, e := range in {
			// Keys differ, and a text is probably about this one function.
			_, hasKey := x.(*ast.KeyValueExpr)
			e.Node, e.IsModel = x, len(in) == 1 && !hasKey && !slices.ContainsFunc(list, isText) && !hasText(x)
			found = append(found, e)
		}
	}
	return found
}

// functions returns the functions in an element of a list: itself, its value, or functions in a literal without a type.
func (f *finder) functions(x ast.Expr) []Element {
	switch x := x.(type) {
	case *ast.KeyValueExpr:
		return f.functions(x.Value)
	case *ast.CompositeLit:
		if x.Type == nil {
			return f.elements(x.Elts)
		}
	case *ast.SelectorExpr:
		if dir, function := f.selected(x); f.parameters(dir, function) > 0 {
			return []Element{{Dir: dir, Function: function, Called: x}}
		}
	}
	return nil
}

// selected returns the folder of a package of the module, and the name that an expression selects in it.
func (f *finder) selected(x ast.Expr) (dir, function string) {
	of, ok := x.(*ast.SelectorExpr)
	if !ok {
		return "", ""
	}
	name, isName := of.X.(*ast.Ident)
	if !isName {
		dir, function = f.selected(of.X)
		return dir, function + "." + of.Sel.Name
	}
	if dir, ours := f.module.dirOf(f.imports.Path(name.Name)); ours {
		return dir, of.Sel.Name
	}
	return "", ""
}

// call returns the function that a statement calls, if there is one.
func (f *finder) call(statement ast.Stmt) (found []Element) {
	var in ast.Node
	switch of := statement.(type) {
	case *ast.ExprStmt:
		in = of.X
	case *ast.IfStmt:
		if in = of.Init; of.Init == nil || of.Else != nil {
			return nil
		}
	default:
		return nil
	}
	ast.Inspect(in, func(node ast.Node) bool {
		// A function literal is called later, if at all.
		if _, isFunction := node.(*ast.FuncLit); isFunction || found != nil {
			return false
		}
		if call, isCall := node.(*ast.CallExpr); isCall {
			dir, function := f.selected(call.Fun)
			if n := f.parameters(dir, function); n > 0 {
				// Further parameters or a text are probably about this one function.
				found = []Element{{Dir: dir, Function: function, Node: statement, Called: call.Fun, IsModel: n <= 2 && !hasText(statement)}}
			}
		}
		return true
	})
	return found
}

// hasText reports whether a statement or an element has a string, which is probably about the function in it.
func hasText(of ast.Node) bool {
	for node := range ast.Preorder(of) {
		if x, ok := node.(ast.Expr); ok && isText(x) {
			return true
		}
	}
	return false
}

func isText(x ast.Expr) bool {
	literal, ok := x.(*ast.BasicLit)
	return ok && literal.Kind == token.STRING
}
