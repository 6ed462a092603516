package observation

import (
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/generator/internal/model"
)

// completer replaces the missing types in other types with those that the plan declares.
type completer struct {
	declared map[flavor.TypeName]*declaration
	// plannedTypes and knownTypes cache the results.
	plannedTypes map[flavor.TypeName]*model.Type
	knownTypes   map[*model.Type]*model.Type
}

// typ returns the complete form of a type.
func (c *completer) typ(t *model.Type) *model.Type {
	if t == nil || t.Package != "" && !t.Local {
		return t
	}
	name := flavor.TypeName{Package: t.Package, Name: t.Name}
	if d := c.declared[name]; d != nil {
		return c.planned(name, d)
	}
	if known := c.knownTypes[t]; known != nil {
		return known
	}
	complete := *t
	c.knownTypes[t] = &complete
	complete.Elem, complete.Key = c.typ(t.Elem), c.typ(t.Key)
	complete.Fields = make([]*model.Field, len(t.Fields))
	for i, f := range t.Fields {
		field := *f
		field.Type = c.typ(f.Type)
		complete.Fields[i] = &field
	}
	return &complete
}

// planned returns the type that a declaration declares.
func (c *completer) planned(name flavor.TypeName, d *declaration) *model.Type {
	if known := c.plannedTypes[name]; known != nil {
		return known
	}
	t := &model.Type{Kind: model.Struct, Name: name.Name, Package: name.Package, PackageName: d.packageName, Local: true}
	c.plannedTypes[name] = t
	for _, f := range d.fields {
		jsonName, option, _ := strings.Cut(f.tag, ",")
		field := &model.Field{Name: f.name, Tagged: true, JSONName: jsonName, OmitEmpty: option == "omitempty", OmitZero: option == "omitzero", Type: c.typ(f.typ)}
		if f.name == "" {
			field.Name, field.Embedded, field.Inline = field.Type.Deref().Name, true, true
		}
		t.Fields = append(t.Fields, field)
	}
	return t
}
