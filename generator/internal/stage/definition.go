package stage

import (
	"cmp"
	"context"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/internal/connection"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/provenance"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
)

// A Definition is the validated CRD of a kind, before it becomes a file.
type Definition struct {
	// CRD is the definition to apply, without status.
	CRD *apiextensionsv1.CustomResourceDefinition
	// Objects are the Go types of the versions, in the order of the versions in CRD.
	Objects []*model.Object
	// Converted is set if the served versions of the kind differ, and the options ask for
	// functions that convert it. Its objects then need a webhook.
	Converted bool
	// ConnectionDetails are the keys of the connection secret of a managed kind,
	// sorted by name.
	ConnectionDetails []connection.Detail
	// Decisions are the decisions about the fields of a managed kind, one list per version, in the order of the versions
	// in CRD. They refer to the schemas.
	Decisions [][]provenance.Decision
}

// Incomplete are the definitions of a run in which some have errors.
type Incomplete struct {
	// Made are the definitions that don't depend on a schema with errors.
	Made Definitions
	// Missing are the Go types of the other kinds.
	Missing []*model.Object
	// Unread are the folders of packages whose source has errors. They may have kinds that nobody knows of.
	Unread []string
}

// Definitions are sorted by group and kind.
type Definitions []Definition

// Report is a stage that keeps the definitions of all kinds for reports, see [Output.Definitions]. They take a lot of
// memory.
var Report = Stage{
	Name:             "report",
	Doc:              "Keeps the definitions of all kinds.",
	ReadsDefinitions: true,
	Run: func(_ context.Context, pass *Pass) error {
		pass.reported = pass.Definitions
		return nil
	},
}

// Definitions returns the definitions that [Report] has kept, sorted by group and kind.
func (o *Output) Definitions() Definitions {
	all := slices.Clone(o.reported)
	all.Sort()
	return all
}

// Sort sorts definitions by group and kind.
func (d Definitions) Sort() {
	slices.SortFunc(d, func(a, b Definition) int {
		a0, b0 := a.CRD.Spec, b.CRD.Spec
		return cmp.Or(cmp.Compare(a0.Group, b0.Group), cmp.Compare(a0.Names.Kind, b0.Names.Kind))
	})
}

// Stored returns the index of the stored version, or -1 without one.
func (d Definition) Stored() int {
	return slices.IndexFunc(d.CRD.Spec.Versions, func(v apiextensionsv1.CustomResourceDefinitionVersion) bool { return v.Storage })
}

// Root returns the cursor at the root of the objects of a version.
func (d Definition) Root(version int) schema.Cursor {
	return schema.Root(d.Objects[version], d.CRD.Spec.Versions[version].Schema.OpenAPIV3Schema)
}

// DecisionsOf returns the decisions about the fields of a version, if some were made.
func (d Definition) DecisionsOf(version int) []provenance.Decision {
	if version < len(d.Decisions) {
		return d.Decisions[version]
	}
	return nil
}

// Managed reports whether the kind is a managed resource.
func (d Definition) Managed() bool { return d.Objects[0].Role == model.Managed }

// FileName returns the name of the kind's files: <group>_<plural>.yaml.
func (d Definition) FileName() string {
	return d.CRD.Spec.Group + "_" + d.CRD.Spec.Names.Plural + ".yaml"
}

// SourceDirs returns the folders of the packages that declare the kind, relative
// to the module root.
func (d Definition) SourceDirs() []string {
	var dirs []string
	for _, o := range d.Objects {
		dirs = append(dirs, o.Package.Dir)
	}
	return dirs
}

// Metadata returns the object metadata to write.
func (d Definition) Metadata() Metadata {
	return Metadata{Annotations: d.CRD.Annotations, Labels: d.CRD.Labels, Name: d.CRD.Name}
}

// Metadata is the object metadata in files. metav1.ObjectMeta would add an empty creation
// time.
type Metadata struct {
	Annotations map[string]string `json:"annotations,omitempty"`
	Labels      map[string]string `json:"labels,omitempty"`
	Name        string            `json:"name"`
}
