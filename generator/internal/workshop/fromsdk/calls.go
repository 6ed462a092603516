package fromsdk

import (
	"go/types"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/gobuffalo/flect"

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
	// list is how it finds the object in pages, nil if it returns the object.
	list *list
}

// calls are the methods that a controller calls.
type calls struct {
	get, create, update, delete *method
	own                         ownKey
	// parents tell the external resources around one, in the order of the arguments.
	parents []*parent
	// getObject and createObject lead from a result of these methods to the object, nil if nothing does.
	getObject, createObject []*types.Var
	// client is the type that a service calls, nil if the controller calls plain methods.
	client types.Type
	// lastKeys are arguments that stand for the own key, since nothing else is left, and unset those that nothing stands for.
	lastKeys, unset map[*method][]string
}

// verbs begin the names of methods, by what these do.
var verbs = map[string][]string{
	"create": {"Create", "Add", "New", "Register", "Put", "Insert", "Import", "Set", "Allocate", "Protect", "Share", "Save", "Post"},
	"update": {"Update", "Edit", "Modify", "Patch", "Change", "Put", "Set", "Replace"},
	"get":    {"Get", "Describe", "Read", "Show", "Find", "Retrieve", "Fetch", "Lookup", "Query"},
	"list":   {"List", "GetAll", "All"},
	"delete": {"Delete", "Remove", "Destroy", "Terminate", "Deregister", "Unregister", "Release", "Revoke", "Unprotect", "Unshare", "Disable"},
}

// begins matches names that begin with a verb.
var begins = regexp.MustCompile("^(" + strings.Join(slices.Concat(slices.Collect(maps.Values(verbs))...), "|") + ")([^a-z]|$)")

// stem returns the name of a method without its verb, in the singular, and whether it has one: at its beginning, or at its end
// if none begins it.
func stem(name, role string) (string, bool) {
	name = strings.TrimPrefix(name, "Begin") // of what is waited for
	for _, verb := range verbs[role] {
		rest, ok := strings.CutPrefix(name, verb)
		if ok = ok && (rest == "" || strings.ToUpper(rest[:1]) == rest[:1]); !ok && !begins.MatchString(name) {
			rest, ok = strings.CutSuffix(name, verb) // as of PolicyCreate
		}
		if ok {
			return strings.ToLower(flect.Singularize(rest)), true
		}
	}
	return "", false
}

