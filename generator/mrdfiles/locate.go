package mrdfiles

import (
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/mrgen-io/mrgen/generator/internal/crdvalidation"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/generator/internal/yamlnode"
)

// root returns the outermost node of the text.
func (d *document) root() *yaml.Node {
	var node yaml.Node
	if err := yaml.Unmarshal(d.text, &node); err != nil || len(node.Content) == 0 {
		return &yaml.Node{Line: 1} // Kubernetes' parser accepts more YAML than this one
	}
	return node.Content[0]
}

// first returns the line of the text where its content begins.
func (d *document) first() int { return d.root().Line }

// locate returns the line of a problem, or of the innermost existing node around it.
func (d *document) locate(p crdvalidation.ValidationError) int {
	field := strings.FieldsFunc(p.Field, func(r rune) bool { return strings.ContainsRune(".[]", r) })
	root := d.root()
	// The metadata is outside spec.
	if p.Version == "" && len(field) > 0 && field[0] == "metadata" {
		return follow(root, field).Line
	}
	at := follow(root, []string{"spec"})
	if p.Version == "" {
		return follow(at, field).Line
	}
	at = follow(at, []string{"versions", p.Version})
	// A field of the version itself, such as a printer column.
	if len(p.Path) == 0 && p.Rule < 0 && (len(field) == 0 || child(at, field[0]) != nil) {
		return follow(at, field).Line
	}
	keys := []string{"schema", "openAPIV3Schema"}
	for _, step := range p.Path {
		switch step.Kind {
		case schema.Property:
			keys = append(keys, "properties", step.Name)
		case schema.Items:
			keys = append(keys, "items")
		case schema.Values:
			keys = append(keys, "additionalProperties")
		}
	}
	if p.Rule >= 0 {
		keys = append(keys, "x-kubernetes-validations", strconv.Itoa(p.Rule))
	}
	return follow(at, append(keys, field...)).Line
}

// follow returns the node at the end of keys, as far as the nodes exist.
func follow(n *yaml.Node, keys []string) *yaml.Node {
	for _, key := range keys {
		next := child(n, key)
		if next == nil {
			return n
		}
		n = next
	}
	return n
}

// child returns the value of a key in a mapping, or an item of a sequence by its index or name, or nil.
func child(n *yaml.Node, key string) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if n.Kind != yaml.SequenceNode {
		_, value := yamlnode.Field(n, key)
		return value
	}
	for i, item := range n.Content {
		if _, name := yamlnode.Field(item, "name"); key == strconv.Itoa(i) || name != nil && name.Value == key {
			return item
		}
	}
	return nil
}
