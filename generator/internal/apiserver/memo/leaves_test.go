package memo

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
	"github.com/mrgen-io/mrgen/generator/internal/verdict"
)

// naming is a Validator that notes the names of the properties of spec that it is asked about.
type naming struct {
	apiserver.Upstream
	names []string
}

func (n *naming) Validate(ctx context.Context, crd *definition) []verdict.Problem {
	n.names = nil
	var visit func(s *props)
	visit = func(s *props) {
		if s == nil {
			return
		}
		for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
			property := s.Properties[name]
			n.names = append(n.names, name)
			visit(&property)
		}
		if s.Items != nil {
			visit(s.Items.Schema)
		}
		if s.AdditionalProperties != nil {
			visit(s.AdditionalProperties.Schema)
		}
	}
	spec := crd.Spec.Versions[0].Schema.OpenAPIV3Schema.Properties["spec"]
	visit(&spec)
	return n.Upstream.Validate(ctx, crd)
}

// TestLeavesThatStay makes sure that upstream is asked about a known leaf called a where something else
// may depend on it, and about no other.
func TestLeavesThatStay(t *testing.T) {
	const leaf = "a: {type: string}"
	for name, test := range map[string]struct{ spec, want string }{
		"nothing":           {"{type: object, properties: {" + leaf + ", b: {type: object, properties: {" + leaf + "}}}}", "b"},
		"a list":            {"{type: object, properties: {b: {type: array, items: {type: object, properties: {" + leaf + "}}}}}", "b"},
		"a map":             {"{type: object, properties: {b: {type: object, additionalProperties: {type: object, properties: {" + leaf + "}}}}}", "b"},
		"more than a leaf":  {"{type: object, properties: {a: {type: string, minLength: 1}}}", "a"},
		"another format":    {"{type: object, properties: {a: {type: string, format: date}}}", "a"},
		"a rule":            {"{type: object, x-kubernetes-validations: [{rule: self.b.a == 'a'}], properties: {b: {type: object, properties: {" + leaf + "}}}}", "b a"},
		"a default":         {"{type: object, default: {}, properties: {b: {type: object, properties: {" + leaf + "}}}}", "b a"},
		"a combination":     {"{type: object, anyOf: [{properties: {a: {minLength: 1}}}], properties: {" + leaf + "}}", "a"},
		"a key":             {"{type: object, properties: {b: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [a], items: {type: object, required: [a], properties: {" + leaf + "}}}}}", "b a"},
		"rules in elements": {"{type: object, properties: {b: {type: array, maxItems: 9, items: {type: object, properties: {" + leaf + ", c: {type: object, maxProperties: 1, x-kubernetes-validations: [{rule: has(self.x)}], properties: {x: {type: integer}}}}}}}}", "b a c x"},
		"an integer":        {"{type: object, properties: {a: {x-kubernetes-int-or-string: true}}}", "a"},
	} {
		t.Run(name, func(t *testing.T) {
			upstream := &naming{}
			v := New(upstream)
			accept(t, v, withSpec(t, "{type: object, properties: {"+leaf+"}}"))
			accept(t, v, withSpec(t, test.spec))
			if got := strings.Join(upstream.names, " "); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
	t.Run("a selectable field", func(t *testing.T) {
		upstream := &naming{}
		v := New(upstream)
		crd := withSpec(t, "{type: object, properties: {"+leaf+"}}")
		accept(t, v, crd)
		crd.Spec.Versions[0].SelectableFields = []apiextensionsv1.SelectableField{{JSONPath: ".spec.a"}}
		accept(t, v, crd)
		if len(upstream.names) != 1 {
			t.Errorf("got %v", upstream.names)
		}
	})
	t.Run("a refused leaf", func(t *testing.T) {
		v := New(&naming{})
		for range 2 {
			if v.Validate(context.Background(), withSpec(t, "{type: object, properties: {a: {type: strange}}}")) == nil {
				t.Error("accepted")
			}
		}
	})
}
