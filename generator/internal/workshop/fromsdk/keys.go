package fromsdk

import (
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
	// observed is the field of the object with the key.
	observed *source
	// isChosen asks whether users choose the key: a request that is the object has it in any case.
	isChosen bool
}

// A parent is an external resource around others, which an argument names.
type parent struct {
	*source
	field *Field
}

// parentOf returns the parent that an argument, or a field of one, stands for, nil if there is none.
func (c *calls) parentOf(s *source) *parent {
	return first(c.parents, func(p *parent) bool { return p.isNamed(s) })
}

// key returns a parameter that tells resources apart as a source, nil for another one.
func (m *method) key(v *types.Var) *source {
	if !isKey(v.Type()) || m.isOption(v) {
		return nil
	}
	return &source{v: v, names: []string{gotypes.PlainName(v.Name())}, isArgument: true}
}

// leaves returns what a method takes to tell resources apart: arguments, and fields of structs.
func (r *reader) leaves(m *method) (all []*source) {
	isAlone := true // unless there are arguments, or a request
	for v := range m.signature.Params().Variables() {
		t := gotypes.Deref(v.Type())
		key, isRequest := m.key(v), r.isRequest(t)
		isAlone = isAlone && key == nil && !isRequest
		switch {
		case key != nil:
			all = append(all, key)
		case isRequest:
			all = append(all, r.needed(t)...)
		case gotypes.StructOf(t) != nil && !gotypes.IsTime(t):
			all = append(all, r.keyFields(t, isAlone)...)
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
func (r *reader) keyFields(t types.Type, isAlone bool) []*source {
	required, shared, named := r.needed(t), []*source(nil), []*source(nil)
	for _, s := range r.sources(t) {
		if !isKey(itemOf(s.v.Type())) || r.isToken(s) {
			continue
		}
		if r.isRequired(s) {
			required = append(required, s)
		}
		switch asked := counterpart(r.sources(r.create), s); {
		case r.isOwn(strings.TrimSuffix(s.names[0], "s")):
			named = append(named, s)
		case asked == nil || asked.inObject || !isKey(asked.v.Type()):
		case len(constantsOf(s.v.Type())) == 0 || types.Identical(s.v.Type(), asked.v.Type()): // or they are values of two things
			shared = append(shared, s)
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
	var own *source
	for _, s := range wanted {
		name := s.names[0]
		switch {
		case s.isArgument && slices.ContainsFunc(created, s.isNamed): // Create takes it as an argument
		case own != nil && own.isArgument && !s.isArgument && !r.isOwn(name): // options beside the argument
		case own == nil, r.isOwn(name), r.isOwn(strings.TrimSuffix(name, "s")), !r.isOwn(own.names[0]):
			own = s // the last one, unless only one before it has the name of a key
		}
	}
	if last := len(wanted) - 1; own == nil && last >= 0 && r.isOwn(wanted[last].names[0]) {
		own, c.own.named = wanted[last], true // which Create takes, too
		created = slices.DeleteFunc(created, own.isNamed)
	}
	isOwn := func(s *source) bool { return own != nil && s.isUnencoded && own.isNamed(s) } // creation sends the key beside JSON
	c.own.named = c.own.named || slices.ContainsFunc(created, isOwn)
	for _, s := range append(wanted, created...) {
		if s != own && !isOwn(s) && c.parentOf(s) == nil {
			c.parents = append(c.parents, &parent{source: s})
		}
	}
	if c.own.taken = own; own != nil {
		r.findOwn(c)
	}
}

// findOwn finds the object's own key in it, and in what creates it.
func (r *reader) findOwn(c *calls) {
	objects := r.sources(r.observe)
	key := func(name string) *source {
		return first(objects, func(s *source) bool { return s.isCalled(name) && isKey(s.v.Type()) })
	}
	asked, taken := c.own.taken.names[0], gotypes.Deref(c.own.taken.v.Type())
	name := strings.TrimSuffix(asked, "s")
	object := gotypes.PlainName(r.observe.Obj().Name())
	isAny := types.IsInterface(taken)
	candidates := []string{
		asked, name, strings.TrimPrefix(name, object), object + name,
		"id", "iid", "uuid", "name", "slug", "key", object + "id", object + "name", "arn",
	}
	if (asked == "idorname" || asked == "nameorid") && c.createObject != nil {
		candidates, isAny = append(slices.Clone(ids), candidates...), true // an ID is the API's, unlike the name
	}
	for _, candidate := range candidates {
		if s := key(candidate); s != nil && (isAny || isInteger(gotypes.Deref(s.v.Type())) == isInteger(taken)) {
			c.own.observed = s
			break
		}
	}
	if c.own.named {
		return
	}
	requests := r.sources(r.create)
	if !c.own.taken.isArgument {
		c.own.created = counterpart(requests, c.own.taken)
	}
	if c.own.created == nil && c.own.observed != nil {
		if c.own.created = counterpart(requests, c.own.observed); c.own.created == nil && strings.HasSuffix(c.own.observed.names[0], "name") {
			c.own.created = counterpartNamed(requests, object) // such as the Bucket of CreateBucketInput
		}
	}
	isReturned := types.Identical(r.create, r.observe) && c.createObject != nil // so that the request has any field, chosen or not
	if s := c.own.created; s != nil {
		isID := slices.Contains(ids, s.names[0])
		c.own.isChosen = isReturned && !isID && strings.HasSuffix(s.names[0], "id")
		if !gotypes.IsString(gotypes.Deref(s.v.Type())) || isID || c.own.isChosen {
			c.own.created = nil
		}
	}
	c.own.named = c.own.created != nil
	comesBack := c.createObject != nil || r.fillsRequest(c)
	if !c.own.named && r.keyIn(c) == nil && (c.own.observed == nil || !comesBack) {
		r.errorf("%s takes %s, and nothing that %s returns is named so: make a kind of other types or methods, or write its controller by hand",
			c.get.name, c.own.taken.v.Name(), c.create.name)
	}
}

// fillsRequest reports whether creation returns an error alone, and takes a pointer to the object: it may set the key there.
func (r *reader) fillsRequest(c *calls) bool {
	isObject := func(v *types.Var) bool {
		return gotypes.IsPointer(v.Type()) && types.Identical(gotypes.Deref(v.Type()), r.observe)
	}
	return c.create.signature.Results().Len() == 1 && slices.ContainsFunc(c.create.params(), isObject)
}

// summary returns the field of what Create returns that has the own key in it, in place of the object; nil if none has.
func (r *reader) summary(c *calls) *types.Var {
	if path := r.keyIn(c); c.createObject == nil && len(path) > 2 {
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
	if isKey(result.Type()) && !types.IsInterface(gotypes.Deref(result.Type())) && c.createObject == nil {
		return []*types.Var{result}
	}
	isOwn := func(s *source) bool {
		return isKey(s.v.Type()) && len(s.path) == 0 && (c.own.taken.isNamed(s) || c.own.observed.isNamed(s))
	}
	var within []*types.Var
	isPart := func(named *types.Named) bool { // such as a summary of the object
		return named != nil && strings.HasPrefix(gotypes.PlainName(named.Obj().Name()), gotypes.PlainName(r.observe.Obj().Name()))
	}
	of := gotypes.NamedOf(gotypes.Deref(result.Type()))
	isOther := r.idOf(gotypes.Deref(result.Type())) != nil && !isPart(of) // an object with an ID of its own, such as an operation
	for _, s := range r.sources(result.Type()) {
		if isOwn(s) && !isOther {
			return []*types.Var{result, s.v}
		}
		named := gotypes.NamedOf(gotypes.Deref(s.v.Type()))
		if within != nil || named == nil || len(s.path) > 0 {
			continue
		}
		if !isOther && !isPart(named) {
			continue
		}
		for _, inner := range r.sources(named) {
			if isOwn(inner) {
				within = []*types.Var{result, s.v, inner.v}
			}
		}
	}
	return within
}
