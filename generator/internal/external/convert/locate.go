package convert

import (
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
)

// locate returns the node that a problem with a CRD is about, or the nearest one
// around it.
func locate(root *yaml.Node, p apiserver.Problem) *yaml.Node {
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

// inSchema reports whether a field without a path is one of the root of the schema,
// and not of the version.
func inSchema(version *yaml.Node, field string) bool {
	name, _, _ := strings.Cut(field, ".")
	name, _, _ = strings.Cut(name, "[")
	return name != "" && child(version, name) == nil
}

// A cursor is at a node, and moves to others.
type cursor struct{ node *yaml.Node }

// enter moves to what a mapping holds under a key, or a sequence at an index, if it
// is there.
func (c *cursor) enter(key string) {
	if next := child(c.node, key); next != nil {
		c.node = next
	}
}

// version moves to the version with a name.
func (c *cursor) version(name string) {
	c.enter("versions")
	for _, v := range c.node.Content {
		if n := child(v, "name"); n != nil && n.Value == name {
			c.node = v
			return
		}
	}
}

// follow moves along the path of a field, such as additionalPrinterColumns[1].jsonPath,
// as far as it goes.
func (c *cursor) follow(field string) {
	for _, key := range strings.FieldsFunc(field, func(r rune) bool { return r == '.' || r == '[' || r == ']' }) {
		next := child(c.node, key)
		if next == nil {
			return
		}
		c.node = next
	}
}

// child returns what a mapping holds under a key, or a sequence at an index, or nil.
func child(n *yaml.Node, key string) *yaml.Node {
	n = target(n)
	switch n.Kind {
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			if target(n.Content[i]).Value == key {
				return n.Content[i+1]
			}
		}
	case yaml.SequenceNode:
		if i, err := strconv.Atoi(key); err == nil && i >= 0 && i < len(n.Content) {
			return n.Content[i]
		}
	}
	return nil
}
