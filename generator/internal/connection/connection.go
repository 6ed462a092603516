// Package connection collects the keys of the connection secrets of managed resources from
// +mrgen:connectionDetail markers.
package connection

import (
	"cmp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/markers"
)

const codeConnectionDetail diag.Code = "connection-detail"

// AnnotationPrefix, followed by a key of the secret, is the name of the annotation that describes a connection
// detail. In Crossplane's one-pager on MRDs, annotations are the alternative to MRDs:
// https://github.com/crossplane/crossplane/blob/main/design/one-pager-mrds.md
const AnnotationPrefix = "connection.crossplane.io/"

// A Detail is a key of a connection secret, or a pattern of keys. Its JSON is an MRD's.
type Detail struct {
	// Name is the key. An asterisk, which no key can contain, stands for text that is only
	// known at run time.
	Name string `json:"name"`
	// Description describes the value. It is never empty.
	Description string `json:"description"`
	// Pos is the position of the first marker that declares the detail.
	Pos diag.Position `json:"-"`
}

// IsPattern reports whether the name is a pattern of keys.
func (d Detail) IsPattern() bool { return strings.Contains(d.Name, "*") }

// Details returns the connection details of a kind, sorted by name. The objects are the versions of the kind.
// They share one secret, so a key of any version is a key of the kind. A key without a name or a description,
// or with two descriptions, is reported at its marker.
func Details(objects []*model.Object) ([]Detail, diag.List) {
	c := &collector{}
	for _, o := range objects {
		for _, m := range o.Type.Markers {
			if m.Is(markers.ConnectionDetail) {
				c.add(m, keyOf(m.Value), m.Value.Text("description"))
			}
		}
		if f := o.Status.Part("atProvider"); f != nil {
			model.EachField(f.Type.Leaf().Fields, c.observed)
		}
	}
	slices.SortFunc(c.details, func(a, b Detail) int { return strings.Compare(a.Name, b.Name) })
	return c.details, c.diags
}

// collector collects the details of a kind in source order.
type collector struct {
	details []Detail
	diags   diag.List
}

// observed adds the details of a field below status.atProvider.
func (c *collector) observed(f *model.Field) bool {
	for _, m := range f.Markers {
		if m.Is(markers.ConnectionDetail) {
			c.field(f, m)
		}
	}
	return true
}

// field adds the detail that a field's marker declares.
func (c *collector) field(f *model.Field, m model.Marker) {
	key := keyOf(m.Value)
	if key == "" {
		key = f.JSONName
		// JSON names allow more characters than keys of Secrets.
		if problems := validation.IsConfigMapKey(key); len(problems) > 0 {
			c.report(m,
				"the JSON name of %s, %q, can't be the key of a Secret: name the key, as in +%s:name=password", f.Name, key, markers.ConnectionDetail)
			return
		}
	}
	description := m.Value.Text("description")
	if description == "" {
		description = strings.Join(strings.Fields(f.Doc), " ")
	}
	if description == "" {
		c.report(m, "nothing describes the key %q: write a comment for %s, or add a description to the marker", key, f.Name)
		return
	}
	c.add(m, key, description)
}

// add adds a detail, unless another marker declares it already.
func (c *collector) add(m model.Marker, name, description string) {
	i := slices.IndexFunc(c.details, func(d Detail) bool { return d.Name == name })
	switch {
	case i < 0:
		c.details = append(c.details, Detail{Name: name, Description: description, Pos: m.Pos})
	// Versions share the secret, so they may repeat a key with the same description.
	case c.details[i].Description != description:
		c.report(m, "the key %q has the description %q here and %q at %s: keep one of them",
			name, description, c.details[i].Description, c.details[i].Pos)
	}
}

func (c *collector) report(m model.Marker, format string, args ...any) {
	c.diags = append(c.diags, diag.Errorf(m.Pos, codeConnectionDetail, format, args...))
}

// keyOf returns the key or the pattern that a marker names, or "".
func keyOf(v *markers.Value) string { return cmp.Or(v.Text("pattern"), v.Text("name")) }
