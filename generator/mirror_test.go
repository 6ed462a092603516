package generator_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/runtime"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"sigs.k8s.io/yaml"

	"github.com/mrgen-io/mrgen/testdata/budget"
	"github.com/mrgen-io/mrgen/testdata/testmodule"
	"github.com/mrgen-io/mrgen/testdata/testprovider"
)

// exclusions match the paths that status.atProvider has to do without: references,
// selectors, the private key of a DatabaseInstance's replica, and the connection
// details of a NopResource.
var exclusions = regexp.MustCompile(`(Refs?|Selector)($|[.\[])|^replicaConfiguration\.clientKey$|^connectionDetails($|[.\[])`)

// TestMirrorSchemas checks that status.atProvider has all properties of
// spec.forProvider, the exclusions apart.
func TestMirrorSchemas(t *testing.T) {
	forEachMirror(t, func(t *testing.T, s *server) {
		observed := propertyPaths(s.atProvider)
		for _, path := range propertyPaths(s.forProvider) {
			if has, excluded := slices.Contains(observed, path), exclusions.MatchString(path); has == excluded {
				t.Errorf("status.atProvider has %s: %t", path, has)
			}
		}
	})
}

// TestMirrorAcceptsForProvider has the API server's validation accept random valid
// values of spec.forProvider as what was observed.
func TestMirrorAcceptsForProvider(t *testing.T) {
	forEachMirror(t, func(t *testing.T, s *server) {
		for seed := range int64(budget.Of(20, 100)) {
			random := &sampler{Rand: rand.New(rand.NewSource(seed)), t: t}
			forProvider := random.valid(s)
			object := s.object(forProvider, runtime.DeepCopyJSONValue(forProvider))
			for _, path := range s.prune(object) {
				if path := strings.TrimPrefix(path, "status.atProvider."); !exclusions.MatchString(path) {
					t.Errorf("seed %d: the API server drops status.atProvider.%s", seed, path)
				}
			}
			if errs := s.validate(object); len(errs) > 0 {
				t.Errorf("seed %d: the API server refuses %v: %v", seed, object["status"], errs)
			}
		}
	})
}

// TestMirrorAcceptsAnything has the API server's validation accept observed values
// that break every constraint of spec.forProvider, where they are refused.
func TestMirrorAcceptsAnything(t *testing.T) {
	forEachMirror(t, func(t *testing.T, s *server) {
		refused := 0
		for seed := range int64(budget.Of(20, 100)) {
			random := &sampler{Rand: rand.New(rand.NewSource(seed)), t: t}
			forProvider := random.valid(s)
			observed := random.anything(s.atProvider)
			object := s.object(forProvider, observed)
			if dropped := s.prune(object); slices.ContainsFunc(dropped, func(path string) bool { return strings.HasPrefix(path, "status.") }) {
				t.Errorf("seed %d: the API server drops %v", seed, dropped)
			}
			if errs := s.validate(object); len(errs) > 0 {
				t.Errorf("seed %d: the API server refuses %v: %v", seed, observed, errs)
			}
			object = s.object(runtime.DeepCopyJSONValue(observed), nil)
			s.prune(object)
			if len(s.validate(object)) > 0 {
				refused++
			}
		}
		if refused == 0 {
			t.Error("nothing that was observed breaks a constraint of spec.forProvider: the test proves nothing")
		}
	})
}

// TestExamples has the API server's validation accept the status in the examples of
// the example provider.
func TestExamples(t *testing.T) {
	files, err := filepath.Glob("../testdata/provider-example/examples/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no examples: %v", err)
	}
	for _, file := range files {
		object := testprovider.Document(t, file)
		found := false
		forEachMirror(t, func(t *testing.T, s *server) {
			if object["apiVersion"] != s.apiVersion || object["kind"] != s.kind {
				return
			}
			found = true
			if dropped := s.prune(object); len(dropped) > 0 {
				t.Errorf("%s: the API server drops %v", file, dropped)
			}
			for _, err := range s.validate(object) {
				if strings.HasPrefix(err, "status") {
					t.Errorf("%s: the API server refuses it: %s", file, err)
				}
			}
		})
		if !found {
			t.Errorf("%s: no CRD for %v %v", file, object["apiVersion"], object["kind"])
		}
	}
}

// server does what the API server does with the objects of a version of a kind.
type server struct {
	apiVersion, kind        string
	forProvider, atProvider *apiextensionsv1.JSONSchemaProps
	structural              *structuralschema.Structural
	schema                  validation.SchemaValidator
	rules                   *cel.Validator
}

