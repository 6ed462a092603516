// Package convert turns CustomResourceDefinitions that exist as YAML into
// ManagedResourceDefinitions.
package convert

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/version"
	kubernetesyaml "sigs.k8s.io/yaml"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
	"github.com/mrgen-io/mrgen/generator/internal/connection"
	"github.com/mrgen-io/mrgen/generator/internal/parallel"
)

const (
	codeConvert          diag.Code = "convert"
	codeAPIServer        diag.Code = "api-server"
	codeConnectionDetail diag.Code = "connection-detail"
)

// A File is a stream of YAML documents, with a name for diagnostics.
type File struct {
	Name    string
	Content []byte
}

// Options are the options of [Convert].
type Options struct {
	// Files have CRDs.
	Files []File
	// ConnectionDetails maps the names of CRDs to lists of connection details, each with a name
	// and a description. It may be nil.
	ConnectionDetails *File
	// State of the MRDs: Active or Inactive.
	State string
	// MinKubernetes is the oldest Kubernetes version that must accept the CRDs.
	MinKubernetes *version.Version
}

// Convert returns the CRDs of managed resources as MRDs, and other CRDs unchanged, in the order of the
// input. The result is nil if a diagnostic is an error.
func Convert(ctx context.Context, options Options) ([]byte, diag.List) {
	var declared declarations
	var diags diag.List
	if options.ConnectionDetails != nil {
		declared, diags = readDeclarations(*options.ConnectionDetails)
	}
	var documents []document
	for _, f := range options.Files {
		found := split(f)
		if len(found) == 0 {
			diags = append(diags, diag.Errorf(diag.Position{File: f.Name}, codeConvert, "this holds no documents: name a file with CRDs"))
		}
		documents = append(documents, found...)
	}

	results := make([]result, len(documents))
	parallel.Do(len(documents), func(i int) { results[i] = convert(ctx, documents[i], declared, options) })

	for _, r := range results {
		diags = append(diags, r.diags...)
	}
	diags = append(diags, repeated(documents, results)...)
	if diags.HasErrors() {
		return nil, diags
	}
	diags = append(diags, unused(declared, results)...)
	var output bytes.Buffer
	for i, r := range results {
		output.Write(documents[i].before)
		output.Write(r.content)
		output.Write(documents[i].after)
	}
	return output.Bytes(), diags
}

type result struct {
	// name of the CRD.
	name string
	// managed is set for CRDs of managed resources.
	managed bool
	// content is the converted document, which begins with the line ---.
	content []byte
	diags   diag.List
}

func convert(ctx context.Context, d document, declared declarations, options Options) result {
	root, diags := d.parse()
	if diags.HasErrors() {
		return result{diags: diags}
	}
	data, notJSON := kubernetesyaml.YAMLToJSON(d.text)
	if notJSON != nil && sharesTooMuch.MatchString(notJSON.Error()) {
		return result{diags: diag.List{d.yamlError(notJSON)}}
	}
	r := reader{document: d, booleans: map[string]bool{}}
	fields, isMapping := r.value(root).(map[string]any)
	if r.diags.HasErrors() {
		return result{diags: r.diags}
	}
	if problem := refuse(fields, isMapping); problem != "" {
		return result{diags: diag.List{d.errorf(root, "%s", problem)}}
	}
	if notJSON != nil {
		return result{diags: diag.List{d.yamlError(notJSON)}}
	}
	crd := &apiextensionsv1.CustomResourceDefinition{}
	err := json.Unmarshal(data, crd) // as Kubernetes does it: names are case sensitive
	if err != nil {
		return result{diags: diag.List{d.errorf(root, "this is not a CRD that Kubernetes can read: %s: correct it, or see if the file is cut off",
			strings.TrimPrefix(err.Error(), "json: "))}}
	}
	converted := result{name: crd.Name}
	validator := apiserver.Upstream{MinKubernetes: options.MinKubernetes}
	for _, p := range validator.Validate(ctx, crd) {
		problem := d.errorf(locate(root, p), "the API server would refuse %s: %s", p.Subject(), p.Reason)
		problem.Code = codeAPIServer
		converted.diags = append(converted.diags, problem)
	}
	if converted.diags.HasErrors() {
		return converted
	}
	if converted.managed = isManaged(crd); !converted.managed {
		converted.content = unchanged(d.text)
		return converted
	}
	var details []connection.Detail
	details, converted.diags = connectionDetails(d.position(root), crd, declared.details[crd.Name])
	if converted.diags.HasErrors() {
		return converted
	}
	toMRD(fields, details, options.State)
	converted.content, err = write(fields)
	if err != nil {
		converted.diags = append(converted.diags, d.errorf(root, "%s can't be written as YAML: %v: look for characters that are not text", crd.Name, err))
	}
	return converted
}

