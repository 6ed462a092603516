package fromsdk

import (
	"cmp"
	"go/types"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
)

// A method is one of the SDK's.
type method struct {
	name      string
	signature *types.Signature
	object    *types.Func
	// receivers are the types that have the method.
	receivers []*types.TypeName
	// style is how it is called, nil for a plain method.
	style *style
}

// A role is what a controller calls a method for.
type role string

const (
	reads   role = "read"
	creates role = "create"
	updates role = "update"
	deletes role = "delete"
)

// calls are the methods that a controller calls.
type calls struct {
	get, create, update, delete *method
	own                         ownKey
	// parents tell the external resources around one, in the order of the arguments.
	parents []*parent
	// once are the parents in a request that creation alone takes.
	once []string
	// around is a field beside the object in the request that creates, whose name is the own key's in all other places:
	// what is around the object. It is nil for none.
	around *parent
	// getObject and createObject lead from a result of these methods to the object, nil if nothing does.
	getObject, createObject []*types.Var
	// client is the type that a service calls, nil if the controller calls plain methods.
	client types.Type
	// unset are the arguments that nothing stands for, by method.
	unset map[*method][]string
	// etag is what updates and deletions send as the answer with the object has it, nil for none.
	etag *etag
	// locks are the fields that updates send as the object has them.
	locks []*source
}

// services returns the types whose methods other packages can call: exported ones, and those of their fields, which need not be.
func (r *reader) services() []*types.TypeName {
	all := filter(exported[*types.TypeName](r.pkg.Types), func(object *types.TypeName) bool {
		named, ok := object.Type().(*types.Named)
		return ok && !object.IsAlias() && named.TypeParams().Len() == 0
	})
	for _, object := range slices.Clone(all) {
		s := gotypes.StructOf(object.Type())
		for i := 0; s != nil && i < s.NumFields(); i++ {
			named := gotypes.NamedOf(s.Field(i).Type())
			isHidden := named != nil && named.Obj().Pkg() == r.pkg.Types && !named.Obj().Exported() && named.TypeArgs().Len() == 0
			if isHidden && s.Field(i).Exported() && !slices.Contains(all, named.Obj()) {
				all = append(all, named.Obj())
			}
		}
	}
	return all
}

// methods returns the exported methods of the types in the SDK.
func (r *reader) methods() []*method {
	var all []*method
	for _, object := range r.services() {
		named := object.Type().(*types.Named)
		var of types.Type = named
		if !types.IsInterface(named) {
			of = types.NewPointer(named)
		}
		set := types.NewMethodSet(of)
		for i := range set.Len() {
			f, ok := set.At(i).Obj().(*types.Func)
			switch {
			case !ok, !f.Exported(), strings.HasSuffix(f.Name(), "Execute"): // of openapi-generator, beside the builder
				continue
			case strings.HasPrefix(f.Name(), "Marshal"), strings.HasPrefix(f.Name(), "Unmarshal"): // of all types in some SDKs
				continue
			}
			m := r.callable(f)
			if m == nil {
				continue
			}
			at := slices.IndexFunc(all, func(known *method) bool {
				return known.name == m.name && types.Identical(known.signature, m.signature) && known.isAlsoOf(named, f)
			})
			if at < 0 {
				at, all = len(all), append(all, m)
			}
			known := all[at]
			if params := known.signature.Params(); params.Len() > 0 && params.At(0).Name() == "" {
				m.receivers = known.receivers
				*known = *m // an interface need not name its parameters
			}
			known.receivers = append(known.receivers, object)
		}
	}
	remote, interrupted := map[string]bool{}, map[string][]*method{}
	for _, m := range all {
		remote[m.name] = remote[m.name] || m.isRemote()
		if name, ok := strings.CutSuffix(m.name, withContext); ok {
			interrupted[name] = append(interrupted[name], m)
		}
	}
	return filter(all, func(m *method) bool { // without methods of servers, and the twins that no context ends
		return m.isRemote() == remote[m.name] && !slices.ContainsFunc(interrupted[m.name], m.shares)
	})
}

// callable returns how a controller calls a method, nil if it can't.
func (r *reader) callable(f *types.Func) *method {
	m := r.styled(f)
	if m == nil && isCallable(f.Signature()) {
		m = &method{name: f.Name(), signature: f.Signature(), object: f}
	}
	return m
}

