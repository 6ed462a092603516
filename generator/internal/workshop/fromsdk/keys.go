package fromsdk

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
)

// An ownKey tells external resources apart that have the same parents.
type ownKey struct {
	// taken is what the method that reads the object takes, nil if there is one resource alone in a parent.
	taken *source
	// named is set if users choose the key: created is the field of the request then, or an argument.
	named   bool
	created *source
	// observed is the field of the object with the key, and parts are the fields of the request that may be a part of it.
	observed *source
	parts    []*source
	// parent is what creation takes beside a name of which the API makes a path, nil if users or the API choose the key as a whole.
	parent *source
}

// isNumber reports whether the external name is a whole number.
func (o ownKey) isNumber() bool {
	return o.taken != nil && isInteger(gotypes.Deref(itemOf(o.taken.v.Type())))
}

// A parent is an external resource around others, which an argument names.
type parent struct {
	*source
	field *Field
}

// parentOf returns the parent that an argument, or a field of one, stands for, or nil.
func (c *calls) parentOf(s *source) *parent {
	return first(c.parents, func(p *parent) bool { return p.isLike(s) })
}

// key returns a parameter that tells resources apart as a source, nil for another one.
func (m *method) key(v *types.Var) *source {
	switch {
	case !isKey(v.Type()), m.isOption(v), isSecretName(goName(v.Name()), camel(v.Name())): // such as the token of a session
		return nil
	case len(constantsOf(v.Type())) > 1, isMask(v): // such as when to delete it
		return nil
	}
	return &source{v: v, names: []string{gotypes.PlainName(v.Name())}, isArgument: true}
}

// isKey reports whether values of a type can tell resources apart.
func isKey(t types.Type) bool {
	t = types.Unalias(gotypes.Deref(t))
	if i, isInterface := t.Underlying().(*types.Interface); isInterface {
		return i.Empty() // such as gitlab's "ID or path"
	}
	return gotypes.IsString(t) || isInteger(t)
}

// isLike reports whether another one's name is this one's. Either may be nil. A list may have the plural.
func (s *source) isLike(other *source) bool {
	if s == nil || other == nil {
		return false
	}
	return s.singular(s.names[0]) == other.singular(other.names[0])
}

// singular returns the singular of a list's name, and other names as they are.
func (s *source) singular(name string) string {
	if isList(s.v.Type()) {
		return strings.TrimSuffix(name, "s")
	}
	return name
}

// keysOf returns what a method takes to tell resources apart: arguments, fields of requests that JSON leaves out, and fields of other
// structs, without those that only say how much is returned if some are required, or arguments tell resources apart.
func (r *reader) keysOf(m *method) (all []*source) {
	hasArguments := slices.ContainsFunc(m.params(), func(v *types.Var) bool { return m.key(v) != nil })
	for v := range m.signature.Params().Variables() {
		t := gotypes.Deref(v.Type())
		switch key := m.key(v); {
		case key != nil:
			all = append(all, key)
		case r.isRequest(t):
			all = append(all, r.needed(t)...)
			all = append(all, filter(r.sources(t), func(s *source) bool { return s.isKey() && r.isRequired(s) })...)
		case gotypes.StructOf(t) != nil && !gotypes.IsTime(t) && !types.Identical(t, r.observe):
			fields := slices.Concat(r.unencoded(t), r.sources(t))
			keys := filter(fields, func(s *source) bool { return s.oneof == nil && isKey(itemOf(s.v.Type())) })
			if required := filter(keys, r.isRequired); hasArguments || len(required) > 0 {
				keys = required
			}
			all = append(all, keys...)
		}
	}
	return all
}

// optionalKeys returns the fields of structs by which a method may find an object, and which keysOf leaves out beside required ones.
func (r *reader) optionalKeys(m *method) (all []*source) {
	known := r.keysOf(m)
	for _, v := range m.params() {
		if t := gotypes.Deref(v.Type()); gotypes.StructOf(t) != nil && !m.isOption(v) && !gotypes.IsTime(t) && !r.isRequest(t) {
			all = append(all, filter(r.sources(t), func(s *source) bool {
				return s.oneof == nil && isKey(itemOf(s.v.Type())) && !slices.ContainsFunc(known, s.isLike)
			})...)
		}
	}
	return all
}

// isRequest reports whether a type is a request that creates or updates the object.
func (r *reader) isRequest(t types.Type) bool {
	return slices.ContainsFunc(r.requests(), func(request *types.Named) bool { return types.Identical(t, request) })
}

// requests returns the types of the requests that create and update the object: none while they are looked for.
func (r *reader) requests() []*types.Named {
	return filter([]*types.Named{r.create, r.update}, func(t *types.Named) bool { return t != nil })
}

