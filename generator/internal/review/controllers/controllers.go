// Package controllers says what the code of a provider does: what each external client does with errors, names, conditions and
// secrets, and which of its methods read, fill and compare the fields of its kinds.
//
// It reads the code of the module in SSA form, function by function, and knows which functions each method calls. It follows no
// values through the program: code that hands a struct on, or that reflects, counts as a use of all fields in it. A field is the
// same field in all structs of a type.
package controllers

import (
	"cmp"
	"go/token"
	"go/types"
	"iter"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
)

// A Kind is a type of managed resources.
type Kind struct {
	// Package is the import path of the type, and Name its name.
	Package, Name string
}

// Facts are the known facts about the code.
type Facts struct {
	// Clients are the external clients, sorted by name.
	Clients []*Client
	// Fields are by the positions of their declarations.
	Fields map[diag.Position]*Field
	// DefaultResolvers are the kinds whose reconcilers resolve references as crossplane-runtime does by default.
	DefaultResolvers map[Kind]Site
}

// Of returns the external clients of a kind.
func (f *Facts) Of(k Kind) []*Client {
	return slices.DeleteFunc(slices.Clone(f.Clients), func(c *Client) bool { return !slices.Contains(c.Kinds, k) })
}

// A Field says how code uses a field, in any struct of its type.
type Field struct {
	// Read and Written are where that happens, sorted.
	Read, Written []Site
	// In are the methods that read the value, by kind, and Asked those that ask whether there is one.
	In, Asked map[Kind]Methods
	asked     []Site
	// Compared are comparisons in Observe with another value, from which a function concludes yes or no.
	Compared map[Kind][]Site
	// InOrder are comparisons of the list with another one, item by item.
	InOrder []Site
	// ByAddress are comparisons of the pointer with another one.
	ByAddress []Site
	// Foreign is where controllers of kinds read a secret of the namespace in the field.
	Foreign map[Kind][]Site
}

// ReadFor returns the methods that read the value for a kind. Those of other kinds count as elsewhere.
func (f *Field) ReadFor(k Kind) Methods { return methodsFor(f.In, k) }

// AskedFor returns the methods that ask whether there is a value.
func (f *Field) AskedFor(k Kind) Methods { return methodsFor(f.Asked, k) }

func methodsFor(byKind map[Kind]Methods, k Kind) Methods {
	methods := byKind[k]
	for other := range byKind {
		if other != k {
			methods |= Elsewhere
		}
	}
	return methods
}

// Methods are some methods of an external client, with the functions that they call.
type Methods uint8

// The methods of an external client and its connector.
const (
	InConnect Methods = 1 << iota
	InObserve
	InCreate
	InUpdate
	InDelete
	// Elsewhere are functions that none of them calls, such as initializers.
	Elsewhere
	// AsWhole is set if a comparison of structs as wholes includes the field.
	AsWhole
)

// A Site is a place in code, with the name of the function around it.
type Site struct {
	Pos      diag.Position
	Function string
}

// An analysis finds facts.
type analysis struct {
	program *Code
	kinds   map[*types.Named]Kind
	// apis are the packages that declare kinds, or types in them.
	apis map[*types.Package]bool
	// local are the packages of the module that are looked into. The others are clients of an API.
	local     map[*types.Package]bool
	functions []*ssa.Function
	// order has the indices of functions.
	order     map[*ssa.Function]int
	byPackage map[*types.Package][]*ssa.Function
	// instances are the generic types with type arguments that become values of interfaces.
	instances map[*types.Named]bool
	callees   *callees
	// passed are the arguments of each parameter, and the variables of each captured one.
	passed map[ssa.Value][]passing
	// connecting are the functions that return an external client of a type.
	connecting  map[*types.Named][]*ssa.Function
	controllers []*controller
	// external are the methods of controllers.
	external map[*ssa.Function]bool
	asking   map[*ssa.Function]bool
}

// A passing gives an argument to a parameter.
type passing struct {
	argument ssa.Value
	caller   *ssa.Function
}

// Facts says what the code does for kinds and with their fields.
func (code *Code) Facts(kinds []Kind) *Facts {
	a := &analysis{
		program: code, kinds: map[*types.Named]Kind{}, apis: map[*types.Package]bool{}, local: map[*types.Package]bool{},
		instances: map[*types.Named]bool{}, passed: map[ssa.Value][]passing{}, connecting: map[*types.Named][]*ssa.Function{},
		asking: map[*ssa.Function]bool{}, external: map[*ssa.Function]bool{}, order: map[*ssa.Function]int{},
		byPackage: map[*types.Package][]*ssa.Function{},
	}
	for _, k := range kinds {
		if pkg := code.ImportedPackage(k.Package); pkg != nil {
			t := pkg.Pkg.Scope().Lookup(k.Name).Type()
			a.kinds[gotypes.NamedOf(t)] = k
			a.findAPIs(t, map[types.Type]bool{})
		}
	}
	a.findLocal()
	a.findFunctions()
	a.callees = newCallees(a.functions)
	for i, fn := range a.functions {
		a.order[fn] = i
		if fn.Pkg != nil {
			a.byPackage[fn.Pkg.Pkg] = append(a.byPackage[fn.Pkg.Pkg], fn)
		}
		a.passes(fn)
	}
	a.findControllers()
	result := &Facts{Fields: a.fields(), DefaultResolvers: a.defaultResolvers()}
	for _, c := range a.controllers {
		result.Clients = append(result.Clients, a.client(c))
	}
	slices.SortFunc(result.Clients, func(x, y *Client) int { return strings.Compare(x.Name, y.Name) })
	return result
}

