package controllers

import (
	"go/types"
	"maps"
	"path"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
)

// A controller is an external client: the managed reconciler calls its methods for the resources of some kinds.
type controller struct {
	// external is the type with the methods, and kinds are the types of the resources.
	external *types.Named
	kinds    []*types.Named

	observe, create, update, remove *ssa.Function
	// connects are the functions that return such a client.
	connects []*ssa.Function
	// observing, creating, updating and deleting are the functions that these call, directly or not. Changing has those of all but
	// observe.
	observing, creating, updating, deleting, changing map[*ssa.Function]bool
}

// methods returns the four methods.
func (c *controller) methods() []*ssa.Function {
	return []*ssa.Function{c.observe, c.create, c.update, c.remove}
}

// functions returns the functions of the module with bodies, except those of clients of an API.
func (a *analysis) findFunctions() {
	seen := map[*ssa.Function]bool{}
	var add func(fn *ssa.Function)
	add = func(fn *ssa.Function) {
		if fn == nil || seen[fn] || len(fn.Blocks) == 0 || a.isCopying(fn) || fn.Pkg != nil && !a.local[fn.Pkg.Pkg] {
			return
		}
		seen[fn] = true
		a.functions = append(a.functions, fn)
		for _, inner := range fn.AnonFuncs {
			add(inner)
		}
		for in := range instructions(fn) {
			for _, operand := range in.Operands(nil) {
				f, _ := (*operand).(*ssa.Function)
				add(f)
			}
			if box, ok := in.(*ssa.MakeInterface); ok {
				if n := gotypes.NamedOf(box.X.Type()); n != nil && n.TypeArgs().Len() > 0 && !a.instances[n] {
					a.instances[n] = true
					for method := range a.program.MethodSets.MethodSet(box.X.Type()).Methods() {
						add(a.program.MethodValue(method))
					}
				}
			}
		}
	}
	for _, pkg := range a.program.packages {
		for _, name := range slices.Sorted(maps.Keys(pkg.Members)) {
			switch m := pkg.Members[name].(type) {
			case *ssa.Function:
				add(m)
			case *ssa.Type:
				if named, ok := types.Unalias(m.Type()).(*types.Named); ok {
					for method := range named.Methods() {
						add(a.program.FuncValue(method))
					}
				}
			}
		}
	}
}

// isCopying reports whether a function only copies or registers objects, makes one version of another, or
// fills in what references lead to. What it reads of a field is no use of it.
func (a *analysis) isCopying(fn *ssa.Function) bool {
	name := fn.Name()
	file := a.fileOf(fn)
	return strings.HasPrefix(name, "DeepCopy") || file == "zz_generated.conversion.go" || file == "zz_generated.resolvers.go" ||
		slices.Contains([]string{"ResolveReferences", "ConvertTo", "ConvertFrom"}, name)
}

// fileOf returns the name of the file that declares a function.
func (a *analysis) fileOf(fn *ssa.Function) string {
	return path.Base(a.program.Fset.Position(fn.Pos()).Filename)
}

// findLocal notes the packages of the module that are looked into. The others are clients of an API, like those in other modules: they
// know no kind and no Kubernetes, and send or take a context.
func (a *analysis) findLocal() {
	knows := map[*types.Package]bool{}
	var visit func(pkg *types.Package) bool
	visit = func(pkg *types.Package) bool {
		is, seen := knows[pkg]
		if seen || !a.program.local[pkg] {
			return is
		}
		is = a.apis[pkg]
		for _, imported := range pkg.Imports() {
			p := imported.Path()
			is = visit(imported) || is || isRuntime(p) && !strings.HasSuffix(p, "/errors") || strings.HasPrefix(p, "sigs.k8s.io/controller-runtime")
		}
		knows[pkg] = is
		return is
	}
	for pkg := range a.program.local {
		a.local[pkg] = visit(pkg) || !talks(pkg)
	}
}