// findKeys finds what tells resources apart: the key that all calls after creation take, and the parents that creation takes as
// arguments, too.
func (r *reader) findKeys(c *calls) {
	created := r.keysOf(c.create)
	isOfCreation := func(s *source) bool {
		return s.isArgument && slices.ContainsFunc(created, func(other *source) bool { return other.isArgument && other.isLike(s) })
	}
	wanted := append(r.keysOf(c.get), filter(r.optionalKeys(c.get), func(s *source) bool { // such as LifecycleHookNames
		isDeleted := func(key *source) bool { return r.isRequired(key) && s.isLike(key) }
		return slices.ContainsFunc(r.keysOf(c.delete), isDeleted)
	})...)
	shared := filter(wanted, func(s *source) bool {
		return r.isTaken(s, c.delete) && (c.update == nil || c.update == c.create || r.isTaken(s, c.update))
	})
	own := filter(shared, func(s *source) bool { return !isOfCreation(s) })
	hasNames := len(own) > 0
	if hasNames {
		own = append(own, filter(wanted, func(s *source) bool { // which a struct in the request that updates may have
			return !slices.Contains(own, s) && !s.isArgument && r.isTaken(s, c.delete) && counterpart(r.sources(r.create), s) == nil
		})...)
	} else { // the names differ from method to method
		own = filter(wanted, func(s *source) bool { return s.isArgument && !isOfCreation(s) })
		if len(own) == 0 {
			own = filter(wanted, func(s *source) bool { return !slices.ContainsFunc(created, s.isLike) }) // of a request that reads
		}
	}
	slices.Reverse(own) // the last one is innermost
	if len(own) == 0 && len(shared) > 0 && shared[len(shared)-1].isArgument && r.namedIn(shared[len(shared)-1]) != nil {
		own, hasNames = shared[len(shared)-1:], true // creation takes the name of what it creates, too
		c.own.named = true
	}
	if _, key := r.givenName(); key != "" {
		if own = filter(wanted, func(s *source) bool { return s.name() == key }); len(own) == 0 {
			r.errorf("--external-name=%s: %s takes no such key: name one of %s", r.options.ExternalName, c.get.name, some(each(wanted, (*source).name), "or"))
			return
		}
		c.own.named = isOfCreation(own[0])
	}
	own = narrowed(own, func(s *source) bool { return len(constantsOf(s.v.Type())) < 2 })
	if !c.own.named { // what creation takes, too, is around the object where each is required
		own = narrowed(own, func(s *source) bool { return !r.isRequired(s) || counterpart(r.sources(r.create), s) == nil })
	}
	rank(own, func(s *source) int {
		return boolInt(!strings.Contains(s.names[0], gotypes.PlainName(r.observe.Obj().Name())))
	})
	isAround := func(s *source) bool { return s.isArgument || s.isUnencoded }
	isBeside := func(s *source) bool { // the object in a request
		sent := counterpart(r.sources(r.create), s)
		return slices.Contains(shared, s) && sent != nil && !sent.inObject && r.envelope(r.create) != nil
	}
	around := append(filter(wanted, func(s *source) bool { return isAround(s) || r.isRequired(s) || isBeside(s) }), filter(created, isAround)...)
	if len(own) > 0 && r.namedIn(own[0]) != nil && r.findPath(c, wanted, created) {
		around = append(filter(around, func(s *source) bool { return !s.isLike(c.own.created) }), c.own.parent)
	}
	r.findParents(c, around, own, wanted)
	if len(own) == 0 {
		r.decideNone(c, shared)
		return
	}
	c.own.taken = own[0]
	r.findOwn(c, own, hasNames)
}

// isTaken reports whether a method takes a key by its name, or the object, or the field of it that the key names.
func (r *reader) isTaken(s *source, m *method) bool {
	if m.takes(r.observe) && !r.isRequest(r.observe) || slices.ContainsFunc(r.keysOf(m), s.isLike) {
		return true
	}
	named := r.namedIn(s)
	isSent := func(sent *source) bool { return s.isLike(sent) || sent.isNamedAs(named) }
	return slices.ContainsFunc(r.requests(), func(t *types.Named) bool { return m.takes(t) && slices.ContainsFunc(r.sources(t), isSent) })
}

