// Package mrd emits the ManagedResourceDefinitions of managed kinds.
package mrd

import (
	"context"
	"path"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/connection"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/parallel"
	"github.com/mrgen-io/mrgen/generator/internal/render/yaml"
	"github.com/mrgen-io/mrgen/generator/internal/stage"
	"github.com/mrgen-io/mrgen/markers"
)

// Stage writes an MRD for each managed kind, from the definition of its CRD. Crossplane's
// one-pager on MRDs describes the documents:
// https://github.com/crossplane/crossplane/blob/main/design/one-pager-mrds.md
var Stage = stage.Stage{
	Name:             "mrd",
	Doc:              "Writes ManagedResourceDefinitions for managed kinds, if a folder for them is set.",
	ReadsDefinitions: true,
	Run:              run,
}

func run(_ context.Context, pass *stage.Pass) error {
	if pass.Options.MRDDir == "" {
		return nil // MRDs are off
	}
	managed := slices.DeleteFunc(slices.Clone(pass.Definitions),
		func(d stage.Definition) bool { return !d.Managed() })
	contents, problems := make([][]byte, len(managed)), make([]diag.List, len(managed))
	parallel.Do(len(managed), func(i int) {
		contents[i], problems[i] = write(managed[i])
	})
	for i, d := range managed {
		pass.Report(problems[i]...)
		if contents[i] == nil {
			continue
		}
		if err := pass.Emit(path.Join(pass.Options.MRDDir, d.FileName()), contents[i]); err != nil {
			return err
		}
	}
	return nil
}

// write returns the MRD of a kind, or nil if it can't be written.
func write(d stage.Definition) ([]byte, diag.List) {
	state, problems := State(d)
	problems = append(problems, lostMetadata(d)...)
	content, err := yaml.Document(d.SourceDirs(), &document{
		TypeMeta: metav1.TypeMeta{APIVersion: "apiextensions.crossplane.io/v1alpha1", Kind: "ManagedResourceDefinition"},
		Metadata: d.Metadata(),
		Spec: spec{
			CustomResourceDefinitionSpec: d.CRD.Spec,
			ConnectionDetails:            d.ConnectionDetails,
			State:                        state,
		},
	})
	if err != nil {
		problems = append(problems, diag.Errorf(d.Objects[0].Pos, "yaml",
			"%s can't be written as YAML: %v: look for such in its comments and markers", d.Objects[0].Name, err))
		return nil, problems
	}
	return content, problems
}

// A document is the content of an MRD file. Importing Crossplane's own type would add its module's dependencies
// for two fields.
type document struct {
	metav1.TypeMeta `json:",inline"`
	Metadata        stage.Metadata `json:"metadata"`
	Spec            spec           `json:"spec"`
}

type spec struct {
	apiextensionsv1.CustomResourceDefinitionSpec `json:",inline"`

	ConnectionDetails []connection.Detail `json:"connectionDetails,omitempty"`
	State             string              `json:"state"`
}

// lostMetadata warns of labels and annotations that the kind's CRD won't have.
func lostMetadata(d stage.Definition) diag.List {
	var problems diag.List
	for _, o := range d.Objects {
		for _, m := range o.Type.Markers {
			// Crossplane makes the CRD, and copies no metadata from the MRD.
			if strings.HasPrefix(m.Text, markers.Metadata+":") {
				problems = append(problems, diag.Warningf(m.Pos, "mrd-metadata",
					"Crossplane copies no labels and annotations from the MRD of %s to its CRD: remove the marker, or label the CRD in the cluster",
					o.Name))
			}
		}
	}
	return problems
}

// State returns the initial state of a kind. All versions that set one must agree: a kind has one MRD.
func State(d stage.Definition) (string, diag.List) {
	var problems diag.List
	var set *model.Marker
	for _, o := range d.Objects {
		for i, m := range o.Type.Markers {
			if !m.Is(markers.State) {
				continue
			}
			if set != nil && set.Value.Text("") != m.Value.Text("") {
				problems = append(problems, diag.Errorf(m.Pos, "mrd-state",
					"%s is %s in another version: its MRD has one state for all", o.Name, set.Value.Text("")))
			}
			set = &o.Type.Markers[i]
		}
	}
	if set == nil {
		return "Inactive", problems // Crossplane's default
	}
	return set.Value.Text(""), problems
}
