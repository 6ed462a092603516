package explain

import (
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/internal/diag"
	"github.com/mrgen-io/mrgen/generator/internal/pipeline"
)

// ofVersions says what becomes of a field in the other versions of its kind, and what its own
// version is, if the kind has others.
func ofVersions(d pipeline.Definition, version int, names []string) []string {
	versions := d.CRD.Spec.Versions
	if len(versions) < 2 {
		return nil
	}
	facts := []string{state(versions[version], d.CRD.Spec.Conversion != nil)}
	var lacking []string
	for i, v := range versions {
		if i == version || !v.Served {
			continue
		}
		at := d.Root(i)
		for _, name := range names {
			if at = at.Innermost().Property(name); at.Schema == nil {
				lacking = append(lacking, v.Name)
				break
			}
		}
	}
	if len(lacking) > 0 {
		facts = append(facts, "has nothing of its name in "+diag.And(lacking))
	}
	return facts
}

// state says what a version is.
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
