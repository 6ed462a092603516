package model

import (
	"slices"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/markers"
)

// A OneOf is a +mrgen:requiredOneOf marker of a struct, one of whose fields must be set.
type OneOf struct {
	// Fields are JSON names, as the marker lists them.
	Fields []string
	// Exactly is set if no more than one may be set.
	Exactly bool
	// Pos is where the marker stands.
	Pos diag.Position
}

// OneOfs returns the +mrgen:requiredOneOf markers in a list.
func OneOfs(list []Marker) []OneOf {
	var all []OneOf
	for _, m := range list {
		if m.Is(markers.RequiredOneOf) && m.Value.Has("fields") {
			all = append(all, OneOf{m.Value.List("fields"), m.Value.Text("exactly") == "true", m.Pos})
		}
	}
	return all
}

// Alternatives returns, for each of some fields of a struct, the JSON names of the fields that
// supply its value, see [Type.StandIns]. Fields that supply the same value are one alternative.
func (t *Type) Alternatives(jsonNames []string) [][]string {
	var all [][]string
	for _, name := range jsonNames {
		if !slices.ContainsFunc(all, func(known []string) bool { return slices.Contains(known, name) }) {
			all = append(all, t.StandIns(name))
		}
	}
	return all
}

// StandIns returns the JSON names of the fields of a struct that supply the same value as a field: the field itself, its
// reference and selector, which stay set after a controller has resolved them, or the field that these resolve to.
func (t *Type) StandIns(jsonName string) []string {
	names, fields := []string{jsonName}, JSONFields(t)
	for i := 0; i < len(names); i++ {
		for _, access := range fields {
			same := append([]string{access.Field().JSONName}, t.Companions(access.Field())...)
			if !slices.Contains(same, names[i]) {
				continue
			}
			for _, name := range same {
				if !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
		}
	}
	return names
}

// Companions returns the JSON names of the fields of a struct that hold the reference and the
// selector of a field.
func (t *Type) Companions(f *Field) []string {
	var names []string
	reference, selector := f.ReferenceNames()
	for _, goName := range []string{reference, selector} {
		if goName == "" {
			continue
		}
		if companion := t.GoField(goName); companion != nil {
			names = append(names, companion.JSONName)
		}
	}
	return names
}

// JSONNames returns the JSON names of the fields of a struct, including fields of inlined structs, in source order.
func (t *Type) JSONNames() []string {
	var names []string
	for _, access := range JSONFields(t) {
		names = append(names, access.Field().JSONName)
	}
	return names
}
