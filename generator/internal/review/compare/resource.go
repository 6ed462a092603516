package compare

import (
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/internal/schema"
)

// rootOf returns the schema of a version as the API server applies it. A definition of Kubernetes
// 1.15 and older may keep all unknown fields, and need have no schema.
func rootOf(spec apiextensionsv1.CustomResourceDefinitionSpec, v apiextensionsv1.CustomResourceDefinitionVersion) *props {
	root := &props{Type: "object"}
	if v.Schema != nil && v.Schema.OpenAPIV3Schema != nil {
		root = v.Schema.OpenAPIV3Schema
	}
	if spec.PreserveUnknownFields {
		root = keepAll(root)
	}
	return root
}

// keepAll returns a copy of a schema that keeps unknown fields, as do those in it.
func keepAll(s *props) *props {
	return schema.Map(s, func(s *props) {
		if t := typeName(s); t == "object" || t == anything {
			s.XPreserveUnknownFields = new(true)
		}
	})
}

// What names of resources are, whatever the schema says.
const (
	namePattern   = `^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`
	prefixPattern = `^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*-?$`
	maxName       = 253
)

// resource returns a copy of a schema of a kind with what the API server knows of each resource,
// and the schema need not name: kind, version and metadata. Of those, a schema may restrict how
// resources are named.
func resource(s *props, isOld bool) *props {
	s = schema.Map(bare(s), func(s *props) {
		if s.XEmbeddedResource {
			identified(s, isOld)
		}
	})
	if s.Type == "object" {
		identified(s, isOld)
		if isOld {
			s.Required = append(slices.Clone(s.Required), "metadata")
		}
	}
	return s
}

// identifying are the fields that say what a resource is.
var identifying = []string{"apiVersion", "kind", "metadata"}

// identified adds the fields that say what a resource is.
func identified(s *props, isOld bool) {
	if s.Properties == nil {
		s.Properties = map[string]props{}
	}
	metadata := s.Properties["metadata"]
	metadata.Type = "object"
	metadata.Properties = map[string]props{
		"name":         name(metadata.Properties["name"], namePattern, isOld),
		"generateName": name(metadata.Properties["generateName"], prefixPattern, isOld),
	}
	if isOld {
		metadata.Required = []string{"name"}
	}
	s.Properties["metadata"] = metadata
	for _, field := range []string{"apiVersion", "kind"} {
		s.Properties[field] = props{Type: "string"}
	}
	if isOld {
		s.Required = append(slices.Clone(s.Required), "apiVersion", "kind")
	}
}

// name returns the schema of a name. What all names are restricts what there was, not what is.
func name(s props, expression string, isOld bool) props {
	s.Type = "string"
	if !isOld {
		return s
	}
	if s.Pattern == "" {
		s.Pattern = expression
	}
	if s.MaxLength == nil || *s.MaxLength > maxName {
		s.MaxLength = new(int64(maxName))
	}
	return s
}
