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
	ctmarkers "sigs.k8s.io/controller-tools/pkg/markers"
	"sigs.k8s.io/controller-tools/pkg/rbac"
	"sigs.k8s.io/controller-tools/pkg/webhook"
)

// A Target is what a comment describes in the eyes of Kubernetes' tools. Targets can
// be combined.
type Target uint8

// The targets. Declarations of anything but types are none, and neither are types
// within functions.
const (
	OnPackage Target = 1 << iota
	OnType
	OnField
)

// targets are the single targets with the words of the reference, in its order, and
// what controller-tools calls them.
var targets = []struct {
	Target
	name, words string
	kubernetes  ctmarkers.TargetType
}{
	{OnPackage, "package", "the package clause", ctmarkers.DescribesPackage},
	{OnType, "type", "a type", ctmarkers.DescribesType},
	{OnField, "field", "a field", ctmarkers.DescribesField},
}

// names returns the targets as the JSON reference has them.
func (t Target) names() []string {
	var names []string
	for _, target := range targets {
		if t&target.Target != 0 {
			names = append(names, target.name)
		}
	}
	return names
}

// String returns the targets in words that fit into a sentence.
func (t Target) String() string {
	var words []string
	for _, target := range targets {
		if t&target.Target != 0 {
			words = append(words, target.words)
		}
	}
	return joinOr(words)
}

// generators are those of controller-gen that read markers, but for
// applyconfiguration, whose markers are among [otherMarkers]: it would link the
// generators of client-go into mrgen.
var generators = []struct {
	name string
	definer
}{
	{"crd", crd.Generator{}},
	{"object", deepcopy.Generator{}},
	{"rbac", rbac.Generator{}},
	{"webhook", webhook.Generator{}},
}

// A definer is a generator that says which markers it reads.
type definer interface {
	RegisterMarkers(into *ctmarkers.Registry) error
}

// A kubernetesRegistry has the markers that controller-tools defines.
type kubernetesRegistry struct {
	*ctmarkers.Registry
	// markers are sorted by name.
	markers []foreignMarker
}

// registry returns the markers of controller-tools, which are registered once.
var registry = sync.OnceValue(func() *kubernetesRegistry {
	r := &kubernetesRegistry{Registry: &ctmarkers.Registry{}}
	byName := map[string]*foreignMarker{}
	for _, generator := range generators {
		own := &ctmarkers.Registry{}
		if err := generator.RegisterMarkers(own); err != nil {
			panic(fmt.Sprintf("controller-tools doesn't accept its own markers: %v", err))
		}
		for _, target := range targets {
			for _, definition := range sortedDefinitions(own, target.kubernetes) {
				if err := r.Register(definition); err != nil {
					panic(fmt.Sprintf("controller-tools doesn't accept its own marker: %v", err))
				}
				m := byName[definition.Name]
				if m == nil {
					m = newKubernetesMarker("controller-gen "+generator.name, definition, own.HelpFor(definition))
					byName[definition.Name] = m
				}
				m.on |= target.Target
			}
		}
	}
	for _, m := range byName {
		m.Places = m.on.names()
		r.markers = append(r.markers, *m)
	}
	slices.SortFunc(r.markers, func(a, b foreignMarker) int { return strings.Compare(a.Name, b.Name) })
	return r
})

func sortedDefinitions(registry *ctmarkers.Registry, target ctmarkers.TargetType) []*ctmarkers.Definition {
	all := slices.DeleteFunc(registry.AllDefinitions(), func(d *ctmarkers.Definition) bool { return d.Target != target })
	slices.SortFunc(all, func(a, b *ctmarkers.Definition) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// targets returns what a marker, without its plus sign, is defined for.
func (r *kubernetesRegistry) targets(text string) (on Target) {
	for _, target := range targets {
		if r.Lookup("+"+text, target.kubernetes) != nil {
			on |= target.Target
		}
	}
	return on
}

// parses reports whether controller-tools reads a marker, with its arguments, on one of
// the targets. Its parser panics on some texts.
func (r *kubernetesRegistry) parses(text string, on Target) (ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	for _, target := range targets {
		definition := r.Lookup("+"+text, target.kubernetes)
		if on&target.Target == 0 || definition == nil {
			continue
		}
		if _, err := definition.Parse("+" + text); err == nil {
			return true
		}
	}
	return false
}

// takesValue reports whether the name is that of a marker whose one argument has no
// name of its own.
func (r *kubernetesRegistry) takesValue(name string) bool {
	for _, target := range targets {
		if d := r.Lookup("+"+name, target.kubernetes); d != nil && hasOneValue(d) {
			return true
		}
	}
	return false
}

// NearestArgument returns the argument of a marker of controller-tools, as it is written
// without its plus sign, that is most like an unknown one, "" if none is.
func NearestArgument(text, unknown string) string {
	for _, target := range targets {
		d := registry().Lookup("+"+text, target.kubernetes)
		if d == nil || hasOneValue(d) {
			continue
		}
		if near, found := Nearest(unknown, slices.Sorted(maps.Keys(d.Fields))); found {
			return near
		}
	}
	return ""
}

// hasOneValue reports whether what follows the equals sign is one argument without a name.
// Some definitions have a field for it, and parse themselves.
func hasOneValue(d *ctmarkers.Definition) bool {
	_, parsesItself := reflect.New(d.Output).Interface().(interface {
		ParseMarker(name, anonymousName, arguments string) error
	})
	return d.AnonymousField() || parsesItself && len(d.Fields) == 1
}

// newKubernetesMarker describes a marker in the words that controller-tools has for it,
// if any.
func newKubernetesMarker(tool string, definition *ctmarkers.Definition, help *ctmarkers.DefinitionHelp) *foreignMarker {
	m := &foreignMarker{Name: definition.Name, Tool: tool}
	if help == nil {
		help = &ctmarkers.DefinitionHelp{}
	}
	m.Doc, m.Details = sentence(help.DetailedHelp), strings.TrimSpace(help.Details)
	if help.DeprecatedInFavorOf != nil {
		m.Deprecated, m.Instead = true, *help.DeprecatedInFavorOf
	}
	fields := make([]string, 0, len(definition.Fields))
	for name := range definition.Fields {
		fields = append(fields, name)
	}
	slices.SortFunc(fields, func(a, b string) int {
		// Those that must be given come first.
		if one, other := definition.Fields[a].Optional, definition.Fields[b].Optional; one != other {
			if one {
				return 1
			}
			return -1
		}
		return strings.Compare(a, b)
	})
	for _, name := range fields {
		field := definition.Fields[name]
		argument := foreignArgument{
			Name:     name,
			Type:     typeWords(field),
			Optional: field.Optional,
			Doc:      sentence(help.FieldHelp[definition.FieldNames[name]]),
		}
		if hasOneValue(definition) {
			argument.Name = ""
		}
		m.Arguments = append(m.Arguments, argument)
	}
	return m
}

// typeWords returns what an argument of controller-tools may hold.
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

// sentence returns the first paragraph of a help text, which controller-tools breaks
// anywhere, as a sentence.
func sentence(help ctmarkers.DetailedHelp) string {
	text := help.Summary
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
