package apitypes

import (
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/markers"
)

// object checks the parts of an object by their names, and visits the types below them.
func (c *checker) object(o *model.Object) {
	c.kinds[o.Type] = markers.Kind
	if o.Role == model.Managed {
		c.kinds[o.Type] = markers.ManagedKind
	}
	c.typ(o.Type, markers.Field)
	for _, f := range o.Type.Fields {
		switch isMeta := f.Embedded && f.Tagged && f.Type.Leaf().Package == metav1Path; {
		case !isMeta:
		case f.Type.Leaf().Name == "TypeMeta" && !f.Inline:
			c.diags = append(c.diags, diag.Errorf(f.Pos, codeKind,
				"TypeMeta has the JSON name %s, so that %s has neither apiVersion nor kind: tag it `json:\",inline\"`", f.JSONName, o.Name))
		case f.Type.Leaf().Name != "TypeMeta" && f.JSONName != "metadata":
			c.diags = append(c.diags, diag.Errorf(f.Pos, codeKind,
				"%s has the JSON name %q, so that %s has no metadata: tag it `json:\"metadata,omitempty\"`", f.Name, f.JSONName, o.Name))
		}
	}
	c.spelt(o.Spec, "spec")
	c.spelt(o.Status, "status")
	if o.Role != model.Managed {
		return
	}
	if g := o.Generation; g != nil && !g.Namespaced && !g.OneScope && o.Scope == "Namespaced" {
		c.diags = append(c.diags, diag.Warningf(o.Spec.Pos, codeFlavor,
			"%s is Namespaced, and its spec embeds %s of cluster-scoped kinds: embed the type for namespaced ones, or write +%s:scope=Cluster",
			o.Name, g.Embed.Name, markers.Resource))
	}
	c.part(o.Spec, "forProvider", markers.ForProviderField)
	c.part(o.Spec, "initProvider", markers.InitProviderField)
	c.field(o.Spec, markers.SpecField)
	c.part(o.Status, "atProvider", markers.ObservationField)
}

// part returns the field of a struct with a JSON name, or else one whose name differs from it in case alone.
func part(t *model.Type, name string) *model.Field {
	f, fields := t.Field(name), t.Deref().Fields
	if i := slices.IndexFunc(fields, func(f *model.Field) bool { return strings.EqualFold(f.JSONName, name) }); f == nil && i >= 0 {
		return fields[i]
	}
	return f
}

// part checks the name of a part of an object, and visits the types below it.
func (c *checker) part(in *model.Field, name string, place markers.Place) {
	if in != nil {
		f := part(in.Type, name)
		c.spelt(f, name)
		c.field(f, place)
	}
}

// spelt reports a part of an object with another JSON name than the right one.
func (c *checker) spelt(f *model.Field, name string) {
	if f != nil && f.JSONName != name {
		c.report(f, "the JSON name %q differs from %[2]s, so that nothing reads it: write `json:\"%[2]s\"`", f.JSONName, name)
	}
}
