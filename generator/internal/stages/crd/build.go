package crd

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gobuffalo/flect"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/controllertools"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/generator/internal/stage"
	"github.com/mrgen-io/mrgen/generator/internal/versions"
	"github.com/mrgen-io/mrgen/generator/run"
	"github.com/mrgen-io/mrgen/markers"
)

const codeMarker diag.Code = "marker"

// builder makes CRDs. It replaces crd.Parser.NeedCRDFor, which visits packages and markers in map order: if two
// versions disagree about a kind's names, its result differs between runs.
type builder struct {
	pass    *stage.Pass
	schemas *controllertools.Schemas
	forms   forms
	// failed is set if the current kind has an error.
	failed bool
}

func (b *builder) report(d diag.Diagnostic) {
	b.failed = b.failed || d.Severity == diag.Error
	b.pass.Report(d)
}

// build returns the definition of a kind with empty schemas, to be filled later. The definition is empty if all
// versions are skipped.
func (b *builder) build(k *kind) (stage.Definition, []versionSchema) {
	b.schemas.Enter(k.group, b.pass.Options.AllowDangerousTypes, b.forms.of)
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
	kinds := map[*model.Object]*controllertools.Kind{}
	var schemas []versionSchema
	for _, o := range k.objects {
		kind := b.schemas.Kind(b.pass.Source.Packages[o.Package.Path], o.Name)
		if kind == nil {
			continue
		}
		kinds[o] = kind
		of, err := kind.Type()
		if err != nil {
			b.report(diag.Errorf(o.Pos, codeMarker,
				"controller-tools can't make the schema of %s: %v: check the markers of its fields", o.Name, err))
		}
		s := versionSchema{props: &schema.Props{}, of: of, object: o}
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
			if kinds[o] != nil && kinds[o].Has(markers.StorageVersion) == stored {
				b.applyMarkers(&definition, o, kinds[o])
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
	b.checkClients(definition.Spec.Scope, k)
	b.checkShared(definition.Spec, k, kinds)

	kept := slices.DeleteFunc(slices.Clone(k.objects), func(o *model.Object) bool {
		return !slices.ContainsFunc(definition.Spec.Versions, func(v apiextensionsv1.CustomResourceDefinitionVersion) bool {
			return v.Name == o.Package.Version
		})
	})
	return stage.Definition{CRD: &definition, Objects: kept}, schemas
}

// applyMarkers applies the markers of a version's type to the CRD.
func (b *builder) applyMarkers(definition *apiextensionsv1.CustomResourceDefinition, o *model.Object, kind *controllertools.Kind) {
	for _, m := range kind.Markers() {
		if err := m.Apply(definition, o.Package.Version); err != nil {
			b.report(diag.Errorf(cmp.Or(nthMarker(o.Type.Markers, m.Name, m.Index), o.Pos), codeMarker, "%v", err))
		}
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
	for _, o := range k.objects {
		if m := model.Named(o.Type.Markers, markers.UnservedVersion); m != nil && served && slices.Contains(stored, o.Package.Version) {
			b.report(diag.Warningf(m.Pos, codeKind, "%s is stored as %s, which isn't served: remove this marker, or move +%s to a served version",
				k.name, o.Package.Version, markers.StorageVersion))
		}
	}
	if !served {
		b.report(diag.Errorf(at, codeKind, "no version of %s is served: remove +kubebuilder:unservedversion from one of them", k.name))
	}
}

// checkClients warns about a marker by which client-gen writes a client for another scope than the kind's.
func (b *builder) checkClients(scope apiextensionsv1.ResourceScope, k *kind) {
	for _, o := range k.objects {
		if m := model.Named(o.Type.Markers, markers.NonNamespaced); m != nil && scope == apiextensionsv1.NamespaceScoped {
			b.report(diag.Warningf(m.Pos, codeMarker, "clients of %s would send no namespace, and it is namespaced: remove the marker, or write +%s:scope=Cluster",
				o.Name, markers.Resource))
		}
	}
}

// checkShared reports versions whose markers give the kind another scope or other names than the stored
// version: all versions share these.
func (b *builder) checkShared(spec apiextensionsv1.CustomResourceDefinitionSpec, k *kind, kinds map[*model.Object]*controllertools.Kind) {
	for _, o := range k.objects {
		if kinds[o] == nil {
			continue
		}
		lines := slices.DeleteFunc(kinds[o].Markers(), func(m controllertools.Marker) bool { return m.Name != markers.Resource })
		b.checkResets(o, lines)
		if len(lines) == 0 || b.pass.Options.Versions == run.IgnoreVersions {
			continue
		}
		at := resourcePosition(o, lines[len(lines)-1])
		own := withResource(spec, o, lines)
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

// checkResets reports arguments of a +kubebuilder:resource that a later one on the same type resets: each sets the
// scope, the short names and the categories, even if it doesn't name them.
func (b *builder) checkResets(o *model.Object, lines []controllertools.Marker) {
	var none apiextensionsv1.CustomResourceDefinitionSpec
	last := withResource(none, o, lines)
	for i, m := range lines {
		own := withResource(none, o, lines[i:i+1])
		for _, part := range sharedParts {
			value := part.of(own)
			isDefault := value == "" || value == string(apiextensionsv1.NamespaceScoped)
			if !isDefault && value != part.of(last) {
				b.report(diag.Errorf(resourcePosition(o, m), codeMarker,
					"%s of %s would be %s, but a later +kubebuilder:resource sets the default or another value: write all arguments in one line",
					part.name, o.Name, value))
			}
		}
	}
}

// withResource applies the +kubebuilder:resource of a type. applyMarkers reports those that can't be applied.
func withResource(
	spec apiextensionsv1.CustomResourceDefinitionSpec, o *model.Object, lines []controllertools.Marker,
) apiextensionsv1.CustomResourceDefinitionSpec {
	definition := apiextensionsv1.CustomResourceDefinition{Spec: spec}
	for _, m := range lines {
		_ = m.Apply(&definition, o.Package.Version)
	}
	return definition.Spec
}

func resourcePosition(o *model.Object, m controllertools.Marker) diag.Position {
	return cmp.Or(nthMarker(o.Type.Markers, m.Name, m.Index), o.Pos)
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
