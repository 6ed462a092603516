package cli

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/mrgen-io/mrgen/generator"
)

// items returns the value for a list of mappings, each with the same fields. begin is told where
// an item begins; it may be nil.
func items[T any](target *[]T, wants string, begin func(*T, generator.Position), fields func(*T) []setting) *value {
	return &value{
		wants: wants,
		items: func(at generator.Position) []setting {
			*target = append(*target, *new(T))
			item := &(*target)[len(*target)-1]
			if begin != nil {
				begin(item, at)
			}
			return fields(item)
		},
		get: func() string {
			var all []string
			unset := fields(new(T))
			for i := range *target {
				var parts []string
				for f, field := range fields(&(*target)[i]) {
					if v := field.value(nil); v.get() != unset[f].value(nil).get() {
						parts = append(parts, field.key+": "+v.literal())
					}
				}
				all = append(all, "{"+strings.Join(parts, ", ")+"}")
			}
			return strings.Join(all, ", ")
		},
	}
}

// items reads a list of mappings.
func (p *configParser) items(name string, v *value, node *yaml.Node) {
	if p.refuseSharing(node) {
		return
	}
	if node.Kind != yaml.SequenceNode {
		p.report(node, "%s must be %s, not %s", name, v.wants, describe(node))
		return
	}
	for _, item := range node.Content {
		if p.refuseSharing(item) {
			continue
		}
		if item.Kind != yaml.MappingNode {
			p.report(item, "%s must be %s: this is %s", name, v.wants, describe(item))
			continue
		}
		fields := v.items(p.position(item))
		of := &configParser{lines: p.lines}
		of.expect(fields, name+".", nil)
		of.section(name+".", item)
		for _, field := range fields {
			if key := name + "." + field.key; field.required && of.seen[key] == 0 && len(of.diags) == 0 {
				of.report(item, "%s is not set here: add %s", key, of.values[key].wants)
			}
		}
		p.diags = append(p.diags, of.diags...)
	}
}

// A placed text has a position in mrgen.yaml.
type placed = generator.ScopeSetting

// replacements returns the value for a mapping from texts that the author chooses to others, in
// the order of the file.
func replacements(target *[]generator.ScopeReplacement, wants string) *value {
	return &value{
		wants: wants,
		tags:  []string{tagString},
		pairs: func(key, text placed) {
			*target = append(*target, generator.ScopeReplacement{Old: key, New: text})
		},
		get: func() string {
			var parts []string
			for _, r := range *target {
				parts = append(parts, literal(r.Old.Text)+": "+literal(r.New.Text))
			}
			return strings.Join(parts, ", ")
		},
	}
}

// pairs reads a mapping with keys that the author chooses.
func (p *configParser) pairs(name string, v *value, node *yaml.Node) {
	if p.refuseSharing(node) {
		return
	}
	if node.Kind != yaml.MappingNode || len(node.Content) == 0 {
		p.report(node, "%s must be %s, not %s", name, v.wants, describe(node))
		return
	}
	lines := map[string]int{}
	for i := 0; i+1 < len(node.Content); i += 2 {
		key, text := node.Content[i], node.Content[i+1]
		isText := true
		for _, scalar := range []*yaml.Node{key, text} {
			if p.refuseSharing(scalar) {
				isText = false
			} else if scalar.Kind != yaml.ScalarNode || !slices.Contains(v.tags, scalar.ShortTag()) || scalar.Value == "" {
				p.report(scalar, "%s must be %s: this is %s", name, v.wants, describe(scalar))
				isText = false
			}
		}
		switch {
		case !isText:
		case lines[key.Value] > 0:
			p.report(key, "%s has %s twice: remove this one, or the first on line %d", name, printable(key.Value), lines[key.Value])
		default:
			lines[key.Value] = key.Line
			v.pairs(placed{Text: key.Value, Pos: p.position(key)}, placed{Text: text.Value, Pos: p.position(text)})
		}
	}
}

// scopes is what is copied from one scope to the other.
func scopes(target *[]generator.ScopePair) *value {
	return items(target, "a list of folders to copy, such as [{from: apis/namespaced, to: apis/cluster}]",
		func(pair *generator.ScopePair, at generator.Position) { pair.Pos = at },
		func(pair *generator.ScopePair) []setting {
			return append(scopeFolders(&pair.Folders),
				setting{key: "groups", doc: "API groups of the source, each with that of the other scope; * stands for any text", value: func(*settings) *value {
					return replacements(&pair.Groups, `a mapping of API groups, such as {"*.m.example.org": "*.example.org"}`)
				}},
				setting{key: "code", doc: "folders of other packages that are copied, such as controllers", value: func(*settings) *value {
					return items(&pair.Code, "a list of folders to copy, such as [{from: internal/controller/namespaced, to: internal/controller/cluster}]", nil, scopeFolders)
				}},
				setting{key: "replace", doc: "Go names with the path of their package, or texts, each with what it is in the other scope", value: func(*settings) *value {
					return replacements(&pair.Replace, "a mapping of Go names or texts, such as {example.org/p/internal/clients.LocalSecret: example.org/p/internal/clients.Secret}")
				}},
				setting{key: "tests", doc: "copy tests, too", value: func(*settings) *value { return boolean(&pair.Tests) }},
			)
		})
}

// scopeFolders are the folders from and to.
func scopeFolders(target *generator.ScopeFolders) []setting {
	of := func(target *placed) func(*settings) *value {
		return func(*settings) *value {
			v := folder(&target.Text)
			v.at = func(at generator.Position) { target.Pos = at }
			return v
		}
	}
	return []setting{
		{key: "from", doc: "folder to copy; * stands for one element of the path", required: true, value: of(&target.From)},
		{key: "to", doc: "folder of the copies", required: true, value: of(&target.To)},
	}
}

// exceptions are breaks that are meant.
func exceptions(target *[]generator.BreakException) *value {
	return items(target, "a list of mappings, such as [{kind: Bucket.storage.example.org, path: spec.forProvider.acl, reason: it never worked}]",
		func(e *generator.BreakException, at generator.Position) { e.Pos = at },
		func(e *generator.BreakException) []setting {
			text := func(target *string, wants string) func(*settings) *value {
				return func(*settings) *value {
					v := checkedText(target, "text", wants, func(text string) bool { return text != "" })
					v.filled = true
					return v
				}
			}
			return []setting{
				{key: "kind", doc: "kind with its group", required: true, value: text(&e.Kind, "a kind with its group, such as Bucket.storage.example.org")},
				{key: "version", doc: "version, if not all are meant", value: text(&e.Version, "a version, such as v1alpha1")},
				{key: "path", doc: "field, with all below it, if not the whole object is meant", value: text(&e.Path, "the path of a field, such as spec.forProvider.acl")},
				{key: "reason", doc: "why it is meant", required: true, value: text(&e.Reason, "a text that says why the break is meant")},
				{key: "until", doc: "release that has the break, after which the exception has no effect", value: text(&e.Until, "the release with the break, such as v1.2.0")},
			}
		})
}
