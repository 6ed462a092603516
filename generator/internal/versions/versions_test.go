package versions

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"

	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/testdata/budget"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

type props = apiextensionsv1.JSONSchemaProps

// root returns the cursor at the root of objects with such a spec.
func root(spec props) schema.Cursor {
	object := props{Type: "object"}
	return schema.Root(&model.Object{Type: &model.Type{}}, &props{Type: "object", Properties: map[string]props{"kind": {Type: "string"}, "metadata": object, "spec": spec}})
}

// TestLosses has what the API server prunes, and what is of another type.
func TestLosses(t *testing.T) {
	text, number, yes := props{Type: "string"}, props{Type: "integer"}, true
	object := func(name string, of props) props {
		return props{Type: "object", Properties: map[string]props{name: of}}
	}
	list := func(of props) props {
		return props{Type: "array", Items: &apiextensionsv1.JSONSchemaPropsOrArray{Schema: &of}}
	}
	mapOf := func(of props) props {
		return props{Type: "object", AdditionalProperties: &apiextensionsv1.JSONSchemaPropsOrBool{Allows: true, Schema: &of}}
	}
	free := props{Type: "object", XPreserveUnknownFields: &yes}
	for _, test := range []struct {
		name     string
		from, to props
		want     string
	}{
		{"the same", object("a", text), object("a", text), ""},
		{"a field", object("a", text), object("b", text), ".spec.a dropped"},
		{"what a field holds", object("a", object("b", text)), object("a", object("c", text)), ".spec.a.b dropped"},
		{"no more than the outermost", object("a", object("b", text)), props{Type: "object"}, ".spec.a dropped"},
		{"in items", list(object("a", text)), list(props{Type: "object"}), ".spec[].a dropped"},
		{"in values", mapOf(object("a", text)), mapOf(props{Type: "object"}), ".spec{}.a dropped"},
		{"a map for an object", object("a", text), mapOf(text), ""},
		{"an object for a map", mapOf(text), object("a", text), ".spec{} dropped"},
		{"another type", object("a", text), object("a", number), ".spec.a string integer"},
		{"either type", object("a", number), object("a", props{XIntOrString: true}), ".spec.a integer integer or string"},
		{"anything in place of an object", object("a", text), free, ""},
		{"an object in place of anything", free, object("a", text), ".spec dropped"},
		{"any type", object("a", text), object("a", props{XPreserveUnknownFields: &yes}), ""},
		{"metadata of an embedded resource", object("a", props{Type: "object", Properties: map[string]props{"metadata": {Type: "object"}, "b": text}}),
			object("a", props{Type: "object", XEmbeddedResource: true}), ".spec.a.b dropped"},
	} {
		var got []string
		for _, l := range Losses(root(test.from), root(test.to)) {
			if l.Dropped() {
				got = append(got, l.At.Path.String()+" dropped")
			} else {
				got = append(got, l.At.Path.String()+" "+l.From+" "+l.To)
			}
		}
		expect.True(t, strings.Join(got, ", ") == test.want, "%s: %q, want %q", test.name, got, test.want)
	}
}

// TestLossesArePruned has the API server's code prune objects that hold all that one random
// schema knows with another one: it drops the losses, and nothing else.
func TestLossesArePruned(t *testing.T) {
	rounds := 2000
	if budget.IsLarge() {
		rounds = 100_000
	}
	random := rand.New(rand.NewPCG(3, 1))
	dropped := 0
	for range rounds {
		from := randomObject(random, 3)
		to := *from.DeepCopy()
		for range 1 + random.IntN(3) {
			change(random, &to)
		}
		a, b := root(from), root(to)
		var got, mistyped []string
		for _, l := range Losses(a, b) {
			if l.Dropped() {
				got = append(got, placed(l.At.Path))
			} else {
				mistyped = append(mistyped, placed(l.At.Path))
			}
		}
		want := slices.DeleteFunc(prune(t, b.Schema, full(a.Schema).(map[string]any)), func(at string) bool {
			return slices.ContainsFunc(mistyped, func(above string) bool { return strings.HasPrefix(at, above) })
		})
		slices.Sort(got)
		if !slices.Equal(got, want) {
			a, _ := json.Marshal(from)
			b, _ := json.Marshal(to)
			t.Fatalf("losses %q, but the API server prunes %q\nfrom %s\nto %s", got, want, a, b)
		}
		dropped += len(want)
	}
	expect.True(t, dropped >= rounds/10, "%d fields were dropped in %d rounds: the schemas are too much alike", dropped, rounds)
}

// placed returns a path as the API server writes it for the first item or the only key.
func placed(path schema.Path) string {
	text := ""
	for _, step := range path {
		switch step.Kind {
		case schema.Items:
			text += "[0]"
		case schema.Values:
			text += ".key"
		default:
			text += "." + step.Name
		}
	}
	return strings.TrimPrefix(text, ".")
}

func prune(t *testing.T, s *props, object map[string]any) []string {
	t.Helper()
	var internal apiextensions.JSONSchemaProps
	expect.NoError(t, apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(s, &internal, nil))
	structural := expect.Value(structuralschema.NewStructural(&internal))(t)
	return pruning.PruneWithOptions(object, structural, true, structuralschema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true})
}

// full returns a value with all that a schema knows.
func full(s *props) any {
	switch s.Type {
	case "object":
		object := map[string]any{}
		for name, property := range s.Properties {
			object[name] = full(&property)
		}
		if s.AdditionalProperties != nil {
			object["key"] = full(s.AdditionalProperties.Schema)
		}
		return object
	case "array":
		return []any{full(s.Items.Schema)}
	default:
		return "text"
	}
}

// randomObject returns the schema of an object, lists and maps of them below it.
func randomObject(random *rand.Rand, depth int) props {
	if random.IntN(4) == 0 {
		of := randomValue(random, depth-1)
		return props{Type: "object", AdditionalProperties: &apiextensionsv1.JSONSchemaPropsOrBool{Allows: true, Schema: &of}}
	}
	s := props{Type: "object", Properties: map[string]props{}}
	for range 1 + random.IntN(3) {
		s.Properties[fmt.Sprintf("f%d", random.IntN(5))] = randomValue(random, depth-1)
	}
	return s
}

func randomValue(random *rand.Rand, depth int) props {
	switch n := random.IntN(5); {
	case depth == 0 || n == 0:
		return props{Type: "string"}
	case n == 1:
		of := randomValue(random, depth-1)
		return props{Type: "array", Items: &apiextensionsv1.JSONSchemaPropsOrArray{Schema: &of}}
	default:
		return randomObject(random, depth)
	}
}

// change changes one object somewhere in a schema.
func change(random *rand.Rand, s *props) {
	switch {
	case s.Type == "array":
		change(random, s.Items.Schema)
	case s.AdditionalProperties != nil && random.IntN(3) > 0:
		change(random, s.AdditionalProperties.Schema)
	case s.AdditionalProperties != nil:
		*s = props{Type: "object", Properties: map[string]props{"other": {Type: "string"}}}
		if random.IntN(2) == 0 {
			yes := true
			*s = props{Type: "object", XPreserveUnknownFields: &yes}
		}
	case len(s.Properties) > 0:
		name := fmt.Sprintf("f%d", random.IntN(5))
		property, has := s.Properties[name]
		switch {
		case !has:
			s.Properties[name] = randomValue(random, 1)
		case random.IntN(2) == 0:
			change(random, &property)
			s.Properties[name] = property
		default:
			delete(s.Properties, name)
		}
	}
}
