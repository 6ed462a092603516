package scaffolding

import (
	"bytes"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/yamlnode"
)

// manifestsOf returns where a YAML file has objects of some kinds, in one of some API versions, at any
// depth: compositions have them in templates.
func manifestsOf(name string, content []byte, versions map[string]bool, kinds []string) []diag.Position {
	var found []diag.Position
	var visit func(*yaml.Node)
	visit = func(node *yaml.Node) {
		_, version := yamlnode.Field(node, "apiVersion")
		_, kind := yamlnode.Field(node, "kind")
		if version != nil && kind != nil && versions[version.Value] && slices.Contains(kinds, kind.Value) {
			found = append(found, diag.Position{File: name, Line: kind.Line, Column: kind.Column})
		}
		for _, child := range node.Content {
			visit(child)
		}
	}
	decoder := yaml.NewDecoder(bytes.NewReader(content))
	for {
		var document yaml.Node
		if decoder.Decode(&document) != nil {
			return found // the end, or what is no YAML, such as a template
		}
		visit(&document)
	}
}
