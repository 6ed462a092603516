// Package mrdfiles makes ManagedResourceDefinitions from CRDs in YAML, and activation policies for them.
package mrdfiles

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
	"github.com/mrgen-io/mrgen/generator/internal/connection"
	"github.com/mrgen-io/mrgen/generator/internal/crdvalidation"
	"github.com/mrgen-io/mrgen/generator/internal/parallel"
	"github.com/mrgen-io/mrgen/generator/internal/size"
)

const (
	codeConvert          diag.Code = "convert"
	codeAPIServer        diag.Code = "api-server"
	codeConnectionDetail diag.Code = "connection-detail"
)

// A File has YAML documents, and a name for diagnostics.
type File struct {
	Name    string
	Content []byte
}

// The states of MRDs.
const (
	Active   = "Active"
	Inactive = "Inactive"
)

// Options are the options of [ToMRDs].
type Options struct {
	// Files are the files with CRDs.
	Files []File
	// ConnectionDetails maps the names of CRDs to lists of connection details, each with a name
	// and a description. It may be nil.
	ConnectionDetails *File
	// State of the MRDs: Active or Inactive.
	State string
	// MinKubernetes is the oldest Kubernetes version that must accept the CRDs, such as "1.31".
	MinKubernetes string
}

// ToMRDs converts the CRDs of managed resources to MRDs, and returns them with the other CRDs, unchanged, as
// YAML documents. It doesn't access the disk. The result is nil if a diagnostic is an error.
func ToMRDs(ctx context.Context, options Options) ([]byte, diag.List) {
	minKubernetes, diags := apiserver.ParseVersion(options.MinKubernetes)
	if diags.HasErrors() {
		return nil, diags
	}
	declared, diags := readDetails(options.ConnectionDetails)
	var documents []*document
	for _, f := range options.Files {
		found := split(f)
		if len(found) == 0 {
			diags = append(diags, diag.Errorf(diag.Position{File: f.Name}, codeConvert, "this holds no documents: name a file with CRDs"))
		}
		documents = append(documents, found...)
	}
	validator := apiserver.Upstream{MinKubernetes: minKubernetes}
	parallel.Do(len(documents), func(i int) { documents[i].convert(ctx, validator, declared, options.State) })

	var output []byte
	first := map[string]*document{}
	for _, d := range documents {
		if other := first[d.name]; other != nil && d.name != "" {
			d.errorf(1, "%s is also document %d of %s: keep one of them", d.name, other.number, other.file)
		}
		first[d.name] = d
		output = append(output, d.output...)
		diags = append(diags, d.diags...)
	}
	if diags.HasErrors() {
		return nil, diags.Sorted()
	}
	// A name without a CRD is probably misspelt.
	for name, details := range declared {
		if d := first[name]; d == nil || !d.isManaged {
			diags = append(diags, diag.Warningf(details.pos, codeConnectionDetail,
				"no managed resource in the input has a CRD with the name %q: correct the name, or remove it", name))
		}
	}
	return output, diags.Sorted()
}

// A document is a document in a YAML stream.
type document struct {
	file string
	// number counts the documents of the file from 1, and line is the first line of text.
	number, line int
	text         []byte
	// name is the name of the CRD, and isManaged is set for CRDs of managed resources.
	name      string
	isManaged bool
	// output is the converted document, which begins with the line ---.
	output []byte
	diags  diag.List
}

var (
	// boundary matches the lines that begin a document.
	boundary = regexp.MustCompile(`(?m)^---(?:[ \t\r].*)?$`)
	// generated matches the comment of generated files, see https://go.dev/s/generatedcode. The output doesn't
	// have it, since users may edit the output.
	generated = regexp.MustCompile(`(?m)^# Code generated .* DO NOT EDIT\.\r?$`)
)

// split returns the documents of a file, except empty ones.
func split(f File) []*document {
	content := generated.ReplaceAll(bytes.TrimPrefix(f.Content, []byte("\ufeff")), nil)
	var all []*document
	from := 0
	for _, next := range append(boundary.FindAllIndex(content, -1), []int{len(content)}) {
		text := content[from:next[0]]
		var value any
		// An invalid document is reported later, with its position.
		if err := yaml.Unmarshal(text, &value); err != nil || value != nil {
			all = append(all, &document{file: f.Name, number: len(all) + 1, line: 1 + bytes.Count(content[:from], []byte("\n")), text: text})
		}
		from = next[0]
	}
	return all
}

// errorf reports an error in a line of the text.
func (d *document) errorf(line int, format string, args ...any) {
	at := diag.Position{File: d.file, Line: d.line + line - 1}
	d.diags = append(d.diags, diag.Errorf(at, codeConvert, "document %d: %s", d.number, fmt.Sprintf(format, args...)))
}

// yamlLine matches the line number in the first error of a YAML parser.
var yamlLine = regexp.MustCompile(`line ([0-9]+): `)

