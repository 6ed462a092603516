package fromsdk

import (
	"go/types"
	"reflect"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/extensions/sdkconversion"
	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
)

// A source is a field of a struct of the SDK.
type source struct {
	v *types.Var
	// wrapped is the type of the field if that wraps the value for a request. v has the type of the value then.
	wrapped types.Type
	// sendsZero is set if a zero that is wrapped is sent.
	sendsZero bool
	tag       reflect.StructTag
	// isJSON is set if the struct has tags for JSON, so that encoding/json sends fields without one.
	isJSON bool
	path   []string
	names  []string
	// isForced is set if the struct sends the field even if it is empty, once it's told to.
	isForced bool
	// inObject is set for a field of the object, which the request has as a whole.
	inObject bool
	// isArgument is set for an argument of a method, which isn't a field.
	isArgument bool
	// isUnencoded is set for a field of a request that JSON leaves out.
	isUnencoded bool
	// oneof is the field that holds this one or another, nil for a field of its own, and wrapper the struct around it there.
	oneof   *types.Var
	wrapper *types.TypeName
}

// isKey reports whether the values of a field can tell resources apart.
func (s *source) isKey() bool { return s.oneof == nil && isKey(s.v.Type()) }

// isNamed reports whether another field has the name of this one, which may be nil.
func (s *source) isNamed(other *source) bool { return s != nil && s.names[0] == other.names[0] }

// tagged returns the name of a field in requests and answers by its tags, or "".
func (s *source) tagged() string {
	for _, key := range []string{"json", "url", "mapstructure"} {
		if name, _, _ := strings.Cut(s.tag.Get(key), ","); name != "" && name != "-" {
			return name
		}
	}
	return ""
}

// isNamedAs reports whether this one has the name of another one, which may be nil.
func (s *source) isNamedAs(other *source) bool {
	return other != nil && slices.ContainsFunc(other.names, s.isCalled)
}

// name returns the name of a field, or of an argument, in Go.
func (s *source) name() string { return s.v.Name() }

// isCalled reports whether a name is one of a field's. The field may be nil.
func (s *source) isCalled(name string) bool { return s != nil && slices.Contains(s.names, name) }

// encoding returns the tag by which requests encode a field.
func (s *source) encoding() string {
	for _, key := range []string{"json", "url", "jsonapi"} {
		if tag, isTagged := s.tag.Lookup(key); isTagged {
			return tag
		}
	}
	return ""
}

// sources returns the exported fields of a struct, and of its embedded structs.
func (r *reader) sources(t types.Type) []*source {
	t = types.Unalias(gotypes.Deref(t))
	if r.fields[t] == nil {
		r.fields[t] = r.embedded(t, nil)
	}
	return r.fields[t]
}

func (r *reader) embedded(t types.Type, way []string) []*source {
	var all []*source
	s := gotypes.StructOf(t)
	if s == nil || len(way) > 4 {
		return nil
	}
	isJSON, isForced := false, sdkconversion.Forces(s)
	for i := range s.NumFields() {
		_, isTagged := reflect.StructTag(s.Tag(i)).Lookup("json")
		isJSON = isJSON || isTagged
	}
	for i := range s.NumFields() {
		v, tag := s.Field(i), reflect.StructTag(s.Tag(i))
		name, _, _ := strings.Cut(tag.Get("json"), ",")
		within := gotypes.Deref(v.Type())
		alternatives := sdkconversion.Alternatives(v)
		isEmbedded := v.Embedded() && name == "" && gotypes.StructOf(within) != nil && !gotypes.IsTime(within)
		switch {
		case !v.Exported() || name == "-" && tag.Get("url") == "":
		case isEmbedded || r.isEnvelope(t, v):
			for _, s := range r.embedded(within, append(slices.Clip(way), v.Name())) {
				s.inObject = s.inObject || !isEmbedded && types.Identical(within, r.observe)
				all = append(all, s)
			}
		case v.Embedded(): // what it is embedded for is not the API's
		case alternatives != nil:
			for _, a := range alternatives {
				names := gotypes.FieldNames(a.Member, a.Tag)
				all = append(all, &source{v: a.Member, tag: a.Tag, path: way, names: names, oneof: v, wrapper: a.Wrapper.Obj()})
			}
		default:
			of := &source{v: v, tag: tag, path: way, names: gotypes.FieldNames(v, tag), isJSON: isJSON, isForced: isForced}
			if held, sendsZero := sdkconversion.Held(v.Type()); held != nil {
				of.wrapped, of.sendsZero, of.v = v.Type(), sendsZero, types.NewField(v.Pos(), v.Pkg(), v.Name(), held, false)
			}
			all = append(all, of)
		}
	}
	return filter(all, func(s *source) bool { // without what the object repeats of the request around it, such as a parent's ID
		return !s.inObject || !slices.ContainsFunc(all, func(other *source) bool { return !other.inObject && other.isNamed(s) })
	})
}

