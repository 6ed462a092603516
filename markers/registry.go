package markers

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"

	"sigs.k8s.io/controller-tools/pkg/crd"
	"sigs.k8s.io/controller-tools/pkg/deepcopy"
	"sigs.k8s.io/controller-tools/pkg/genall"
	ctmarkers "sigs.k8s.io/controller-tools/pkg/markers"
)

// A Target is a set of things that a comment can describe, in the terms of Kubernetes' tools.
type Target uint8

// The targets. Only package clauses, types and fields are targets: other declarations aren't, nor are types
// declared in functions.
const (
	OnPackage Target = 1 << iota
	OnType
	OnField
)

// targets lists each target with its name in the JSON reference, its name in a sentence, and controller-tools'
// type.
var targets = []struct {
	Target
	name, words string
	describes   ctmarkers.TargetType
}{
	{OnPackage, "package", "the package clause", ctmarkers.DescribesPackage},
	{OnType, "type", "a type", ctmarkers.DescribesType},
	{OnField, "field", "a field", ctmarkers.DescribesField},
}

// names returns the targets' names in the JSON reference, and in words.
func (t Target) names() (names, words []string) {
	for _, target := range targets {
		if t&target.Target != 0 {
			names, words = append(names, target.name), append(words, target.words)
		}
	}
	return names, words
}

// String returns the targets in words, joined by "or".
func (t Target) String() string {
	_, words := t.names()
	return Or(words)
}

// generators are the generators of controller-gen that read markers. The markers of applyconfiguration, rbac and webhook
// are among [otherMarkers] instead: their packages would link client-gen and APIs of Kubernetes into mrgen.
var generators = []struct {
	name string
	genall.Generator
}{
	{"crd", crd.Generator{}},
	{"object", deepcopy.Generator{}},
}

// A controllerToolsRegistry has the markers that controller-tools defines.
type controllerToolsRegistry struct {
	*ctmarkers.Registry
	// markers are in no particular order.
	markers []ForeignMarker
}

var registry = sync.OnceValue(func() *controllerToolsRegistry {
	r := &controllerToolsRegistry{Registry: &ctmarkers.Registry{}}
	byName := map[string]*ForeignMarker{}
	for _, generator := range generators {
		own := &ctmarkers.Registry{}
		if err := generator.RegisterMarkers(own); err != nil {
			panic(fmt.Sprintf("controller-tools doesn't accept its own markers: %v", err))
		}
		for _, target := range targets {
			for _, definition := range own.AllDefinitions() { // each name once for a target
				if definition.Target != target.describes {
					continue
				}
				if err := r.Register(definition); err != nil {
					panic(fmt.Sprintf("controller-tools doesn't accept its own marker: %v", err))
				}
				m := byName[definition.Name]
				if m == nil {
					m = describe("controller-gen "+generator.name, definition, own.HelpFor(definition))
					byName[definition.Name] = m
				}
				// One entry a name, with all targets.
				m.On |= target.Target
			}
		}
	}
	for _, m := range byName {
		r.markers = append(r.markers, *m)
	}
	return r
})

// targets returns the targets that a marker, without its plus sign, is defined for.
func (r *controllerToolsRegistry) targets(text string) (on Target) {
	for _, target := range targets {
		if r.Lookup("+"+text, target.describes) != nil {
			on |= target.Target
		}
	}
	return on
}

// parses reports whether controller-tools can parse a marker with its arguments on one of the targets.
func (r *controllerToolsRegistry) parses(text string, on Target) (ok bool) {
	// Its parser panics on some texts: they don't parse, either.
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	for _, target := range targets {
		definition := r.Lookup("+"+text, target.describes)
		if on&target.Target == 0 || definition == nil {
			continue
		}
		if _, err := definition.Parse("+" + text); err == nil {
			return true
		}
	}
	return false
}

// takesValue reports whether a marker of this name has a single, unnamed argument.
func (r *controllerToolsRegistry) takesValue(name string) bool {
	for _, target := range targets {
		if d := r.Lookup("+"+name, target.describes); d != nil && hasOneValue(d) {
			return true
		}
	}
	return false
}

