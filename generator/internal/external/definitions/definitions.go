// Package definitions reads CustomResourceDefinitions and ManagedResourceDefinitions that
// exist: in files, in folders, in a revision.
package definitions

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/util/json"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/connection"
	"github.com/mrgen-io/mrgen/generator/internal/parallel"
)

// Code is the code of diagnostics about what can't be read.
const Code diag.Code = "definitions"

// A File is a stream of YAML documents.
type File struct {
	// Name of the file, for diagnostics.
	Name    string
	Content []byte
}

// A Definition is a CRD or an MRD.
type Definition struct {
	// CRD is the definition, and of an MRD what it has in common with a CRD.
	CRD *apiextensionsv1.CustomResourceDefinition
	// Managed tells that it is an MRD, and State is that of the MRD.
	Managed bool
	State   string
	// Keys are those of the connection secret, sorted.
	Keys []string
	// File is what it was read from.
	File string
}

// Read returns the definitions in files, sorted by name, CRDs before MRDs. Documents of
// other kinds are passed over.
func Read(files []File) ([]Definition, diag.List) {
	found, problems := make([][]Definition, len(files)), make([]diag.List, len(files))
	parallel.Do(len(files), func(i int) { found[i], problems[i] = read(files[i]) })
	definitions := slices.Concat(found...)
	slices.SortStableFunc(definitions, func(a, b Definition) int {
		if c := strings.Compare(a.CRD.Name, b.CRD.Name); c != 0 || a.Managed == b.Managed {
			return c
		}
		if a.Managed {
			return 1
		}
		return -1
	})
	return definitions, slices.Concat(problems...)
}

// document is what a CRD and an MRD consist of.
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
	if !bytes.Contains(f.Content, []byte(crdKind)) && !bytes.Contains(f.Content, []byte(mrdKind)) {
		return nil, nil
	}
	var found []Definition
	reader := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(f.Content)))
	for {
		text, err := reader.Read()
		if err == io.EOF {
			return found, nil
		}
		var d document
		if err == nil {
			text, err = yaml.YAMLToJSON(text)
		}
		if err == nil && !isDefinition(text) {
			continue
		}
		if err == nil {
			err = json.Unmarshal(text, &d)
		}
		if err == nil {
			err = complete(&d)
		}
		if err != nil {
			return nil, diag.List{diag.Errorf(diag.Position{File: f.Name}, Code, "this can't be read as definitions: %v: correct it, or see if the file is cut off", err)}
		}
		found = append(found, definition(&d, f.Name))
	}
}

// isDefinition reports whether a document, as JSON, is a CRD or an MRD.
func isDefinition(text []byte) bool {
	var head struct {
		Kind string `json:"kind"`
	}
	return json.Unmarshal(text, &head) == nil && (head.Kind == crdKind || head.Kind == mrdKind)
}

// complete returns an error if a definition lacks what everything else depends on.
func complete(d *document) error {
	switch {
	case d.APIVersion == "apiextensions.k8s.io/v1beta1":
		return fmt.Errorf("it is of %s, which no API server takes any more", d.APIVersion)
	case d.Spec.Group == "" || d.Spec.Names.Kind == "" || d.Spec.Names.Plural == "":
		return fmt.Errorf("it has no group, or no names")
	case d.Spec.PreserveUnknownFields:
		return fmt.Errorf("it sets preserveUnknownFields, which no API server takes any more")
	case len(d.Spec.Versions) == 0:
		return fmt.Errorf("it has no versions")
	}
	for _, v := range d.Spec.Versions {
		if v.Schema == nil || v.Schema.OpenAPIV3Schema == nil {
			return fmt.Errorf("its version %s has no schema", v.Name)
		}
	}
	return nil
}

func definition(d *document, file string) Definition {
	crd := d.CustomResourceDefinition
	crd.Spec = d.Spec.CustomResourceDefinitionSpec
	crd.Status = apiextensionsv1.CustomResourceDefinitionStatus{}
	crd.Name = crd.Spec.Names.Plural + "." + crd.Spec.Group
	found := Definition{CRD: &crd, Managed: d.Kind == mrdKind, State: d.Spec.State, File: file}
	for _, detail := range d.Spec.ConnectionDetails {
		found.Keys = append(found.Keys, detail.Name)
	}
	for name := range crd.Annotations {
		if key, isKey := strings.CutPrefix(name, connection.AnnotationPrefix); isKey {
			found.Keys = append(found.Keys, key)
		}
	}
	slices.Sort(found.Keys)
	return found
}
