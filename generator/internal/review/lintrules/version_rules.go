package lintrules

import (
	"context"
	"regexp"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/internal/connection"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/review/compare"
	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/markers"
)

var versionRules = &linter.Rule{
	Name:     "version-rules",
	Doc:      "The served versions of a kind accept the same values and updates of a field, and declare the same connection details.",
	Source:   apiPatterns.section("Immutable Properties", "#immutable-properties"),
	Why:      "An object is written through one version and read through another, which refuses it, or lacks what the first one promises.",
	Severity: linter.Warning,
	Run:      checkVersionRules,
}

func checkVersionRules(p *linter.Pass) {
	linter.EachField(checkVersionField)(p)
	for _, k := range p.Kinds {
		if len(k.Objects) == 1 || !k.APIVersion().Served {
			continue
		}
		checkVersionDetails(p, k)
		for _, other := range p.Kinds {
			// Webhooks convert by way of the stored version.
			if other.Definition == k.Definition && other.APIVersion().Served && other.APIVersion().Storage != k.APIVersion().Storage {
				checkVersionValues(p, k, other)
				checkVersionState(p, k, other)
			}
		}
	}
}

// checkVersionValues reports fields of a version that refuse values that another version accepts.
func checkVersionValues(p *linter.Pass, k, other *linter.Kind) {
	definition := func(of *linter.Kind) compare.Definition {
		crd := of.CRD.DeepCopy()
		version := crd.Spec.Versions[of.Version]
		version.Name, version.Storage = k.APIVersion().Name, true // as if it had become the other one
		crd.Spec.Versions = []apiextensionsv1.CustomResourceDefinitionVersion{version}
		return compare.Definition{CRD: crd}
	}
	old, now := definition(other), definition(k)
	for _, f := range k.Fields {
		twin := twinOf(f, other)
		if twin == nil || f.Part != linter.ForProvider || twin.JSONName == f.JSONName {
			continue
		}
		below, root := twin.Path()[len(forProvider):], old.CRD.Spec.Versions[0].Schema.OpenAPIV3Schema
		for _, part := range []schema.Path{forProvider, schema.Properties("spec", "initProvider"), schema.Properties("status", "atProvider")} {
			rename(root, slices.Concat(part, below), f.JSONName)
		}
	}
	root := func(string) schema.Cursor { return k.Root(k.Version) }
	upgrade := compare.Upgrade{Old: old, New: &now, Declaration: compare.Declaration{Root: root}}
	findings, _ := compare.Compare(context.Background(), []compare.Upgrade{upgrade}, compare.Options{}) // schemas with errors have their own
	for _, found := range findings {
		if !found.IsRefused {
			continue
		}
		i := slices.IndexFunc(k.Fields, func(f *linter.Field) bool { return strings.TrimPrefix(f.Path().String(), ".") == found.Path })
		if i >= 0 && !isStricter(k.Fields[i], twinOf(k.Fields[i], other)) {
			p.Field(k.Fields[i], nil, "%s accepts values of %s that this version refuses (%s): write the same constraints in both",
				other.APIVersion().Name, k.Fields[i].Name, found.What)
		}
	}
}

// forProvider is the path to the desired state of a managed resource.
var forProvider = schema.Properties("spec", "forProvider")

// rename renames the property that a path leads to, if it is there, and in rules the names that they select.
func rename(root *schema.Props, path schema.Path, name string) {
	around, last := path[:len(path)-1], path[len(path)-1].Name
	property := schema.At(root, path)
	if property == nil {
		return
	}
	schema.Edit(root, around, func(s *schema.Props) {
		delete(s.Properties, last)
		s.Properties[name] = *property
		if i := slices.Index(s.Required, last); i >= 0 {
			s.Required[i] = name
		}
	})
	selected := regexp.MustCompile(`(\.\??)` + regexp.QuoteMeta(last) + `\b`)
	*root = *schema.Map(root, func(s *schema.Props) {
		s.XValidations = slices.Clone(s.XValidations)
		for i := range s.XValidations {
			s.XValidations[i].Rule = selected.ReplaceAllString(s.XValidations[i].Rule, "${1}"+name)
		}
	})
}

