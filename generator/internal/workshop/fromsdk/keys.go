package fromsdk

import (
	"go/types"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
)

// A leaf is an argument of a method, or a field of a struct that is one, that tells resources apart.
type leaf struct {
	name string
	typ  types.Type
	// from is the field of the request, nil for an argument.
	from *source
}

// An ownKey tells external resources apart that have the same parents.
type ownKey struct {
	leaf
	// none is set if there is one resource alone in a parent.
	none bool
	// named is set if users choose the key: created is the field of the request then, or an argument.
	named   bool
	created *source
	// observed is the field of the object with the key.
	observed *source
}

// isNamed reports whether a field is called as what methods take.
func (o ownKey) isNamed(s *source) bool { return s.names[0] == gotypes.PlainName(o.name) }

// A parent is an external resource around others, which an argument names.
type parent struct {
	leaf
	field *Field
}

// matches reports whether a leaf stands for the same as another one.
func (l leaf) matches(other leaf) bool {
	return gotypes.PlainName(l.name) == gotypes.PlainName(other.name)
}

// leaves returns what a method takes to tell resources apart.
func (r *reader) leaves(m *method) []leaf {
	var all []leaf
	isAlone := true // unless there are arguments, or a request
	for v := range m.signature.Params().Variables() {
		isAlone = isAlone && !(isKey(v.Type()) && !m.isOption(v)) && !r.isRequest(gotypes.Deref(v.Type()))
		switch {
		case isKey(v.Type()) && !m.isOption(v):
			all = append(all, leaf{name: v.Name(), typ: v.Type()})
		case r.isRequest(gotypes.Deref(v.Type())):
			all = append(all, r.needed(v.Type())...)
		case gotypes.StructOf(v.Type()) != nil && !gotypes.IsTime(gotypes.Deref(v.Type())):
			all = append(all, r.keyFields(v.Type(), isAlone)...)
		}
	}
	return all
}

// isRequest reports whether a type is that of a request that creates or updates the object.
func (r *reader) isRequest(t types.Type) bool {
	return slices.ContainsFunc(r.requests(), func(request *types.Named) bool { return types.Identical(t, request) })
}

// requests returns the types of the requests that create and update the object.
func (r *reader) requests() []*types.Named {
	if r.update == nil {
		return []*types.Named{r.create}
	}
	return []*types.Named{r.create, r.update}
}

// keyFields returns the fields of a request that it can't do without. If it says of none, these are those that
// the request which creates the object has as well, and the first that is named as a key of the object, unless there are
// arguments beside it.
func (r *reader) keyFields(t types.Type, isAlone bool) []leaf {
	required, shared, named := r.needed(t), []leaf(nil), []leaf(nil)
	for _, s := range r.sources(t) {
		typ := s.v.Type()
		if list, ok := typ.Underlying().(*types.Slice); ok {
			typ = list.Elem()
		}
		if !isKey(typ) {
			continue
		}
		l := leaf{name: s.v.Name(), typ: s.v.Type(), from: s}
		if r.isRequired(s) {
			required = append(required, l)
		}
		switch asked := counterpart(r.sources(r.create), s); {
		case r.isOwn(strings.TrimSuffix(gotypes.PlainName(l.name), "s")):
			named = append(named, l)
		case asked != nil && !asked.inObject && isKey(asked.v.Type()):
			shared = append(shared, l)
		}
	}
	switch {
	case len(required) > 0:
		return required
	case !isAlone: // such as options with a namespace
		return shared
	}
	return append(shared, named[:min(1, len(named))]...)
}

// isKey reports whether values of a type can tell resources apart.
func isKey(t types.Type) bool {
	t = types.Unalias(gotypes.Deref(t))
	if i, isInterface := t.Underlying().(*types.Interface); isInterface {
		return i.Empty() // such as gitlab's "ID or path"
	}
	return gotypes.IsString(t) || isInteger(t)
}

// ids are the names of fields with an ID that the API chooses.
var ids = []string{"id", "iid", "uuid"}

// ends are what names of keys end with.
var ends = []string{"name", "id", "", "arn", "key", "slug", "iid", "identifier", "uuid", "url"}

// isOwn reports whether a name, without case, is that of the object's own key.
func (r *reader) isOwn(name string) bool {
	object := gotypes.PlainName(r.observe.Obj().Name())
	return slices.ContainsFunc(ends, func(end string) bool {
		return name != "" && strings.HasSuffix(object+end, name) && (end == "" || strings.HasSuffix(name, end))
	})
}

