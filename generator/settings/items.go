package settings

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/mrgen-io/mrgen/generator/breaking"
	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/yamlnode"
	"github.com/mrgen-io/mrgen/generator/run"
	"github.com/mrgen-io/mrgen/generator/scopepair"
)

// items returns the value of a list of mappings with the same fields. begin, if not nil, is called with the
// position of each item.
func items[T any](target *[]T, wants string, begin func(*T, diag.Position), fields func(*T) []Setting) *Value {
	return &Value{
		wants:      wants,
		mayBeEmpty: true,
		items: func(at diag.Position) []Setting {
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
					// Print only the fields that an item sets.
					if v := field.Value(nil); v.get() != unset[f].Value(nil).get() {
						parts = append(parts, field.Key+": "+v.literal())
					}
				}
				all = append(all, "{"+strings.Join(parts, ", ")+"}")
			}
			return strings.Join(all, ", ")
		},
	}
}

// items reads a list of mappings.
func (p *parser) items(name string, v *Value, node *yaml.Node) {
	for _, item := range node.Content {
		if p.refuseSharing(item) {
			continue
		}
		if item.Kind != yaml.MappingNode {
			p.report(item, "%s must be %s: this is %s", name, v.wants, describe(item))
			continue
		}
		fields := v.items(p.position(item))
		// A parser of its own: each item may set every field once.
		of := &parser{lines: p.lines}
		of.expect(fields, name+".", nil)
		of.section(name+".", item)
		for _, field := range fields {
			// Report a missing field only once the others are right: a misspelt key may be that field.
			if key := name + "." + field.Key; field.Required && of.seen[key] == 0 && len(of.diags) == 0 {
				of.report(item, "%s is not set here: add %s", key, of.values[key].wants)
			}
		}
		p.diags = append(p.diags, of.diags...)
	}
}

// A placed text has a position in mrgen.yaml.
type placed = scopepair.Setting

// replacements returns the value of a mapping whose keys the author chooses, in the order of the file.
func replacements(target *[]scopepair.Replacement, wants string) *Value {
	return &Value{
		wants: wants,
		tags:  []string{tagString},
		pairs: func(key, text placed) {
			*target = append(*target, scopepair.Replacement{Old: key, New: text})
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

// pairs reads a mapping whose keys the author chooses.
func (p *parser) pairs(name string, v *Value, node *yaml.Node) {
	lines := map[string]int{}
	for key, text := range yamlnode.Fields(node) {
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
			p.report(key, "%s has %s twice: remove this one, or the first on line %d", name, Printable(key.Value), lines[key.Value])
		default:
			lines[key.Value] = key.Line
			v.pairs(placed{Text: key.Value, Pos: p.position(key)}, placed{Text: text.Value, Pos: p.position(text)})
		}
	}
}

// scopes is the value of the pairs of scopes.
func scopes(target *[]scopepair.Pair) *Value {
	return items(target, "a list of folders to copy, such as [{from: apis/namespaced, to: apis/cluster}]",
		func(pair *scopepair.Pair, at diag.Position) { pair.Pos = at },
		func(pair *scopepair.Pair) []Setting {
			return append(scopeFolders(&pair.Folders),
				Setting{Key: "groups", Doc: "API groups of the source, each with the group of the other scope; * stands for any text", Value: func(*Settings) *Value {
					return replacements(&pair.Groups, `a mapping of API groups, such as {"*.m.example.org": "*.example.org"}`)
				}},
				Setting{Key: "code", Doc: "folders of other packages that are copied, such as controllers", Value: func(*Settings) *Value {
					return items(&pair.Code,
						"a list of folders to copy, such as [{from: internal/controller/namespaced, to: internal/controller/cluster}]", nil, scopeFolders)
				}},
				Setting{Key: "replace", Doc: "Go names with their package's path, or texts, each with its counterpart in the other scope", Value: func(*Settings) *Value {
					return replacements(&pair.Replace,
						"a mapping of Go names or texts, such as {example.org/p/internal/clients.LocalSecret: example.org/p/internal/clients.Secret}")
				}},
				Setting{
					Key:   "helpers",
					Doc:   "folder of a generated package with functions that differ between scopes",
					Value: placedFolder(&pair.Helpers),
				},
				Setting{Key: "tests", Doc: "copy tests, too", Value: func(*Settings) *Value { return boolean(&pair.Tests) }},
			)
		})
}

// placedFolder is a folder with the position of its path.
func placedFolder(target *placed) func(*Settings) *Value {
	return func(*Settings) *Value {
		v := Folder(&target.Text)
		v.at = func(at diag.Position) { target.Pos = at }
		return v
	}
}

// scopeFolders are the folders from and to.
func scopeFolders(target *scopepair.Folders) []Setting {
	return []Setting{
		{Key: "from", Doc: "folder to copy; * stands for one element of the path", Required: true, Value: placedFolder(&target.From)},
		{Key: "to", Doc: "folder of the copies", Required: true, Value: placedFolder(&target.To)},
	}
}

// crdSets is the value of settings for the CRDs of some packages.
func crdSets(target *[]run.CRDSet) *Value {
	return items(target, "a list of packages with a folder, such as [{packages: [./apis/a/...], dir: package/a}]",
		func(set *run.CRDSet, _ diag.Position) { set.MaxDescription = -1 },
		func(set *run.CRDSet) []Setting {
			return []Setting{
				{Key: "packages", Doc: "patterns of packages, relative to the module root", Required: true,
					Value: func(*Settings) *Value { return patterns(&set.Packages) }},
				{Key: "dir", Doc: "folder for their CRDs", Required: true, Value: func(*Settings) *Value { return Folder(&set.CRDDir) }},
				{Key: "maxDescription", Doc: "as crds.maxDescription", Value: func(*Settings) *Value { return wholeNumber(&set.MaxDescription) }},
			}
		})
}

// exceptions is the value of intended breaking changes.
func exceptions(target *[]breaking.Exception) *Value {
	return items(target,
		"a list of mappings, such as [{kind: Bucket.storage.example.org, path: spec.forProvider.acl, reason: it never worked}]",
		func(e *breaking.Exception, at diag.Position) { e.Pos = at },
		func(e *breaking.Exception) []Setting {
			checked := func(target *string, wants string, accepts func(text string) bool) func(*Settings) *Value {
				return func(*Settings) *Value {
					v := checkedText(target, "text", wants, func(text string) bool { return text != "" && accepts(text) })
					v.filled = true
					return v
				}
			}
			text := func(target *string, wants string) func(*Settings) *Value {
				return checked(target, wants, func(string) bool { return true })
			}
			return []Setting{
				{Key: "kind", Doc: "kind with its group", Required: true, Value: checked(&e.Kind,
					"a kind with its group, such as Bucket.storage.example.org", func(text string) bool { return strings.Contains(text, ".") })},
				{Key: "version", Doc: "version, if not all are meant", Value: text(&e.Version, "a version, such as v1alpha1")},
				{Key: "path", Doc: "field, with all fields below it; without it, the whole object", Value: checked(&e.Path,
					"the path of a field, such as spec.forProvider.acl", func(text string) bool { return !strings.HasPrefix(text, ".") })},
				{Key: "reason", Doc: "why it is meant", Required: true, Value: text(&e.Reason, "a text that says why the break is meant")},
				{Key: "until", Doc: "release with the break, after which the exception has no effect", Value: text(&e.Until,
					"the release with the break, such as v1.2.0")},
			}
		})
}
