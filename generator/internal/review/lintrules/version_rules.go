package lintrules

import (
	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
	"github.com/mrgen-io/mrgen/markers"
)

var versionRules = &linter.Rule{
	Name:     "version-rules",
	Doc:      "A field that is immutable in one served version of a kind is immutable in the others.",
	Source:   apiPatterns.section("Immutable Properties", "#immutable-properties"),
	Why:      "An update through the other version changes the field, and the API server doesn't apply the rule.",
	Severity: linter.Warning,
	Run:      linter.EachField(checkVersionRules),
}

func checkVersionRules(p *linter.Pass, f *linter.Field) {
	if f.Part != linter.ForProvider || f.IsImmutable() || isCompared(f) || !f.Kind.CRD.Spec.Versions[f.Kind.Version].Served {
		return
	}
	for _, k := range p.Kinds {
		if k.Definition != f.Kind.Definition || !k.CRD.Spec.Versions[k.Version].Served {
			continue
		}
		for _, other := range k.Fields {
			if other.IsImmutable() && other.Path().String() == f.Path().String() {
				p.Field(f, nil, "%s is immutable in %s, and an update through this version changes it: mark it +%s here, too",
					f.Name, k.CRD.Spec.Versions[k.Version].Name, markers.Immutable)
				return
			}
		}
	}
}
