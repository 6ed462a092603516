package explain

import (
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/generator/internal/stage"
)

// ofVersions describes the version of a field, and names the served versions without the field, if the kind has
// several.
func ofVersions(d stage.Definition, version int, names []string) []string {
	all := d.CRD.Spec.Versions
	if len(all) < 2 {
		return nil
	}
	facts := []string{state(all[version], d.CRD.Spec.Conversion != nil)}
	if all[version].Deprecated {
		facts = append(facts, "is in a version that is deprecated")
	}
	var lacking []string
	for i, v := range all {
		if i != version && v.Served && !has(d.Root(i), names) {
			lacking = append(lacking, v.Name)
		}
	}
	if len(lacking) > 0 { // a marker says what the field is called there
		facts = append(facts, "has nothing of its name in "+diag.And(lacking))
	}
	return facts
}

// has reports whether objects have a field.
func has(at schema.Cursor, names []string) bool {
	for _, name := range names {
		if at = at.Innermost().Property(name); at.Schema == nil {
			return false
		}
	}
	return true
}

// state describes a version.
func state(v apiextensionsv1.CustomResourceDefinitionVersion, converted bool) string {
	switch {
	case v.Storage:
		return "is in the version that objects are stored in"
	case !v.Served:
		return "is in a version that is not served"
	case converted:
		return "is in a version that the provider's webhook converts"
	default:
		return "is in a version that the API server converts, by its name alone"
	}
}
