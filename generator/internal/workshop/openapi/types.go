package openapi

import (
	"cmp"
	"errors"
	"fmt"
	"go/token"
	"go/types"
	"path"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/gobuffalo/flect"

	"github.com/mrgen-io/mrgen/generator/internal/workshop/fromsdk"
)

// A view is who sees values of a schema: requests lack what only the API sets, and answers what it never shows.
type view int

const (
	request view = iota
	response
)

type typeKey struct {
	of   *openapi3.Schema
	view view
}

// Types that stand for what Go has no type of its own for.
var (
	timeType = foreign("time", "Time")
	// freeForm is that of an object whose fields nobody names.
	freeForm = foreign(fromsdk.FreeFormPackage, fromsdk.FreeFormName)
)

func foreign(importPath, name string) *types.Named {
	p := types.NewPackage(importPath, path.Base(importPath))
	return types.NewNamed(types.NewTypeName(token.NoPos, p, name, nil), types.NewStruct(nil, nil), nil)
}

// typeOf returns the Go type for values of a schema, and what that comes to. The name is for a struct whose
// schema has none. above are the schemas of lists and maps that it is in.
func (r *reader) typeOf(of *openapi3.SchemaRef, name string, v view, above []*openapi3.Schema) (types.Type, *shape, error) {
	s := r.shapeOf(of, nil)
	if of != nil && slices.Contains(above, of.Value) {
		s.why = "its schema is made of itself"
	}
	if s.why != "" {
		return nil, s, errors.New(s.why)
	}
	switch s.kind {
	case openapi3.TypeBoolean:
		return types.Typ[types.Bool], s, nil
	case openapi3.TypeInteger:
		if s.limits.Format == "int32" {
			return types.Typ[types.Int32], s, nil
		}
		return types.Typ[types.Int64], s, nil
	case openapi3.TypeNumber:
		return types.Typ[types.Float64], s, nil
	case openapi3.TypeString:
		switch {
		case s.limits.Format == "date-time":
			return timeType, s, nil
		case s.limits.Format == "binary":
			return nil, s, errors.New("it is a file")
		case s.limits.Format == "byte" || s.limits.ContentEncoding == "base64":
			return types.NewSlice(types.Typ[types.Uint8]), s, nil
		}
		return types.Typ[types.String], s, nil
	case openapi3.TypeArray, openapi3.TypeObject:
		t, err := r.composite(of, s, name, v, append(slices.Clip(above), of.Value))
		return t, s, err
	}
	return nil, s, errors.New("the document doesn't say what it is")
}

// composite returns the Go type for a list or an object.
func (r *reader) composite(of *openapi3.SchemaRef, s *shape, name string, v view, above []*openapi3.Schema) (types.Type, error) {
	if s.kind == openapi3.TypeArray {
		item, _, err := r.typeOf(s.items, flect.Singularize(name), v, above)
		if err != nil {
			return nil, err
		}
		if item == freeForm {
			return nil, errors.New("the document doesn't say what its items are")
		}
		return types.NewSlice(item), nil
	}
	switch {
	case len(s.properties) > 0:
		return r.structOf(of, s, name, v), nil
	case s.values == nil:
		return freeForm, nil
	}
	value, _, err := r.typeOf(s.values, name, v, above)
	switch {
	case err != nil:
		return nil, err
	case value == freeForm:
		return nil, errors.New("the document doesn't say what its values are")
	}
	return types.NewMap(types.Typ[types.String], value), nil
}

// structOf returns the struct for an object.
func (r *reader) structOf(of *openapi3.SchemaRef, s *shape, name string, v view) *types.Named {
	key := typeKey{of.Value, v}
	if known := r.named[key]; known != nil {
		return known
	}
	typeName := cmp.Or(name, "Object")
	if of.Ref != "" {
		base := path.Base(of.Ref)
		typeName = fromsdk.GoName(strings.TrimSuffix(base, path.Ext(base)))
	}
	if name != "" { // or the fields are those of the kind
		name = typeName
	}
	named := types.NewNamed(types.NewTypeName(token.NoPos, r.pkg, typeName, nil), types.NewStruct(nil, nil), nil)
	r.named[key] = named
	var fields []*types.Var
	var tags []string
	for _, p := range s.properties {
		field, tag := r.field(s, p, name, v)
		if field == nil {
			continue
		}
		if slices.ContainsFunc(fields, func(other *types.Var) bool { return other.Name() == field.Name() }) {
			r.leave(v, name, p.name, errors.New("another field has its name in Go"))
			continue
		}
		fields, tags = append(fields, field), append(tags, tag)
	}
	named.SetUnderlying(types.NewStruct(fields, tags))
	return named
}

// leave notes that the kind lacks a field of a request.
func (r *reader) leave(v view, owner, name string, why error) {
	if owner != "" {
		name = owner + "." + name
	}
	if text := fmt.Sprintf("%s, since %v", name, why); v == request && !slices.Contains(r.found.Left, text) {
		r.found.Left = append(r.found.Left, text)
	}
}

// field returns the field for a property of an object, nil if there is none, and its tag.
func (r *reader) field(object *shape, p property, owner string, v view) (field *types.Var, tag string) {
	s := r.shapeOf(p.of, nil)
	name := fromsdk.GoName(p.name)
	switch {
	case p.of.Value == nil || p.of.Value.Deprecated || v == response && s.writeOnly:
		return nil, ""
	case v == request && s.readOnly:
		if owner != "" { // or the observation has it
			r.leave(v, owner, name, errors.New("only the API sets it, and its struct is a parameter"))
		}
		return nil, ""
	}
	if !token.IsIdentifier(name) || !token.IsExported(name) {
		r.leave(v, owner, p.name, errors.New("Go can't have a field of this name"))
		return nil, ""
	}
	t, s, err := r.typeOf(p.of, owner+name, v, nil)
	facts := &fromsdk.Facts{
		Doc: s.doc, IsRequired: slices.Contains(object.required, p.name) && !s.nullable, Checks: slices.Compact(s.checks),
		IsSecret: s.kind == openapi3.TypeString && (s.writeOnly || s.limits.Format == "password"),
	}
	if err != nil {
		t, facts.Unsupported = types.NewInterfaceType(nil, nil), err.Error()
	}
	if v == request && err == nil {
		r.limit(facts, s)
	}
	switch value := s.limits.Default.(type) {
	case string, float64, bool:
		if !strings.Contains(strings.ToLower(facts.Doc), "default") {
			facts.Default = fmt.Sprint(value)
		}
	}
	field = types.NewField(token.NoPos, r.pkg, name, t, false)
	r.found.Facts[field] = facts
	return field, `json:"` + p.name + `,omitempty"`
}