// isAlsoOf reports whether a type has a method by embedding, or as the interface of a type that has it. The structs of two
// services have two methods, even if both are called alike.
func (m *method) isAlsoOf(t *types.Named, f *types.Func) (related bool) {
	isAbstract := func(f *types.Func) bool { return types.IsInterface(f.Signature().Recv().Type()) }
	implements := func(t, i types.Type) bool {
		of, ok := i.Underlying().(*types.Interface)
		return ok && (types.Implements(t, of) || types.Implements(types.NewPointer(t), of))
	}
	for _, other := range m.receivers {
		known := methodOf(other.Type(), m.name)
		switch {
		case known == f:
			return true
		case !isAbstract(known) && !isAbstract(f): // as of two services
			return false
		}
		related = related || implements(t, other.Type()) || implements(other.Type(), t)
	}
	return related
}

// isOption reports whether a parameter takes options, which may be left out.
func (m *method) isOption(v *types.Var) bool {
	params := m.signature.Params()
	return m.signature.Variadic() && v == params.At(params.Len()-1)
}

// isRemote reports whether a method calls a server of gRPC.
func (m *method) isRemote() bool {
	s := m.object.Signature()
	if !s.Variadic() {
		return false
	}
	option := itemOf(s.Params().At(s.Params().Len() - 1).Type())
	return gotypes.IsDeclaredIn(option, "google.golang.org/grpc", "CallOption") ||
		gotypes.IsDeclaredIn(option, "github.com/googleapis/gax-go/v2", "CallOption") // of Google's clients around gRPC
}

// isCallable reports whether a method may fail, as one that asks an API does.
func isCallable(s *types.Signature) bool {
	return s.Results().Len() > 0 && gotypes.IsError(s.Results().At(s.Results().Len()-1).Type())
}

// params and results return the parameters and the results of a method.
func (m *method) params() []*types.Var { return slices.Collect(m.signature.Params().Variables()) }

func (m *method) results() []*types.Var { return slices.Collect(m.signature.Results().Variables()) }

// takes reports whether a method has a parameter of a struct.
func (m *method) takes(t *types.Named) bool {
	return t != nil && slices.ContainsFunc(m.params(), func(v *types.Var) bool { return types.Identical(gotypes.Deref(v.Type()), t) })
}

// findCalls finds the methods that a controller calls, and what tells resources apart. A method is proved if its signature leaves
// no other; else the one whose name is nearest stands first, and its author decides.
func (r *reader) findCalls() *calls {
	r.all = r.methods()
	if !slices.ContainsFunc(r.all, func(m *method) bool { return m.takes(r.create) }) {
		r.all = append(r.all, r.functions()...)
	}
	names := slices.Concat(each(r.all, (*method).names)...)
	for _, given := range r.options.Methods {
		of, name, _ := strings.Cut(given, "=")
		switch {
		case verbs[role(of)] == nil:
			r.errorf("--method=%s: name what it does, as in --method=create=%s", given, cmp.Or(name, given))
		case !slices.Contains(names, name):
			r.errorf("--method: no type of %s has a method %s%s", r.options.Package, name, nearest(name, names))
		}
	}
	c := &calls{unset: map[*method][]string{}}
	c.create = r.choose(creates, filter(r.all, func(m *method) bool { return m.takes(r.create) }), nil)
	if r.diags.HasErrors() {
		return nil
	}
	if r.update != nil {
		c.update = r.choose(updates, filter(r.all, func(m *method) bool { return m.takes(r.update) }), c.create)
	}
	others := filter(r.all, func(m *method) bool {
		return !m.takes(r.create) && !m.takes(r.update) || r.isGiven(reads, m) || r.isGiven(deletes, m) // which take the object, as creation does
	})
	c.get = r.choose(reads, filter(others, r.isRead), c.create)
	if r.diags.HasErrors() {
		return nil
	}
	c.delete = r.choose(deletes, filter(others, func(m *method) bool {
		return m != c.get && !m.returnsList() && r.isAskedByKeys(m) && r.findsSame(m, c.get)
	}), c.create)
	if r.diags.HasErrors() {
		return nil
	}
	if r.serveStyles(c); r.diags.HasErrors() {
		return nil
	}
	c.getObject, c.createObject = r.objectIn(c.get), r.objectIn(c.create)
	r.decideMethods(c)
	r.findKeys(c)
	r.findETag(c)
	return c
}