// namedIn returns the field of the object that a key names: by its name, with or without the name of the object's type, or its end, as
// policyID of an ACLPolicy. One that is called as the object is its ID or its name, if it has one of them.
func (r *reader) namedIn(key *source) *source {
	object, kind := words(r.observe.Obj().Name()), words(r.options.Kind)
	name := key.singular(key.names[0])
	called := []string{name}
	for i := range object {
		called = append(called, strings.TrimPrefix(name, strings.Join(object[i:], "")))
	}
	called = append(called, strings.TrimPrefix(name, strings.Join(kind, "")), strings.Join(object, "")+name) // the object may be an answer
	for _, called := range called {
		if s := first(r.sources(r.observe), func(s *source) bool { return s.isCalled(called) && s.isKey() && key.mayBe(s) }); s != nil {
			return s
		}
	}
	own := filter(r.sources(r.observe), func(s *source) bool {
		return slices.Contains([]string{"id", "name"}, s.names[0]) && s.isKey() && key.mayBe(s)
	})
	own = narrowed(own, func(s *source) bool {
		return gotypes.IsString(gotypes.Deref(s.v.Type())) == gotypes.IsString(gotypes.Deref(key.v.Type()))
	})
	if who, _ := r.givenName(); who != "" {
		own = narrowed(own, func(s *source) bool { return s.isCalled("name") == (who == "user") })
	}
	if isCalledSo := slices.Contains([]string{strings.Join(object, ""), strings.Join(kind, "")}, name); isCalledSo && len(own) == 1 {
		return own[0]
	}
	return nil
}

// mayBe reports whether a field can have the value of a key: a text has those of numbers, too.
func (s *source) mayBe(field *source) bool {
	t := gotypes.Deref(itemOf(s.v.Type()))
	return types.IsInterface(t) || !isInteger(t) || isInteger(gotypes.Deref(itemOf(field.v.Type())))
}

// findOwn finds the object's own key in it, and in what creates it, and says how sure that is.
func (r *reader) findOwn(c *calls, own []*source, hasNames bool) {
	c.own.observed = r.namedIn(c.own.taken)
	name, open := c.own.taken.singular(c.own.taken.name()), []string(nil)
	who, _ := r.givenName()
	if who == "" && len(own) > 1 {
		open = append(open, "taken: "+some(each(own, (*source).name), "or"))
	}
	if who == "" && !hasNames {
		open = append(open, "the methods give it other names")
	}
	if c.own.observed == nil && who != "user" { // nothing reads it where users choose the name
		near := filter(r.sources(r.observe), func(s *source) bool { return s.isKey() && c.own.taken.mayBe(s) })
		rank(near, func(s *source) int {
			return 2*boolInt(s.names[0] != "id" && s.names[0] != "name") + boolInt(!strings.HasSuffix(s.names[0], "id"))
		})
		if c.own.observed = first(near, func(*source) bool { return true }); c.own.observed != nil {
			open = append(open, "the field of the object: "+some(each(near, (*source).name), "or"))
		}
	}
	if why := r.findNamed(c); why != "" {
		open = append(open, why)
	}
	if within := r.namedWithin(c); who == "" && !c.own.named && len(within) > 0 {
		open = append(open, "users may choose it by "+some(within, "or")+": set that in Create then")
	}
	if m := c.create; m.style != nil {
		isPart := func(setter string) bool { return r.isOwnID(gotypes.PlainName(setter)) }
		open = append(open, each(filter(m.style.left, isPart), func(setter string) string {
			return "a part of it may be what " + m.name + " takes as " + setter
		})...)
	}
	if way := r.keyIn(c); !c.own.named && c.createObject == nil && len(way) > 1 && r.isShared(way[0].Type(), c) {
		open = append(open, c.create.name+" returns what other methods do, so that its "+way[len(way)-1].Name()+" may be of something else, such as an operation")
	}
	ground := ByType
	if who != "" {
		ground = ByAuthor
	}
	switch {
	case !c.own.named && c.createObject == nil && r.keyIn(c) == nil, !c.own.named && c.own.observed == nil && r.keyIn(c) == nil:
		r.errorf("%s takes %s, and nothing that %s returns is named so: make a kind of other types or methods, or write its controller by hand",
			c.get.name, c.own.taken.v.Name(), c.create.name)
	case who == "user" && !c.own.named:
		r.errorf("--external-name=%s: %s takes no %s that users choose: name another key, or api", r.options.ExternalName, c.create.name, name)
	case who == "api" && c.own.named:
		r.errorf("--external-name=%s: %s takes %s, so that users choose it: name another key, or user", r.options.ExternalName, c.create.name, name)
	case len(open) > 0:
		r.decide("externalName", Undecided, append([]string{name}, open...)...)
	case c.own.named:
		r.decide("externalName", ground, name+": users choose it, and all calls take it")
	default:
		r.decide("externalName", ground, name+": the API chooses it, and all calls after creation take it")
	}
}

