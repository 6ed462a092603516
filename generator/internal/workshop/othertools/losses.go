package othertools

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/generator/internal/yamlnode"
	"github.com/mrgen-io/mrgen/generator/run"
	"github.com/mrgen-io/mrgen/markers"
)

// sources are the markers that write a key of a CRD, if it isn't a keyword with a marker of its own name.
var sources = map[string]string{
	"annotations":              markers.Metadata + ":annotations",
	"labels":                   markers.Metadata + ":labels",
	"categories":               markers.Resource + ":categories",
	"shortNames":               markers.Resource + ":shortName",
	"singular":                 markers.Resource + ":singular",
	"scope":                    markers.Resource + ":scope",
	"additionalPrinterColumns": markers.PrintColumn,
	"status":                   markers.StatusSubresource,
	"deprecated":               markers.DeprecatedVersion,
	"deprecationWarning":       markers.DeprecatedVersion + ":warning",
	"served":                   markers.UnservedVersion,
	"storage":                  markers.StorageVersion,
	"required":                 markers.Required,
	"default":                  markers.Default,
	"nullable":                 markers.Nullable,
	"example":                  markers.KubebuilderExample,
	"x-kubernetes-validations": markers.XValidation,

	"x-kubernetes-preserve-unknown-fields": markers.PreserveUnknownFields,
	"x-kubernetes-embedded-resource":       markers.EmbeddedResource,
	"x-kubernetes-int-or-string":           markers.XIntOrString,
	"x-kubernetes-list-type":               markers.ListType,
	"x-kubernetes-list-map-keys":           markers.ListMapKey,
}

// The remedies for a field or a version that isn't in the types, and for what no marker says.
const (
	there = "add it there"
	later = "no marker says it: add it in a later step"
)

// addition says how to ask for a key of a CRD, at a place in the schema.
func addition(key, place string) string {
	name := strings.ToUpper(key[:1]) + key[1:]
	find := func(name string) string {
		if slices.Contains(markers.Names(), name) {
			return name
		}
		return ""
	}
	marker := cmp.Or(sources[key], find(markers.ValidationPrefix+name))
	ofItems := find(markers.ItemsValidationPrefix + cmp.Or(itemNames[key], name))
	switch isItem := strings.HasSuffix(place, "[]"); {
	case marker == "":
		return later
	case isItem && ofItems != "":
		return "add +" + ofItems
	case isItem || strings.HasSuffix(place, "{}"):
		return "give the items a type with +" + marker
	}
	return "add +" + marker
}

// itemNames are the names of extensions in markers for the items of a list.
var itemNames = map[string]string{
	"x-kubernetes-embedded-resource":       "XEmbeddedResource",
	"x-kubernetes-int-or-string":           "XIntOrString",
	"x-kubernetes-preserve-unknown-fields": "XPreserveUnknownFields",
	"x-kubernetes-validations":             "XValidation",
}

// A loss is something in a committed CRD that its types don't ask for.
type loss struct {
	what, remedy string
	node         *yaml.Node
}

// Losses reports everything in committed CRDs that the new ones lack. The same loss in several files is one
// diagnostic, at the first of them.
func Losses(changes []run.Change, severity diag.Severity) diag.List {
	var diags diag.List
	var all []loss
	first, files := map[loss]diag.Position{}, map[loss]int{}
	for _, change := range changes {
		isCRD := artifact.IsDocument(change.Path) && artifact.IsReplaced(change.Path, change.Old)
		if change.Action != run.Update || !isCRD {
			continue
		}
		for _, l := range losses(change.Old, change.New) {
			at := diag.Position{File: change.Path, Line: l.node.Line, Column: l.node.Column}
			l.node = nil
			if files[l]++; files[l] == 1 {
				first[l] = at
				all = append(all, l)
			}
		}
	}
	for _, l := range all {
		what := l.what
		if files[l] > 1 {
			what += fmt.Sprintf(" in %d files", files[l])
		}
		d := diag.Errorf(first[l], Code, "%s isn't in the types, and would go: %s, or set --accept-loss", what, l.remedy)
		d.Severity = severity
		diags = append(diags, d)
	}
	return diags
}