// isAskedByKeys reports whether a method takes nothing but what tells resources apart, the object, and structs with these.
func (r *reader) isAskedByKeys(m *method) bool {
	return !slices.ContainsFunc(m.params(), func(v *types.Var) bool {
		isKnown := isContext(v.Type()) || m.isOption(v) || m.key(v) != nil || gotypes.BasicOf(v.Type()) != nil
		return !isKnown && gotypes.StructOf(v.Type()) == nil
	})
}

// findsSame reports whether a method takes the object, or as many arguments as the one that reads it, or a field of the same name.
func (r *reader) findsSame(m, get *method) bool {
	if m.takes(r.observe) {
		return true
	}
	isArgument := func(s *source) bool { return s.isArgument }
	own, wanted := r.keysOf(m), r.keysOf(get)
	arguments := len(filter(wanted, isArgument))
	isWanted := func(s *source) bool { return slices.ContainsFunc(wanted, s.isLike) }
	hasAsMany := arguments > 0 && len(filter(own, isArgument)) == arguments
	return len(wanted) == 0 || hasAsMany || slices.ContainsFunc(own, isWanted)
}

// returnsList reports whether a method returns several things, as none does that deletes one.
func (m *method) returnsList() bool {
	return slices.ContainsFunc(m.results(), func(v *types.Var) bool { return isList(v.Type()) && !gotypes.IsBytes(v.Type()) })
}

// choose returns the first of the candidates for a role: those that the author names, and of these the one whose name is nearest.
func (r *reader) choose(of role, all []*method, beside *method) *method {
	what := map[role]string{
		creates: "takes " + r.options.Create, updates: "takes " + r.options.Update, reads: "returns " + r.options.Observe,
		deletes: "takes the keys that read " + r.options.Observe,
	}[of]
	isGiven := func(m *method) bool { return r.isGiven(of, m) }
	given := filter(all, isGiven)
	if slices.ContainsFunc(r.options.Methods, func(name string) bool { return strings.HasPrefix(name, string(of)+"=") }) && len(given) == 0 {
		r.errorf("--method=%s: that method is not one that %s%s: name another", of, what, r.inLists(of))
		return nil
	}
	if beside != nil {
		all = narrowed(all, func(m *method) bool { return m.shares(beside) })
	}
	if all = narrowed(all, isGiven); len(all) == 0 {
		r.errorf("no method of %s %s%s: name another type, or the method with --method=%s=NAME", r.options.Package, what, r.inLists(of), of)
		return nil
	}
	wanted := gotypes.PlainName(r.observe.Obj().Name())
	if beside != nil {
		wanted, _ = stem(beside.name, creates)
	}
	rank := func(m *method) int {
		rest, hasVerb := stem(m.name, of)
		switch {
		case hasVerb && m == beside: // as Put, unless there is another one
			return 3
		case hasVerb && rest == wanted:
			return 0
		case hasVerb && rest == "":
			return 1
		case hasVerb:
			return 2
		}
		return 4
	}
	slices.SortStableFunc(all, func(a, b *method) int {
		return cmp.Or(rank(a)-rank(b), len(a.name)-len(b.name), strings.Compare(a.name, b.name))
	})
	r.candidates = append(r.candidates, candidates{of, all, len(given) == 1})
	return all[0]
}

// candidates are the methods for a role, the chosen one first.
type candidates struct {
	of      role
	all     []*method
	isGiven bool
}

// isGiven reports whether the author names a method for a role.
func (r *reader) isGiven(of role, m *method) bool {
	return slices.ContainsFunc(m.names(), func(name string) bool { return slices.Contains(r.options.Methods, string(of)+"="+name) })
}

// names returns those that users may give a method: its own, and with a type which has it.
func (m *method) names() []string {
	return append([]string{m.name}, each(m.receivers, func(t *types.TypeName) string { return t.Name() + "." + m.name })...)
}

// shares reports whether a type has both methods.
func (m *method) shares(other *method) bool {
	return slices.ContainsFunc(m.receivers, func(t *types.TypeName) bool { return slices.Contains(other.receivers, t) })
}

// isBeside reports whether a method has the name of one that creates, with a verb of another role, and a type has both.
func (m *method) isBeside(create *method, of role) bool {
	created, _ := stem(create.name, creates)
	rest, hasVerb := stem(m.name, of)
	return hasVerb && rest == created && m.shares(create)
}
