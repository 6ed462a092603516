// Package versions compares the versions of a kind: it finds fields that an object loses in another version, for kinds
// whose conversion by the API server only changes the name of the version.
package versions

import (
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/internal/schema"
)

// The methods of controller-runtime's package pkg/conversion, for the stored version and for the others.
const (
	HubMethod         = "Hub"
	ConvertToMethod   = "ConvertTo"
	ConvertFromMethod = "ConvertFrom"
)

// A Loss is a value that one version of a kind has, and another one drops or can't read.
type Loss struct {
	// At is at the value in the version that has it.
	At schema.Cursor
	// From and To are the JSON types of the value in both versions. They are empty if the
	// other version has no such value, and drops it.
	From, To string
}

// Dropped reports whether the value is dropped. Otherwise it stays, and is of a wrong type.
func (l Loss) Dropped() bool { return l.To == "" }

// Losses returns the values that objects of one version lose in another, in the order of paths. It follows the API
// server's pruning, in k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning.
func Losses(from, to schema.Cursor) []Loss {
	switch {
	case from.Schema == nil || to.Schema == nil:
		return nil
	case typeOf(from.Schema) != typeOf(to.Schema) && !takesAny(to.Schema):
		// nothing below a lost value is reported
		return []Loss{{At: from, From: typeOf(from.Schema), To: typeOf(to.Schema)}}
	case schema.KeepsUnknown(to.Schema) && len(to.Schema.Properties) == 0 && to.Schema.AdditionalProperties == nil && to.Schema.Items == nil:
		// the other version keeps any content
		return nil
	case schema.KeepsUnknown(from.Schema) && !schema.KeepsUnknown(to.Schema):
		return []Loss{{At: from}}
	}
	var losses []Loss
	for name, property := range from.Properties() {
		if isMetadata(to, name) {
			continue
		}
		other := to.Property(name)
		if other.Schema == nil {
			other = to.Values()
		}
		losses = append(losses, below(property, other, to.Schema)...)
	}
	if from.Schema.AdditionalProperties != nil {
		losses = append(losses, below(from.Values(), to.Values(), to.Schema)...)
	}
	if from.Schema.Items != nil {
		losses = append(losses, Losses(from.Items(), to.Items())...)
	}
	return losses
}

// below returns the losses of a value in an object.
func below(from, to schema.Cursor, object *apiextensionsv1.JSONSchemaProps) []Loss {
	if to.Schema != nil {
		return Losses(from, to)
	}
	if schema.KeepsUnknown(object) {
		return nil
	}
	return []Loss{{At: from}}
}

// isMetadata reports whether every object has a property there, even if the schema doesn't declare it.
func isMetadata(c schema.Cursor, name string) bool {
	if c.Above != nil && !c.Schema.XEmbeddedResource {
		return false
	}
	return name == "apiVersion" || name == "kind" || name == "metadata"
}

// takesAny reports whether a schema accepts values of any type.
func takesAny(s *apiextensionsv1.JSONSchemaProps) bool {
	return s.Type == "" && !s.XIntOrString && schema.KeepsUnknown(s)
}

// typeOf returns the JSON type of a value.
func typeOf(s *apiextensionsv1.JSONSchemaProps) string {
	switch {
	case s.XIntOrString:
		return "integer or string"
	case s.Type == "":
		return "object"
	default:
		return s.Type
	}
}
