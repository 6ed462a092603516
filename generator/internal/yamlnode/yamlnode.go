// Package yamlnode reads mappings in trees of YAML.
package yamlnode

import (
	"iter"

	"go.yaml.in/yaml/v3"
)

// Fields yields the keys and the values of a mapping, in its order, and none of anything else.
func Fields(n *yaml.Node) iter.Seq2[*yaml.Node, *yaml.Node] {
	return func(yield func(key, value *yaml.Node) bool) {
		if n == nil || n.Kind != yaml.MappingNode {
			return
		}
		for i := 0; i+1 < len(n.Content) && yield(n.Content[i], n.Content[i+1]); i += 2 {
		}
	}
}

// Field returns the key and the value of the first field of a mapping with a name, or nil for both.
func Field(n *yaml.Node, name string) (key, value *yaml.Node) {
	for key, value := range Fields(n) {
		if key.Value == name {
			return key, value
		}
	}
	return nil, nil
}