// findKeys finds what tells resources apart: what Get takes and Create doesn't as an argument, or what is
// named so.
func (r *reader) findKeys(c *calls) {
	wanted, created := r.leaves(c.get), r.leaves(c.create)
	own := -1
	for i, l := range wanted {
		name := gotypes.PlainName(l.name)
		switch {
		case l.from == nil && slices.ContainsFunc(created, l.matches): // Create takes it as an argument
		case own >= 0 && wanted[own].from == nil && l.from != nil && !r.isOwn(name): // options beside the argument
		case own < 0, r.isOwn(name), r.isOwn(strings.TrimSuffix(name, "s")), !r.isOwn(gotypes.PlainName(wanted[own].name)):
			own = i // the last one, unless only one before it has the name of a key
		}
	}
	if last := len(wanted) - 1; own < 0 && last >= 0 && r.isOwn(gotypes.PlainName(wanted[last].name)) {
		own, c.own.named = last, true // which Create takes, too
		created = slices.DeleteFunc(created, wanted[last].matches)
	}
	c.own.none = own < 0
	for i, l := range wanted {
		if i != own {
			c.parents = append(c.parents, &parent{leaf: l})
		}
	}
	for _, l := range created {
		if !slices.ContainsFunc(c.parents, func(p *parent) bool { return p.matches(l) }) {
			c.parents = append(c.parents, &parent{leaf: l})
		}
	}
	if own >= 0 {
		c.own.leaf = wanted[own]
		r.findOwn(c)
	}
}

// findOwn finds the object's own key in it, and in what creates it.
func (r *reader) findOwn(c *calls) {
	objects := r.sources(r.observe)
	find := func(name string) *source {
		i := slices.IndexFunc(objects, func(s *source) bool { return slices.Contains(s.names, name) && isKey(s.v.Type()) })
		if i < 0 {
			return nil
		}
		return objects[i]
	}
	name := strings.TrimSuffix(gotypes.PlainName(c.own.name), "s")
	object := gotypes.PlainName(r.observe.Obj().Name())
	numeric := isInteger(gotypes.Deref(c.own.typ))
	if asked := gotypes.PlainName(c.own.name); asked == "idorname" || asked == "nameorid" {
		for _, candidate := range ids {
			if s := find(candidate); s != nil && c.createObject.found {
				c.own.observed = s // which is the API's, unlike the name
				return
			}
		}
	}
	for _, candidate := range []string{
		gotypes.PlainName(c.own.name), name, strings.TrimPrefix(name, object), object + name,
		"id", "iid", "uuid", "name", "slug", "key", object + "id", object + "name", "arn",
	} {
		if s := find(candidate); s != nil && (isInteger(gotypes.Deref(s.v.Type())) == numeric || types.IsInterface(c.own.typ)) {
			c.own.observed = s
			break
		}
	}
	if c.own.named {
		return
	}
	requests := r.sources(r.create)
	if c.own.from != nil {
		c.own.created = counterpart(requests, c.own.from)
	}
	if c.own.created == nil && c.own.observed != nil {
		if c.own.created = counterpart(requests, c.own.observed); c.own.created == nil && strings.HasSuffix(c.own.observed.names[0], "name") {
			c.own.created = counterpartNamed(requests, object) // such as the Bucket of CreateBucketInput
		}
	}
	isReturned := types.Identical(r.create, r.observe) && c.createObject.found // so that the request has any field, chosen or not
	isID := func(name string) bool {
		return slices.Contains(ids, name) || isReturned && strings.HasSuffix(name, "id")
	}
	if s := c.own.created; s != nil && (!gotypes.IsString(gotypes.Deref(s.v.Type())) || isID(s.names[0])) {
		c.own.created = nil
	}
	c.own.named = c.own.created != nil
	if !c.own.named && r.keyIn(c) == nil && (c.own.observed == nil || !c.createObject.found) {
		r.errorf("%s takes %s, and nothing that %s returns is named so: make a kind of other types or methods, or write its controller by hand",
			c.get.name, c.own.name, c.create.name)
	}
}

// summary returns the field of what Create returns that has the own key in it, in place of the object; nil if none has.
func (r *reader) summary(c *calls) *types.Var {
	if path := r.keyIn(c); !c.createObject.found && len(path) > 2 {
		return path[1]
	}
	return nil
}

// keyIn returns what leads from what Create returns to the own key, where that is beside, or in place of, the
// object: the result itself, or fields in it. It returns nil if nothing does.
func (r *reader) keyIn(c *calls) []*types.Var {
	results := c.create.signature.Results()
	if results.Len() < 2 {
		return nil
	}
	result := results.At(0)
	if isKey(result.Type()) && !types.IsInterface(gotypes.Deref(result.Type())) && !c.createObject.found {
		return []*types.Var{result}
	}
	isOwn := func(s *source) bool {
		if !isKey(s.v.Type()) || len(s.path) > 0 {
			return false
		}
		return s.names[0] == gotypes.PlainName(c.own.name) || c.own.observed.isNamed(s)
	}
	var within []*types.Var
	isOther := r.idOf(gotypes.Deref(result.Type())) != nil // an object with an ID of its own, such as an operation
	for _, s := range r.sources(result.Type()) {
		if isOwn(s) && !isOther {
			return []*types.Var{result, s.v}
		}
		named := gotypes.NamedOf(gotypes.Deref(s.v.Type()))
		if within != nil || named == nil || len(s.path) > 0 {
			continue
		}
		if !isOther && !strings.HasPrefix(gotypes.PlainName(named.Obj().Name()), gotypes.PlainName(r.observe.Obj().Name())) {
			continue // such as a summary of the object
		}
		for _, inner := range r.sources(named) {
			if isOwn(inner) {
				within = []*types.Var{result, s.v, inner.v}
			}
		}
	}
	return within
}