// ignored are the values that versions of controller-gen write, and nothing reads.
var ignored = []string{"status", "metadata.creationTimestamp", "metadata.annotations." + strings.TrimSuffix(artifact.VersionAnnotation, ":")}

// losses returns what one version of a CRD has and another one lacks.
func losses(before, after []byte) []loss {
	var old, now yaml.Node
	if yaml.Unmarshal(after, &now) != nil || len(now.Content) == 0 {
		return nil
	}
	if yaml.Unmarshal(before, &old) != nil || len(old.Content) == 0 || text(old.Content[0], "apiVersion") == "" {
		return []loss{{what: "the form of this file, which is not plain YAML,", remedy: later, node: &yaml.Node{Line: 1}}}
	}
	d := &documents{}
	d.licence(before, after)
	if text(old.Content[0], "apiVersion") == text(now.Content[0], "apiVersion") {
		d.compare("", old.Content[0], now.Content[0])
	}
	return d.found
}

// documents compares two versions of a CRD.
type documents struct{ found []loss }

func (d *documents) add(node *yaml.Node, remedy, format string, args ...any) {
	d.found = append(d.found, loss{what: fmt.Sprintf(format, args...), remedy: remedy, node: node})
}

// licence finds the first line of a licence above a CRD that the other one lacks.
func (d *documents) licence(before, after []byte) {
	for i, line := range strings.Split(string(before), "\n") {
		switch {
		case strings.Trim(line, "-\r ") == "":
		case line[0] != '#':
			return
		case licence.MatchString(line) && !strings.Contains(string(after), line):
			d.add(&yaml.Node{Line: i + 1, Column: 1}, later, "the comment with the licence")
			return
		}
	}
}

// licence matches a line of a licence.
var licence = regexp.MustCompile(`(?i)\b(?:copyright|licen[cs]ed?|SPDX)\b`)

// compare compares mappings outside of schemas.
func (d *documents) compare(at string, old, now *yaml.Node) {
	for key, value := range yamlnode.Fields(old) {
		name := strings.TrimPrefix(at+"."+key.Value, ".")
		_, other := yamlnode.Field(now, key.Value)
		switch {
		case slices.Contains(ignored, name) || isUnset(value) || same(value, other):
		case key.Value == "openAPIV3Schema":
			d.schema(nil, value, other)
		case value.Kind == yaml.MappingNode && (other != nil || keyAround(name, "") != ""):
			d.compare(name, value, other)
		case value.Kind == yaml.SequenceNode:
			d.items(name, value, cmp.Or(other, &yaml.Node{}))
		default:
			d.add(key, addition(keyAround(at, key.Value), ""), "%s", shown(name, value))
		}
	}
}

// keyAround returns the key that a marker writes: annotations and labels have names that the author chooses.
func keyAround(at, key string) string {
	if rest, isMetadata := strings.CutPrefix(at, "metadata."); isMetadata {
		return rest
	}
	return key
}

// items compares lists outside of schemas: mappings by their names, and other items by their values.
func (d *documents) items(name string, old, now *yaml.Node) {
	key := name[strings.LastIndex(name, ".")+1:]
	for _, item := range old.Content {
		at := slices.IndexFunc(now.Content, func(other *yaml.Node) bool {
			return item.Kind == yaml.MappingNode && text(item, "name") == text(other, "name") || same(item, other)
		})
		switch {
		case at >= 0 && item.Kind == yaml.MappingNode:
			d.compare(name, item, now.Content[at])
		case at >= 0:
		case key == "versions":
			d.add(item, there, "the version %s", text(item, "name"))
		default:
			d.add(item, addition(key, ""), "%s", shown(name, item))
		}
	}
}