// methods returns the exported methods of the types in the SDK.
func (r *reader) methods() []*method {
	var all []*method
	for _, object := range exported[*types.TypeName](r.pkg.Types) {
		named, ok := object.Type().(*types.Named)
		if object.IsAlias() || !ok || named.TypeParams().Len() > 0 {
			continue
		}
		var of types.Type = named
		if !types.IsInterface(named) {
			of = types.NewPointer(named)
		}
		set := types.NewMethodSet(of)
		for i := range set.Len() {
			f, ok := set.At(i).Obj().(*types.Func)
			if !ok || !f.Exported() || strings.HasSuffix(f.Name(), "Execute") { // of openapi-generator, beside the builder
				continue
			}
			r.notePager(f)
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
	remote := map[string]bool{}
	for _, m := range all {
		remote[m.name] = remote[m.name] || m.isRemote()
	}
	return filter(all, func(m *method) bool { return m.isRemote() == remote[m.name] }) // without those of servers
}

// callable returns how a controller calls a method, nil if it can't.
func (r *reader) callable(f *types.Func) *method {
	m := r.listed(f)
	if m == nil {
		m = r.styled(f)
	}
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

// findCalls finds the methods that a controller calls, by their types, and what tells resources apart.
func (r *reader) findCalls() *calls {
	r.all = r.methods()
	if !slices.ContainsFunc(r.all, func(m *method) bool { return m.takes(r.create) }) {
		r.all = append(r.all, r.functions()...)
	}
	all := r.all
	names := slices.Concat(each(all, (*method).names)...)
	for _, name := range r.options.Methods {
		if !slices.Contains(names, name) {
			r.errorf("--method: no type of %s has a method %s%s", r.options.Package, name, nearest(name, names))
		}
	}
	if r.diags.HasErrors() {
		return nil
	}
	c := &calls{lastKeys: map[*method][]string{}, unset: map[*method][]string{}}
	sameType := r.update != nil && types.Identical(r.create, r.update)
	isUpdate := func(m *method) bool { _, ok := stem(m.name, "update"); return ok }
	creating := filter(all, func(m *method) bool {
		_, isCreate := stem(m.name, "create")
		isCreate = isCreate || r.isGiven(m) && !isUpdate(m)
		return m.takes(r.create) && (isCreate || !sameType)
	})
	given := len(filter(creating, r.isGiven))
	only := filter(creating, func(m *method) bool { return !isUpdate(m) || r.isGiven(m) && given == 1 })
	if sameType && len(only) > 0 {
		creating = only
	}
	if c.create = r.choose("create", "takes "+r.options.Create, creating, nil); c.create == nil {
		return nil
	}
	if r.update != nil {
		updating := filter(all, func(m *method) bool {
			isOther := m != c.create && isUpdate(m) && m.shares(c.create) // which the type alone doesn't tell from Create
			return m.takes(r.update) && (isOther || !sameType)
		})
		does := isUpdate(c.create) || strings.HasSuffix(c.create.name, "CreateOrUpdate") || r.isGiven(c.create) // both, as Put
		if len(updating) == 0 && does {
			updating = []*method{c.create}
		}
		c.update = r.choose("update", "takes "+r.options.Update, updating, c.create)
	}
	return r.findReads(c, all)
}

// findReads adds the methods that read and delete the object, and prefers those that the user names. It returns nil after an error.
func (r *reader) findReads(c *calls, all []*method) *calls {
	others := filter(all, func(m *method) bool { return !m.takes(r.create) && !m.takes(r.update) })
	getters, role := c.beside(others, func(m *method) bool {
		_, isGet := stem(m.name, "get")
		isGet = isGet || strings.HasSuffix(gotypes.PlainName(r.observe.Obj().Name()), gotypes.PlainName(m.name))
		return m.list == nil && (isGet || r.isGiven(m)) && r.objectIn(m) != nil
	}), "get"
	if lists := c.beside(others, func(m *method) bool {
		return m.list != nil && (len(getters) == 0 || r.isGiven(m))
	}); len(lists) > 0 {
		getters, role = lists, "list"
	}
	c.delete = r.choose("delete", "deletes what "+c.create.name+" creates", c.beside(others, func(m *method) bool {
		_, isDelete := stem(m.name, "delete")
		return isDelete || r.isGiven(m) && m.list == nil && r.objectIn(m) == nil
	}), c.create)
	if c.delete != nil && !slices.ContainsFunc(getters, r.isGiven) { // a method that the author names is taken
		getters = r.tellingMost(c, getters)
	}
	c.get = r.choose(role, "returns "+r.options.Observe, getters, c.create)
	if r.diags.HasErrors() {
		return nil
	}
	if c.get.list != nil {
		r.findBy(c)
	}
	r.serveStyles(c)
	if r.diags.HasErrors() {
		return nil
	}
	c.getObject, c.createObject = r.objectIn(c.get), r.objectIn(c.create)
	r.findKeys(c)
	return c
}

// isGiven reports whether the user names a method.
func (r *reader) isGiven(m *method) bool {
	return slices.ContainsFunc(m.names(), func(name string) bool { return slices.Contains(r.options.Methods, name) })
}

// beside returns the methods of the types that have the one which creates. If there are none, it returns all
// that are accepted.
func (c *calls) beside(all []*method, accepts func(*method) bool) []*method {
	return narrowed(filter(all, accepts), func(m *method) bool { return m.shares(c.create) })
}

// narrowed returns the methods to keep, or all if there are none.
func narrowed[T any](all []T, keep func(T) bool) []T {
	if kept := filter(all, keep); len(kept) > 0 {
		return kept
	}
	return all
}

// first returns the first one that is accepted, the zero value if there is none.
func first[T any](all []T, is func(T) bool) (found T) {
	if i := slices.IndexFunc(all, is); i >= 0 {
		found = all[i]
	}
	return found
}

// each returns what a function makes of each one.
func each[T, U any](all []T, of func(T) U) (made []U) {
	for _, one := range all {
		made = append(made, of(one))
	}
	return made
}

func filter[T any](all []T, keep func(T) bool) []T {
	return slices.DeleteFunc(slices.Clone(all), func(one T) bool { return !keep(one) })
}

// shares reports whether a type has both methods.
func (m *method) shares(other *method) bool {
	return slices.ContainsFunc(m.receivers, func(t *types.TypeName) bool { return slices.Contains(other.receivers, t) })
}

// isEnvelope matches the names of types that hold an answer, as those of objects don't.
var isEnvelope = regexp.MustCompile(`(Output|Response|Result|Reply|Resp|Root|OK)$`)

// objectIn returns what leads from the results of a method to the object: one of them, and the field of an answer with the object, or
// with a list that has it alone. It returns nil if nothing does.
func (r *reader) objectIn(m *method) []*types.Var {
	is := func(t types.Type) bool { return types.Identical(gotypes.Deref(t), r.observe) }
	results := m.results()
	results = results[:len(results)-1]
	if i := slices.IndexFunc(results, func(v *types.Var) bool { return is(v.Type()) }); i >= 0 {
		return results[i : i+1]
	}
	for _, result := range results {
		t := gotypes.Deref(result.Type())
		if gotypes.StructOf(t) == nil || !isEnvelope.MatchString(types.TypeString(t, gotypes.ByName)) {
			continue
		}
		var list []*types.Var
		for v := range gotypes.StructOf(t).Fields() {
			switch {
			case !v.Exported():
			case is(v.Type()):
				return []*types.Var{result, v}
			case list == nil && isList(v.Type()) && is(itemOf(v.Type())):
				list = []*types.Var{result, v}
			}
		}
		if list != nil {
			return list
		}
	}
	return nil
}
