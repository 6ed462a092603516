package linter

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"iter"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/model"
)

var (
	// aggregates matches the declaration that adds the kinds of all packages to a scheme.
	aggregates = regexp.MustCompile(`(?m)^(?:func (AddToScheme)\(|(?:var )?(AddToSchemes) +=)`)
	// ofKind matches a kind, by its name, of the API package with an alias.
	ofKind = regexp.MustCompile(`\b(\w+)\.\w*GroupVersion\.WithKind\("(\w+)"\)`)
	// usageLists matches the kind that lists usages of a ProviderConfig.
	usageLists = regexp.MustCompile(`(?m)\bUsageList:\s*\w+\.(\w+)GroupVersionKind\b`)
)

// A Fault is a mistake in the registration of a controller or a kind.
type Fault int

const (
	// Twice is a controller that is set up twice.
	Twice Fault = iota
	// Ungated is a controller that doesn't wait for its CRD, though others do.
	Ungated
	// NoKind is a kind that its package doesn't have.
	NoKind
	// NoList is a kind of single objects in the place of a list.
	NoList
	// Unadded is a package that adds all kinds to a scheme, and that the program doesn't name.
	Unadded
)

// A Miswiring is a fault, and the function, kind or package that has it.
type Miswiring struct {
	Fault Fault
	Name  string
}

// Miswired returns the mistakes in the registration of controllers and kinds in hand-written code, by position. Controllers are gated
// if they wait for the CRDs of their kinds.
func (a *API) Miswired(gated bool) map[diag.Position]Miswiring {
	found := a.unaddedKinds()
	declared := map[string]string{} // the names of functions that set up controllers, by import path
	for _, f := range a.sources() {
		for _, m := range setups.FindAllSubmatch(f.content, -1) {
			declared[path.Join(a.Module(), path.Dir(f.name))] += " " + string(m[1]) + " "
		}
	}
	for _, f := range a.sources() {
		if f.isAPI || artifact.Owned(f.content) {
			continue
		}
		a.checkKinds(f, found)
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, f.name, f.content, parser.SkipObjectResolution)
		if err != nil {
			continue // which the compiler reports
		}
		for n := range ast.Preorder(file) {
			checkSequence(slices.Collect(called(n)), gated, func(of *ast.SelectorExpr, name string) bool {
				importPath := f.importOf(of.X.(*ast.Ident).Name)
				return strings.Contains(declared[importPath], " "+name+" ")
			}, func(of *ast.SelectorExpr, m Miswiring) { found[positionIn(fset, f.name, of.Pos())] = m })
		}
	}
	return found
}

// importOf returns the path of the package of the module that a file imports under a name, or "".
func (f codeFile) importOf(name string) string {
	for importPath, alias := range f.imports {
		if cmp.Or(alias, path.Base(importPath)) == name {
			return importPath
		}
	}
	return ""
}

// called yields the functions of packages that a list has, or that statements call one after another.
func called(n ast.Node) iter.Seq[*ast.SelectorExpr] {
	return func(yield func(*ast.SelectorExpr) bool) {
		var all []ast.Expr
		switch n := n.(type) {
		case *ast.CompositeLit:
			all = n.Elts
		case *ast.BlockStmt:
			for _, statement := range n.List {
				if condition, ok := statement.(*ast.IfStmt); ok && condition.Init != nil {
					statement = condition.Init
				}
				if assigned, ok := statement.(*ast.AssignStmt); ok && len(assigned.Rhs) == 1 {
					if call, ok := assigned.Rhs[0].(*ast.CallExpr); ok {
						all = append(all, call.Fun)
					}
				}
			}
		}
		for _, expr := range all {
			of, ok := expr.(*ast.SelectorExpr)
			if !ok {
				continue
			}
			if _, ok := of.X.(*ast.Ident); ok && !yield(of) {
				return
			}
		}
	}
}

// checkSequence reports controllers that are set up twice in a sequence, or that don't wait though others of it do.
func checkSequence(all []*ast.SelectorExpr, gated bool, declares func(of *ast.SelectorExpr, name string) bool, report func(*ast.SelectorExpr, Miswiring)) {
	isGated := func(of *ast.SelectorExpr) bool { return strings.HasSuffix(of.Sel.Name, "Gated") }
	waits := gated && slices.ContainsFunc(all, isGated)
	seen := map[string]bool{}
	for _, of := range all {
		name := of.X.(*ast.Ident).Name + "." + of.Sel.Name
		if !declares(of, of.Sel.Name) {
			continue
		}
		switch ungated := strings.TrimSuffix(name, "Gated"); {
		case seen[ungated]:
			report(of, Miswiring{Twice, ungated})
		case waits && !isGated(of) && declares(of, of.Sel.Name+"Gated"):
			report(of, Miswiring{Ungated, name})
		}
		seen[strings.TrimSuffix(name, "Gated")] = true
	}
}

// checkKinds reports kinds that the package with their names doesn't have, since their controllers would never start.
func (a *API) checkKinds(f codeFile, found map[diag.Position]Miswiring) {
	for _, m := range ofKind.FindAllSubmatchIndex(f.content, -1) {
		alias, kind := string(f.content[m[2]:m[3]]), string(f.content[m[4]:m[5]])
		var names []string
		for _, k := range a.Kinds {
			if named, isImported := f.imports[k.Object.Package.Path]; isImported && cmp.Or(named, k.Object.Package.Name) == alias {
				names = append(names, k.Object.Name, k.Object.Name+"List")
			}
		}
		isMissing := a.isMissing(kind) || a.isMissing(strings.TrimSuffix(kind, "List"))
		if len(names) > 0 && !slices.Contains(names, kind) && !isMissing {
			found[diag.Position{File: f.name, Line: LineAt(f.content, m[4])}] = Miswiring{NoKind, kind}
		}
	}
	for _, m := range usageLists.FindAllSubmatchIndex(f.content, -1) {
		if name := string(f.content[m[2]:m[3]]); !strings.HasSuffix(name, "List") {
			found[diag.Position{File: f.name, Line: LineAt(f.content, m[2])}] = Miswiring{NoList, name}
		}
	}
}

// isMissing reports whether a kind is left out, since it has errors.
func (a *API) isMissing(kind string) bool {
	return slices.ContainsFunc(a.Missing, func(o *model.Object) bool { return o.Name == kind })
}

// unaddedKinds returns the package that adds all kinds to a scheme, if the program makes a manager, and doesn't name that.
func (a *API) unaddedKinds() map[diag.Position]Miswiring {
	found := map[diag.Position]Miswiring{}
	if !a.Mentions(".NewManager(") {
		return found
	}
	for _, f := range a.sources() {
		at := aggregates.FindIndex(f.content)
		importPath := path.Join(a.Module(), path.Dir(f.name))
		isNamed := func(by codeFile) bool {
			alias, isImported := by.imports[importPath]
			return isImported && by.names(alias, []Unregistered{{Name: "AddToSchemes"}})
		}
		if at != nil && !f.isAPI && len(f.imports) > 0 && !slices.ContainsFunc(a.sources(), isNamed) {
			found[diag.Position{File: f.name, Line: LineAt(f.content, at[0])}] = Miswiring{Unadded, importPath}
		}
	}
	return found
}
