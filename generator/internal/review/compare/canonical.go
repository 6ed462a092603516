package compare

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/internal/schema"
)

// canonical returns a schema in a form that doesn't depend on irrelevant order.
func canonical(s props) string {
	text, _ := json.Marshal(ordered(bare(&s))) // texts and numbers can't fail
	return string(text)
}

// ordered returns a copy of a schema with every unordered list sorted.
func ordered(s *props) *props {
	return schema.Map(s, func(s *props) {
		s.Required = slices.Sorted(slices.Values(s.Required))
		s.Enum = slices.SortedFunc(slices.Values(s.Enum), func(a, b apiextensionsv1.JSON) int { return bytes.Compare(a.Raw, b.Raw) })
		mapBranches(s, ordered)
		for _, list := range [][]props{s.AllOf, s.AnyOf, s.OneOf} {
			slices.SortFunc(list, func(a, b props) int { return strings.Compare(canonical(a), canonical(b)) })
		}
	})
}
