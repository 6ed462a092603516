package controllers

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
)

// uses are how code uses the fields of API packages.
type uses struct {
	*analysis
	fields  map[*types.Var]*Field
	methods map[*ssa.Function]map[Kind]Methods
	// isObservation is set in functions that mrgen writes to fill and compare parameters: whether a request gets these is another question.
	isObservation bool
	// within has the fields in structs, and in the structs that these lead to.
	within map[*types.Struct][]*types.Var
}

// fields says what code does with each field of a struct in an API package.
func (a *analysis) fields() map[diag.Position]*Field {
	u := &uses{analysis: a, fields: map[*types.Var]*Field{}, methods: a.methodsOf(), within: map[*types.Struct][]*types.Var{}}
	result := map[diag.Position]*Field{}
	for at, f := range a.apiFields() {
		u.fields[f] = &Field{In: map[Kind]Methods{}, Asked: map[Kind]Methods{}, Compared: map[Kind][]Site{}, Foreign: map[Kind][]Site{}}
		result[at] = u.fields[f]
	}
	for _, fn := range a.functions {
		u.isObservation = a.fileOf(fn) == "zz_generated.observation.go"
		for in := range instructions(fn) {
			u.instruction(in)
		}
	}
	for _, c := range a.controllers {
		u.lossy(c)
		u.foreign(c)
	}
	for _, f := range result {
		for _, s := range f.asked {
			fills := func(written Site) bool { return written.Function == s.Function }
			if !slices.ContainsFunc(f.Written, fills) { // late initialization is no use
				f.Read = append(f.Read, s)
			}
		}
		f.Read, f.Written = sorted(f.Read), sorted(f.Written)
	}
	return result
}

// read notes that a function reads a field, and for which methods.
func (u *uses) read(f *types.Var, in ssa.Instruction) {
	field := u.fields[f]
	if field == nil {
		return
	}
	if u.isObservation {
		if in.Parent().Name() == "Diff" {
			u.equated(f, in)
			u.concluded(f, in)
		}
		return
	}
	field.Read = append(field.Read, u.at(in))
	u.add(field.In, in)
}

// asked notes that a function asks whether a field has a value, or reads a field of it.
func (u *uses) asked(f *types.Var, in ssa.Instruction) {
	if u.isObservation {
		return
	}
	u.fields[f].asked = append(u.fields[f].asked, u.at(in))
	u.add(u.fields[f].Asked, in)
}

func (u *uses) add(to map[Kind]Methods, in ssa.Instruction) {
	methods := u.methods[in.Parent()]
	for k := range methods {
		to[k] |= methods[k]
	}
	if len(methods) == 0 {
		to[Kind{}] |= Elsewhere
	}
}

func (u *uses) written(f *types.Var, in ssa.Instruction) {
	if field := u.fields[f]; field != nil {
		field.Written = append(field.Written, u.at(in))
	}
}

// hand notes that structs in a type are handed to code that may read or write all their fields, or that compares them as wholes.
func (u *uses) hand(in ssa.Instruction, t types.Type, as ...func(*types.Var, ssa.Instruction)) {
	if u.isRoot(t) || returnsLike(in.Parent(), t) {
		return // as a managed resource, an object stays what it was
	}
	for _, s := range structsIn(t) {
		for _, f := range u.fieldsIn(s) {
			if u.isObservation && !u.isObserved(f, in.Parent()) {
				continue // functions that read rows leave it alone
			}
			for _, use := range as {
				use(f, in)
			}
		}
	}
}

// isObserved reports whether what a function of parameters takes has a field of that name, as secrets and references have none.
func (u *uses) isObserved(f *types.Var, fn *ssa.Function) bool {
	for parameter := range fn.Signature.Params().Variables() {
		for _, s := range structsIn(parameter.Type()) {
			if slices.ContainsFunc(u.fieldsIn(s), func(other *types.Var) bool { return other.Name() == f.Name() }) {
				return true
			}
		}
	}
	return false
}

// returnsLike reports whether an instance of a generic function takes and returns values of a type: it knows none of its fields.
func returnsLike(fn *ssa.Function, t types.Type) bool {
	if fn.Origin() == nil {
		return false
	}
	for result := range fn.Signature.Results().Variables() {
		if types.Identical(pointee(t), pointee(result.Type())) {
			return true
		}
	}
	return false
}

// usesOf returns what a function of a class does with the fields of structs in a type.
func (u *uses) usesOf(c class, t types.Type) []func(*types.Var, ssa.Instruction) {
	switch {
	case c == compares:
		return []func(*types.Var, ssa.Instruction){u.equated}
	case isReference(t):
		return []func(*types.Var, ssa.Instruction){u.read, u.written}
	default:
		return []func(*types.Var, ssa.Instruction){u.read}
	}
}

// equated notes that a comparison of structs as wholes includes a field.
func (u *uses) equated(f *types.Var, in ssa.Instruction) {
	for k := range u.methods[in.Parent()] {
		u.fields[f].In[k] |= AsWhole
	}
}

// fieldsIn returns the fields of a struct, and of the structs that these lead to, if a package with kinds declares them.
func (u *uses) fieldsIn(s *types.Struct) []*types.Var {
	all, known := u.within[s]
	if known {
		return all
	}
	u.within[s] = nil
	seen := map[*types.Struct]bool{}
	var add func(s *types.Struct)
	add = func(s *types.Struct) {
		if seen[s] {
			return
		}
		seen[s] = true
		for f := range s.Fields() {
			if u.fields[f.Origin()] != nil {
				all = append(all, f.Origin())
			}
			for _, inner := range structsIn(f.Type()) {
				add(inner)
			}
		}
	}
	add(s)
	u.within[s] = all
	return all
}

