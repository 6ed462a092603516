package admission_test

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/mrgen-io/admission"
)

// foreignStructs are structs of k8s.io/api that require fields, have defaults, or tell items of lists
// apart by keys, themselves or in what they hold.
var foreignStructs = []any{
	corev1.ContainerPort{}, corev1.Container{}, corev1.EnvVar{}, corev1.EnvFromSource{}, corev1.HTTPGetAction{}, corev1.KeyToPath{}, corev1.Lifecycle{},
	corev1.LocalObjectReference{}, corev1.NodeSelector{}, corev1.ObjectFieldSelector{}, corev1.PersistentVolumeClaimSpec{}, corev1.PodSpec{}, corev1.PodTemplateSpec{},
	corev1.Probe{}, corev1.ResourceRequirements{}, corev1.ServicePort{}, corev1.ServiceSpec{}, corev1.Toleration{}, corev1.TopologySpreadConstraint{}, corev1.VolumeMount{},
}

// embeddingTypes declares the parameters of a kind.
const embeddingTypes = `
// KINDParameters are parameters.
type KINDParameters struct {
	// ID of it.
	// +mrgen:identifier
	// +optional
	ID *string ` + "`json:\"itsID,omitempty\"`" + `
FIELDS}
`

// embeddings are the ways in which parameters embed a struct, by name.
var embeddings = map[string]string{
	"Value":   "\tcorev1.NAME `json:\",inline\"`\n",
	"Pointer": "\t*corev1.NAME `json:\",inline\"`\n",
	"Below":   "\t// Below it.\n\t// +optional\n\tBelow *InnerKIND `json:\"below,omitempty\"`\n",
	"Through": "\tInnerKIND `json:\",inline\"`\n",
	"Item":    "\t// List of it.\n\t// +optional\n\tList []InnerKIND `json:\"list,omitempty\"`\n",
	"Entry":   "\t// Map of it.\n\t// +optional\n\tMap map[string]*InnerKIND `json:\"map,omitempty\"`\n",
	"Field":   "\t// Field of it.\n\t// +optional\n\tField *corev1.NAME `json:\"field,omitempty\"`\n",
}

// TestPartsRequireNothing embeds structs of k8s.io/api in parameters, by value and by pointer, at several
// depths. What mrgen writes for status.atProvider and spec.initProvider accepts objects that lack what
// the structs require, and sets no defaults. The former also accepts whatever Go writes.
func TestPartsRequireNothing(t *testing.T) {
	structs := foreignStructs
	if budget(0, 1) == 0 {
		structs = []any{corev1.ContainerPort{}, corev1.Container{}, corev1.ServiceSpec{}}
	}
	source := typesHeader
	values := map[string]any{}
	for _, value := range structs {
		name := reflect.TypeOf(value).Name()
		for way, fields := range embeddings {
			kind := way + name
			values[kind] = value
			source += withMirror(kindSource(kind, true), kind)
			source += strings.NewReplacer("KIND", kind, "NAME", name).Replace(strings.Replace(embeddingTypes, "FIELDS", fields, 1))
			if strings.Contains(fields, "Inner") {
				pointer := ""
				if way == "Through" || way == "Entry" {
					pointer = "*"
				}
				source += fmt.Sprintf("\n// Inner%s is embedded.\ntype Inner%[1]s struct {\n\t%[2]scorev1.%[3]s `json:\",inline\"`\n}\n", kind, pointer, name)
			}
		}
	}
	result := generate(t, source, dangerous+relaxedAndImmutable)
	if result.refused {
		t.Fatal(result.diagnostics)
	}
	ctx := context.Background()
	for kind, server := range result.install(t) {
		root := result.crds[kind].Spec.Versions[0].Schema.OpenAPIV3Schema
		initial, mirror := root.Properties["spec"].Properties["initProvider"], root.Properties["status"].Properties["atProvider"]
		stored := observedObject(kind, map[string]any{"forProvider": map[string]any{}})
		for _, at := range []any{map[string]any{}, skeleton(mirror), inPlace(kind, values[kind]), inPlace(kind, filledWith(values[kind]))} {
			object := runtime.DeepCopyJSON(stored)
			object["status"] = map[string]any{"atProvider": at}
			if refusals := mirrorRefusals(server, stored, at); len(refusals) > 0 {
				t.Errorf("%s: the mirror refuses %s: %s", kind, document(t, at), strings.Join(refusals, "\n"))
			} else if updated, err := server.UpdateStatus(ctx, object, stored); err == nil && !gocmp.Equal(withoutNulls(updated["status"]), withoutNulls(object["status"])) {
				t.Errorf("%s: the mirror changes %s", kind, gocmp.Diff(object["status"], updated["status"]))
			}
		}
		for _, part := range []any{map[string]any{}, skeleton(initial)} {
			object := observedObject(kind, map[string]any{"managementPolicies": []any{"Observe"}, "forProvider": map[string]any{}, "initProvider": part})
			created, err := server.Create(ctx, object)
			for _, refusal := range admission.Refusals(err) {
				if strings.HasPrefix(refusal, "spec.initProvider") {
					t.Errorf("%s: initProvider refuses %s: %s", kind, document(t, part), refusal)
				}
			}
			if err == nil && !gocmp.Equal(created["spec"].(map[string]any)["initProvider"], part) {
				t.Errorf("%s: initProvider changes %s", kind, gocmp.Diff(part, created["spec"].(map[string]any)["initProvider"]))
			}
		}
	}
}

