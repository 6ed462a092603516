package scopecopies

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
)

// A methodCall is a call of a method of managed resources for which the settings name a function
// that takes the resource.
type methodCall struct {
	call       *ast.CallExpr
	path, name string
}

// addCall notes a call if the settings replace what it calls. They name methods as those of the
// type, or of an interface that managed resources implement.
func (r *rewriter) addCall(call *ast.CallExpr) {
	method, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return
	}
	t := r.file.info.TypeOf(method.X)
	of := []flavor.TypeName{gotypes.NameOf(t)}
	if r.isManaged(t) {
		for name := range r.table.Managed {
			of = append(of, name)
		}
	}
	for _, name := range of {
		if newPath, newName, found := r.newName(name.Package + "." + name.Name + "." + method.Sel.Name); found {
			r.calls = append(r.calls, methodCall{call, newPath, newName})
			return
		}
	}
}

// rewriteCalls rewrites the calls of methods to those of functions. names are those of the
// packages that are imported.
func (r *rewriter) rewriteCalls(names map[string]string) {
	var added []string
	for _, c := range r.calls {
		name := c.name
		if c.path != r.copiedPath(r.source.path) {
			if names[c.path] == "" {
				names[c.path] = r.freeName(r.preferredName(c.path))
				added = append(added, importText(names[c.path], c.path))
			}
			name = names[c.path] + "." + name
		}
		x, separator := c.call.Fun.(*ast.SelectorExpr).X, ""
		if len(c.call.Args) > 0 {
			separator = ", "
		}
		opening := "("
		if _, isStruct := r.file.info.TypeOf(x).Underlying().(*types.Struct); isStruct {
			opening = "(&"
		}
		start := r.offset(c.call.Pos())
		r.edit(start, start, name+opening)
		r.edit(r.offset(x.End()), r.offset(c.call.Lparen)+1, separator)
	}
	if len(added) > 0 {
		// The type of the resource is imported.
		last := slices.IndexFunc(r.file.syntax.Imports, func(spec *ast.ImportSpec) bool { return !r.isRemoved(spec) })
		r.addImports(r.file.syntax.Imports[max(last, 0)], added)
	}
}
