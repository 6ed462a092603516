package scaffold

import (
	"bytes"

	"go.yaml.in/yaml/v3"

	"github.com/mrgen-io/mrgen/generator/diag"
)

// manifestsOf returns where a YAML file has objects of a kind, in one of some API versions, at any
// depth: compositions have them in templates.
func manifestsOf(name string, content []byte, versions map[string]bool, kind string) []diag.Position {
	var found []diag.Position
	var visit func(*yaml.Node)
	visit = func(node *yaml.Node) {
		if node.Kind == yaml.MappingNode {
			var version string
			var at *yaml.Node
			for i := 0; i+1 < len(node.Content); i += 2 {
				switch key, value := node.Content[i], node.Content[i+1]; {
				case key.Value == "apiVersion":
					version = value.Value
				case key.Value == "kind" && value.Value == kind:
					at = value
				}
			}
			if at != nil && versions[version] {
				found = append(found, diag.Position{File: name, Line: at.Line, Column: at.Column})
			}
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