// findAPIs notes the packages of the module that declare a type, or one in it.
func (a *analysis) findAPIs(t types.Type, seen map[types.Type]bool) {
	if seen[t] {
		return
	}
	seen[t] = true
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		if pkg := t.Obj().Pkg(); pkg != nil && strings.HasPrefix(pkg.Path()+"/", a.program.module+"/") {
			a.apis[pkg] = true
			a.findAPIs(t.Underlying(), seen)
		}
	case *types.Struct:
		for f := range t.Fields() {
			a.findAPIs(f.Type(), seen)
		}
	case interface{ Elem() types.Type }:
		a.findAPIs(t.Elem(), seen)
	}
}

// passes notes the arguments of the calls in a function, and the interfaces for external clients that it makes.
func (a *analysis) passes(fn *ssa.Function) {
	pass := func(argument ssa.Value, parameter ssa.Value) {
		a.passed[parameter] = append(a.passed[parameter], passing{argument, fn})
	}
	for in := range instructions(fn) {
		switch in := in.(type) {
		case ssa.CallInstruction:
			common := in.Common()
			found, _ := a.callees.of(common)
			args := common.Args
			if common.IsInvoke() {
				args = append([]ssa.Value{common.Value}, args...)
			}
			for _, called := range found {
				for i := range min(len(args), len(called.Params)) {
					pass(args[i], called.Params[i])
				}
			}
		case *ssa.MakeClosure:
			for i, bound := range in.Bindings {
				pass(bound, in.Fn.(*ssa.Function).FreeVars[i])
			}
		case *ssa.MakeInterface:
			if isClient(in.Type()) {
				n := gotypes.NamedOf(in.X.Type())
				a.connecting[n] = append(a.connecting[n], fn)
			}
		}
	}
}

// methodsOf returns for each function the methods of controllers that call it, by kind.
func (a *analysis) methodsOf() map[*ssa.Function]map[Kind]Methods {
	all := map[*ssa.Function]map[Kind]Methods{}
	for _, c := range a.controllers {
		for method, functions := range map[Methods]map[*ssa.Function]bool{
			InConnect: a.callees.reach(c.connects...), InObserve: c.observing, InCreate: c.creating, InUpdate: c.updating, InDelete: c.deleting,
		} {
			for fn := range functions {
				if all[fn] == nil {
					all[fn] = map[Kind]Methods{}
				}
				for _, k := range c.kinds {
					all[fn][a.kinds[k]] |= method
				}
			}
		}
	}
	return all
}

// apiFields yields the fields of the structs that packages with kinds declare, by their positions.
func (a *analysis) apiFields() iter.Seq2[diag.Position, *types.Var] {
	return func(yield func(diag.Position, *types.Var) bool) {
		for _, pkg := range slices.SortedFunc(maps.Keys(a.apis), func(x, y *types.Package) int { return strings.Compare(x.Path(), y.Path()) }) {
			for _, name := range pkg.Scope().Names() {
				o, ok := pkg.Scope().Lookup(name).(*types.TypeName)
				if !ok || gotypes.StructOf(o.Type()) == nil {
					continue
				}
				for f := range gotypes.StructOf(o.Type()).Fields() {
					if !yield(a.program.files.Position(f.Pos()), f) {
						return
					}
				}
			}
		}
	}
}

// at returns the site of an instruction.
func (a *analysis) at(in ssa.Instruction) Site { return a.site(in.Parent(), in.Pos()) }

func (a *analysis) site(fn *ssa.Function, pos token.Pos) Site {
	if pos == token.NoPos {
		pos = fn.Pos()
	}
	return Site{Pos: a.program.files.Position(pos), Function: nameIn(fn)}
}

// nameIn returns the name of a function, with the names of its package and its receiver.
func nameIn(fn *ssa.Function) string {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	fn = genericOf(fn)
	name := fn.Name()
	if recv := fn.Signature.Recv(); recv != nil {
		t := types.TypeString(recv.Type(), func(*types.Package) string { return "" })
		name = strings.TrimPrefix(t, "*") + "." + name
	}
	if fn.Pkg != nil {
		name = fn.Pkg.Pkg.Name() + "." + name
	}
	return name
}

// sorted sorts sites, and leaves one for each place.
func sorted(sites []Site) []Site {
	slices.SortFunc(sites, func(x, y Site) int { return cmp.Or(x.Pos.Compare(y.Pos), strings.Compare(x.Function, y.Function)) })
	return slices.Compact(sites)
}

// PerFunction leaves one site for each function.
func PerFunction(all []Site) []Site {
	var left []Site
	for _, s := range all {
		if !slices.ContainsFunc(left, func(other Site) bool { return other.Function == s.Function }) {
			left = append(left, s)
		}
	}
	return left
}