// NearestArgument returns the argument's name that is most like an unknown one, or "" if none is near. The text
// is a marker of controller-tools without its plus sign.
func NearestArgument(text, unknown string) string {
	for _, target := range targets {
		d := registry().Lookup("+"+text, target.describes)
		if d == nil || hasOneValue(d) { // its value has no name to misspell
			continue
		}
		if near, found := Nearest(unknown, slices.Sorted(maps.Keys(d.Fields))); found {
			return near
		}
	}
	return ""
}

// repeatedArgument returns the first of two arguments with one name in a marker of controller-tools, or "". The text has no
// plus sign.
func repeatedArgument(text string) string {
	var definition *ctmarkers.Definition
	for _, target := range targets {
		if d := registry().Lookup("+"+text, target.describes); d != nil && !hasOneValue(d) {
			definition = d
		}
	}
	if definition == nil || len(text) <= len(definition.Name) {
		return ""
	}
	seen := map[string]string{}
	var quote rune
	depth, start, rest := 0, 0, text[len(definition.Name)+1:]+","
	for i, r := range rest {
		switch {
		case quote != 0:
			if r == quote && (quote == '`' || i == 0 || rest[i-1] != '\\') {
				quote = 0
			}
		case strings.ContainsRune("\"'`", r):
			quote = r
		case r == '{':
			depth++
		case r == '}':
			depth--
		case r == ',' && depth == 0:
			name, _, _ := strings.Cut(rest[start:i], "=")
			if name = strings.TrimSpace(name); seen[name] != "" {
				return seen[name]
			}
			seen[name], start = rest[start:i], i+1
		}
	}
	return ""
}

// hasOneValue reports whether a marker has a single, unnamed argument.
func hasOneValue(d *ctmarkers.Definition) bool {
	// Definitions that parse themselves give the argument a name that users don't write.
	_, parsesItself := reflect.New(d.Output).Interface().(interface {
		ParseMarker(name, anonymousName, arguments string) error
	})
	return d.AnonymousField() || parsesItself && len(d.Fields) == 1
}

// describe returns a marker of controller-tools with its help, if there is any. Required arguments come first.
func describe(tool string, definition *ctmarkers.Definition, help *ctmarkers.DefinitionHelp) *ForeignMarker {
	m := &ForeignMarker{Name: definition.Name, Tool: tool}
	if help == nil {
		help = &ctmarkers.DefinitionHelp{}
	}
	m.Doc, m.Details = sentence(help.DetailedHelp), strings.TrimSpace(help.Details)
	if help.DeprecatedInFavorOf != nil {
		m.Deprecated, m.Instead = true, *help.DeprecatedInFavorOf
	}
	var required, optional []ForeignArgument
	for _, name := range slices.Sorted(maps.Keys(definition.Fields)) {
		field := definition.Fields[name]
		argument := ForeignArgument{
			Name:     name,
			Type:     typeWords(field),
			Optional: field.Optional,
			Doc:      sentence(help.FieldHelp[definition.FieldNames[name]]),
		}
		if hasOneValue(definition) {
			argument.Name = ""
		}
		if argument.Optional {
			optional = append(optional, argument)
		} else {
			required = append(required, argument)
		}
	}
	m.Arguments = slices.Concat(required, optional)
	return m
}

func typeWords(a ctmarkers.Argument) string {
	switch a.Type {
	case ctmarkers.IntType:
		return "whole number"
	case ctmarkers.NumberType:
		return "number"
	case ctmarkers.BoolType:
		return "boolean"
	case ctmarkers.AnyType:
		return "any value"
	case ctmarkers.SliceType:
		return "list of " + typeWords(*a.ItemType)
	case ctmarkers.MapType:
		return "map to " + typeWords(*a.ItemType)
	}
	return "text"
}

// sentence returns the first paragraph of a help text as a sentence.
func sentence(help ctmarkers.DetailedHelp) string {
	text := help.Summary
	// controller-tools may split it between summary and details.
	if !strings.HasSuffix(text, ".") {
		details, _, _ := strings.Cut(strings.TrimSpace(help.Details), "\n\n")
		text += " " + details
	}
	text = strings.Join(strings.Fields(text), " ")
	if text == "" {
		return ""
	}
	if !strings.HasSuffix(text, ".") {
		text += "."
	}
	return strings.ToUpper(text[:1]) + text[1:]
}