// refuse returns why a document can't be converted, or "".
func refuse(fields map[string]any, isMapping bool) string {
	const want = "name files that hold CustomResourceDefinitions of apiextensions.k8s.io/v1 only"
	apiVersion, kind := text(fields["apiVersion"]), text(fields["kind"])
	switch {
	case !isMapping || kind == "" || apiVersion == "":
		return "this is not a Kubernetes object, which has an apiVersion and a kind: " + want
	case strings.HasSuffix(kind, "List"):
		return "this is a " + kind + ": write each of its items as a document of its own"
	case kind == "CustomResourceDefinition" && apiVersion == "apiextensions.k8s.io/v1beta1":
		return "this is a CustomResourceDefinition of v1beta1, which Kubernetes 1.22 removed: write it as apiextensions.k8s.io/v1"
	case kind != "CustomResourceDefinition" || apiVersion != "apiextensions.k8s.io/v1":
		return "this is a " + kind + " of " + apiVersion + ": " + want
	}
	return ""
}

// text returns the text of a quoted or unquoted string.
func text(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case *yaml.Node:
		return v.Value
	default:
		return ""
	}
}

// isManaged reports whether a CRD is that of a managed resource: in any version, its spec has the
// properties that only managed resources have. Crossplane's XRM describes them:
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

// clusterMetadata are the fields of metadata that a cluster sets. CRDs from kubectl get have them.
var clusterMetadata = []string{
	"creationTimestamp", "deletionGracePeriodSeconds", "deletionTimestamp", "finalizers", "generation", "managedFields",
	"ownerReferences", "resourceVersion", "selfLink", "uid",
}

// lastApplied is the annotation in which kubectl saves the applied CRD.
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"

// toMRD turns the fields of a valid CRD into those of an MRD. It drops the annotations for connection
// details, since MRDs have a field for them.
func toMRD(fields map[string]any, details []connection.Detail, state string) {
	fields["apiVersion"] = "apiextensions.crossplane.io/v1alpha1"
	fields["kind"] = "ManagedResourceDefinition"
	delete(fields, "status")

	metadata := fields["metadata"].(map[string]any)
	for _, name := range clusterMetadata {
		delete(metadata, name)
	}
	if annotations, found := metadata["annotations"].(map[string]any); found {
		for name := range annotations {
			if name == lastApplied || strings.HasPrefix(name, connection.AnnotationPrefix) {
				delete(annotations, name)
			}
		}
		if len(annotations) == 0 {
			delete(metadata, "annotations")
		}
	}

	spec := fields["spec"].(map[string]any)
	spec["state"] = state
	var list []any
	for _, d := range details {
		list = append(list, map[string]any{"name": d.Name, "description": d.Description})
	}
	if len(list) > 0 {
		spec["connectionDetails"] = list
	}
}

// write returns a document with sorted keys.
func write(fields map[string]any) ([]byte, error) {
	content := bytes.NewBufferString(marker + "\n")
	encoder := yaml.NewEncoder(content)
	encoder.SetIndent(2)
	encoder.CompactSeqIndent()
	if err := encoder.Encode(fields); err != nil {
		return nil, err
	}
	if err := encoder.Close(); err != nil {
		return nil, err
	}
	return content.Bytes(), nil
}

// unchanged returns the text of a document with a marker before it, and a line break after it.
func unchanged(text []byte) []byte {
	content := slices.Clone(text)
	if !isStart(text) {
		content = slices.Concat([]byte(marker+"\n"), text)
	}
	if !bytes.HasSuffix(content, []byte("\n")) {
		content = append(content, '\n')
	}
	return content
}

// repeated reports CRDs with the same name.
func repeated(documents []document, results []result) diag.List {
	var diags diag.List
	first := map[string]document{}
	for i, r := range results {
		if r.name == "" {
			continue
		}
		d := documents[i]
		if other, found := first[r.name]; found {
			diags = append(diags, d.errorf(&yaml.Node{Line: 1}, "%s is also document %d of %s: keep one of them", r.name, other.number, other.file))
			continue
		}
		first[r.name] = d
	}
	return diags
}

// unused warns of connection details for CRDs that are not in the input.
func unused(declared declarations, results []result) diag.List {
	var diags diag.List
	for _, n := range declared.names {
		if !slices.ContainsFunc(results, func(r result) bool { return r.managed && r.name == n.name }) {
			diags = append(diags, diag.Warningf(n.pos, codeConnectionDetail,
				"no managed resource in the input has a CRD with the name %q: correct the name, or remove it", n.name))
		}
	}
	return diags
}
