package convert

import (
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/mrgen-io/mrgen/generator/internal/crdvalidation"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/generator/internal/yamlnode"
)

// locate returns the node that has a problem, or the innermost node around it that exists.
func locate(root *yaml.Node, p crdvalidation.ValidationError) *yaml.Node {
	at := cursor{root}
	if p.Version == "" {
		if !strings.HasPrefix(p.Field, "metadata") {
			at.enter("spec")
		}
		at.follow(p.Field)
		return at.node
	}
	at.enter("spec")
	at.version(p.Version)
	if len(p.Path) > 0 || p.Rule >= 0 || inSchema(at.node, p.Field) {
		at.enter("schema")
		at.enter("openAPIV3Schema")
	}
	for _, step := range p.Path {
		switch step.Kind {
		case schema.Property:
			at.enter("properties")
			at.enter(step.Name)
		case schema.Items:
			at.enter("items")
		case schema.Values:
			at.enter("additionalProperties")
		}
	}
	if p.Rule >= 0 {
		at.enter("x-kubernetes-validations")
		at.enter(strconv.Itoa(p.Rule))
	}
	at.follow(p.Field)
	return at.node
}

// inSchema reports whether a field is one of the schema's root, and not one of the version.
func inSchema(version *yaml.Node, field string) bool {
	name, _, _ := strings.Cut(field, ".")
	name, _, _ = strings.Cut(name, "[")
	return name != "" && child(version, name) == nil
}

// A cursor moves from a node to the nodes in it.
type cursor struct{ node *yaml.Node }

// enter moves to the child with a key or an index, if there is one.
func (c *cursor) enter(key string) {
	if next := child(c.node, key); next != nil {
		c.node = next
	}
}

func (c *cursor) version(name string) {
	c.enter("versions")
	for _, v := range c.node.Content {
		if n := child(v, "name"); n != nil && n.Value == name {
			c.node = v
			return
		}
	}
}

// follow moves along the path of a field, such as additionalPrinterColumns[1].jsonPath, as far as
// the nodes exist.
func (c *cursor) follow(field string) {
	for _, key := range strings.FieldsFunc(field, func(r rune) bool { return r == '.' || r == '[' || r == ']' }) {
		next := child(c.node, key)
		if next == nil {
			return
		}
		c.node = next
	}
}

// child returns the value of a key in a mapping, or the item at an index in a sequence, or nil.
func child(n *yaml.Node, key string) *yaml.Node {
	n = target(n)
	switch n.Kind {
	case yaml.MappingNode:
		for name, value := range yamlnode.Fields(n) {
			if target(name).Value == key {
				return value
			}
		}
	case yaml.SequenceNode:
		if i, err := strconv.Atoi(key); err == nil && i >= 0 && i < len(n.Content) {
			return n.Content[i]
		}
	}
	return nil
}
