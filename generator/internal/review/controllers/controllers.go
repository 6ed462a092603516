// Package controllers says what the code of a provider does with the fields of its kinds: where
// controllers read, send, fill and compare them.
//
// It follows values through the code of the module in SSA form: assignments, literals, calls, conversions,
// functions that are values. What it can't follow, such as reflection, counts as a use of everything. A
// field is the same field in all structs of a type.
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
)

// A Kind is a type of managed resources.
type Kind struct {
	// Package is the import path of the type, and Name its name.
	Package, Name string
}

// Facts are what is known of the code.
type Facts struct {
	// Controllers are the names of the types that have a kind as an external client.
	Controllers map[Kind][]string
	// Fields are by the positions of their declarations.
	Fields map[diag.Position]*Field
	// Dropped are calls whose error nobody looks at.
	Dropped []Call
	// Unnamed are the kinds whose controllers read the external name, which nothing sets.
	Unnamed map[Kind]Site
	// DefaultResolvers are the kinds whose reconcilers resolve references as crossplane-runtime does by default.
	DefaultResolvers map[Kind]Site
	// Published are the keys of the connection secrets of kinds, where all are known that their
	// controllers publish.
	Published map[Kind]map[string]bool
}

// A Call is a call of a function.
type Call struct {
	Site
	// Name is what is called.
	Name string
}

// A Field is what code does with a field, in any struct of its type.
type Field struct {
	// Read and Written are where that happens, sorted.
	Read, Written []Site
	// Sent is set if the value may get into a request, or decide on one.
	Sent bool
	// Compared are comparisons that decide on whether a resource is up to date, of fields that its update
	// doesn't send. Updated are where updates set fields of requests that no check compares.
	Compared, Updated []Site
	// Crossed is where a field of another name has the value of this one's name, and Sorted where
	// observing a resource sorts the list.
	Crossed []Crossing
	Sorted  []Site
	// Foreign is where controllers of kinds read a secret of the namespace that the field has.
	Foreign map[Kind][]Site
}

// A Crossing is where a field gets the value of one of another name.
type Crossing struct {
	Site
	// To is the name of the field that is set, and From of that whose value it gets.
	To, From string
}

// A Site is a place in code, with the name of the function around it.
type Site struct {
	Pos      diag.Position
	Function string
}

// Facts says what the code does with the fields of kinds.
func (code *Code) Facts(kinds []Kind) *Facts { return newAnalysis(code, kinds).facts() }

// An analysis is what facts are taken from.
type analysis struct {
	*builder
	kinds       map[*types.Named]Kind
	functions   []*ssa.Function
	controllers []*controller
	// upToDate and exists are the nodes of what Observe says, and judging those from which values may get
	// there. comparing are the functions with comparisons that may decide on upToDate.
	upToDate, exists map[node]bool
	judging          []bool
	comparing        map[*ssa.Function]bool
}

func newAnalysis(p *Code, kinds []Kind) *analysis {
	a := &analysis{kinds: map[*types.Named]Kind{}, builder: &builder{
		graph: newGraph(), program: p, roots: map[*types.Named]bool{}, apis: map[*types.Package]bool{}, escapes: map[*types.Struct][]escape{}, effects: map[*ssa.Function]node{}, entries: map[*ssa.BasicBlock]node{},
		changed: map[ssa.Value]bool{}, passed: map[ssa.Value][]passing{},
	}}
	for _, k := range kinds {
		if pkg := p.ImportedPackage(k.Package); pkg != nil {
			if o, ok := pkg.Pkg.Scope().Lookup(k.Name).(*types.TypeName); ok {
				if named, ok := types.Unalias(o.Type()).(*types.Named); ok {
					a.kinds[named], a.roots[named], a.apis[pkg.Pkg] = k, true, true
				}
			}
		}
	}
	a.functions = p.functions(a.apis)
	local := map[*ssa.Function]bool{}
	a.callees = &callees{methods: map[string][]*ssa.Function{}, next: map[*ssa.Function][]*ssa.Function{}, targets: map[*ssa.CallCommon]target{}, implementing: map[invoked][]*ssa.Function{}, local: func(f *ssa.Function) bool { return local[f] }}
	for _, fn := range a.functions {
		local[fn] = true
	}
	for _, fn := range a.functions {
		if recv := fn.Signature.Recv(); recv != nil && fn.Synthetic == "" && !isMock(recv.Type()) {
			a.callees.methods[fn.Name()] = append(a.callees.methods[fn.Name()], fn)
		}
		a.addressed(fn)
	}
	for _, fn := range a.functions {
		a.function(fn)
	}
	a.settle()
	a.controllers = p.controllers(a.roots, a.functions)
	for _, c := range a.controllers {
		c.observing, c.updating, c.deleting = a.callees.reach(c.observe), a.callees.reach(c.update), a.callees.reach(c.remove)
		c.changing = a.callees.reach(c.create, c.update, c.remove)
	}
	a.findVerdicts()
	return a
}

// isMock reports whether a type stands in for another one in tests, by its name.
func isMock(t types.Type) bool {
	name := strings.ToLower(types.TypeString(t, func(*types.Package) string { return "" }))
	return strings.Contains(name, "mock") || strings.Contains(name, "fake")
}

