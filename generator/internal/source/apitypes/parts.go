package apitypes

import (
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
	isOurs := o.Role != model.Unmanaged
	c.spelt(o.Spec, "spec", isOurs)
	c.spelt(o.Status, "status", isOurs)
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

// part checks the name of a part of an object, and visits the types below it.
func (c *checker) part(in *model.Field, name string, place markers.Place) {
	f := in.Part(name)
	c.spelt(f, name, true)
	c.field(f, place)
}

// spelt reports a part of an object with another JSON name than the right one. Outside of Crossplane, a field may have a
// name of its own.
func (c *checker) spelt(f *model.Field, name string, isOurs bool) {
	// a missing tag is reported with the fields of its struct
	if f != nil && f.Tagged && f.JSONName != name && (isOurs || strings.EqualFold(f.JSONName, name)) {
		c.report(f, "the JSON name %q differs from %[2]s, so that nothing reads it: write `json:\"%[2]s\"`", f.JSONName, name)
	}
}
