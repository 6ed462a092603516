package apiserver

import (
	"strconv"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/internal/schema"
)

// A location is the meaning of a path in an error of the API server.
type location struct {
	// versions are the names of the versions concerned, or a single "".
	versions []string
	path     schema.Path
	rule     int
	field    string
}

// hoisted are the fields that the API server moves from the versions to the
// spec if they are the same in all versions, see
// Convert_v1_CustomResourceDefinitionSpec_To_apiextensions_CustomResourceDefinitionSpec,
// by the name of the field of a version.
//
// The schema is called validation then, but errors about selectable fields call
// it schema there, too.
var hoisted = map[string]string{
	"validation":               "schema",
	"schema":                   "schema",
	"subresources":             "subresources",
	"additionalPrinterColumns": "additionalPrinterColumns",
	"selectableFields":         "selectableFields",
}

// locate finds the place in crd that an error of the API server names.
func locate(crd *apiextensionsv1.CustomResourceDefinition, serverPath string) location {
	shared := location{versions: []string{""}, rule: -1}

	rest, ok := strings.CutPrefix(serverPath, "spec.")
	if !ok { // errors about metadata, or about the whole definition
		shared.field = serverPath
		return shared
	}

	if i, below, ok := cutIndex(rest, "versions"); ok && i < len(crd.Spec.Versions) {
		v := &crd.Spec.Versions[i]
		return locateInVersion(v, []string{v.Name}, strings.TrimPrefix(below, "."))
	}

	name, below := cutName(rest)
	if name == "version" && len(crd.Spec.Versions) > 0 {
		// The API server's own form of the spec repeats the name of the first version.
		v := &crd.Spec.Versions[0]
		return locateInVersion(v, []string{v.Name}, "name")
	}
	// The field is the same in all versions: the error is reported once for each.
	if inVersion, ok := hoisted[name]; ok && len(crd.Spec.Versions) > 0 {
		var names []string
		for _, v := range crd.Spec.Versions {
			names = append(names, v.Name)
		}
		return locateInVersion(&crd.Spec.Versions[0], names, inVersion+below)
	}
	shared.field = rest
	return shared
}

// locateInVersion finds the place in v that serverPath means, relative to the version. The other versions in names have
// the same content there.
func locateInVersion(v *apiextensionsv1.CustomResourceDefinitionVersion, names []string, serverPath string) location {
	l := location{versions: names, rule: -1}
	name, below := cutName(serverPath)
	switch {
	case name == "schema" && v.Schema != nil && v.Schema.OpenAPIV3Schema != nil:
		l.path, l.rule, l.field = locateInSchema(v.Schema.OpenAPIV3Schema, strings.TrimPrefix(below, ".openAPIV3Schema"))
	case name == "additionalPrinterColumns":
		// The API server's own form of the spec has another case.
		l.field = strings.Replace(serverPath, ".JSONPath", ".jsonPath", 1)
	default:
		l.field = serverPath
	}
	return l
}

// locateInSchema follows serverPath from a schema as far as it leads to schemas that values are checked against on their
// own. The rest of the path is a field of the last one.
func locateInSchema(s *apiextensionsv1.JSONSchemaProps, serverPath string) (path schema.Path, rule int, field string) {
	for {
		step, rest, ok := cutStep(s, serverPath)
		if !ok {
			break
		}
		path, s, serverPath = append(path, step), schema.Child(s, step), rest
	}
	field = strings.TrimPrefix(serverPath, ".")
	if i, below, ok := cutIndex(field, "x-kubernetes-validations"); ok {
		return path, i, strings.TrimPrefix(below, ".")
	}
	return path, -1, field
}

// cutStep returns the first step of serverPath from a schema, and the rest of the path.
func cutStep(s *apiextensionsv1.JSONSchemaProps, serverPath string) (step schema.Step, rest string, ok bool) {
	// Names of properties aren't quoted in the path: only the schema tells where one ends.
	if keyed, ok := strings.CutPrefix(serverPath, ".properties["); ok {
		name, rest, ok := cutKey(s.Properties, keyed)
		return schema.Step{Name: name}, rest, ok
	}

	// A path that ends with items or additionalProperties is about these as fields
	// of the schema above.
	step.Kind = schema.Items
	rest, ok = strings.CutPrefix(serverPath, ".items")
	if !ok {
		step.Kind = schema.Values
		rest, ok = strings.CutPrefix(serverPath, ".additionalProperties")
	}
	return step, rest, ok && strings.HasPrefix(rest, ".") && schema.Child(s, step) != nil
}

// cutKey splits "name]rest" after the name of a property. The longest name that fits is right, except for schemas
// constructed to mislead.
func cutKey(properties map[string]apiextensionsv1.JSONSchemaProps, keyed string) (name, rest string, ok bool) {
	for n := range properties {
		r, fits := strings.CutPrefix(keyed, n+"]")
		isLonger := !ok || len(n) > len(name)
		if fits && isLonger && (r == "" || r[0] == '.') { // names may contain "]"
			name, rest, ok = n, r, true
		}
	}
	return name, rest, ok
}

// cutIndex splits "name[3]rest".
func cutIndex(s, name string) (index int, rest string, ok bool) {
	s, ok = strings.CutPrefix(s, name+"[")
	if !ok {
		return 0, "", false
	}
	digits, rest, ok := strings.Cut(s, "]")
	if !ok {
		return 0, "", false
	}
	n, err := strconv.ParseUint(digits, 10, 31) // fits into an int on every platform
	return int(n), rest, err == nil
}

// cutName splits a path after its first name; the rest begins with a dot or a
// bracket.
func cutName(s string) (name, rest string) {
	i := strings.IndexAny(s, ".[")
	if i < 0 {
		return s, ""
	}
	return s[:i], s[i:]
}