// isShared reports whether methods besides the called ones return a type, so that it isn't the answer about one object.
func (r *reader) isShared(t types.Type, c *calls) bool {
	return slices.ContainsFunc(r.all, func(m *method) bool {
		return !slices.Contains(c.all(), m) && slices.ContainsFunc(m.results(), func(v *types.Var) bool { return types.Identical(v.Type(), t) })
	})
}

// findNamed finds out whether users choose the key: the creating request has it then. It returns what leaves that open.
func (r *reader) findNamed(c *calls) (open string) {
	requests := r.sources(r.create)
	switch {
	case c.own.parent != nil:
		c.own.named = true
		return fmt.Sprintf("fullName makes it of %s, and of what users choose by %s, as the documentation of %s should say: start again with "+
			"--external-name=user=%[4]s if they choose all of it", c.own.parent.name(), c.own.created.name(), r.observe.Obj().Name(), c.own.taken.name())
	case c.own.named:
		return ""
	}
	field := first(requests, func(s *source) bool {
		return !c.own.taken.isArgument && c.own.taken.isLike(s) || c.own.taken.isNamed(s)
	})
	if field == nil && c.own.observed != nil {
		field = counterpart(requests, c.own.observed)
	}
	if field == nil || !gotypes.IsString(gotypes.Deref(field.v.Type())) || !c.own.taken.mayBe(field) || r.isOutputOnly(field) {
		return ""
	}
	way := r.keyIn(c)
	isReturned := c.createObject != nil || way != nil && !(len(way) > 1 && r.isShared(way[0].Type(), c)) // which operations are
	isSame := field.inObject || types.Identical(r.create, r.observe)
	beside := filter(requests, func(s *source) bool { return !s.inObject && s.isKey() && c.parentOf(s) == nil })
	within := r.envelope(r.create)
	isBeside := within != nil && !field.inObject && types.Identical(gotypes.Deref(within.Type()), r.observe) && c.own.observed != nil
	switch who, _ := r.givenName(); {
	case who == "api" && isBeside:
		c.around = &parent{source: field}
	case who == "api":
	case who == "" && isBeside:
		c.own.created = field
		open = "users choose it by " + field.name() + " beside the object, or that is around it and the API chooses it: start again with --external-name=api then"
	case who == "user":
		c.own.created = field
	case field.inObject && len(beside) > 0:
		c.own.created, c.own.parts = field, beside
		open = "users choose it, or a part of it by " + some(each(beside, (*source).name), "or") + "; start again with --external-name=api if the API does"
	case !isReturned, r.isRequired(field), !isSame && field.isAlwaysSent():
		if c.own.created = field; c.own.taken.isArgument && !c.own.taken.isNamed(field) {
			open = "calls take " + c.own.taken.name() + ", which may be a path with the " + field.name() + " of creation, or which the API may choose"
		}
	case isSame: // which has what the API chooses, too
		open = "the API may choose it, or users: the request has the object's own type"
		if field.isCalled("name") { // as users mostly do
			c.own.created = field
		}
	default:
		c.own.created = field
		open = "the API may choose it where users leave it out"
	}
	c.own.named = c.own.created != nil
	return open
}

// namedWithin returns the fields with the name of the key in structs of the creating request. An ID there is mostly of something else.
func (r *reader) namedWithin(c *calls) (found []string) {
	for _, s := range r.sources(r.create) {
		if gotypes.StructOf(s.v.Type()) == nil || c.own.taken.isCalled("id") {
			continue
		}
		for _, inner := range r.sources(s.v.Type()) {
			if c.own.taken.isNamed(inner) && inner.isKey() && !r.isOutputOnly(inner) && !r.isOutputOnly(s) {
				found = append(found, s.name()+"."+inner.name())
			}
		}
	}
	return found
}

// keyIn returns what leads from what Create returns to the own key, where that is beside, or in place of, the
// object: the result itself, or a field of it by name. It returns nil if nothing does.
func (r *reader) keyIn(c *calls) []*types.Var {
	results := c.create.signature.Results()
	if results.Len() < 2 {
		return nil
	}
	result := results.At(0)
	if isKey(result.Type()) && !types.IsInterface(gotypes.Deref(result.Type())) && c.createObject == nil {
		return []*types.Var{result}
	}
	is := func(s *source) bool {
		return s.isKey() && len(s.path) == 0 && (c.own.taken.isLike(s) || c.own.observed.isNamed(s))
	}
	if s := first(r.sources(result.Type()), is); s != nil {
		return []*types.Var{result, s.v}
	}
	for _, within := range r.sources(result.Type()) {
		if gotypes.StructOf(within.v.Type()) == nil || len(within.path) > 0 || isList(within.v.Type()) {
			continue
		}
		if s := first(r.sources(within.v.Type()), is); s != nil {
			return []*types.Var{result, within.v, s.v}
		}
	}
	return nil
}