// isRoot reports whether a type is a kind, or a list of resources.
func (u *uses) isRoot(t types.Type) bool {
	return fieldNamed(t, "TypeMeta") != nil
}

func (u *uses) instruction(in ssa.Instruction) {
	switch in := in.(type) {
	case *ssa.FieldAddr:
		_, f := selection(in)
		u.address(in, f, in)
	case *ssa.Field:
		_, f := selection(in)
		u.read(f, in)
		u.compared(f, in)
	case *ssa.ChangeType: // a struct of an SDK, made of one of the API
		if !slices.Equal(structsIn(in.X.Type()), structsIn(in.Type())) {
			u.hand(in, in.X.Type(), u.usesOf(quiet, in.X.Type())...)
			u.hand(in, in.Type(), u.written)
		}
	case *ssa.MakeInterface:
		u.boxed(in)
	case *ssa.TypeAssert:
		u.hand(in, in.AssertedType, u.written) // made elsewhere
	case ssa.CallInstruction:
		u.call(in)
	}
}

// address notes what is done with the address of a field.
func (u *uses) address(v ssa.Value, f *types.Var, at ssa.Instruction) {
	if u.fields[f] == nil {
		return
	}
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			if r.Addr == v {
				u.written(f, r)
			}
			if r.Val == v { // the address is a value: its holder may do both
				u.read(f, at)
				u.written(f, at)
			}
		case *ssa.FieldAddr: // a field of the field, with uses of its own if its struct is one of the API
			if _, inner := selection(r); u.fields[inner] == nil {
				u.address(r, f, at)
			} else {
				u.asked(f, at)
			}
		case *ssa.UnOp:
			u.value(r, f, at)
		default:
			u.read(f, at)
			u.written(f, at)
		}
	}
}

// value notes what is done with the value of a field. A call may write through it. An item of a list doesn't make the list.
func (u *uses) value(v *ssa.UnOp, f *types.Var, at ssa.Instruction) {
	asks := true
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			if r.Addr == v {
				u.written(f, r)
			}
			asks = asks && r.Addr == v
		case *ssa.Call:
			if _, isBuiltin := r.Call.Value.(*ssa.Builtin); !isBuiltin && isReference(v.Type()) {
				u.written(f, at)
			}
			asks = false
		case *ssa.BinOp:
			asks = asks && asksForNil(r)
		default:
			asks = false
		}
	}
	if asks {
		u.asked(f, at)
		return
	}
	u.read(f, at)
	u.compared(f, v)
}

// isCopy reports whether a call copies an object, which leaves its fields what they are.
func isCopy(common *ssa.CallCommon) bool {
	f, ok := common.Value.(*ssa.Function)
	return ok && strings.HasPrefix(f.Name(), "DeepCopy")
}

// call notes what functions outside the module do with structs.
func (u *uses) call(in ssa.CallInstruction) {
	common := in.Common()
	_, others := u.callees.of(common)
	c := classOf(common)
	if !others || isCopy(common) {
		return
	}
	for _, argument := range common.Args {
		u.hand(in, argument.Type(), u.usesOf(c, argument.Type())...)
	}
	for result := range common.Signature().Results().Variables() { // whose parts may have any value
		u.hand(in, result.Type(), u.written)
	}
}

// boxed notes a struct that becomes the value of an interface, through which anything can be done with it.
func (u *uses) boxed(in *ssa.MakeInterface) {
	c := boxedFor(in)
	hasMethods := in.Type().Underlying().(*types.Interface).NumMethods() > 0
	n := gotypes.NamedOf(in.X.Type())
	switch {
	case c == ignored:
	case !slices.ContainsFunc(*in.Referrers(), func(r ssa.Instruction) bool { return !encodes(r) }):
		u.hand(in, in.X.Type(), u.read)
	case hasMethods && n != nil && u.local[n.Obj().Pkg()]:
		// calls of its methods are known
	default:
		u.hand(in, in.X.Type(), u.usesOf(c, in.X.Type())...)
	}
}

// encodes reports whether an instruction calls a function that only reads a value to encode it.
func encodes(in ssa.Instruction) bool {
	call, ok := in.(*ssa.Call)
	return ok && fullName(call.Common()) == "encoding/json.Marshal"
}

// isRequest reports whether a field belongs to a struct of a client.
func (a *analysis) isRequest(f *types.Var) bool {
	return !a.local[f.Pkg()] && !isQuiet(f.Pkg().Path())
}

// foreign notes where a controller chooses the namespace of a secret that it reads by a field.
func (u *uses) foreign(c *controller) {
	all := u.callees.reach(c.methods()...)
	for _, fn := range u.inOrder(all) {
		if !slices.ContainsFunc(slices.Collect(callsIn(fn)), readsSecret) {
			continue
		}
		for in := range instructions(fn) {
			store, ok := in.(*ssa.Store)
			if !ok {
				continue
			}
			_, f := selection(store.Addr)
			if f == nil || f.Name() != "Namespace" || f.Pkg().Path() != "k8s.io/apimachinery/pkg/types" {
				continue
			}
			for _, o := range u.origins(store.Val, all, false) {
				if field := u.fields[o.field]; field != nil {
					for _, named := range c.kinds {
						field.Foreign[u.kinds[named]] = append(field.Foreign[u.kinds[named]], u.at(store))
					}
				}
			}
		}
	}
}

// readsSecret reports whether a call gets a secret from Kubernetes.
func readsSecret(call ssa.CallInstruction) bool {
	return shortName(call.Common()) == "Get" && slices.ContainsFunc(call.Common().Args, func(argument ssa.Value) bool {
		box, ok := argument.(*ssa.MakeInterface)
		return ok && types.TypeString(box.X.Type(), nil) == "*k8s.io/api/core/v1.Secret"
	})
}
