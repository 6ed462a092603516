package controllers

import (
	"go/token"
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
	results := fn.Origin().Signature.Results()
	for i := range results.Len() {
		_, isParameter := results.At(i).Type().(*types.TypeParam)
		if isParameter && types.Identical(pointee(t), fn.Signature.Results().At(i).Type()) {
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
	named, ok := types.Unalias(pointee(t)).(*types.Named)
	if !ok || !u.apis[named.Obj().Pkg()] {
		return false
	}
	meta := fieldNamed(named, "TypeMeta")
	return meta != nil && meta.Embedded()
}

func (u *uses) instruction(in ssa.Instruction) {
	switch in := in.(type) {
	case *ssa.FieldAddr:
		_, f := selection(in)
		u.address(in, f, in, 0)
	case *ssa.Field:
		_, f := selection(in)
		u.read(f, in)
		u.compared(f, in)
	case *ssa.ChangeType: // a struct of an SDK, made of one of the API
		before, after := structsIn(in.X.Type()), structsIn(in.Type())
		if len(before) == 1 && len(after) == 1 && before[0] != after[0] {
			u.hand(in, in.X.Type(), u.usesOf(unknown, in.X.Type())...)
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
func (u *uses) address(v ssa.Value, f *types.Var, at ssa.Instruction, depth int) {
	if depth > 10 || v.Referrers() == nil || u.fields[f] == nil {
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
				u.address(r, f, at, depth+1)
			} else {
				u.asked(f, at)
			}
		case *ssa.IndexAddr:
			u.address(r, f, at, depth+1)
		case *ssa.UnOp:
			u.value(r, f, at)
		case *ssa.DebugRef:
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
			if _, isBuiltin := r.Call.Value.(*ssa.Builtin); !isBuiltin && !isCopy(r.Common()) && isReference(v.Type()) {
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
	if !others || c == ignored || isCopy(common) {
		return
	}
	for _, argument := range common.Args {
		if functionOf(argument) == nil && !isContext(argument.Type()) {
			u.hand(in, argument.Type(), u.usesOf(c, argument.Type())...)
		}
	}
	for result := range common.Signature().Results().Variables() { // whose parts may have any value
		u.hand(in, result.Type(), u.written)
	}
}

// boxed notes a struct that becomes the value of an interface, through which anything can be done with it.
func (u *uses) boxed(in *ssa.MakeInterface) {
	c := u.boxedFor(in, 0)
	hasMethods := in.Type().Underlying().(*types.Interface).NumMethods() > 0
	n := gotypes.NamedOf(in.X.Type())
	switch {
	case c == ignored:
	case !slices.ContainsFunc(*in.Referrers(), func(r ssa.Instruction) bool { return !encodes(r) }):
		u.hand(in, in.X.Type(), u.read)
	case hasMethods && n != nil && gotypes.IsPointer(in.X.Type()) && u.local[n.Obj().Pkg()] && !u.apis[n.Obj().Pkg()]:
		// calls of its methods are known
	default:
		u.hand(in, in.X.Type(), u.usesOf(c, in.X.Type())...)
	}
}

// encodes reports whether an instruction calls a function that only reads a value to encode it.
func encodes(in ssa.Instruction) bool {
	call, ok := in.(*ssa.Call)
	return ok && (fullName(call.Common()) == "encoding/json.Marshal" || shortName(call.Common()) == "ToUnstructured")
}

// boxedFor returns the class of the calls that a value is an argument of, perhaps in a list of arguments: unknown unless all are
// ignored, or comparisons.
func (u *uses) boxedFor(v ssa.Value, depth int) class {
	if v.Referrers() == nil || depth > 4 {
		return unknown
	}
	found := ignored
	for _, r := range *v.Referrers() {
		c := unknown
		switch r := r.(type) {
		case *ssa.Call:
			if _, others := u.callees.of(r.Common()); others {
				c = classOf(r.Common())
			}
		case *ssa.Store:
			if item, ok := r.Addr.(*ssa.IndexAddr); ok && r.Val == v {
				c = u.boxedFor(item.X, depth+1)
			} else if r.Addr == v {
				continue
			}
		case *ssa.Slice:
			c = u.boxedFor(r, depth+1)
		case *ssa.IndexAddr, *ssa.DebugRef:
			continue
		}
		if c != ignored && c != compares {
			return unknown
		}
		found = min(found, c)
	}
	return found
}

// compared notes a comparison of a field with another value in a function that says yes or no, or in Observe. In a loop, it may look
// for an item of a list.
func (u *uses) compared(f *types.Var, v ssa.Value) {
	fn := v.Parent()
	if u.fields[f] == nil || fn.Parent() != nil || !u.isCompared(v, 0) || isInLoop(v.(ssa.Instruction).Block()) {
		return
	}
	results := fn.Signature.Results()
	isObserve := slices.ContainsFunc(u.controllers, func(c *controller) bool { return c.observe == fn })
	if isObserve || results.Len() > 0 && isBool(results.At(0).Type()) {
		u.concluded(f, v.(ssa.Instruction))
	}
}

// concluded notes that Observe calls a function that concludes from a field whether the resource is up to date.
func (u *uses) concluded(f *types.Var, in ssa.Instruction) {
	for k, methods := range u.methods[in.Parent()] {
		if methods&InObserve != 0 {
			u.fields[f].Compared[k] = sorted(append(u.fields[f].Compared[k], u.at(in)))
		}
	}
}

// isCompared reports whether code compares a value with another one that isn't a constant.
func (u *uses) isCompared(v ssa.Value, depth int) bool {
	if depth > 5 || v.Referrers() == nil {
		return false
	}
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.BinOp:
			_, first := r.X.(*ssa.Const)
			_, second := r.Y.(*ssa.Const)
			if (r.Op == token.EQL || r.Op == token.NEQ) && !first && !second {
				return true
			}
		case *ssa.UnOp, *ssa.Convert, *ssa.ChangeType, *ssa.MakeInterface:
			if u.isCompared(r.(ssa.Value), depth+1) {
				return true
			}
		case *ssa.Call:
			if isHelper(r.Common()) && len(r.Call.Args) < 3 && !isBool(r.Type()) && u.isCompared(r, depth+1) || equates(r.Common()) {
				return true
			}
		}
	}
	return false
}

// equates reports whether a call compares its two arguments of one type, and nothing else.
func equates(call *ssa.CallCommon) bool {
	results := call.Signature().Results()
	if call.IsInvoke() || results.Len() != 1 || !isBool(results.At(0).Type()) || len(call.Args) < 2 {
		return false
	}
	_, first := call.Args[0].(*ssa.Const)
	_, second := call.Args[1].(*ssa.Const)
	return !first && !second && types.Identical(call.Args[0].Type(), call.Args[1].Type())
}

// isInLoop reports whether a block is reached from itself.
func isInLoop(block *ssa.BasicBlock) bool {
	seen := map[*ssa.BasicBlock]bool{}
	queue := slices.Clone(block.Succs)
	for len(queue) > 0 {
		next := queue[0]
		queue = queue[1:]
		if !seen[next] {
			seen[next] = true
			queue = append(queue, next.Succs...)
		}
	}
	return seen[block]
}

// lossy notes comparisons of lists item by item.
func (u *uses) lossy(c *controller) {
	for call := range u.callsOf(c.observing) {
		args := call.Common().Args
		switch fullName(call.Common()) {
		case "reflect.DeepEqual", "slices.Equal":
		case "github.com/google/go-cmp/cmp.Equal":
			if !isNil(args[2]) {
				continue // options may sort
			}
		default:
			continue
		}
		if slices.ContainsFunc(slices.Collect(callsIn(call.Parent())), sorts) {
			continue
		}
		for _, argument := range args[:2] {
			if field := u.fields[loaded(argument)]; field != nil {
				field.InOrder = sorted(append(field.InOrder, u.at(call)))
			}
		}
	}
}

// sorts reports whether a call sorts a list in place.
func sorts(call ssa.CallInstruction) bool {
	path, name := packageCalled(call.Common()), shortName(call.Common())
	return path == "sort" && len(call.Common().Args) > 0 && call.Value() != nil && call.Common().Signature().Results().Len() == 0 ||
		path == "slices" && (strings.HasPrefix(name, "Sort") && !strings.HasPrefix(name, "Sorted") || name == "Reverse")
}

// isRequest reports whether a field belongs to a struct of a client.
func (a *analysis) isRequest(f *types.Var) bool {
	return f.Pkg() != nil && !a.local[f.Pkg()] && !isQuiet(f.Pkg().Path())
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
			if f == nil || f.Name() != "Namespace" || f.Pkg() == nil || f.Pkg().Path() != "k8s.io/apimachinery/pkg/types" {
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
	common := call.Common()
	if !common.IsInvoke() || common.Method.Name() != "Get" || !strings.Contains(packageCalled(common), "controller-runtime/pkg/client") {
		return false
	}
	return slices.ContainsFunc(common.Args, func(argument ssa.Value) bool {
		box, ok := argument.(*ssa.MakeInterface)
		return ok && types.TypeString(box.X.Type(), nil) == "*k8s.io/api/core/v1.Secret"
	})
}
