package convert

import (
	"go.yaml.in/yaml/v3"

	"github.com/mrgen-io/mrgen/generator/internal/diag"
)

// A reader turns the YAML nodes of a document into values without comments, order
// and style.
type reader struct {
	document document
	diags    diag.List
}

// value returns what a node holds: a map[string]any, a []any, nil, a string, or, for
// what stands there without quotes, a *yaml.Node with the text. That text is written
// again as it is: numbers of any size stay exact, and what some readers of YAML take
// for a string and others for a boolean, such as yes, stays open.
func (r *reader) value(n *yaml.Node) any {
	if n.Anchor != "" || n.Kind == yaml.AliasNode {
		r.report(n, "anchors and aliases are not supported: write the value in each place")
		return nil
	}
	if n.Style&yaml.TaggedStyle != 0 {
		r.report(n, "tags are not supported: remove %s", n.Tag)
		return nil
	}
	switch n.Kind {
	case yaml.MappingNode:
		return r.mapping(n)
	case yaml.SequenceNode:
		items := make([]any, len(n.Content))
		for i, item := range n.Content {
			items[i] = r.value(item)
		}
		return items
	default:
		return scalar(n)
	}
}

func (r *reader) mapping(n *yaml.Node) map[string]any {
	fields := make(map[string]any, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if key.Kind != yaml.ScalarNode || key.ShortTag() != "!!str" {
			r.report(key, "the keys of a CRD are strings, and this is none: put it in quotes if you mean it")
			continue
		}
		if _, found := fields[key.Value]; found {
			r.report(key, "%q is set twice: keep one of them", key.Value)
		}
		r.value(key) // reports anchors and tags
		fields[key.Value] = r.value(value)
	}
	return fields
}

const quoted = yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle

func scalar(n *yaml.Node) any {
	switch {
	case n.Style&quoted != 0:
		return n.Value
	case n.ShortTag() == "!!null":
		return nil
	default:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: n.Tag, Value: n.Value}
	}
}

func (r *reader) report(at *yaml.Node, format string, args ...any) {
	r.diags = append(r.diags, r.document.errorf(at, format, args...))
}
