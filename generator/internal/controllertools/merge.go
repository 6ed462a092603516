package controllertools

import (
	"reflect"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/internal/schema"
)

// merger merges the branches of allOf, which represent embedded types and the types of fields, into the schemas
// around them. The caller must own these schemas.
type merger struct{ conflicts []Conflict }

// flatten merges the branches of the schema at a path, and then of the schemas in it. It works from the outside
// in, since merging decides which inner schemas belong together.
func (m *merger) flatten(path schema.Path, s *schema.Props) {
	branches := s.AllOf
	s.AllOf = nil // conflicts go there
	for i := range branches {
		m.merge(path, s, &branches[i])
	}
	unshare(s)
	schema.Each(s, func(step schema.Step, child *schema.Props) bool {
		below := path
		if step.Kind != schema.Same {
			below = path.With(step)
		}
		m.flatten(below, child)
		return true
	})
}

// unshare copies the memory that DeepCopy shares. It runs last: shared memory is how equal defaults avoid a
// conflict.
func unshare(s *schema.Props) {
	s.Default, s.Example = s.Default.DeepCopy(), s.Example.DeepCopy()
	s.Enum = slices.Clone(s.Enum)
	for i := range s.Enum {
		s.Enum[i].Raw = slices.Clone(s.Enum[i].Raw)
	}
	s.XListMapKeys = slices.Clone(s.XListMapKeys)
	if s.XListType != nil {
		s.XListType = new(*s.XListType)
	}
}

// merge merges a branch and the branches in it.
func (m *merger) merge(path schema.Path, dst, src *schema.Props) {
	for i := range src.AllOf {
		m.merge(path, dst, &src.AllOf[i])
	}
	var apart []schema.Props
	for _, k := range schema.Keywords {
		from, into := k.In(src), k.In(dst)
		switch {
		case k.Merge == schema.Unmerged || from.IsZero():
		case k.Merge == schema.First:
			m.keep(path, from, into)
		case into.IsZero() || k.Merge == schema.Last:
			into.Set(from)
		case from.Comparable() && from.Equal(into), k.Merge == schema.Distinct && from.Elem().Equal(into.Elem()):
		case k.Merge == schema.Joined: // this is controller-tools' order
			into.Set(reflect.AppendSlice(from, into))
		case k.Merge == schema.Nested:
			m.nest(path, from.Interface(), into.Interface())
		default:
			if apart == nil {
				apart = make([]schema.Props, 2)
			}
			k.Copy(&apart[0], dst)
			k.Copy(&apart[1], src)
			into.SetZero()
		}
	}
	dst.AllOf = append(dst.AllOf, apart...)
	slices.Sort(dst.Required)
	dst.Required = slices.Compact(dst.Required)
}

// keep sets a keyword that dst lacks, and notes two types.
func (m *merger) keep(path schema.Path, from, into reflect.Value) {
	switch {
	case from.Len() == 0:
	case into.Len() == 0:
		into.Set(from)
	case from.Kind() == reflect.String && from.String() != into.String():
		m.conflicts = append(m.conflicts, Conflict{path, [2]string{into.String(), from.String()}})
	}
}

// nest merges the schemas of properties, or of the values of maps.
func (m *merger) nest(path schema.Path, from, into any) {
	switch into := into.(type) {
	case map[string]schema.Props:
		for name, property := range from.(map[string]schema.Props) {
			if existing, ok := into[name]; ok {
				property = m.merged(path.With(schema.Step{Name: name}), existing, property)
			}
			into[name] = property
		}
	case *apiextensionsv1.JSONSchemaPropsOrBool:
		values := from.(*apiextensionsv1.JSONSchemaPropsOrBool).Schema
		if values == nil {
			return // true or false says nothing more than dst does
		}
		if into.Schema == nil {
			into.Schema = &schema.Props{}
		}
		m.merge(path.With(schema.Step{Kind: schema.Values}), into.Schema, values)
	}
}

// merged returns one property merged into another. Only such properties move to the heap.
func (m *merger) merged(path schema.Path, dst, src schema.Props) schema.Props {
	m.merge(path, &dst, &src)
	return dst
}