// schema compares schemas at a path.
func (d *documents) schema(at schema.Path, old, now *yaml.Node) {
	place := strings.TrimPrefix(at.String(), ".")
	if place == "" {
		place = "the object"
	}
	for key, value := range yamlnode.Fields(old) {
		_, other := yamlnode.Field(now, key.Value)
		switch {
		case key.Value == "description" || isUnset(value) || same(value, other):
		case key.Value == "properties":
			for name, property := range yamlnode.Fields(value) {
				below := at.With(schema.Step{Name: name.Value})
				if _, to := yamlnode.Field(other, name.Value); to != nil {
					d.schema(below, property, to)
				} else {
					d.add(name, there, "the field %s", strings.TrimPrefix(below.String(), "."))
				}
			}
		case key.Value == "allOf": // versions of controller-gen keep constraints of a type and its fields apart, or merge them
			for _, part := range value.Content {
				isThere := other != nil && slices.ContainsFunc(other.Content, func(o *yaml.Node) bool { return same(part, o) })
				if !isThere && !isWider(part, now) {
					d.schema(at, part, now)
				}
			}
		case key.Value == "items" && other != nil:
			d.schema(at.With(schema.Step{Kind: schema.Items}), value, other)
		case key.Value == "additionalProperties" && other != nil && value.Kind == yaml.MappingNode:
			d.schema(at.With(schema.Step{Kind: schema.Values}), value, other)
		case key.Value == "x-kubernetes-validations" || key.Value == "required":
			d.bounds(place, key, value, other)
		default:
			remedy := addition(key.Value, place)
			if other != nil {
				remedy = strings.Replace(remedy, "add +", "correct +", 1)
			}
			if other != nil && key.Value == "enum" { // controller-gen drops the field's
				remedy += ", of the type if it has one"
			}
			d.add(key, remedy, "%s of %s", shown(key.Value, value), place)
		}
	}
}

// isWider reports whether a schema has just an enum, with all values of another one.
func isWider(a, b *yaml.Node) bool {
	_, all := yamlnode.Field(a, "enum")
	_, some := yamlnode.Field(b, "enum")
	return all != nil && some != nil && len(a.Content) == 2 && !slices.ContainsFunc(some.Content, func(value *yaml.Node) bool {
		return !slices.ContainsFunc(all.Content, func(other *yaml.Node) bool { return same(value, other) })
	})
}

// bounds compares lists whose items count by themselves: rules and required fields.
func (d *documents) bounds(place string, key, old, now *yaml.Node) {
	for _, item := range old.Content {
		isThere := now != nil && slices.ContainsFunc(now.Content, func(other *yaml.Node) bool { return same(item, other) || sameChoice(item, other) })
		switch {
		case isThere:
		case key.Value == "required":
			d.add(item, addition(key.Value, place), "%s as a required field of %s", item.Value, place)
		default:
			d.add(item, addition(key.Value, place), "%s of %s", shown("the rule", &yaml.Node{Kind: yaml.ScalarNode, Value: text(item, "rule")}), place)
		}
	}
}

// choice matches the message of a rule from a marker about several fields, such as +kubebuilder:validation:ExactlyOneOf.
var choice = regexp.MustCompile(`^(?:at most|exactly|at least) one of the fields in \[[\w ]+\] (?:may|must) be set$`)

// sameChoice reports whether rules are of the same marker about several fields, which versions of controller-gen write in
// different ways.
func sameChoice(a, b *yaml.Node) bool {
	message := text(a, "message")
	return choice.MatchString(message) && message == text(b, "message")
}

// isUnset reports whether a value says nothing: tools and versions leave it out or write it.
func isUnset(value *yaml.Node) bool {
	return slices.Contains([]string{"<nil>", "false", "[]", "map[]", "map[strategy:None]"}, plain(value))
}

// same reports whether values mean the same. White space in texts doesn't count.
func same(a, b *yaml.Node) bool { return b != nil && plain(a) == plain(b) }

func plain(n *yaml.Node) string {
	var value any
	_ = n.Decode(&value) // the document was parsed
	return strings.Join(strings.Fields(fmt.Sprint(value)), " ")
}

func text(n *yaml.Node, name string) string {
	if _, value := yamlnode.Field(n, name); value != nil {
		return value.Value
	}
	return ""
}

// longestShown is the length of values in messages.
const longestShown = 30

// shown returns a name with its value, if that is short.
func shown(name string, value *yaml.Node) string {
	shown := plain(value)
	if _, itsName := yamlnode.Field(value, "name"); itsName != nil {
		shown = itsName.Value
	}
	switch {
	case value.Kind == yaml.MappingNode && shown == plain(value):
		return name
	case len(shown) > longestShown:
		shown = strings.ToValidUTF8(shown[:longestShown], "") + "..."
	}
	return name + " " + shown
}
