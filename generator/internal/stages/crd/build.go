package crd

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gobuffalo/flect"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-tools/pkg/crd"
	"sigs.k8s.io/controller-tools/pkg/loader"
	ctmarkers "sigs.k8s.io/controller-tools/pkg/markers"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/stage"
	"github.com/mrgen-io/mrgen/generator/internal/stages/crd/flatten"
	"github.com/mrgen-io/mrgen/generator/internal/versions"
	"github.com/mrgen-io/mrgen/generator/run"
	"github.com/mrgen-io/mrgen/markers"
)

const codeMarker diag.Code = "marker"

// builder makes CRDs. It replaces crd.Parser.NeedCRDFor, which visits packages and markers in map order: if two
// versions disagree about a kind's names, its result differs between runs.
type builder struct {
	pass   *stage.Pass
	parser *crd.Parser
	// types caches the schemas of types, as the parser does. After each group, the schemas of its packages are
	// dropped: they take as much memory as all CRDs, and other groups need few of them.
	types    *flatten.Types
	group    string
	packages map[*loader.Package]bool
	forms    forms
	// failed is set if the current kind has an error.
	failed bool
}

func (b *builder) report(d diag.Diagnostic) {
	b.failed = b.failed || d.Severity == diag.Error
	b.pass.Report(d)
}

func newBuilder(pass *stage.Pass) *builder {
	parser := pass.Source.Parser()
	parser.AllowDangerousTypes = pass.Options.AllowDangerousTypes
	return &builder{pass: pass, parser: parser, forms: formsOf(pass.Model)}
}

// enter prepares the builder for the kinds of a group, and drops the previous group's schemas.
func (b *builder) enter(group string) {
	if b.types != nil && b.group == group {
		return
	}
	for ident := range b.parser.Schemata {
		if b.packages[ident.Package] {
			delete(b.parser.Schemata, ident)
		}
	}
	b.group, b.types, b.packages = group, flatten.NewTypes(b.parser, b.forms.of), map[*loader.Package]bool{}
}

// build returns the definition of a kind with empty schemas, to be filled later. The definition is empty if all
// versions are skipped.
func (b *builder) build(k *kind) (stage.Definition, []versionSchema) {
	b.enter(k.group)
	b.failed = false
	plural := strings.ToLower(flect.Pluralize(k.name))
	definition := apiextensionsv1.CustomResourceDefinition{
		TypeMeta: metav1.TypeMeta{APIVersion: apiextensionsv1.SchemeGroupVersion.String(), Kind: "CustomResourceDefinition"},
		Spec: apiextensionsv1.CustomResourceDefinitionSpec{
			Group: k.group,
			Names: apiextensionsv1.CustomResourceDefinitionNames{
				Kind:     k.name,
				ListKind: k.name + "List",
				Plural:   plural,
				Singular: strings.ToLower(k.name),
			},
			Scope: apiextensionsv1.NamespaceScoped,
		},
	}
	infos := map[*model.Object]*ctmarkers.TypeInfo{}
	var schemas []versionSchema
	for _, o := range k.objects {
		ident := crd.TypeIdent{Package: b.pass.Source.Packages[o.Package.Path], Name: o.Name}
		b.packages[ident.Package] = true
		b.parser.NeedPackage(ident.Package)
		info := b.parser.Types[ident]
		if info == nil {
			continue // the package is marked +kubebuilder:skip
		}
		infos[o] = info
		s := versionSchema{props: &apiextensionsv1.JSONSchemaProps{}, of: b.need(ident, o), object: o}
		schemas = append(schemas, s)
		definition.Spec.Versions = append(definition.Spec.Versions, apiextensionsv1.CustomResourceDefinitionVersion{
			Name:   o.Package.Version,
			Served: true,
			Schema: &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: s.props},
		})
	}
	// The stored version decides the parts that all versions share, so it comes last.
	for _, stored := range []bool{false, true} {
		for _, o := range k.objects {
			if infos[o] != nil && (infos[o].Markers.Get(markers.StorageVersion) != nil) == stored {
				b.applyMarkers(&definition, o, infos[o])
			}
		}
	}
	if len(definition.Spec.Versions) == 0 {
		return stage.Definition{}, schemas
	}
	definition.Name = definition.Spec.Names.Plural + "." + k.group
	if len(definition.Spec.Versions) == 1 {
		definition.Spec.Versions[0].Storage = true
	}
	b.checkVersions(&definition, k)
	b.checkShared(definition.Spec, k, infos)

	kept := slices.DeleteFunc(slices.Clone(k.objects), func(o *model.Object) bool {
		return !slices.ContainsFunc(definition.Spec.Versions, func(v apiextensionsv1.CustomResourceDefinitionVersion) bool {
			return v.Name == o.Package.Version
		})
	})
	return stage.Definition{CRD: &definition, Objects: kept}, schemas
}

// need returns a type with its schema.
func (b *builder) need(ident crd.TypeIdent, o *model.Object) (t *flatten.Type) {
	// controller-tools panics on some combinations of types and markers.
	defer func() {
		if value := recover(); value != nil {
			b.report(diag.Errorf(o.Pos, codeMarker,
				"controller-tools can't make the schema of %s: %v: check the markers of its fields", o.Name, value))
			t = &flatten.Type{}
		}
	}()
	return b.types.Type(ident)
}

