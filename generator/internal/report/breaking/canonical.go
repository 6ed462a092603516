package breaking

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// canonical returns a schema in a form that doesn't depend on the order of what has none.
func canonical(s props) string {
	text, _ := json.Marshal(ordered(bare(&s))) // texts and numbers
	return string(text)
}

// ordered sorts what has no order in a schema, and returns it.
func ordered(s *props) *props {
	s.Required = slices.Sorted(slices.Values(s.Required))
	s.Enum = slices.SortedFunc(slices.Values(s.Enum), func(a, b apiextensionsv1.JSON) int { return bytes.Compare(a.Raw, b.Raw) })
	for _, list := range [][]props{s.AllOf, s.AnyOf, s.OneOf} {
		for i := range list {
			ordered(&list[i])
		}
		slices.SortFunc(list, func(a, b props) int { return strings.Compare(canonical(a), canonical(b)) })
	}
	if s.Not != nil {
		ordered(s.Not)
	}
	eachBelow(s, func(s *props) { ordered(s) })
	return s
}
