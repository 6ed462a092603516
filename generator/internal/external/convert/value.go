package convert

import (
	"maps"
	"slices"

	"go.yaml.in/yaml/v3"
	kubernetesyaml "sigs.k8s.io/yaml"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/yamlnode"
)

// A reader turns the YAML nodes of a document into values without comments, order and style.
type reader struct {
	document document
	diags    diag.List
	// booleans caches for unquoted keys whether Kubernetes reads them as booleans.
	booleans map[string]bool
}

// value returns the value of a node: a map[string]any, a []any, nil, a string if it is quoted, or else
// a *yaml.Node with the text. This is written as it is, so that numbers of any size stay exact, and
// that text such as yes means the same to each YAML parser as before. Aliases are replaced by copies.
func (r *reader) value(n *yaml.Node) any {
	n = target(n)
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

// target returns the node that an alias stands for. Kubernetes' library has rejected nodes that
// contain themselves, or that grow too much without aliases.
func target(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

func (r *reader) mapping(n *yaml.Node) map[string]any {
	fields := make(map[string]any, len(n.Content)/2)
	set := map[string]bool{}
	for key, value := range yamlnode.Fields(n) {
		key = target(key)
		if isMerge(key) {
			// As in Kubernetes' library, later keys win, also over merged ones.
			maps.Copy(fields, r.merged(value))
			continue
		}
		r.value(key) // reports tags
		switch {
		case key.Kind != yaml.ScalarNode || key.ShortTag() != "!!str":
			r.report(key, "the keys of a CRD are strings, and this is none: put it in quotes if you mean it")
		case r.isBoolean(key):
			r.report(key, "Kubernetes reads %s as a boolean, and the keys of a CRD are strings: put it in quotes if you mean it", key.Value)
		case set[key.Value]:
			r.report(key, "%q is set twice: keep one of them", key.Value)
		}
		set[key.Value] = true
		fields[key.Value] = r.value(value)
	}
	return fields
}

// isMerge reports whether a key is a merge key, see https://yaml.org/type/merge.html.
func isMerge(key *yaml.Node) bool { return key.Kind == yaml.ScalarNode && key.ShortTag() == "!!merge" }

// merged returns the fields of a mapping, or of a sequence of mappings, of which the first one wins.
func (r *reader) merged(value *yaml.Node) map[string]any {
	value = target(value)
	if value.Kind == yaml.MappingNode {
		return r.mapping(value)
	}
	fields := map[string]any{}
	for _, one := range slices.Backward(value.Content) {
		maps.Copy(fields, r.merged(one))
	}
	return fields
}

// isBoolean reports whether Kubernetes reads a key as a boolean. Its library follows YAML 1.1, in
// which unquoted y, n, on, off and others are booleans.
func (r *reader) isBoolean(key *yaml.Node) bool {
	if key.Style&quoted != 0 || len(key.Value) > len("false") {
		return false
	}
	isBoolean, known := r.booleans[key.Value]
	if !known {
		var read []any
		if err := kubernetesyaml.Unmarshal([]byte("- "+key.Value+"\n"), &read); err == nil && len(read) == 1 {
			_, isBoolean = read[0].(bool)
		}
		r.booleans[key.Value] = isBoolean
	}
	return isBoolean
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