// checkVersionDetails reports keys of the connection secret that a version with others lacks.
func checkVersionDetails(p *linter.Pass, k *linter.Kind) {
	own, _ := connection.Details([]*model.Object{k.Object}) // whose errors the run reports
	for _, d := range k.ConnectionDetails {
		if len(own) > 0 && !slices.ContainsFunc(own, func(o connection.Detail) bool { return o.Name == d.Name }) {
			p.Kind(k, nil, nil, "this version lacks the key %q of the connection secret, which the one at %s has: declare the same keys in both",
				d.Name, d.Pos)
		}
	}
}

// checkVersionState reports fields of status.atProvider that another version mirrors and a version doesn't.
func checkVersionState(p *linter.Pass, k, other *linter.Kind) {
	desired, observed, whole := k.ForProvider(), k.AtProvider(), other.AtProvider()
	if desired == nil || observed == nil || whole == nil {
		return
	}
	missing := slices.DeleteFunc(desired.JSONNames(), func(name string) bool {
		return observed.Field(name) != nil || whole.Field(name) == nil
	})
	if len(missing) > 0 {
		p.Kind(k, schema.Properties("status", "atProvider"), nil, "status.atProvider lacks %s of spec.forProvider, unlike %s: %s",
			some(missing), other.APIVersion().Name, remedy(desired, observed))
	}
}

// checkVersionField reports a field that other versions require less, or don't let change.
func checkVersionField(p *linter.Pass, f *linter.Field) {
	if f.Part != linter.ForProvider || !f.Kind.APIVersion().Served {
		return
	}
	for _, k := range p.Kinds {
		if k == f.Kind || k.Definition != f.Kind.Definition || !k.APIVersion().Served {
			continue
		}
		twin, version := twinOf(f, k), k.APIVersion().Name
		here, there := mergeOf(f), mergeOf(twin)
		switch {
		case twin == nil:
		case here != "" && there != "" && here != there && !f.Kind.APIVersion().Storage:
			p.Field(f, nil, "server-side apply merges %s %s in this version, and %s in %s: write the same markers in both", f.Name, here, there, version)
			return
		case isStricter(f, twin):
			p.Field(f, nil, "objects of %s may lack %s, which this version requires: require it in both, or in neither", version, twin.Name)
			return
		case twin.IsImmutable() && !f.IsImmutable() && !isCompared(f):
			p.Field(f, nil, "%s is immutable in %s, and an update through this version changes it: mark it +%s here, too",
				twin.Name, version, markers.Immutable)
			return
		}
	}
}

// mergeOf says in words how server-side apply merges the lists, maps and structs of a field, which may be nil.
func mergeOf(f *linter.Field) string {
	if f == nil {
		return ""
	}
	s := f.Cursor().Schema
	switch {
	case s == nil:
		return ""
	case s.XListType != nil && *s.XListType != "atomic":
		return strings.Join(append([]string{"as a", *s.XListType}, s.XListMapKeys...), " ")
	case s.Type == "array", s.XMapType != nil && *s.XMapType == "atomic":
		return "as a whole"
	case s.Type == "object":
		return "by field"
	}
	return ""
}

// isStricter reports whether a field is required, and objects of another version may lack its twin, which may be nil.
func isStricter(f, twin *linter.Field) bool {
	return twin != nil && f.Required && !twin.Required && !twin.HasDefault()
}

// twinOf returns the field of another version that stands for one: of the same path, or renamed. It is nil if there is none.
func twinOf(f *linter.Field, k *linter.Kind) *linter.Field {
	isRenamed := func(from, to *linter.Field) bool {
		marker := to.OwnMarker(markers.RenamedFrom)
		if marker == nil {
			return false
		}
		_, names := markers.ParseJSONPath(marker.Value.Text(""))
		return names[len(names)-1] == from.JSONName
	}
	isTwin := func(other *linter.Field) bool {
		around, path := f.Path(), other.Path()
		if around.String() == path.String() {
			return true
		}
		isBeside := slices.Equal(around[:len(around)-1], path[:len(path)-1])
		return isBeside && (isRenamed(f, other) || isRenamed(other, f))
	}
	if i := slices.IndexFunc(k.Fields, isTwin); i >= 0 {
		return k.Fields[i]
	}
	return nil
}
