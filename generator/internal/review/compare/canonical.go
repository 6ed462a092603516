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
func canonical(s *props) string {
	s = bare(s)
	eachSchema(s, func(s *props) {
		slices.Sort(s.Required)
		s.Enum = slices.SortedFunc(slices.Values(s.Enum), func(a, b apiextensionsv1.JSON) int { return bytes.Compare(a.Raw, b.Raw) })
		for _, list := range [][]props{s.AllOf, s.AnyOf, s.OneOf} {
			slices.SortFunc(list, func(a, b props) int { return strings.Compare(canonical(&a), canonical(&b)) })
		}
	})
	text, _ := json.Marshal(s) // texts and numbers can't fail
	return string(text)
}

// bare returns a copy of a schema without texts and examples, which no validation reads.
func bare(s *props) *props {
	s = s.DeepCopy()
	eachSchema(s, func(s *props) {
		schema.Keep(s, ^schema.Documentation)
		for i := range s.XValidations {
			s.XValidations[i].Message, s.XValidations[i].MessageExpression, s.XValidations[i].Reason = "", "", nil
		}
	})
	return s
}

// eachSchema changes a schema and all schemas in it, the outer ones first.
func eachSchema(s *props, how func(*props)) {
	how(s)
	schema.Each(s, func(_ schema.Step, below *props) bool {
		eachSchema(below, how)
		return true
	})
}