// addressed notes the functions that are values in a function, not called at once.
func (a *analysis) addressed(fn *ssa.Function) {
	for in := range instructions(fn) {
		var called *ssa.Value
		if c, ok := in.(ssa.CallInstruction); ok {
			called = &c.Common().Value
		}
		for _, operand := range in.Operands(nil) {
			if operand == called {
				continue
			}
			if f, ok := (*operand).(*ssa.Function); ok && a.callees.local(f) {
				a.callees.address(f)
			}
		}
	}
}

// facts says what code does with each field of a struct in an API package.
func (a *analysis) facts() *Facts {
	result := &Facts{Controllers: map[Kind][]string{}, Fields: map[diag.Position]*Field{}, Unnamed: map[Kind]Site{}, Published: map[Kind]map[string]bool{}}
	for _, c := range a.controllers {
		for _, k := range c.kinds {
			result.Controllers[a.kinds[k]] = append(result.Controllers[a.kinds[k]], c.external.Obj().Pkg().Name()+"."+c.external.Obj().Name())
		}
	}
	uses := a.uses()
	changing := a.changing()
	isSent := func(p place) bool {
		return p.end == sent || p.end == handed || p.end == named || p.end == steering && changing[p.fn]
	}
	reach := a.reaching(func(_ node, p place) bool { return isSent(p) })
	for at, f := range a.apiFields() {
		u := cmp.Or(uses[f], &use{})
		field := &Field{Read: a.sites(u.read), Written: a.sites(u.written)}
		n, known := a.fields[f]
		field.Sent = known && reach[n]
		result.Fields[at] = field
	}
	for _, c := range a.controllers {
		for _, k := range c.kinds {
			parameters, others := a.parameters(k), map[node]bool{}
			for _, f := range parameters {
				others[a.field(f)] = true
			}
			for _, f := range parameters {
				field, n := result.Fields[a.program.files.Position(f.Pos())], a.field(f)
				if field == nil || int(n) >= len(reach) {
					continue
				}
				switch found := a.check(c, n, others); {
				case found.compared != nil && !found.mayUpdate:
					field.Compared = append(field.Compared, a.site(*found.compared))
				case found.updated != nil && !found.mayCompare && !found.identifies:
					field.Updated = append(field.Updated, a.site(*found.updated))
				}
			}
		}
	}
	a.misuses(result)
	result.DefaultResolvers = a.defaultResolvers()
	return result
}

// misuses adds what else is wrong with the code.
func (a *analysis) misuses(result *Facts) {
	of := func(f *types.Var) *Field {
		if field := result.Fields[a.program.files.Position(f.Pos())]; field != nil {
			return field
		}
		return &Field{}
	}
	a.crossed(of)
	a.sorted(of)
	a.foreign(of)
	a.dropped(func(at place, name string) { result.Dropped = append(result.Dropped, Call{a.site(at), name}) })
	unknown := map[Kind]bool{}
	for _, c := range a.controllers {
		keys, all := a.published(c)
		for _, named := range c.kinds {
			k := a.kinds[named]
			if result.Published[k] == nil {
				result.Published[k] = map[string]bool{}
			}
			maps.Copy(result.Published[k], keys)
			unknown[k] = unknown[k] || !all
		}
	}
	maps.DeleteFunc(result.Published, func(k Kind, _ map[string]bool) bool { return unknown[k] })
	for _, c := range a.unnamed() {
		for _, k := range c.kinds {
			result.Unnamed[a.kinds[k]] = a.site(place{fn: c.create, pos: c.create.Pos()})
		}
	}
}

// changing returns the functions that create, update or delete something, or connect to an API.
func (a *analysis) changing() map[*ssa.Function]bool {
	all := map[*ssa.Function]bool{}
	for _, c := range a.controllers {
		maps.Copy(all, c.changing)
	}
	for _, fn := range a.functions {
		if fn.Name() == "Connect" && fn.Signature.Recv() != nil {
			maps.Copy(all, a.callees.reach(fn))
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
				if !ok || o.IsAlias() {
					continue
				}
				if s, ok := o.Type().Underlying().(*types.Struct); ok {
					for f := range s.Fields() {
						if !yield(a.program.files.Position(f.Pos()), f) {
							return
						}
					}
				}
			}
		}
	}
}

func (a *analysis) site(p place) Site {
	name := ""
	if p.fn != nil {
		name = nameIn(p.fn)
	}
	return Site{Pos: a.program.files.Position(p.pos), Function: name}
}

// nameIn returns the name of a function, with those of its package and its receiver.
func nameIn(fn *ssa.Function) string {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
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

// sites returns places sorted, each function once.
func (a *analysis) sites(places []place) []Site {
	var all []Site
	for _, p := range places {
		if p.pos == token.NoPos && p.fn != nil {
			p.pos = p.fn.Pos()
		}
		all = append(all, a.site(p))
	}
	slices.SortFunc(all, func(x, y Site) int { return cmp.Or(x.Pos.Compare(y.Pos), strings.Compare(x.Function, y.Function)) })
	return slices.Compact(all)
}