// yamlError returns the line and the text of the first error of a YAML parser.
func yamlError(err error) (line int, text string) {
	text = err.Error()
	line = 1
	if at := yamlLine.FindStringSubmatchIndex(text); at != nil {
		line, _ = strconv.Atoi(text[at[2]:at[3]])
		text = text[at[1]:]
	}
	text, _, _ = strings.Cut(text, "\n")
	return line, strings.TrimPrefix(strings.TrimPrefix(text, "error converting YAML to JSON: "), "yaml: ")
}

func (d *document) convert(ctx context.Context, validator apiserver.Upstream, declared map[string]declaredDetails, state string) {
	data, err := yaml.YAMLToJSONStrict(d.text)
	if err != nil {
		line, text := yamlError(err)
		d.errorf(line, "this can't be read as YAML: %s: correct it, or see if the file is cut off", text)
		return
	}
	var fields map[string]any
	crd := &apiextensionsv1.CustomResourceDefinition{}
	if err = json.Unmarshal(data, &fields); err == nil {
		err = json.Unmarshal(data, crd)
	}
	switch {
	// First, since other objects may fail to decode as a CRD.
	case fields["kind"] != "CustomResourceDefinition" || fields["apiVersion"] != apiextensionsv1.SchemeGroupVersion.String():
		d.errorf(d.first(),
			"this is not a CustomResourceDefinition of apiextensions.k8s.io/v1: name files that hold these only, each as a document of its own")
		return
	case err != nil:
		d.errorf(d.first(),
			"this is not a CRD that Kubernetes can read: %s: correct it, or see if the file is cut off", strings.TrimPrefix(err.Error(), "json: "))
		return
	}
	d.name = crd.Name
	problems := validator.Validate(ctx, crd)
	if n := size.Of(crd, size.Stored); n > size.Stored {
		problems = append(problems, crdvalidation.ValidationError{Rule: -1, Reason: fmt.Sprintf(
			"is %d bytes of JSON, more than the %d that etcd can safely hold: shorten or drop descriptions", n, size.Stored)})
	}
	for _, p := range problems {
		d.errorf(d.locate(p), "the API server would refuse %s: %s", p.Subject(), p.Reason)
		d.diags[len(d.diags)-1].Code = codeAPIServer
	}
	if d.isManaged = isManaged(crd); d.diags.HasErrors() {
		return
	}
	d.output = d.text
	if d.isManaged {
		at := diag.Position{File: d.file, Line: d.line + d.first() - 1}
		details, problems := connectionDetails(at, crd, declared[crd.Name].list)
		d.diags = append(d.diags, problems...)
		toMRD(fields, details, state)
		d.output, _ = yaml.Marshal(fields) // fields were decoded from JSON
	}
	// A first document may lack the separator that the next one needs.
	if !bytes.HasPrefix(d.output, []byte("---")) {
		d.output = slices.Concat([]byte("---\n"), d.output)
	}
	if !bytes.HasSuffix(d.output, []byte("\n")) {
		d.output = append(slices.Clip(d.output), '\n')
	}
}

// isManaged reports whether a CRD defines a managed resource: a version's spec has the properties that only
// managed resources have. Crossplane's XRM describes them:
// https://github.com/crossplane/crossplane/blob/main/design/one-pager-managed-resource-api-design.md
func isManaged(crd *apiextensionsv1.CustomResourceDefinition) bool {
	return slices.ContainsFunc(crd.Spec.Versions, func(v apiextensionsv1.CustomResourceDefinitionVersion) bool {
		if v.Schema == nil || v.Schema.OpenAPIV3Schema == nil {
			return false
		}
		spec := v.Schema.OpenAPIV3Schema.Properties["spec"].Properties
		_, forProvider := spec["forProvider"]
		_, providerConfigRef := spec["providerConfigRef"]
		return forProvider && providerConfigRef
	})
}

// lastApplied is the annotation in which kubectl apply saves the CRD.
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"

// toMRD turns the fields of a valid CRD into the fields of an MRD. It drops metadata that a cluster sets, and
// the annotations for connection details, which have a field in MRDs.
func toMRD(fields map[string]any, details []connection.Detail, state string) {
	fields["apiVersion"] = "apiextensions.crossplane.io/v1alpha1"
	fields["kind"] = "ManagedResourceDefinition"
	delete(fields, "status")
	metadata := fields["metadata"].(map[string]any)
	annotations, _ := metadata["annotations"].(map[string]any)
	maps.DeleteFunc(annotations, func(name string, _ any) bool {
		return name == lastApplied || strings.HasPrefix(name, connection.AnnotationPrefix)
	})
	maps.DeleteFunc(metadata, func(name string, value any) bool {
		return name != "name" && name != "labels" && (name != "annotations" || len(annotations) == 0)
	})
	spec := fields["spec"].(map[string]any)
	spec["state"] = state
	if len(details) > 0 {
		spec["connectionDetails"] = details
	}
}
