package roundtrip

import (
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
)

// metadata warns about the metadata of objects in spec, such as a template of a volume claim, once a field.
func (c *checker) metadata(at schema.Cursor, reported map[diag.Position]bool) {
	if at.Type == nil || at.Type.Deref().Derived {
		return // the warning is at the field of spec.forProvider
	}
	t := at.Type.Deref()
	pos, isDropped := at.Pos, isObjectMeta(t) && drops(at.Schema) && !at.Above.Schema.XEmbeddedResource
	for _, f := range t.Inlined() {
		if f.Inline && isObjectMeta(f.Type.Deref()) && at.Property("labels").Schema == nil && drops(at.Schema) {
			isDropped = true
			if !f.Pos.IsOutside() {
				pos = f.Pos
			}
		}
	}
	if isDropped && !reported[pos] {
		reported[pos] = true
		c.diags = append(c.diags, diag.Warningf(pos, codeRoundTrip,
			"the API server drops the labels and annotations in %s: set crds.embeddedObjectMeta: true in mrgen.yaml",
			strings.TrimPrefix(at.Path.String(), ".")))
	}
	for below := range at.Below() {
		c.metadata(below, reported)
	}
}

func isObjectMeta(t *model.Type) bool {
	return t.Name == "ObjectMeta" && t.Package == "k8s.io/apimachinery/pkg/apis/meta/v1"
}

// drops reports whether an object keeps only the fields that its schema declares.
func drops(s *apiextensionsv1.JSONSchemaProps) bool {
	isMap := s.AdditionalProperties != nil
	return s.Type == "object" && s.Properties["labels"].Type == "" && !isMap && !schema.KeepsUnknown(s)
}
