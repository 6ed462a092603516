package mrdfiles

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/connection"
)

// declaredDetails are the connection details of a CRD in the user's file.
type declaredDetails struct {
	pos  diag.Position
	list []connection.Detail
}

// readDetails reads a file with connection details: a mapping from the names of CRDs to lists of keys with
// descriptions.
func readDetails(f *File) (map[string]declaredDetails, diag.List) {
	if f == nil {
		return nil, nil
	}
	type detail struct{ Name, Description yaml.Node }
	var lists map[string][]detail
	decoder := yaml.NewDecoder(bytes.NewReader(f.Content))
	decoder.KnownFields(true)
	err := decoder.Decode(&lists)
	if err == nil {
		// The end of the file must follow the only document.
		if err = decoder.Decode(new(any)); err == nil {
			err = errors.New("there is a second document")
		}
	}
	if !errors.Is(err, io.EOF) {
		line, text := yamlError(err)
		return nil, diag.List{diag.Errorf(diag.Position{File: f.Name, Line: line}, codeConnectionDetail,
			"connection details are lists of - name: and description:, by the names of CRDs: %s", text)}
	}
	text := func(n yaml.Node) string {
		if n.Kind != yaml.ScalarNode {
			return "" // refused below
		}
		return n.Value
	}
	declared := map[string]declaredDetails{}
	for name, list := range lists {
		all := declaredDetails{pos: diag.Position{File: f.Name}}
		for i, d := range list {
			pos := diag.Position{File: f.Name, Line: cmp.Or(d.Name.Line, d.Description.Line)}
			if i == 0 {
				all.pos = pos
			}
			all.list = append(all.list, connection.Detail{Name: text(d.Name), Description: text(d.Description), Pos: pos})
		}
		declared[name] = all
	}
	return declared, nil
}

// connectionDetails returns the connection details of a CRD from the user's file and from its annotations,
// sorted by name. If both have a key, the descriptions must be equal.
func connectionDetails(
	at diag.Position, crd *apiextensionsv1.CustomResourceDefinition, details []connection.Detail,
) ([]connection.Detail, diag.List) {
	details = slices.Clone(details)
	for _, name := range slices.Sorted(maps.Keys(crd.Annotations)) {
		if key, found := strings.CutPrefix(name, connection.AnnotationPrefix); found {
			details = append(details, connection.Detail{Name: key, Description: crd.Annotations[name], Pos: at})
		}
	}
	var diags diag.List
	first := map[string]connection.Detail{}
	for _, d := range details {
		other, isRepeated := first[d.Name]
		first[d.Name] = d
		problem := ""
		switch {
		// A pattern has one asterisk, which no key may contain.
		case len(validation.IsConfigMapKey(strings.Replace(d.Name, "*", "x", 1))) > 0:
			problem = "it is not a key of a Secret: write letters, digits, -, . and _, and one asterisk at most for the part that varies"
		case strings.TrimSpace(d.Description) == "":
			problem = "nothing describes it: add a description"
		case isRepeated && other.Description != d.Description:
			problem = "it has another description at " + other.Pos.String() + ": keep one of them"
		default:
			continue
		}
		diags = append(diags, diag.Errorf(d.Pos, codeConnectionDetail, "%s: the connection detail %q: %s", crd.Name, d.Name, problem))
	}
	slices.SortStableFunc(details, func(a, b connection.Detail) int { return strings.Compare(a.Name, b.Name) })
	return slices.CompactFunc(details, func(a, b connection.Detail) bool { return a.Name == b.Name }), diags
}
