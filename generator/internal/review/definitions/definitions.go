// Package definitions reads existing CustomResourceDefinitions and ManagedResourceDefinitions from files,
// folders or a revision.
package definitions

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/util/json"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/connection"
	"github.com/mrgen-io/mrgen/generator/internal/parallel"
)

// Code is the code of diagnostics about unreadable definitions.
const Code diag.Code = "definitions"

// A File is a stream of YAML documents.
type File struct {
	// Name of the file, for diagnostics.
	Name    string
	Content []byte
}

// A Definition is a CRD or an MRD.
type Definition struct {
	// CRD is the definition, or the part of an MRD that it shares with a CRD.
	CRD *apiextensionsv1.CustomResourceDefinition
	// Managed is set for an MRD, with the state State.
	Managed bool
	State   string
	// Keys are the keys of the connection secret, sorted.
	Keys []string
	// File is the file with the definition. Folders are those of its Go types, if mrgen wrote the file.
	File    string
	Folders []string
}

// Read returns the definitions in files, in their order, without documents of other kinds.
func Read(files []File) ([]Definition, diag.List) {
	found, problems := make([][]Definition, len(files)), make([]diag.List, len(files))
	parallel.Do(len(files), func(i int) { found[i], problems[i] = read(files[i]) })
	return slices.Concat(found...), slices.Concat(problems...)
}

// document has the fields of CRDs and MRDs.
type document struct {
	apiextensionsv1.CustomResourceDefinition `json:",inline"`
	Spec                                     struct {
		apiextensionsv1.CustomResourceDefinitionSpec `json:",inline"`

		ConnectionDetails []struct {
			Name string `json:"name"`
		} `json:"connectionDetails"`
		State string `json:"state"`
	} `json:"spec"`
}

// The kinds of definitions.
const (
	crdKind = "CustomResourceDefinition"
	mrdKind = "ManagedResourceDefinition"
)

func read(f File) ([]Definition, diag.List) {
	// Cheaper than parsing every YAML file of a repository.
	if !bytes.Contains(f.Content, []byte(crdKind)) && !bytes.Contains(f.Content, []byte(mrdKind)) {
		return nil, nil
	}
	var found []Definition
	var diags diag.List
	folders, _ := artifact.ParseHeader(f.Content)
	reader := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(f.Content)))
	for {
		text, err := reader.Read()
		if err == io.EOF {
			return found, diags
		}
		var d *Definition
		if err == nil {
			d, err = parse(text)
		}
		switch {
		case errors.Is(err, errOutdated): // nobody can correct an earlier release
			diags = append(diags, diag.Warningf(diag.Position{File: f.Name}, Code,
				"this is of apiextensions.k8s.io/v1beta1, which no API server takes any more: ignore it in an old release, or write it anew for v1"))
		case err != nil:
			return nil, diag.List{diag.Errorf(diag.Position{File: f.Name}, Code,
				"this can't be read as definitions: %v: correct it, or see if the file is cut off", err)}
		case d != nil:
			d.File, d.Folders = f.Name, folders
			found = append(found, *d)
		}
	}
}

var errOutdated = errors.New("the definition is of apiextensions.k8s.io/v1beta1")

// parse returns the definition in a document, or nil for other documents. The error names a missing part that
// comparisons depend on.
func parse(text []byte) (*Definition, error) {
	var head struct {
		Kind string `json:"kind"`
	}
	var d document
	text, err := yaml.YAMLToJSON(text)
	if err != nil {
		return nil, err
	}
	if json.Unmarshal(text, &head) != nil || head.Kind != crdKind && head.Kind != mrdKind {
		return nil, nil
	}
	if err := json.Unmarshal(text, &d); err != nil {
		return nil, err
	}
	switch hasNoSchema := func(v apiextensionsv1.CustomResourceDefinitionVersion) bool {
		return v.Schema == nil || v.Schema.OpenAPIV3Schema == nil
	}; {
	case d.APIVersion == "apiextensions.k8s.io/v1beta1" || d.Spec.PreserveUnknownFields:
		return nil, errOutdated
	case d.Spec.Group == "" || d.Spec.Names.Kind == "" || d.Spec.Names.Plural == "":
		return nil, fmt.Errorf("it has no group, or no names")
	case len(d.Spec.Versions) == 0 || slices.ContainsFunc(d.Spec.Versions, hasNoSchema):
		return nil, fmt.Errorf("it has no versions, or one without a schema")
	}
	crd := d.CustomResourceDefinition
	crd.Spec = d.Spec.CustomResourceDefinitionSpec
	// The cluster fills the status: it isn't part of the release.
	crd.Status = apiextensionsv1.CustomResourceDefinitionStatus{}
	crd.Name = crd.Spec.Names.Plural + "." + crd.Spec.Group
	found := &Definition{CRD: &crd, Managed: d.Kind == mrdKind, State: d.Spec.State}
	for _, detail := range d.Spec.ConnectionDetails {
		found.Keys = append(found.Keys, detail.Name)
	}
	// Versions of Crossplane without MRDs describe the keys in annotations.
	for name := range crd.Annotations {
		if key, isKey := strings.CutPrefix(name, connection.AnnotationPrefix); isKey {
			found.Keys = append(found.Keys, key)
		}
	}
	slices.Sort(found.Keys)
	return found, nil
}