// applyMarkers applies the markers of a version's type to the CRD, sorted by name.
func (b *builder) applyMarkers(definition *apiextensionsv1.CustomResourceDefinition, o *model.Object, info *ctmarkers.TypeInfo) {
	names := slices.Sorted(maps.Keys(info.Markers))
	const skip = markers.SkipVersion
	// Skipping the version removes it, and the other markers look for it.
	if i := slices.Index(names, skip); i >= 0 {
		names = append(slices.Delete(names, i, i+1), skip)
	}
	for _, name := range names {
		for i, value := range info.Markers[name] {
			if err := apply(value, definition, o.Package.Version); err != nil {
				b.report(diag.Errorf(cmp.Or(nthMarker(o.Type.Markers, name, i), o.Pos), codeMarker, "%v", err))
			}
		}
	}
}

// apply applies a marker to a CRD.
func apply(value any, definition *apiextensionsv1.CustomResourceDefinition, version string) (err error) {
	// controller-tools panics on some values.
	defer func() {
		if recover() != nil {
			err = fmt.Errorf("cannot apply the marker: check its arguments")
		}
	}()
	switch marker := value.(type) {
	case crd.SpecMarker:
		return marker.ApplyToCRD(&definition.Spec, version)
	case crd.Marker:
		return marker.ApplyToCRD(definition, version)
	default:
		return nil
	}
}

// checkVersions reports a CRD without exactly one stored version, or without a served one.
func (b *builder) checkVersions(definition *apiextensionsv1.CustomResourceDefinition, k *kind) {
	at := k.objects[len(k.objects)-1].Pos
	var stored []string
	served := false
	for _, v := range definition.Spec.Versions {
		if v.Storage {
			stored = append(stored, v.Name)
		}
		served = served || v.Served
	}
	switch {
	case len(stored) == 0:
		b.report(diag.Errorf(at, codeKind, "%s has several versions and none is stored: mark one +kubebuilder:storageversion", k.name))
	case len(stored) > 1:
		b.report(diag.Errorf(at, codeKind,
			"%s has more than one stored version (%s): keep +kubebuilder:storageversion on one of them", k.name, strings.Join(stored, ", ")))
	}
	if !served {
		b.report(diag.Errorf(at, codeKind, "no version of %s is served: remove +kubebuilder:unservedversion from one of them", k.name))
	}
}

// checkShared reports versions whose markers give the kind another scope or other names than the stored
// version: all versions share these.
func (b *builder) checkShared(spec apiextensionsv1.CustomResourceDefinitionSpec, k *kind, infos map[*model.Object]*ctmarkers.TypeInfo) {
	if b.pass.Options.Versions == run.IgnoreVersions {
		return
	}
	for _, o := range k.objects {
		if infos[o] == nil {
			continue
		}
		for i, value := range infos[o].Markers[markers.Resource] {
			own := spec
			// An invalid marker has been reported by apply.
			if marker, ok := value.(crd.SpecMarker); !ok || marker.ApplyToCRD(&own, o.Package.Version) != nil {
				continue
			}
			at := cmp.Or(nthMarker(o.Type.Markers, markers.Resource, i), o.Pos)
			for _, part := range sharedParts {
				here, shared := part.of(own), part.of(spec)
				if here == shared {
					continue
				}
				problem := diag.Errorf(at, versions.Code,
					"%s of %s would be %s in %s, and %s %s in another version: all versions share one CRD, so write the same in each",
					part.name, k.name, cmp.Or(here, "none"), o.Package.Version, part.verb, cmp.Or(shared, "none"))
				problem.Severity = severityOf(b.pass.Options.Versions)
				// Short names and categories do no harm: the stored version's are used.
				if part.verb == "are" {
					problem.Severity, problem.Code = diag.Warning, codeMarker
					problem.Like = part.name +
						" of %d types differ from those of another version of their kind, such as here: all versions share one CRD, so write the same in each"
				}
				b.report(problem)
			}
		}
	}
}

// sharedParts are the parts of a CRD that one version's markers decide for all. The order of names has no
// effect.
var sharedParts = []struct {
	name, verb string
	of         func(apiextensionsv1.CustomResourceDefinitionSpec) string
}{
	{"the scope", "is", func(s apiextensionsv1.CustomResourceDefinitionSpec) string { return string(s.Scope) }},
	{"the plural", "is", func(s apiextensionsv1.CustomResourceDefinitionSpec) string { return s.Names.Plural }},
	{"the singular", "is", func(s apiextensionsv1.CustomResourceDefinitionSpec) string { return s.Names.Singular }},
	{"the short names", "are", func(s apiextensionsv1.CustomResourceDefinitionSpec) string {
		return strings.Join(slices.Sorted(slices.Values(s.Names.ShortNames)), ";")
	}},
	{"the categories", "are", func(s apiextensionsv1.CustomResourceDefinitionSpec) string {
		return strings.Join(slices.Sorted(slices.Values(s.Names.Categories)), ";")
	}},
}
