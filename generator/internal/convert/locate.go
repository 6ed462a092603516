package convert

import (
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
)

// locate returns the node that a problem with a CRD is about, or the nearest one
// around it.
func locate(root *yaml.Node, p apiserver.Problem) *yaml.Node {
	at := place{root}
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
		case apiserver.Property:
			at.enter("properties")
			at.enter(step.Name)
		case apiserver.Items:
			at.enter("items")
		case apiserver.Values:
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

// A place is a node that the steps to it move.
type place struct{ node *yaml.Node }

// enter moves to what a mapping holds under a key, or a sequence at an index, if it
// is there.
func (p *place) enter(key string) {
	if next := child(p.node, key); next != nil {
		p.node = next
	}
}

// version moves to the version with a name.
func (p *place) version(name string) {
	p.enter("versions")
	for _, v := range p.node.Content {
		if n := child(v, "name"); n != nil && n.Value == name {
			p.node = v
			return
		}
	}
}

// follow moves along the path of a field, such as additionalPrinterColumns[1].jsonPath,
// as far as it goes.
func (p *place) follow(field string) {
	for _, key := range strings.FieldsFunc(field, func(r rune) bool { return r == '.' || r == '[' || r == ']' }) {
		next := child(p.node, key)
		if next == nil {
			return
		}
		p.node = next
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
