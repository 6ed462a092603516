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

// A controller is what the managed reconciler calls for the resources of some kinds.
type controller struct {
	// external is the type with the methods, and kinds are the types of the resources.
	external *types.Named
	kinds    []*types.Named

	observe, create, update, remove *ssa.Function
	// observing, updating and deleting are the functions that these call, directly or not. Changing has
	// those of all but observe.
	observing, updating, deleting, changing map[*ssa.Function]bool
	// answers are what it gets from the API, or nil before anybody asks.
	answers *answers
}

// functions returns the functions of the module with bodies.
func (code *Code) functions(apis map[*types.Package]bool) []*ssa.Function {
	seen := map[*ssa.Function]bool{}
	var all []*ssa.Function
	var add func(fn *ssa.Function)
	add = func(fn *ssa.Function) {
		if fn == nil || seen[fn] || len(fn.Blocks) == 0 || code.isCopying(fn, apis) {
			return
		}
		seen[fn] = true
		all = append(all, fn)
		for i := 0; i < len(fn.AnonFuncs); i++ {
			add(fn.AnonFuncs[i])
		}
		for in := range instructions(fn) {
			for _, operand := range in.Operands(nil) {
				if f, ok := (*operand).(*ssa.Function); ok {
					add(f)
				}
			}
		}
	}
	for _, pkg := range code.packages {
		for _, name := range slices.Sorted(maps.Keys(pkg.Members)) {
			switch m := pkg.Members[name].(type) {
			case *ssa.Function:
				add(m)
			case *ssa.Type:
				if named, ok := types.Unalias(m.Type()).(*types.Named); ok {
					for method := range named.Methods() {
						add(code.FuncValue(method))
					}
				}
			}
		}
	}
	return all
}

// isCopying reports whether a function only copies or registers objects, makes one version of another, or
// fills in what references lead to. What it reads of a field is no use of it.
func (code *Code) isCopying(fn *ssa.Function, apis map[*types.Package]bool) bool {
	name := fn.Name()
	switch file := path.Base(code.Fset.Position(fn.Pos()).Filename); {
	case strings.HasPrefix(name, "DeepCopy"), file == "zz_generated.conversion.go", file == "zz_generated.resolvers.go":
		return true
	case fn.Signature.Recv() != nil:
		return name == "ResolveReferences" || name == "ConvertTo" || name == "ConvertFrom"
	default:
		return fn.Pkg != nil && apis[fn.Pkg.Pkg] && (name == "init" || strings.HasPrefix(name, "init#"))
	}
}

// controllers returns the controllers of some kinds: the types with the methods of an external client
// whose functions take such resources, in packages whose reconcilers somebody sets up.
func (code *Code) controllers(roots map[*types.Named]bool, functions []*ssa.Function) []*controller {
	running := code.running(functions)
	var all []*controller
	for _, pkg := range code.packages {
		if !running[pkg.Pkg] {
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(pkg.Members)) {
			m, ok := pkg.Members[name].(*ssa.Type)
			if !ok {
				continue
			}
			named, ok := types.Unalias(m.Type()).(*types.Named)
			if !ok || named.TypeParams().Len() > 0 {
				continue
			}
			if c := code.controller(named, roots); c != nil {
				all = append(all, c)
			}
		}
	}
	return all
}

// running returns the packages with a function that makes a managed reconciler, and those that such ones
// import.
func (code *Code) running(functions []*ssa.Function) map[*types.Package]bool {
	all := map[*types.Package]bool{}
	for _, fn := range functions {
		if fn.Pkg == nil || !calls(fn, func(name string) bool { return strings.HasSuffix(name, "/managed.NewReconciler") }) {
			continue
		}
		all[fn.Pkg.Pkg] = true
		for _, imported := range fn.Pkg.Pkg.Imports() {
			all[imported] = true
		}
	}
	return all
}

// calls reports whether a function calls another one with such a name.
func calls(fn *ssa.Function, is func(name string) bool) bool {
	for call := range callsIn(fn) {
		if is(nameOf(call.Common())) {
			return true
		}
	}
	return false
}

func (code *Code) controller(named *types.Named, roots map[*types.Named]bool) *controller {
	c := &controller{external: named}
	set := code.MethodSets.MethodSet(types.NewPointer(named))
	for name, fn := range map[string]**ssa.Function{"Observe": &c.observe, "Create": &c.create, "Update": &c.update, "Delete": &c.remove} {
		s := set.Lookup(named.Obj().Pkg(), name)
		if s == nil {
			return nil
		}
		method, ok := s.Obj().(*types.Func)
		if !ok || method.Signature().Params().Len() != 2 || !isContext(method.Signature().Params().At(0).Type()) {
			return nil
		}
		if *fn = code.FuncValue(method); *fn == nil || len((*fn).Blocks) == 0 {
			return nil
		}
	}
	results := c.observe.Signature.Results()
	if results.Len() != 2 || !strings.HasSuffix(types.TypeString(results.At(0).Type(), nil), "/managed.ExternalObservation") {
		return nil
	}
	handles := func(t types.Type) {
		if k := gotypes.NamedOf(t); gotypes.IsPointer(t) && roots[k] && !slices.Contains(c.kinds, k) {
			c.kinds = append(c.kinds, k)
		}
	}
	for _, fn := range []*ssa.Function{c.observe, c.create, c.update, c.remove} {
		handles(fn.Params[len(fn.Params)-1].Type())
		for in := range instructions(fn) {
			if a, ok := in.(*ssa.TypeAssert); ok {
				handles(a.AssertedType)
			}
		}
	}
	if len(c.kinds) == 0 {
		return nil
	}
	return c
}

// reach returns the functions that some functions call or name, with themselves.
func (c *callees) reach(from ...*ssa.Function) map[*ssa.Function]bool {
	seen := map[*ssa.Function]bool{}
	queue := slices.Clone(from)
	for len(queue) > 0 {
		fn := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		if fn == nil || seen[fn] {
			continue
		}
		seen[fn] = true
		next, known := c.next[fn]
		if !known {
			next = c.calledBy(fn)
			c.next[fn] = next
		}
		queue = append(queue, next...)
	}
	return seen
}

func (c *callees) calledBy(fn *ssa.Function) []*ssa.Function {
	var all []*ssa.Function
	for in := range instructions(fn) {
		if call, ok := in.(ssa.CallInstruction); ok {
			found, _ := c.of(call.Common())
			all = append(all, found...)
		}
		for _, operand := range in.Operands(nil) {
			if f, ok := (*operand).(*ssa.Function); ok && c.local(f) {
				all = append(all, f)
			}
		}
	}
	return all
}
