package markers

import (
	"slices"
	"strings"
)

// described are the markers that the reference describes in full: mrgen's own and the [conventions], sorted by
// name.
var described = slices.SortedFunc(slices.Values(slices.Concat(definitions, conventions)),
	func(a, b Definition) int { return strings.Compare(a.Name, b.Name) })

// conventions are markers of Crossplane providers that mrgen reads without owning them: one without effect is a
// warning, not an error.
var conventions = []Definition{
	{
		Name: Immutable,
		Doc: "The field can't be changed or removed once it is set, which a rule in the CRD enforces. " +
			"It may be set late, and may change while the resource is observe-only. " +
			"On a struct or on forProvider itself, the marker is about each of its fields; a reference is compared by what it refers to. " +
			"With rules.immutable: off in mrgen.yaml, the marker has no effect. Crossplane itself doesn't read it.",
		Places: []Place{ForProviderStruct, ForProviderField},
		Example: `// Region that the bucket is in.
// +immutable
// +mrgen:identifier
Region string ` + "`json:\"region\"`",
	},
}
