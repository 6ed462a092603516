package controllers

import (
	"go/constant"
	"go/types"
	"iter"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
)

// A Client is an external client: what its methods do, with the functions that they call.
type Client struct {
	// Name has the package and the type, and Kinds are those of the resources.
	Name  string
	Kinds []Kind
	// Connect and the others are where the methods are.
	Connect, Observe, Create Site
	// Updates is set if Update asks the API something.
	Updates bool

	// Absences are calls for any error of which Observe says that there is no resource.
	Absences []Call
	// Swallowed are calls in Create, Update and Delete whose error reaches no return.
	Swallowed []Call
	// Undeleted are calls in Delete whose error is returned in any case, although Observe asks whether an error means "not found".
	Undeleted []Call

	// Unnamed is set if Observe reads the external name, which neither an initializer nor the client sets.
	Unnamed bool
	// NameLost is where Update sets the external name.
	NameLost *Site

	// LateInitialized is where Observe fills spec without saying so, and Overwritten where it changes a field of spec that may be set.
	LateInitialized, Overwritten []Call
	// Endless is where Observe copies a value of the API that may be unset, too, and says that it has filled spec.
	Endless []Call
	// AlwaysLate is set if Observe always says that it has filled spec.
	AlwaysLate bool
	// Mutated is where other methods change spec or metadata, and Sorted where Observe sorts a list of spec in place.
	Mutated, Sorted []Call

	// NeverReady is set if no code says that a resource is available.
	NeverReady bool

	// Generated is where Create generates a secret that no connection details have.
	Generated *Site
	// Untracked is set if Connect records no usage of the ProviderConfig.
	Untracked bool
}

// A Call is a call of a function with a name, or a change of a field with that name.
type Call struct {
	Site
	Name string
}

// client returns the facts about a controller.
func (a *analysis) client(c *controller) *Client {
	where := func(fn *ssa.Function) Site { return a.site(fn, fn.Pos()) }
	result := &Client{
		Name:    c.external.Obj().Pkg().Name() + "." + c.external.Obj().Name(),
		Observe: where(c.observe), Create: where(c.create), Updates: a.asksBelow(c.update),
		Absences: a.named(a.absences(c.observe, isAbsent, 2)), Swallowed: a.named(a.swallowed(c)), Undeleted: a.named(a.undeleted(c)),
		Generated: a.generated(c), NeverReady: a.isNeverReady(c),
	}
	for _, k := range c.kinds {
		result.Kinds = append(result.Kinds, a.kinds[k])
	}
	if len(c.connects) > 0 {
		result.Connect, result.Untracked = where(c.connects[0]), a.isUntracked(c)
	}
	a.names(c, result)
	a.changes(c, result)
	return result
}

// named returns the places and names of calls.
func (a *analysis) named(calls []ssa.CallInstruction) []Call {
	var all []Call
	for _, call := range calls {
		all = append(all, Call{a.at(call), shortName(call.Common())})
	}
	return all
}

// inOrder returns some functions in the order of the source.
func (a *analysis) inOrder(functions map[*ssa.Function]bool) []*ssa.Function {
	return slices.SortedFunc(maps.Keys(functions), func(x, y *ssa.Function) int { return a.order[x] - a.order[y] })
}

// callsOf yields the calls in some functions, in the order of the source.
func (a *analysis) callsOf(functions map[*ssa.Function]bool) iter.Seq[ssa.CallInstruction] {
	return func(yield func(ssa.CallInstruction) bool) {
		for _, fn := range a.inOrder(functions) {
			for call := range callsIn(fn) {
				if !yield(call) {
					return
				}
			}
		}
	}
}

// withPackage adds the functions in the package of a controller.
func (a *analysis) withPackage(c *controller, functions map[*ssa.Function]bool) map[*ssa.Function]bool {
	for _, fn := range a.byPackage[c.external.Obj().Pkg()] {
		functions[fn] = true
	}
	return functions
}

// isAbsent reports whether a method returns that a resource doesn't exist, and no error.
func isAbsent(r *ssa.Return) bool { return succeeds(r) && resultField(r, "ResourceExists") == never }

func succeeds(r *ssa.Return) bool { return isNil(result(r, len(r.Results)-1)) }

// A certainty says whether a field is true.
type certainty uint8

const (
	perhaps certainty = iota
	never
	always
)

// resultField returns whether a field of the struct is true that a method returns.
func resultField(r *ssa.Return, name string) certainty {
	value := result(r, 0)
	if _, ok := value.(*ssa.Const); ok {
		return never
	}
	load, ok := value.(*ssa.UnOp)
	if !ok {
		return perhaps
	}
	literal, ok := load.X.(*ssa.Alloc)
	if !ok || len(storedIn(literal)) > 0 {
		return perhaps
	}
	found := never
	for _, in := range *literal.Referrers() {
		addr, ok := in.(*ssa.FieldAddr)
		if _, f := selection(in); !ok || f.Name() != name {
			continue
		}
		for _, use := range *addr.Referrers() {
			if store, ok := use.(*ssa.Store); ok {
				switch c, ok := store.Val.(*ssa.Const); {
				case !ok:
					found = perhaps
				case constant.BoolVal(c.Value):
					found = always
				}
			}
		}
	}
	return found
}