// forEachMirror runs a test for each version of the kinds in the example provider
// that mirror spec.forProvider: all managed ones.
func forEachMirror(t *testing.T, test func(*testing.T, *server)) {
	t.Helper()
	files, err := filepath.Glob("../testdata/provider-example/package/crds/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no CRDs: %v", err)
	}
	for _, file := range files {
		var crd apiextensionsv1.CustomResourceDefinition
		if err := yaml.UnmarshalStrict(testmodule.Read(t, file), &crd); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if _, managed := crd.Spec.Versions[0].Schema.OpenAPIV3Schema.Properties["spec"].Properties["forProvider"]; !managed {
			continue
		}
		for _, version := range crd.Spec.Versions {
			t.Run(crd.Name+" "+version.Name, func(t *testing.T) {
				test(t, newServer(t, &crd, version))
			})
		}
	}
}

func newServer(t *testing.T, crd *apiextensionsv1.CustomResourceDefinition, version apiextensionsv1.CustomResourceDefinitionVersion) *server {
	t.Helper()
	root := version.Schema.OpenAPIV3Schema
	var internal apiextensions.JSONSchemaProps
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(root, &internal, nil); err != nil {
		t.Fatal(err)
	}
	structural, err := structuralschema.NewStructural(&internal)
	if err != nil {
		t.Fatal(err)
	}
	schema, _, err := validation.NewSchemaValidator(&internal)
	if err != nil {
		t.Fatal(err)
	}
	forProvider := root.Properties["spec"].Properties["forProvider"]
	atProvider := root.Properties["status"].Properties["atProvider"]
	return &server{
		apiVersion:  crd.Spec.Group + "/" + version.Name,
		kind:        crd.Spec.Names.Kind,
		forProvider: &forProvider,
		atProvider:  &atProvider,
		structural:  structural,
		schema:      schema,
		rules:       cel.NewValidator(structural, true, celconfig.PerCallLimit),
	}
}

// object returns an object with that desired and observed state.
func (s *server) object(forProvider, atProvider any) map[string]any {
	object := map[string]any{
		"apiVersion": s.apiVersion,
		"kind":       s.kind,
		"metadata":   map[string]any{"name": "test"},
		"spec":       map[string]any{"forProvider": forProvider},
	}
	if atProvider != nil {
		object["status"] = map[string]any{"atProvider": atProvider}
	}
	return object
}

// prune drops what the schema doesn't have, and returns the paths.
func (s *server) prune(object map[string]any) []string {
	return pruning.PruneWithOptions(object, s.structural, true, structuralschema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true})
}

// validate applies defaults and returns what is wrong with an object.
func (s *server) validate(object map[string]any) []string {
	defaulting.PruneNonNullableNullsWithoutDefaults(object, s.structural)
	defaulting.Default(object, s.structural)
	errs := validation.ValidateCustomResource(nil, object, s.schema)
	errs = append(errs, listtype.ValidateListSetsAndMaps(nil, s.structural, object)...)
	if s.rules != nil {
		broken, _ := s.rules.Validate(context.Background(), nil, s.structural, object, nil, celconfig.RuntimeCELCostBudget)
		errs = append(errs, broken...)
	}
	var texts []string
	for _, err := range errs {
		texts = append(texts, err.Error())
	}
	return texts
}

// propertyPaths returns the paths of the properties of a schema, items and entries
// of lists and maps left out.
func propertyPaths(s *apiextensionsv1.JSONSchemaProps) []string {
	switch {
	case s.Items != nil:
		return propertyPaths(s.Items.Schema)
	case s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil:
		return propertyPaths(s.AdditionalProperties.Schema)
	}
	var paths []string
	for name, property := range s.Properties {
		paths = append(paths, name)
		for _, path := range propertyPaths(&property) {
			paths = append(paths, name+"."+path)
		}
	}
	return paths
}

// sampler makes random values by a schema.
type sampler struct {
	*rand.Rand
	t *testing.T
}

// valid returns a value of spec.forProvider that the API server accepts.
func (r *sampler) valid(s *server) any {
	r.t.Helper()
	var errs []string
	for range 100 {
		value := r.sample(s.forProvider, true)
		object := s.object(runtime.DeepCopyJSONValue(value), nil)
		s.prune(object)
		if errs = s.validate(object); len(errs) == 0 {
			return value
		}
	}
	r.t.Fatalf("found no valid spec.forProvider: %v", errs)
	return nil
}

