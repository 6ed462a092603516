package admission_test

import (
	"slices"

	"k8s.io/apimachinery/pkg/runtime"
)

// object returns an object of a kind with those management policies; nil leaves
// them out. Often it is complete, and sometimes it is wrong.
func (r *random) object(k *kind, policies []any) map[string]any {
	spec := map[string]any{}
	if policies != nil {
		spec["managementPolicies"] = policies
	}
	complete := r.oneIn(3)
	switch r.IntN(12) {
	case 0:
	case 1:
		spec["forProvider"] = nil
	default:
		spec["forProvider"] = r.structOf(k.fields, complete)
	}
	if k.initProvider {
		switch r.IntN(4) {
		case 0:
		case 1:
			spec["initProvider"] = []any{nil, map[string]any{}}[r.IntN(2)]
		default:
			spec["initProvider"] = r.initial(k.fields)
		}
	}
	return map[string]any{
		"apiVersion": "rules.example.org/v1alpha1",
		"kind":       k.name,
		"metadata":   map[string]any{"name": "test"},
		"spec":       spec,
	}
}

// structOf returns an object with some of the fields, or with all required ones.
func (r *random) structOf(fields []*field, complete bool) map[string]any {
	object := map[string]any{}
	for _, f := range fields {
		if complete && f.presence != optional && !r.oneIn(20) {
			object[f.json] = f.valid(r, f)
			continue
		}
		switch r.IntN(10) {
		case 0, 1, 2:
		case 3:
			object[f.json] = nil
		case 4:
			object[f.json] = runtime.DeepCopyJSONValue(f.empty)
		case 5:
			if r.oneIn(5) {
				object[f.json] = []any{map[string]any{"not": "of the type"}}
			}
		default:
			object[f.json] = f.valid(r, f)
		}
		if f.hasReference && r.oneIn(3) {
			object[f.json+"Ref"] = []any{nil, map[string]any{"name": "a"}}[r.IntN(2)]
		}
		if f.hasReference && r.oneIn(3) {
			object[f.json+"Selector"] = []any{nil, map[string]any{}}[r.IntN(2)]
		}
	}
	return object
}

// initial returns an object with fields for spec.initProvider, in which no
// identifier, reference or selector is set.
func (r *random) initial(fields []*field) map[string]any {
	object := r.structOf(fields, r.oneIn(3))
	for _, f := range fields {
		if f.presence == identifier {
			delete(object, f.json)
		}
		delete(object, f.json+"Ref")
		delete(object, f.json+"Selector")
	}
	return object
}

func (r *random) structValue(f *field) any { return r.structOf(f.fields, r.oneIn(2)) }

func (r *random) listValue(f *field) any { return []any{r.structOf(f.fields, !r.oneIn(5))} }

func (r *random) mapValue(f *field) any {
	return map[string]any{"k": r.structOf(f.fields, !r.oneIn(5))}
}

// A stand-in says how values may be missing: of what is only observed, all may that
// a rule requires; else those may that a reference, a selector or spec.initProvider
// stands in for.
type standIn struct {
	r        *random
	kind     *kind
	observed bool
}

// complete returns an object with a valid value wherever something stands in for
// it. The strict CRD has to admit this object just if the relaxed one admits the
// original.
func (s standIn) complete(object map[string]any) map[string]any {
	object = runtime.DeepCopyJSON(object)
	if !s.kind.relax {
		return object
	}
	spec := object["spec"].(map[string]any)
	if spec["forProvider"] == nil {
		for _, f := range s.kind.fields {
			if s.stays(f) && f.presence != defaulted {
				return object
			}
		}
		spec["forProvider"] = map[string]any{}
	}
	initial, _ := spec["initProvider"].(map[string]any)
	s.fill(s.kind.fields, spec["forProvider"].(map[string]any), initial, true)
	s.choose(spec["forProvider"].(map[string]any), initial)
	return object
}

// choose sets the first of the fields of which one must be set, if none is, and something
// stands in for it.
func (s standIn) choose(object, initial map[string]any) {
	isGiven := func(f *field, on map[string]any) bool {
		return on[f.json] != nil && !f.omits(on[f.json]) || s.isReferenced(f, on)
	}
	isThere := func(on map[string]any) bool {
		return slices.ContainsFunc(s.kind.oneOf, func(f *field) bool { return isGiven(f, on) })
	}
	if len(s.kind.oneOf) > 0 && !isThere(object) && (s.observed || isThere(initial)) {
		object[s.kind.oneOf[0].json] = s.sample(s.kind.oneOf[0])
	}
}

// stays reports whether the schema requires a field in any case.
func (s standIn) stays(f *field) bool {
	switch f.presence {
	case optional:
		return false
	case required:
		return f.untyped
	default:
		return true
	}
}

// fill sets the fields of a struct in spec.forProvider that something stands in for.
// Initial is the struct in spec.initProvider.
func (s standIn) fill(fields []*field, object, initial map[string]any, top bool) {
	for _, f := range fields {
		inner, _ := initial[f.json].(map[string]any)
		if f.omits(object[f.json]) && !s.stays(f) {
			delete(object, f.json)
		}
		if object[f.json] != nil {
			if value, isMap := object[f.json].(map[string]any); isMap && f.isStruct && s.kind.initProvider {
				s.fill(f.fields, value, inner, false)
			}
			continue
		}
		switch {
		case s.stays(f):
		case initial[f.json] != nil && f.isStruct && !s.observed:
			object[f.json] = s.skeleton(f, inner)
		case initial[f.json] != nil && !f.omits(initial[f.json]), f.presence == required && (s.observed || top && s.isReferenced(f, object)):
			object[f.json] = s.sample(f)
		}
	}
}

func (s standIn) isReferenced(f *field, object map[string]any) bool {
	return f.hasReference && (object[f.json+"Ref"] != nil || object[f.json+"Selector"] != nil)
}

// omits reports whether Go omits a value of the field, because it is empty.
func (f *field) omits(value any) bool {
	switch value := value.(type) {
	case []any:
		return f.shape.omitEmpty && f.omitEmpty && len(value) == 0
	case map[string]any:
		return f.shape.omitEmpty && f.omitEmpty && len(value) == 0
	default:
		return false
	}
}

// skeleton returns a struct of spec.initProvider as spec.forProvider would have it:
// with what the schema requires in any case, and without what a rule requires and
// spec.initProvider lacks.
func (s standIn) skeleton(f *field, initial map[string]any) map[string]any {
	object := map[string]any{}
	for _, inner := range f.fields {
		value, _ := initial[inner.json].(map[string]any)
		switch {
		case s.stays(inner):
			object[inner.json] = s.sample(inner)
		case initial[inner.json] != nil && inner.isStruct:
			object[inner.json] = s.skeleton(inner, value)
		case initial[inner.json] != nil && !inner.omits(initial[inner.json]):
			object[inner.json] = s.sample(inner)
		}
	}
	return object
}

// sample returns a value of a field that is valid in any case.
func (s standIn) sample(f *field) any {
	if !f.isStruct {
		if f.structName != "" {
			return f.empty
		}
		return f.valid(s.r, f)
	}
	object := map[string]any{}
	for _, inner := range f.fields {
		if inner.presence != optional {
			object[inner.json] = s.sample(inner)
		}
	}
	return object
}
