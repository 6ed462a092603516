package deepcopy

import (
	"go/ast"
	"go/types"

	"sigs.k8s.io/controller-tools/pkg/loader"
	"sigs.k8s.io/controller-tools/pkg/markers"

	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/parallel"
)

// copies knows which types have copying methods once all code is generated. Only the author's methods decide
// which methods are written. The others matter because generated code calls them, so they must exist in the end.
type copies struct {
	collector *markers.Collector
	source    source
	// roles are the roles of the run's objects.
	roles map[*model.Type]model.Role
	// generated caches the names of the types that get methods, and hidden the methods in
	// generated files that aren't loaded, both by package.
	generated parallel.Memo[*loader.Package, map[string]bool]
	hidden    parallel.Memo[*loader.Package, map[string]methods]
}

// source gives access to packages, see [load.Program].
type source interface {
	Package(importPath string) *loader.Package
	IsLocal(pkg *loader.Package) bool
	HiddenFiles(pkg *loader.Package) []*ast.File
}

// of returns the methods that a declared type will have.
func (c *copies) of(t *types.Named) methods {
	m := methodsOf(types.NewPointer(t))
	name := t.Obj()
	if name.Pkg() == nil {
		return m
	}
	pkg := c.source.Package(loader.NonVendorPath(name.Pkg().Path()))
	if pkg == nil {
		return m
	}
	hidden := c.hiddenIn(pkg)[name.Name()]
	generated := c.source.IsLocal(pkg) && c.generated.Get(pkg, func() map[string]bool { return c.generatedIn(pkg) })[name.Name()]
	m.deepCopy = m.deepCopy || hidden.deepCopy || generated
	m.deepCopyInto = m.deepCopyInto || hidden.deepCopyInto || generated
	return m
}

// generatedIn returns the types of a package that get both methods, in this run or in one that covers the
// package.
func (c *copies) generatedIn(pkg *loader.Package) map[string]bool {
	names := map[string]bool{}
	if pkg.Syntax != nil {
		// Markers that don't parse are reported elsewhere.
		_ = eachEnabled(c.collector, pkg, func(spec *ast.TypeSpec, _ bool) {
			if spec.TypeParams == nil {
				names[spec.Name.Name] = true
			}
		})
	}
	return names
}

// hiddenIn returns the copying methods in files of a package that aren't loaded, by type name.
func (c *copies) hiddenIn(pkg *loader.Package) map[string]methods {
	return c.hidden.Get(pkg, func() map[string]methods {
		found := map[string]methods{}
		for _, file := range c.source.HiddenFiles(pkg) {
			for _, decl := range file.Decls {
				f, ok := decl.(*ast.FuncDecl)
				if !ok {
					continue
				}
				receiver := gosyntax.Receiver(f)
				m := found[receiver]
				switch f.Name.Name {
				case "DeepCopy":
					// Only a method with the right signature is one that generated code can call.
					m.deepCopy = m.deepCopy || f.Type.Params.NumFields() == 0 && f.Type.Results.NumFields() == 1
				case "DeepCopyObject":
					m.deepCopyObject = true
				case "DeepCopyInto":
					m.deepCopyInto = m.deepCopyInto || f.Type.Params.NumFields() == 1 && f.Type.Results.NumFields() == 0
				}
				found[receiver] = m
			}
		}
		return found
	})
}

const unnamedStruct = "a struct type without a name has no methods that copy it: declare a type for it"

// calls checks that generated code can call a copying method of a type, or of the type that it points to, and
// reports a method that won't exist.
func (w *copyWriter) calls(t types.Type, method string) {
	t = types.Unalias(t)
	if pointer, ok := t.(*types.Pointer); ok {
		t = types.Unalias(pointer.Elem())
	}
	named, ok := t.(*types.Named)
	if !ok {
		w.errorf(unnamedStruct)
		return
	}
	m := w.copies.of(named)
	if method == "DeepCopy" && m.deepCopy || method == "DeepCopyInto" && m.deepCopyInto {
		return
	}
	name, self := named.Obj().Name(), "write DeepCopyInto and DeepCopy of "+w.of.name+" yourself"
	pkg := named.Obj().Pkg()
	var declaring *loader.Package
	if pkg != nil {
		declaring = w.copies.source.Package(loader.NonVendorPath(pkg.Path()))
	}
	switch isLocal := declaring != nil && w.copies.source.IsLocal(declaring); {
	case m.any() && isLocal:
		w.errorf("%s has no method %s, and gets no deep copies: write that one, too, or mark the type +kubebuilder:object:generate=true", name,
			method)
	case m.any():
		w.errorf("%s.%s has no method %s: use another type, or %s", pkg.Name(), name, method, self)
	case named.String() == "time.Time":
		w.errorf("a copy of time.Time would share memory with it: use metav1.Time")
	case !isLocal:
		w.errorf("a copy of %s would share memory with it, and the type has no method %s: use another type, or %s", named, method, self)
	case !named.Obj().Exported():
		w.errorf("%s gets no deep copies, since it is not exported: export it, or write its methods DeepCopyInto and DeepCopy", name)
	case pkg != w.pkg.Types:
		w.errorf("%s gets no deep copies: mark it, or package %s, +kubebuilder:object:generate=true, or write its methods DeepCopyInto and DeepCopy", name, pkg.Path())
	default:
		w.errorf("%s gets no deep copies: mark it, or its package, +kubebuilder:object:generate=true, or write its methods DeepCopyInto and DeepCopy", name)
	}
}
