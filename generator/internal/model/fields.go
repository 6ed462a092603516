package model

import (
	"iter"
	"slices"
)

// AllMarkers returns the markers of the type that t is or points to, of the type in its declaration, and of the structs
// inlined in it.
func (t *Type) AllMarkers() []Marker {
	var all []Marker
	var seen []*Type
	var visit func(*Type)
	visit = func(s *Type) {
		if s == nil || slices.Contains(seen, s) {
			return
		}
		seen, all = append(seen, s), append(all, s.Markers...)
		visit(s.Of)
		for _, f := range s.Fields {
			if f.Inline {
				visit(f.Type.Deref())
			}
		}
	}
	visit(t.Deref())
	return all
}

// Holds reports whether a type matches, or the type of a field or element in it, at any
// depth. It doesn't ask about pointers, slices and maps themselves.
func (t *Type) Holds(matches func(*Type) bool) bool {
	for leaf := range t.Leaves() {
		if matches(leaf) {
			return true
		}
	}
	return false
}

// HoldsField reports whether a type consists of a field that matches, at any depth.
func (t *Type) HoldsField(matches func(*Field) bool) bool {
	return t.Holds(func(t *Type) bool { return slices.ContainsFunc(t.Fields, matches) })
}

// Leaves yields the types that a type consists of, at any depth, without pointers, slices and maps: each
// once, and a struct before the types of its fields.
func (t *Type) Leaves() iter.Seq[*Type] {
	return func(yield func(*Type) bool) {
		seen := map[*Type]bool{}
		var visit func(*Type) bool
		visit = func(t *Type) bool {
			if t = t.Leaf(); seen[t] { // a type may be part of itself
				return true
			}
			seen[t] = true
			return yield(t) && !slices.ContainsFunc(t.Fields, func(f *Field) bool { return !visit(f.Type) })
		}
		visit(t)
	}
}

// EachField visits fields and, if visit returns true, the fields of their types. It visits the fields of each struct
// once.
func EachField(fields []*Field, visit func(*Field) bool) {
	seen := map[*Type]bool{}
	var walk func([]*Field)
	walk = func(fields []*Field) {
		for _, f := range fields {
			if below := f.Type.Leaf(); visit(f) && !seen[below] {
				seen[below] = true
				walk(below.Fields)
			}
		}
	}
	walk(fields)
}

// Inlined yields the fields of a struct and of the structs inlined in it, in source order, with the struct
// that declares each.
func (t *Type) Inlined() iter.Seq2[*Type, *Field] {
	return func(yield func(*Type, *Field) bool) {
		var seen []*Type
		var visit func(*Type) bool
		visit = func(t *Type) bool {
			if slices.Contains(seen, t) {
				return true
			}
			seen = append(seen, t)
			for _, f := range t.Fields {
				if !yield(t, f) || f.Inline && !visit(f.Type.Deref()) {
					return false
				}
			}
			return true
		}
		visit(t.Deref())
	}
}

// Field returns the field of a struct, or of a pointer to one, that encoding/json fills for
// the JSON name, or nil. It looks into inlined structs.
func (t *Type) Field(jsonName string) *Field {
	return t.find(
		func(f *Field) bool { return !f.Inline && f.JSONName == jsonName },
		func(f *Field) bool { return f.Inline })
}

// GoField returns the field of a struct, or of a pointer to one, that a Go selector selects,
// promoted fields included. It returns nil if a method has that name, or if the selector is
// ambiguous.
func (t *Type) GoField(name string) *Field {
	for level := range t.levels(func(f *Field) bool { return f.Embedded }) {
		var found []*Field
		for _, s := range level {
			if _, isMethod := s.Methods[name]; isMethod {
				found = append(found, nil) // a method hides fields below it, and clashes with a field beside it
			}
			for _, f := range s.Fields {
				if f.Name == name {
					found = append(found, f)
				}
			}
		}
		if len(found) == 1 {
			return found[0]
		} else if len(found) > 1 { // the selector is ambiguous
			return nil
		}
	}
	return nil
}

// PromotedField returns the shallowest field with that Go name of a struct, or of a pointer
// to one, promoted fields included, or nil. Its selector may be ambiguous.
func (t *Type) PromotedField(name string) *Field {
	return t.find(
		func(f *Field) bool { return f.Name == name },
		func(f *Field) bool { return f.Embedded })
}

// find returns the first field that matches.
func (t *Type) find(match, descend func(*Field) bool) *Field {
	// A shallow field hides deeper ones with the same name, in Go and in encoding/json.
	for level := range t.levels(descend) {
		for _, s := range level {
			if i := slices.IndexFunc(s.Fields, match); i >= 0 {
				return s.Fields[i]
			}
		}
	}
	return nil
}

// levels yields a struct, then the structs of its fields for which descend returns true, then the structs in these, and
// so on. It leaves out structs of shallower levels.
func (t *Type) levels(descend func(*Field) bool) iter.Seq[[]*Type] {
	return func(yield func([]*Type) bool) {
		seen := map[*Type]bool{}
		for level := []*Type{t.Deref()}; len(level) > 0 && yield(level); {
			var next []*Type
			for _, s := range level {
				seen[s] = true
			}
			for _, s := range level {
				for _, f := range s.Fields {
					if inner := f.Type.Deref(); descend(f) && !seen[inner] {
						next = append(next, inner)
					}
				}
			}
			level = next
		}
	}
}