// unencoded returns the fields of a request that JSON leaves out, such as those in the path of a URL.
func (r *reader) unencoded(t types.Type) (all []*source) {
	s := gotypes.StructOf(t)
	if s == nil || types.Identical(gotypes.Deref(t), r.observe) {
		return nil
	}
	for i := range s.NumFields() {
		v, tag := s.Field(i), reflect.StructTag(s.Tag(i))
		if v.Exported() && tag.Get("json") == "-" && tag.Get("url") == "" {
			all = append(all, &source{v: v, tag: tag, names: gotypes.FieldNames(v, tag), isUnencoded: true})
		}
	}
	return all
}

// sent returns the fields of a request, and of its embedded structs, whether JSON has them or not.
func (r *reader) sent(t types.Type) []*source { return slices.Concat(r.sources(t), r.unencoded(t)) }

// needed returns the fields that stand for arguments.
func (r *reader) needed(t types.Type) []*source { return filter(r.unencoded(t), (*source).isNeeded) }

// isNeeded reports whether a field stands for an argument. A pointer may be left out.
func (s *source) isNeeded() bool {
	return s.isUnencoded && (gotypes.IsString(s.v.Type()) || isInteger(s.v.Type()))
}

// leaveHidden says what methods alone of a struct set, for a request, or get.
func (r *reader) leaveHidden(t types.Type, owner string, at part) {
	verb, does, leave := "Set", "sets", r.lack
	if at == status {
		verb, does, leave = "Get", "gets", r.leave
	}
	named, s := gotypes.NamedOf(gotypes.Deref(t)), gotypes.StructOf(t)
	if named == nil || s == nil {
		return
	}
	for v := range s.Fields() {
		name := gotypes.PlainName(strings.TrimPrefix(v.Name(), "xxx_hidden_"))
		if counterpartNamed(r.sources(t), name) != nil {
			continue // beside protobuf's own field state
		}
		for m := range named.Methods() {
			if called, found := strings.CutPrefix(m.Name(), verb); found && !v.Exported() && gotypes.PlainName(called) == name {
				leave(owner+called, "only the method "+m.Name()+" of the SDK "+does+" it")
			}
		}
	}
}

// isEnvelope reports whether a field of a struct holds what the kind is made of: the object in a request, or the payload of requests,
// also in the object. Conversions count its fields as fields of the struct around it.
func (r *reader) isEnvelope(t types.Type, v *types.Var) bool {
	isOfObject, isOfRequest := types.Identical(t, r.observe), r.isRequest(t)
	if !isOfObject && !isOfRequest {
		return false
	}
	within := gotypes.Deref(v.Type())
	isPayload := within == payload(r.create) || within == payload(r.observe) || r.isUpdated(t, within)
	switch {
	case isOfObject && isOfRequest:
		return false
	case isOfObject: // whose fields of its own type are other objects, such as a parent
		isOfBoth := r.create != nil && !types.Identical(within, r.observe) && types.Identical(within, r.held(r.create))
		return isPayload || isOfBoth || r.isSummary(v)
	}
	isObject := types.Identical(within, r.observe) || within == payload(gotypes.NamedOf(t))
	return isPayload || isObject || r.isInput(v)
}

