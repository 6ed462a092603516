package convert

import (
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/connection"
	"github.com/mrgen-io/mrgen/generator/internal/yamlnode"
)

// declarations are the connection details in the user's file.
type declarations struct {
	// names are the names of CRDs, in the order of the file.
	names []declaredName
	// details are the connection details by the names of CRDs.
	details map[string][]connection.Detail
}

type declaredName struct {
	name string
	pos  diag.Position
}

// readDeclarations reads a file with connection details: a mapping from the names of
// CRDs to lists of keys with their descriptions.
func readDeclarations(f File) (declarations, diag.List) {
	result := declarations{details: map[string][]connection.Detail{}}
	var diags diag.List
	for _, d := range split(f) {
		root, problems := d.parse()
		diags = append(diags, problems...)
		if problems.HasErrors() {
			continue
		}
		if root.Kind != yaml.MappingNode {
			diags = append(diags, d.errorf(root, "connection details begin with the name of a CRD, such as buckets.example.org:, and a list below it"))
			continue
		}
		for name, list := range yamlnode.Fields(root) {
			if _, found := result.details[name.Value]; found {
				diags = append(diags, d.errorf(name, "%q is there twice: keep one list", name.Value))
				continue
			}
			details, problems := readDetails(d, list)
			diags = append(diags, problems...)
			result.names = append(result.names, declaredName{name.Value, d.position(name)})
			result.details[name.Value] = details
		}
	}
	return result, diags
}

func readDetails(d document, list *yaml.Node) ([]connection.Detail, diag.List) {
	if list.Kind != yaml.SequenceNode {
		return nil, diag.List{d.errorf(list, "connection details are a list: write each as - name: and description:")}
	}
	var details []connection.Detail
	var diags diag.List
	for _, item := range list.Content {
		detail, problems := readDetail(d, item)
		diags = append(diags, problems...)
		if !problems.HasErrors() {
			details = append(details, detail)
		}
	}
	return details, diags
}

func readDetail(d document, item *yaml.Node) (connection.Detail, diag.List) {
	detail := connection.Detail{Pos: d.position(item)}
	if item.Kind != yaml.MappingNode {
		return detail, diag.List{d.errorf(item, "a connection detail has a name and a description: write it as - name: and description:")}
	}
	var diags diag.List
	for key, value := range yamlnode.Fields(item) {
		switch {
		case value.Kind != yaml.ScalarNode || value.ShortTag() == "!!null":
			diags = append(diags, d.errorf(value, "%q must be text: write it in one line", key.Value))
		case key.Value == "name":
			detail.Name = value.Value
		case key.Value == "description":
			detail.Description = value.Value
		default:
			diags = append(diags, d.errorf(key, "a connection detail has a name and a description, no %q: remove it", key.Value))
		}
	}
	return detail, diags
}

// connectionDetails returns the connection details that the user declares for a CRD, and those in its
// annotations, sorted by name. If both have the same key, the descriptions must be equal.
func connectionDetails(at diag.Position, crd *apiextensionsv1.CustomResourceDefinition, declared []connection.Detail) ([]connection.Detail, diag.List) {
	var details []connection.Detail
	var diags diag.List
	for _, detail := range slices.Concat(declared, annotated(at, crd)) {
		i := slices.IndexFunc(details, func(d connection.Detail) bool { return d.Name == detail.Name })
		switch {
		case !isKey(detail.Name):
			diags = append(diags, diag.Errorf(detail.Pos, codeConnectionDetail,
				"%s: %q is not a key of a Secret: write one of at most 253 letters, digits, hyphens, dots and underscores, with one asterisk at most for what varies", crd.Name, detail.Name))
		case strings.TrimSpace(detail.Description) == "":
			diags = append(diags, diag.Errorf(detail.Pos, codeConnectionDetail,
				"%s: nothing describes the key %q: add a description", crd.Name, detail.Name))
		case i < 0:
			details = append(details, detail)
		case details[i].Description != detail.Description:
			diags = append(diags, diag.Errorf(detail.Pos, codeConnectionDetail,
				"%s: the key %q has the description %q here and %q at %s: keep one of them",
				crd.Name, detail.Name, detail.Description, details[i].Description, details[i].Pos))
		}
	}
	slices.SortFunc(details, func(a, b connection.Detail) int { return strings.Compare(a.Name, b.Name) })
	return details, diags
}

// annotated returns the connection details in the annotations of a CRD.
func annotated(at diag.Position, crd *apiextensionsv1.CustomResourceDefinition) []connection.Detail {
	var details []connection.Detail
	for _, name := range slices.Sorted(maps.Keys(crd.Annotations)) {
		if key, found := strings.CutPrefix(name, connection.AnnotationPrefix); found {
			details = append(details, connection.Detail{Name: key, Description: crd.Annotations[name], Pos: at})
		}
	}
	return details
}

// isKey reports whether a name is a key of a Secret, or a pattern with one asterisk.
func isKey(name string) bool {
	return len(validation.IsConfigMapKey(strings.Replace(name, "*", "x", 1))) == 0
}
