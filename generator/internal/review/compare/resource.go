package compare

import (
	"slices"

	"github.com/mrgen-io/mrgen/generator/internal/schema"
)

// resource returns a copy of a kind's schema with the fields that the API server knows for every resource:
// kind, version and metadata. A schema may only restrict names there.
func resource(s *props, isOld bool) *props {
	s = schema.Map(bare(s), func(s *props) {
		if s.XEmbeddedResource {
			identified(s, isOld)
		}
	})
	if s.Type == "object" {
		identified(s, isOld)
		if isOld {
			// The old objects were stored, so they had metadata.
			s.Required = append(slices.Clone(s.Required), "metadata")
		}
	}
	return s
}

// identifying are the fields that identify a resource.
var identifying = []string{"apiVersion", "kind", "metadata"}

// identified adds the fields that identify a resource.
func identified(s *props, isOld bool) {
	if s.Properties == nil {
		s.Properties = map[string]props{}
	}
	metadata := s.Properties["metadata"]
	metadata.Type = "object"
	metadata.Properties = map[string]props{
		"name":         name(metadata.Properties["name"], isOld),
		"generateName": name(metadata.Properties["generateName"], isOld),
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

// maxName is the length of the longest name that a resource may have.
const maxName = 253

// name returns the schema of a name, which the API server limits anyway.
func name(s props, isOld bool) props {
	s.Type = "string"
	if isOld && (s.MaxLength == nil || *s.MaxLength > maxName) {
		s.MaxLength = new(int64(maxName))
	}
	return s
}
