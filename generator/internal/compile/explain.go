package compile

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/astutil"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
)

// explain traces type errors in generated files to the author's source.
func (u *Universe) explain(p *Package, problems []types.Error) diag.List {
	info := &types.Info{
		Types:      map[ast.Expr]types.TypeAndValue{},
		Uses:       map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{},
	}
	// Check once more: recording types in each check would take long.
	checked := u.TypeCheck(p, p.Path, p.Files, info, func(types.Error) {})
	c := causes{info, func(object types.Object) bool {
		return object != nil && object.Pkg() == checked && p.generatedAt(u.program.Files.Fset, object.Pos()) == nil
	}, checked.Scope()}
	var diags diag.List
	reported := map[diag.Position]bool{}
	for _, problem := range problems {
		file, around := p.around(u.program.Files.Fset, problem.Pos)
		if u.hasUnknown(info, around) { // a run over the other packages reports it
			continue
		}
		where := u.program.Files.Fset.Position(problem.Pos)
		at, of := c.cause(around)
		if !at.IsValid() { // no declaration of the author is involved
			diags = append(diags, diag.Errorf(diag.Position{File: file.name}, codeCompile,
				"internal error: what mrgen would write does not compile, in line %d: %s", where.Line, problem.Msg))
			continue
		}
		if position := u.program.Files.Position(at); !reported[position] {
			reported[position] = true
			diags = append(diags, diag.Errorf(position, codeCompile,
				"what mrgen would write for %s into %s does not compile, in line %d: %s: change the declaration, or report this as a bug of mrgen",
				of, file.base(), where.Line, problem.Msg))
		}
	}
	return diags
}

// around returns the generated file and the nodes around a position, innermost first.
func (p *Package) around(fset *token.FileSet, at token.Pos) (*generated, []ast.Node) {
	file := p.generatedAt(fset, at)
	around, _ := astutil.PathEnclosingInterval(file.syntax, at, at)
	return file, around
}

// isUnknown reports whether a package of the universe is unknown.
func (u *Universe) isUnknown(importPath string) bool {
	p := u.packages[importPath]
	return p != nil && p.isUnknown
}

// namesUnknown reports whether one of the expressions around a position names a declaration of an unknown package.
func (u *Universe) namesUnknown(file *generated, around []ast.Node) bool {
	imports := gosyntax.NewImports(file.syntax, u.NameOf)
	return anyExpression(around, func(expr ast.Expr) bool {
		name, ok := expr.(*ast.Ident)
		return ok && u.isUnknown(imports.Path(name.Name))
	})
}

// hasUnknown reports whether the type of one of the expressions around a position contains a type of an unknown package.
func (u *Universe) hasUnknown(info *types.Info, around []ast.Node) bool {
	return anyExpression(around, func(expr ast.Expr) bool {
		return slices.ContainsFunc(named(info.Types[expr].Type), func(n *types.Named) bool {
			return n.Obj().Pkg() != nil && u.isUnknown(n.Obj().Pkg().Path())
		})
	})
}

// anyExpression reports whether a condition holds for one of the expressions around a position, in the same statement,
// or for a part of one.
func anyExpression(around []ast.Node, holds func(ast.Expr) bool) bool {
	for _, node := range around {
		if _, isStatement := node.(ast.Stmt); isStatement {
			return false
		}
		found := false
		ast.Inspect(node, func(inner ast.Node) bool {
			if _, isFunction := inner.(*ast.FuncLit); isFunction { // a function in the expression has statements of its own
				return false
			}
			expr, ok := inner.(ast.Expr)
			found = found || ok && holds(expr)
			return !found
		})
		if found {
			return true
		}
	}
	return false
}

// named returns the declared types in a type.
func named(t types.Type) []*types.Named {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		found := []*types.Named{t}
		for argument := range t.TypeArgs().Types() {
			found = append(found, named(argument)...)
		}
		return found
	case *types.Pointer:
		return named(t.Elem())
	case *types.Slice:
		return named(t.Elem())
	case *types.Map:
		return append(named(t.Key()), named(t.Elem())...)
	default:
		return nil
	}
}

// causes finds the author's declarations that generated code works on.
type causes struct {
	info *types.Info
	// isAuthors reports whether the author declares something in the package.
	isAuthors func(types.Object) bool
	scope     *types.Scope
}

// cause returns the position and name of the author's declaration that generated code works on: a field that the code
// selects, or the type with the method.
func (c causes) cause(around []ast.Node) (token.Pos, string) {
	function := slices.IndexFunc(around, func(node ast.Node) bool {
		_, ok := node.(*ast.FuncDecl)
		return ok
	})
	if function < 0 { // an error in a declaration
		return token.NoPos, ""
	}
	for _, t := range typesOf(around[function].(*ast.FuncDecl)) {
		declared := c.scope.Lookup(t)
		if !c.isAuthors(declared) {
			continue
		}
		// The last node before the function is its body, which works on all fields.
		if field := c.field(around[:max(function-1, 0)]); field != nil {
			return field.Pos(), t + "." + field.Name()
		}
		return declared.Pos(), t
	}
	return token.NoPos, ""
}

// field returns the author's field that the code around a position in a function selects, or nil.
func (c causes) field(around []ast.Node) types.Object {
	var found types.Object
	for i := 0; i < len(around) && found == nil; i++ {
		if _, isPart := around[min(i+1, len(around)-1)].(*ast.SelectorExpr); isPart {
			continue // a longer selector says more
		}
		ast.Inspect(around[i], func(node ast.Node) bool {
			if selector, ok := node.(*ast.SelectorExpr); ok && found == nil {
				if s := c.info.Selections[selector]; s != nil && s.Kind() == types.FieldVal && c.isAuthors(s.Obj()) {
					found = s.Obj()
				}
			}
			return found == nil
		})
	}
	return found
}

// typesOf returns the names of the types of a function's receiver and parameters.
func typesOf(f *ast.FuncDecl) []string {
	var names []string
	if t := gosyntax.Receiver(f); t != "" {
		names = append(names, t)
	}
	for _, parameter := range f.Type.Params.List {
		if name, ok := gosyntax.Element(parameter.Type).(*ast.Ident); ok {
			names = append(names, name.Name)
		}
	}
	return names
}