// withMirror returns the source of a kind whose status has a mirror.
func withMirror(source, kind string) string {
	const status = "\txpv2.ManagedResourceStatus `json:\",inline\"`\n"
	return strings.Replace(source, status, status+"\tAtProvider "+kind+"Observation `json:\"atProvider,omitempty\"`\n", 1)
}

// skeleton returns an object in which all objects are empty, apart from others. Lists whose items have keys
// are left out.
func skeleton(s apiextensionsv1.JSONSchemaProps) map[string]any {
	object := map[string]any{}
	for name, property := range s.Properties {
		switch {
		case property.Type == "object":
			object[name] = skeleton(property)
		case property.Type == "array" && property.Items.Schema.Type == "object" && len(property.XListMapKeys) == 0:
			object[name] = []any{skeleton(*property.Items.Schema)}
		}
	}
	return object
}

// inPlace returns parameters of a kind with a value where they embed it, as Go writes it.
func inPlace(kind string, value any) map[string]any {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	var object map[string]any
	if err := json.Unmarshal(text, &object); err != nil {
		panic(err)
	}
	object, _ = numbersOf(object).(map[string]any)
	for way, around := range map[string]any{
		"Below": map[string]any{"below": object}, "Field": map[string]any{"field": object},
		"Item": map[string]any{"list": []any{object}}, "Entry": map[string]any{"map": map[string]any{"k": object}},
	} {
		if strings.HasPrefix(kind, way) {
			return around.(map[string]any)
		}
	}
	return object
}

// numbersOf returns a value with integers where encoding/json reads numbers without a fraction.
func numbersOf(value any) any {
	switch value := value.(type) {
	case map[string]any:
		for name := range value {
			value[name] = numbersOf(value[name])
		}
	case []any:
		for i := range value {
			value[i] = numbersOf(value[i])
		}
	case float64:
		return int64(value)
	}
	return value
}

// filledWith returns a struct whose fields are set, with values that no enum has.
func filledWith(value any) any {
	v := reflect.New(reflect.TypeOf(value)).Elem()
	fillValue(v, 3)
	return v.Interface()
}

func fillValue(v reflect.Value, depth int) {
	if _, encodesItself := v.Addr().Interface().(json.Marshaler); encodesItself {
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString("none of these")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int32, reflect.Int64:
		v.SetInt(-1)
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				fillValue(v.Field(i), depth)
			}
		}
	case reflect.Pointer, reflect.Slice:
		if depth == 0 {
			return
		}
		elem := reflect.New(v.Type().Elem()).Elem()
		fillValue(elem, depth-1)
		if v.Kind() == reflect.Slice {
			v.Set(reflect.Append(v, elem, elem)) // which no set has
			return
		}
		v.Set(elem.Addr())
	}
}

// withoutNulls returns a value without fields that are null: the API server drops these, and Go reads both alike.
func withoutNulls(value any) any {
	switch value := value.(type) {
	case map[string]any:
		kept := map[string]any{}
		for name, below := range value {
			if below != nil {
				kept[name] = withoutNulls(below)
			}
		}
		return kept
	case []any:
		kept := make([]any, len(value))
		for i, item := range value {
			kept[i] = withoutNulls(item)
		}
		return kept
	}
	return value
}
