package custom

import (
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/pipeline"
	"github.com/mrgen-io/mrgen/generator/stage"
)

var roles = map[model.Role]stage.Role{
	model.Managed: stage.RoleManaged, model.ProviderConfig: stage.RoleProviderConfig, model.ProviderConfigUsage: stage.RoleProviderConfigUsage,
}

var typeForms = map[model.Kind]stage.TypeForm{
	model.Basic: stage.BasicType, model.Struct: stage.StructType, model.Pointer: stage.PointerType, model.Slice: stage.SliceType, model.Map: stage.MapType,
}

// newModel returns the public form of a model. Kinds have their definitions, if there are any.
func newModel(m *model.Model, definitions pipeline.Definitions) *stage.Model {
	crds := map[*model.Object]*apiextensionsv1.CustomResourceDefinition{}
	for _, d := range definitions {
		crd := d.CRD.DeepCopy()
		for _, o := range d.Objects {
			crds[o] = crd
		}
	}
	types := typeCopies{}
	public := &stage.Model{}
	for _, p := range m.Packages {
		pkg := &stage.Package{Path: p.Path, Name: p.Name, Dir: p.Dir, Group: p.Group, Version: p.Version, Markers: newMarkers(p.Markers)}
		for _, o := range p.Objects {
			if !o.List {
				pkg.Kinds = append(pkg.Kinds, &stage.Kind{Name: o.Name, Package: pkg, Role: roles[o.Role], Namespaced: o.Namespaced(), Type: types.of(o.Type), Definition: crds[o]})
			}
		}
		public.Packages = append(public.Packages, pkg)
	}
	return public
}

func newMarkers(list []model.Marker) []stage.Marker {
	var markers []stage.Marker
	for _, m := range list {
		markers = append(markers, stage.Marker{Text: m.Text, Pos: m.Pos})
	}
	return markers
}

// typeCopies are the public forms of types.
type typeCopies map[*model.Type]*stage.Type

func (c typeCopies) of(t *model.Type) *stage.Type {
	if t == nil {
		return nil
	}
	if known := c[t]; known != nil {
		return known
	}
	form, ok := typeForms[t.Kind]
	if !ok {
		form = stage.OpaqueType
	}
	public := &stage.Type{Form: form, Name: t.Name, Package: t.Package, Basic: t.Basic, Pos: t.Pos, Doc: t.Doc, Markers: newMarkers(t.Markers)}
	c[t] = public
	public.Elem, public.Key = c.of(t.Elem), c.of(t.Key)
	for _, f := range t.Fields {
		public.Fields = append(public.Fields, &stage.Field{
			Name: f.Name, JSONName: f.JSONName, Inline: f.Inline, Required: f.Required, Type: c.of(f.Type),
			Pos: f.Pos, Doc: f.Doc, Markers: newMarkers(f.Markers),
		})
	}
	return public
}