// names adds what a controller does with external names.
func (a *analysis) names(c *controller, result *Client) {
	isRead, takes, sets := false, false, false
	for call := range a.callsOf(c.observing) {
		isRead = isRead || isMeta(call, "GetExternalName") && isUsed(call.Value())
	}
	for call := range a.callsOf(c.creating) {
		name := shortName(call.Common())
		takes = takes || isMeta(call, "GetExternalName") || name == "GetName" || name == "GetUID"
	}
	for fn := range a.withPackage(c, a.callees.reach(c.observe, c.create)) {
		mayName := c.observing[fn] || c.creating[fn] || !c.updating[fn]
		for in := range instructions(fn) {
			sets = sets || mayName && setsName(in)
			if _, f := selection(in); c.creating[fn] && f != nil && strings.HasSuffix(f.Pkg().Path(), "apis/meta/v1") {
				takes = takes || f.Name() == "Name" || f.Name() == "UID" || f.Name() == "Annotations"
			}
		}
	}
	result.Unnamed = isRead && a.asksBelow(c.create) && !takes && !sets
	for call := range a.callsOf(c.updating) {
		fn := call.Parent()
		if isMeta(call, "SetExternalName") && !c.observing[fn] && !c.creating[fn] && !a.saves(c.updating) {
			at := a.at(call)
			result.NameLost = &at
		}
	}
}

// isUsed reports whether code does more with a value than compare it with a constant.
func isUsed(v *ssa.Call) bool {
	return v != nil && slices.ContainsFunc(*v.Referrers(), func(r ssa.Instruction) bool {
		c, ok := r.(*ssa.BinOp)
		return !ok || !isConstant(c.X) && !isConstant(c.Y)
	})
}

// isMeta reports whether a call is of a function in the runtime's package meta.
func isMeta(call ssa.CallInstruction, name string) bool {
	return strings.HasSuffix(fullName(call.Common()), "/meta."+name)
}

// setsName reports whether an instruction may set an external name: by the function for it, as an annotation, or in the result of Create.
func setsName(in ssa.Instruction) bool {
	switch in := in.(type) {
	case ssa.CallInstruction:
		return isMeta(in, "SetExternalName")
	case *ssa.MapUpdate: // of annotations
		key, ok := in.Key.(*ssa.Const)
		return ok && key.Value != nil && key.Value.ExactString() == `"crossplane.io/external-name"`
	}
	_, f := selection(in)
	return f != nil && f.Name() == "ExternalNameAssigned"
}

// saves reports whether functions save an object in Kubernetes, beside its status.
func (a *analysis) saves(functions map[*ssa.Function]bool) bool {
	return slices.ContainsFunc(slices.Collect(a.callsOf(functions)), savesObject)
}

func savesObject(call ssa.CallInstruction) bool {
	common := call.Common()
	writes := slices.Contains([]string{"Create", "Update", "Patch", "Delete", "Apply", "DeleteAllOf"}, shortName(common))
	return writes && strings.Contains(packageCalled(common), "controller-runtime/pkg/client") &&
		gotypes.NameOf(common.Value.Type()).Name != "SubResourceWriter"
}

// isUntracked reports whether Connect neither tracks usages nor calls a function that nobody knows. A constructor doesn't know the
// resource.
func (a *analysis) isUntracked(c *controller) bool {
	if c.connects[0].Name() != "Connect" {
		return false
	}
	for call := range a.callsOf(a.callees.reach(c.connects...)) {
		found, _ := a.callees.of(call.Common())
		isUnknown := declared(call.Common()) == nil && len(found) == 0
		if shortName(call.Common()) == "Track" || isUnknown {
			return false
		}
	}
	return true
}

// generated returns where Create generates a secret, if nothing saves it.
func (a *analysis) generated(c *controller) *Site {
	var generated *Site
	for _, fn := range a.inOrder(c.creating) {
		for in := range instructions(fn) {
			if v, ok := in.(ssa.Value); ok && areDetails(v.Type()) {
				return nil
			}
			call, ok := in.(ssa.CallInstruction)
			if !ok {
				continue
			}
			path, name := packageCalled(call.Common()), shortName(call.Common())
			switch {
			case strings.HasSuffix(path, "/password"):
				at := a.at(call)
				generated = &at
			case name == "Apply", savesObject(call):
				return nil
			}
		}
	}
	return generated
}

// areDetails reports whether a type is declared for connection details, by the runtime or by mrgen.
func areDetails(t types.Type) bool {
	return strings.HasSuffix(gotypes.NameOf(t).Name, "ConnectionDetails")
}
