package lateinit

import (
	"slices"

	"github.com/mrgen-io/mrgen/generator/internal/constraint"
	"github.com/mrgen-io/mrgen/generator/internal/mapping"
	"github.com/mrgen-io/mrgen/generator/internal/model"
)

// restrict records the constraints on a desired struct, including those of the structs that
// it embeds.
func (m *matcher) restrict(p *pair, fields []mapping.Access) {
	var sets []constraint.Set
	addType := func(t *model.Type) {
		for ; t != nil; t = t.Of {
			sets = append(sets, m.typeConstraints(t))
		}
	}
	addType(p.Target)
	for _, f := range p.Target.Inlined() {
		if inner := f.Type.Deref(); f.Inline && inner != p.Target && inner.Local {
			sets = append(sets, m.constraints.FieldConstraints(f))
			addType(inner)
		}
	}
	for _, s := range sets {
		left := s.Schema
		for _, rule := range left.XValidations {
			if isSetOnce(rule) {
				p.setOnce = true
				continue
			}
			p.partial = true
			p.ruled.add(rule.Rule, nil)
		}
		left.XValidations = nil
		// Filling fields can't violate minProperties.
		p.partial = p.partial || left.MinProperties != nil
		left.MinProperties = nil
		if !demandsNothing(left) || len(s.Unknown) > 0 {
			p.partial, p.ruled.all = true, true
		}
		for _, of := range s.OneOf {
			p.groups = append(p.groups, group{selected(fields, slices.Concat(p.Target.Alternatives(of.Fields)...)), of.AtMost, of.AtLeast})
		}
	}
}

// selected returns the fields with the JSON names.
func selected(fields []mapping.Access, jsonNames []string) []mapping.Access {
	return slices.DeleteFunc(slices.Clone(fields), func(a mapping.Access) bool { return !slices.Contains(jsonNames, a.Field().JSONName) })
}

// restrictByKinds records the constraints in the declarations of kinds on the struct that is
// their spec.forProvider.
func (m *matcher) restrictByKinds(p *pair, kinds []*model.Object) {
	for _, o := range kinds {
		forProvider := o.Spec.Part("forProvider")
		own := m.constraints.FieldConstraints(forProvider).Schema
		p.ruled.addAll(own.XValidations)
		p.setOnce = p.setOnce || slices.ContainsFunc(own.XValidations, isSetOnce)
		p.ruled.addAll(m.constraints.FieldConstraints(o.Spec).Schema.XValidations, "forProvider")
		p.ruled.addAll(m.typeConstraints(o.Spec.Type.Deref()).Schema.XValidations, "forProvider")
		p.ruled.addAll(m.typeConstraints(o.Type).Schema.XValidations, "spec", "forProvider")
		own.XValidations, own.MinProperties = nil, nil
		p.ruled.all = p.ruled.all || !demandsNothing(own)
	}
	p.ruled.all = p.ruled.all || p.setOnce
	for i, f := range p.fields {
		// The desired state exists already, so pinned fields are set.
		p.fields[i].unchecked = f.unchecked || p.ruled.has(f.jsonName) || f.isPinned
	}
}
