package observation

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/cel"
	"github.com/mrgen-io/mrgen/generator/internal/constraint"
	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/rules"
	"github.com/mrgen-io/mrgen/markers"
)

// keepConstraints adds to the types for spec.initProvider what holds for a part of
// spec.forProvider as well: rules of the author, as far as all that they read is set, and the keys
// of lists. It warns of the others, once a kind.
func (p *planner) keepConstraints(uses []missingType) {
	for _, d := range p.sorted() {
		if _, isInitial := d.form.(initial); isInitial {
			p.keepTypeRules(d)
			for i := range d.fields {
				if f := &d.fields[i]; !(initial{}).keeps(f.source.Type) {
					p.keepFieldRules(d, f)
					p.keepKeys(d, f)
				}
			}
		}
	}
	for _, r := range uses {
		d := p.declared[flavor.TypeName{Package: r.typ.Package, Name: r.typ.Name}]
		if r.mirrors() || d == nil {
			continue
		}
		if lost := p.lost(d, map[*declaration]bool{}); len(lost) > 0 {
			p.diags = append(p.diags, diag.Warningf(r.object.Pos, codeObservation,
				"spec.initProvider of %s is not held to %s: check that in the controller, once it is merged into spec.forProvider", r.object.Name, diag.And(lost)))
		}
	}
}

// lost returns what a declaration and its fields can't keep.
func (p *planner) lost(d *declaration, seen map[*declaration]bool) []string {
	if seen[d] {
		return nil
	}
	seen[d] = true
	all := slices.Clone(d.lost)
	for _, f := range d.fields {
		if below := p.declarationOf(f.typ); below != nil {
			all = append(all, p.lost(below, seen)...)
		}
	}
	return all
}

// declarationOf returns the declaration of the structs in a type, or nil.
func (p *planner) declarationOf(t *model.Type) *declaration {
	leaf := t.Leaf()
	return p.declared[flavor.TypeName{Package: leaf.Package, Name: leaf.Name}]
}

// keepTypeRules adds the rules of a struct.
func (p *planner) keepTypeRules(d *declaration) {
	for _, m := range d.source.Markers {
		t := *d.source
		t.Markers = []model.Marker{m}
		set := p.constraints.TypeConstraints(&t)
		if set.Schema.MaxProperties != nil {
			d.markers = append(d.markers, m.Text)
		}
		d.markers = append(d.markers, d.alone(m, set, d.source, d.source.Name)...)
	}
}

// keepFieldRules adds the rules of a field whose values may be parts.
func (p *planner) keepFieldRules(d *declaration, f *field) {
	all := f.source.Markers
	if t := f.source.Type.Deref(); t.Local && t.Kind != model.Struct {
		all = slices.Concat(all, t.AllMarkers())
	}
	for _, m := range all {
		if m.Name() == markers.ItemsXValidation {
			d.lost = append(d.lost, "the rules for the items of "+d.source.Name+"."+f.source.Name)
			continue
		}
		set := p.constraints.FieldConstraints(&model.Field{Markers: []model.Marker{m}, Type: f.source.Type})
		f.markers = append(f.markers, d.alone(m, set, f.source.Type, d.source.Name+"."+f.source.Name)...)
	}
}

// alone returns the markers for the rules of a marker on a value of type t.
func (d *declaration) alone(m model.Marker, set constraint.Set, t *model.Type, owner string) []string {
	var kept []string
	field := func(names []string) (known, whole bool) { return inPart(t, names) }
	for _, of := range set.OneOf {
		if !strings.HasPrefix(m.Text, markers.ValidationPrefix) {
			continue // rules on spec look at both sides
		}
		names := slices.DeleteFunc(slices.Clone(of.Fields), func(name string) bool { known, _ := field([]string{name}); return !known })
		if of.AtMost && len(names) > 1 { // what must be set may be on either side
			kept = append(kept, markers.ValidationPrefix+"AtMostOneOf="+strings.Join(names, ";"))
		}
	}
	for _, rule := range set.Schema.XValidations {
		parsed, ok := cel.Parse(rule.Rule)
		if !ok {
			continue // the API server's validation says so
		}
		alone, ok := parsed.Alone(field)
		if path, hasPath := strings.CutPrefix(rule.FieldPath, "."); hasPath && ok {
			ok, _ = field(strings.Split(path, "."))
		}
		switch {
		case !ok || rule.MessageExpression != "" && alone != "":
			d.lost = append(d.lost, fmt.Sprintf("the rule %q of %s", rule.Rule, owner))
		case alone != "":
			kept = append(kept, withRule(m.Text, rule.Rule, alone, rule.Message))
		}
	}
	return kept
}