// isUpdated reports whether updates take most of what a struct within another one has, and that doesn't.
func (r *reader) isUpdated(t, within types.Type) bool {
	around, inner := gotypes.NamedOf(t), structNamed(within)
	both := []*types.Named{around, inner}
	if r.update == nil || slices.Contains(both, nil) || slices.Contains(both, r.update) {
		return false
	}
	updated := plainNames(r.update)
	sharedWith := func(other *types.Named) int {
		names := plainNames(other)
		return len(filter(updated, func(name string) bool { return slices.Contains(names, name) }))
	}
	return 2*sharedWith(inner) > len(updated) && sharedWith(around) == 0
}

// isSummary reports whether the object has most of what creation takes in a struct that creation doesn't take, as the PolicySummary of a
// Policy.
func (r *reader) isSummary(v *types.Var) bool {
	within := structNamed(v.Type())
	if within == nil || isList(v.Type()) || within == r.observe || slices.Contains(plainNames(r.create), gotypes.PlainName(v.Name())) {
		return false
	}
	taken := plainNames(r.create)
	sharedWith := func(other *types.Named) int {
		return len(filter(plainNames(other), func(name string) bool { return slices.Contains(taken, name) }))
	}
	return sharedWith(within) > max(1, sharedWith(r.observe))
}

// isInput reports whether both requests have a struct of a name and type with what the object has, as DatabaseInput, and the object no
// field of that name.
func (r *reader) isInput(v *types.Var) bool {
	isOne := v.Exported() && !v.Embedded() && structNamed(v.Type()) != nil && !isList(v.Type())
	if !isOne || r.update == nil || r.update == r.create {
		return false
	}
	isSame := func(other *types.Var) bool {
		return other.Name() == v.Name() && types.Identical(other.Type(), v.Type())
	}
	isIn := func(t *types.Named) bool {
		return slices.ContainsFunc(slices.Collect(gotypes.StructOf(t).Fields()), isSame)
	}
	shown, within := plainNames(r.observe), plainNames(structNamed(v.Type()))
	isOfObject := 2*len(filter(within, func(name string) bool { return slices.Contains(shown, name) })) > len(within) // unlike settings
	return isOfObject && isIn(r.create) && isIn(r.update) && !slices.Contains(shown, gotypes.PlainName(v.Name()))
}

// payload returns the struct in the only field of a request, or nil.
func payload(request *types.Named) types.Type {
	if request == nil || gotypes.StructOf(request) == nil {
		return nil
	}
	s := gotypes.StructOf(request)
	var exported []*types.Var
	for i := range s.NumFields() {
		if v := s.Field(i); v.Exported() && reflect.StructTag(s.Tag(i)).Get("json") != "-" {
			exported = append(exported, v)
		}
	}
	if len(exported) != 1 {
		return nil
	}
	within := gotypes.Deref(exported[0].Type())
	if gotypes.StructOf(within) == nil || gotypes.IsTime(within) || textOf(within) != nil {
		return nil
	}
	return within
}

// envelope returns the field of a struct that holds what the kind is made of, or nil.
func (r *reader) envelope(t *types.Named) *types.Var {
	return first(slices.Collect(gotypes.StructOf(t).Fields()), func(v *types.Var) bool { return r.isEnvelope(t, v) })
}

// held returns the struct that a request sends: the one in its envelope, or the request itself.
func (r *reader) held(request *types.Named) types.Type {
	if within := r.envelope(request); within != nil {
		return gotypes.Deref(within.Type())
	}
	return request
}

// counterpart returns the only field among others with the name of one: the Go name, or else any of its names. It returns nil if
// several fit.
func counterpart(others []*source, of *source) *source {
	found := filter(others, of.isNamed)
	if len(found) == 0 {
		found = filter(others, func(s *source) bool { return slices.ContainsFunc(s.names, of.isCalled) })
	}
	if len(found) != 1 {
		return nil
	}
	return found[0]
}