// talks reports whether a package sends, or has what takes a context.
func talks(pkg *types.Package) bool {
	return slices.ContainsFunc(pkg.Imports(), func(p *types.Package) bool {
		return p.Path() == "context" || slices.Contains(talking, p.Path()) && p.Path() != "os"
	})
}

// findControllers finds the external clients: the types with the methods of one that take such resources, wherever they are set up.
func (a *analysis) findControllers() {
	var all []*types.Named
	for _, pkg := range a.program.packages {
		for _, name := range slices.Sorted(maps.Keys(pkg.Members)) {
			if m, ok := pkg.Members[name].(*ssa.Type); ok {
				if named, ok := types.Unalias(m.Type()).(*types.Named); ok && named.TypeParams().Len() == 0 {
					all = append(all, named)
				}
			}
		}
	}
	instances := slices.SortedFunc(maps.Keys(a.instances), func(x, y *types.Named) int { return strings.Compare(x.String(), y.String()) })
	for _, named := range slices.Concat(all, instances) {
		if c := a.controller(named); c != nil {
			a.controllers = append(a.controllers, c)
			for _, fn := range c.methods() {
				a.external[fn] = true
			}
			c.observing, c.creating = a.callees.reach(c.observe), a.callees.reach(c.create)
			c.updating, c.deleting = a.callees.reach(c.update), a.callees.reach(c.remove)
			c.changing = a.callees.reach(c.create, c.update, c.remove)
		}
	}
}

// controller returns the controller that a type is, or nil.
func (a *analysis) controller(named *types.Named) *controller {
	c := &controller{external: named}
	if isMock(named) {
		return nil
	}
	set := a.program.MethodSets.MethodSet(types.NewPointer(named))
	for name, fn := range map[string]**ssa.Function{"Observe": &c.observe, "Create": &c.create, "Update": &c.update, "Delete": &c.remove} {
		s := set.Lookup(named.Obj().Pkg(), name)
		if s == nil || types.IsInterface(s.Obj().(*types.Func).Signature().Recv().Type()) {
			return nil
		}
		if named.TypeArgs().Len() > 0 {
			*fn = a.program.MethodValue(s)
		} else {
			*fn = a.program.FuncValue(s.Obj().(*types.Func))
		}
		if *fn == nil { // of an embedded instance
			return nil
		}
	}
	results := c.observe.Signature.Results()
	if results.Len() == 0 || !strings.HasSuffix(types.TypeString(results.At(0).Type(), nil), "/managed.ExternalObservation") {
		return nil
	}
	c.connects = a.connecting[named]
	for _, fn := range c.methods() {
		a.handles(c, fn)
	}
	for _, fn := range c.connects { // the methods leave the assertion to others
		if len(c.kinds) == 0 {
			a.handles(c, fn)
		}
	}
	if len(c.kinds) == 0 {
		return nil
	}
	return c
}

// handles adds the kinds that a method of a controller, or of its connector, takes or turns a managed resource into.
func (a *analysis) handles(c *controller, fn *ssa.Function) {
	add := func(t types.Type) {
		if k := gotypes.NamedOf(t); a.kinds[k] != (Kind{}) && !slices.Contains(c.kinds, k) {
			c.kinds = append(c.kinds, k)
		}
	}
	for _, p := range fn.Params {
		add(p.Type())
	}
	for in := range instructions(fn) {
		if asserted, ok := in.(*ssa.TypeAssert); ok {
			add(asserted.AssertedType)
		}
	}
}

// isClient reports whether a type is an interface for external clients.
func isClient(t types.Type) bool {
	return strings.HasSuffix(gotypes.NameOf(t).Name, "ExternalClient")
}

// isMock reports whether a type stands in for another one in tests, by its name.
func isMock(t types.Type) bool {
	name := strings.ToLower(types.TypeString(t, func(*types.Package) string { return "" }))
	return strings.Contains(name, "mock") || strings.Contains(name, "fake")
}