// anything returns a value that has the types of a schema, and heeds no constraint.
func (r *sampler) anything(s *apiextensionsv1.JSONSchemaProps) any { return r.sample(s, false) }

// texts are values for strings: some valid ones for every pattern of the example
// provider, and others that break every constraint.
var (
	validTexts   = []string{"a", "b", "1.23", "1Gi"}
	invalidTexts = []string{"", "☃", "not in any enum", strings.Repeat("too long ", 100)}
)

func (r *sampler) sample(s *apiextensionsv1.JSONSchemaProps, valid bool) any {
	switch {
	case s.XIntOrString && s.Pattern != "":
		// The pattern is that of resource.Quantity, which can't hold anything else.
		return []any{"1Gi", int64(1)}[r.Intn(2)]
	case s.XIntOrString:
		return []any{"50%", int64(1)}[r.Intn(2)]
	case s.XPreserveUnknownFields != nil && *s.XPreserveUnknownFields:
		return map[string]any{"unknown": int64(1)}
	case valid && len(s.Enum) > 0:
		var value any
		if err := json.Unmarshal(s.Enum[r.Intn(len(s.Enum))].Raw, &value); err != nil {
			r.t.Fatal(err)
		}
		return value
	}
	switch s.Type {
	case "boolean":
		return r.Intn(2) == 0
	case "integer":
		return r.integer(s, valid)
	case "string":
		return r.text(s, valid)
	case "array":
		return r.list(s, valid)
	case "object":
		return r.object(s, valid)
	default:
		r.t.Fatalf("no value for the type %q", s.Type)
		return nil
	}
}

func (r *sampler) integer(s *apiextensionsv1.JSONSchemaProps, valid bool) any {
	if !valid {
		if s.Format == "int32" {
			return []any{int64(math.MinInt32), int64(-7), int64(math.MaxInt32)}[r.Intn(3)]
		}
		return []any{int64(math.MinInt64), int64(-7), int64(math.MaxInt64)}[r.Intn(3)]
	}
	value := int64(r.Intn(50))
	if s.Minimum != nil {
		value += int64(*s.Minimum)
	}
	return value
}

func (r *sampler) text(s *apiextensionsv1.JSONSchemaProps, valid bool) any {
	switch {
	case s.Format == "date-time":
		return "2023-02-22T07:16:51Z"
	case !valid:
		return invalidTexts[r.Intn(len(invalidTexts))]
	}
	pattern := regexp.MustCompile(s.Pattern)
	fitting := slices.DeleteFunc(slices.Clone(validTexts), func(text string) bool { return !pattern.MatchString(text) })
	if len(fitting) == 0 {
		r.t.Fatalf("no text for the pattern %s", s.Pattern)
	}
	return fitting[r.Intn(len(fitting))]
}

// list returns a list, without items that are equal or have equal keys if these are
// refused.
func (r *sampler) list(s *apiextensionsv1.JSONSchemaProps, valid bool) any {
	list := []any{}
	for range r.Intn(4) {
		item := r.sample(s.Items.Schema, valid)
		isSame := func(other any) bool {
			if len(s.XListMapKeys) == 0 {
				return reflect.DeepEqual(item, other)
			}
			return !slices.ContainsFunc(s.XListMapKeys, func(key string) bool {
				return !reflect.DeepEqual(item.(map[string]any)[key], other.(map[string]any)[key])
			})
		}
		isUnique := s.XListType != nil && *s.XListType != "atomic"
		isFull := s.MaxItems != nil && int64(len(list)) >= *s.MaxItems
		if !valid || !isFull && (!isUnique || !slices.ContainsFunc(list, isSame)) {
			list = append(list, item)
		}
	}
	return list
}

func (r *sampler) object(s *apiextensionsv1.JSONSchemaProps, valid bool) any {
	object := map[string]any{}
	if s.AdditionalProperties != nil {
		for i := range r.Intn(3) {
			object[fmt.Sprintf("key-%d", i)] = r.sample(s.AdditionalProperties.Schema, valid)
		}
	}
	names := make([]string, 0, len(s.Properties))
	for name := range s.Properties {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if r.Intn(3) > 0 || valid && slices.Contains(s.Required, name) {
			property := s.Properties[name]
			object[name] = r.sample(&property, valid)
		}
	}
	return object
}