// withRule returns the text of a marker with another rule.
func withRule(marker, old, new, message string) string {
	argument := rules.MarkerArgument(new)
	for _, quoted := range []string{strconv.Quote(old), "`" + old + "`"} {
		if strings.Contains(marker, "rule="+quoted) {
			return strings.Replace(marker, "rule="+quoted, argument, 1)
		}
	}
	if message != "" {
		argument += ",message=" + strconv.Quote(message)
	}
	return markers.XValidation + ":" + argument
}

// inPart reports whether the form of a type for spec.initProvider has what names of a rule lead
// to, and whether that is no part of anything.
func inPart(t *model.Type, names []string) (known, whole bool) {
	for _, name := range names {
		if (initial{}).keeps(t) {
			return true, true
		}
		if t = t.Deref(); t.Kind == model.Map {
			t = t.Elem
			continue
		}
		f := t.Field(name)
		if f == nil || (initial{}).omit(t, f) != "" {
			return false, false
		}
		t = f.Type
	}
	return true, (initial{}).keeps(t)
}

// keepKeys keeps the keys of a list, which its items must have. Where the items are parts as well,
// that can't be.
func (p *planner) keepKeys(d *declaration, f *field) {
	var list, keys []string
	for _, m := range slices.Concat(f.source.Markers, f.source.Type.AllMarkers()) {
		_, value, _ := strings.Cut(m.Text, "=")
		switch m.Name() {
		case markers.ListType, markers.K8sListType:
			if value != "map" {
				return
			}
			list = append(list, m.Text)
		case markers.ListMapKey, markers.K8sListMapKey:
			list, keys = append(list, m.Text), append(keys, value)
		}
	}
	lacks := func(key string) bool { return f.source.Type.Leaf().Field(key) == nil } // so that the API server refuses the key
	if len(keys) == 0 || slices.ContainsFunc(keys, lacks) {
		return
	}
	items := p.declarationOf(f.typ)
	isList := f.source.Type.Deref().Kind == model.Slice && f.source.Type.Deref().Elem.Deref().Kind == model.Struct
	if items == nil || !isList || p.isPart(items) || !items.requireKeys(keys) {
		d.lost = append(d.lost, "the keys of "+d.source.Name+"."+f.source.Name)
		return
	}
	f.markers = withoutDuplicates(append(f.markers, list...))
}

// isPart reports whether a field, other than an item of a list, holds values of a declared type.
func (p *planner) isPart(items *declaration) bool {
	for _, d := range p.declared {
		for _, f := range d.fields {
			if p.declarationOf(f.typ) == items && f.typ.Deref().Kind != model.Slice {
				return true
			}
		}
	}
	return false
}

// requireKeys makes fields required, unless they have a default. It returns false if it has not all
// of them.
func (d *declaration) requireKeys(keys []string) bool {
	var found []*field
	for i := range d.fields {
		if f := &d.fields[i]; f.source.JSONName != "" && slices.Contains(keys, f.source.JSONName) {
			found = append(found, f)
		}
	}
	if len(found) < len(keys) {
		return false
	}
	for _, f := range found {
		f.markers = slices.DeleteFunc(f.markers, func(text string) bool { return text == markers.Optional })
		byDefault := markers.ValidationRequired
		for _, m := range f.source.Markers {
			if name := m.Name(); name == markers.Default || name == markers.KubebuilderDefault {
				byDefault = m.Text
			}
		}
		f.markers = withoutDuplicates(append([]string{byDefault}, f.markers...))
	}
	return true
}
