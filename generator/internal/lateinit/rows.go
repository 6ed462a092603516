package lateinit

import (
	"slices"

	"github.com/dave/jennifer/jen"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/internal/constraint"
	"github.com/mrgen-io/mrgen/generator/internal/fieldmarkers"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/parallel"
	"github.com/mrgen-io/mrgen/markers"
)

// A table collects the structs of spec.forProvider, and writes rows about their fields.
type table struct {
	Target
	typeSets parallel.Memo[*model.Type, constraint.Set]
	structs  []*structure
}

// A structure is a struct that has rows.
type structure struct {
	of *model.Type
	// kinds are set for parameters, with the treatment of their fields.
	kinds     []*model.Object
	treatment fieldmarkers.Treatment
}

// parameters adds the struct of spec.forProvider, and structs in it.
func (t *table) parameters(p Parameters) {
	s := t.structure(p.Desired)
	s.treatment = p.Treatment
	for _, o := range p.Kinds {
		if !slices.Contains(s.kinds, o) {
			s.kinds = append(s.kinds, o)
		}
	}
}

// structure returns a struct, which it adds with nested structs.
func (t *table) structure(of *model.Type) *structure {
	if i := slices.IndexFunc(t.structs, func(s *structure) bool { return s.of == of }); i >= 0 {
		return t.structs[i]
	}
	s := &structure{of: of}
	t.structs = append(t.structs, s)
	for _, a := range model.JSONFields(of) {
		if below := a.Field().Type.Leaf(); below.Kind == model.Struct && below.Local && !below.Marshals {
			t.structure(below)
		}
	}
	return s
}

// write writes the table, and returns its name.
func (t *table) write() string {
	name := t.Names.Declare("fieldRows")
	var rows []jen.Code
	for _, s := range t.structs {
		prefix := s.of.Name
		if s.of.Package != t.Package {
			prefix = s.of.Package + "." + s.of.Name
		}
		add := func(key string, parts []jen.Code) {
			if len(parts) > 0 {
				rows = append(rows, jen.Lit(key).Op(":").Values(parts...))
			}
		}
		r := t.restrict(s)
		add(prefix, r.row(s))
		for _, a := range model.JSONFields(s.of) {
			add(prefix+"."+a.Field().JSONName, t.row(s, r, a))
		}
	}
	t.File.Comment("// " + name + " says what is special about fields of spec.forProvider.")
	if len(rows) == 0 {
		t.File.Var().Id(name).Add(t.Helper("Table"))
	} else {
		t.File.Var().Id(name).Op("=").Add(t.Helper("Table")).Values(jen.Id("Rows").Op(":").Map(jen.String()).Add(t.Helper("Row")).
			Custom(jen.Options{Open: "{", Close: "}", Separator: ",", Multi: true}, rows...))
	}
	t.File.Line()
	return name
}

// is returns a part of a row that is true.
func is(name string) jen.Code { return jen.Id(name).Op(":").True() }

func texts(name string, values []string) jen.Code {
	return jen.Id(name).Op(":").Index().String().ValuesFunc(func(g *jen.Group) {
		for _, value := range values {
			g.Lit(value)
		}
	})
}

// row returns the parts of a field's row.
func (t *table) row(s *structure, in restriction, a model.Access) (parts []jen.Code) {
	f, isTop := a.Field(), len(s.kinds) > 0
	add := func(condition bool, part jen.Code) {
		if condition {
			parts = append(parts, part)
		}
	}
	// A field of parameters that may be nil has no zero value to tell from unset.
	hasDefault := f.Required != f.Omits() || isTop && f.Type.IsNilable()
	add(!hasDefault && f.Required, is("Required"))
	add(!hasDefault && !f.Required, is("Optional"))
	beside := in.beside(s.of, f)
	add(len(beside) > 0, texts("Beside", beside))
	if t.Secret(f) {
		return append(parts, is("Secret"))
	}
	r := t.relate(f.Type, []constraint.Set{t.Constraints.FieldConstraints(f)}, f.Markers)
	isImmutable := in.isImmutable || in.isSetOnce || r.isSetOnce || slices.ContainsFunc(a.Path, (*model.Field).Immutable)
	add(isImmutable, is("Immutable"))
	r.isRuled = r.isRuled || in.rules.has(f.JSONName) || r.isSetOnce && !f.Type.IsNilable()
	add(r.isRuled, is("Ruled"))
	for _, step := range a.Path {
		if m := step.OwnMarker(markers.LateInitialize); m != nil {
			name := "Kept"
			if m.Value.Bool() {
				name = "Filled"
			}
			add(!r.isRuled, is(name))
		}
	}
	// The innermost marker counts.
	if how := (fieldmarkers.Treatment{}).At(a.Path).Comparison; how != "" {
		add(true, jen.Id("Compare").Op(":").Lit(string(how)))
	}
	return append(parts, r.parts(t.Target)...)
}

// A restriction says what markers demand of a struct as a whole.
type restriction struct {
	isImmutable, isSetOnce, isRuled bool

	rules ruleFields
	oneOf []constraint.OneOf
}

// restrict returns the restriction of a struct, with those of the structs that it embeds, and of the kinds
// whose spec.forProvider it is.
func (t *table) restrict(s *structure) restriction {
	r := restriction{isImmutable: s.of.Immutable()}
	var sets []constraint.Set
	addType := func(of *model.Type) {
		for ; of != nil; of = of.Of {
			sets = append(sets, t.typeConstraints(of))
		}
	}
	addType(s.of)
	for _, f := range s.of.Inlined() {
		if inner := f.Type.Deref(); f.Inline && inner != s.of && inner.Local {
			sets = append(sets, t.Constraints.FieldConstraints(f))
			addType(inner)
		}
	}
	for _, set := range sets {
		left := set.Schema
		left.XValidations = r.withoutSetOnce(left.XValidations)
		for _, rule := range left.XValidations {
			r.rules.add(rule.Rule, nil)
		}
		// Filling fields can't violate minProperties.
		r.isRuled = r.isRuled || len(left.XValidations) > 0 || left.MinProperties != nil
		left.XValidations, left.MinProperties = nil, nil
		if !demandsNothing(left) || len(set.Unknown) > 0 {
			r.isRuled, r.rules.all = true, true
		}
		r.oneOf = append(r.oneOf, set.OneOf...)
	}
	for _, o := range s.kinds {
		forProvider := o.Spec.Part("forProvider")
		r.isImmutable = r.isImmutable || forProvider.Immutable()
		own := t.Constraints.FieldConstraints(forProvider).Schema
		r.rules.addAll(own.XValidations)
		own.XValidations = r.withoutSetOnce(own.XValidations)
		r.rules.addAll(t.Constraints.FieldConstraints(o.Spec).Schema.XValidations, "forProvider")
		r.rules.addAll(t.typeConstraints(o.Spec.Type.Deref()).Schema.XValidations, "forProvider")
		r.rules.addAll(t.typeConstraints(o.Type).Schema.XValidations, "spec", "forProvider")
		own.XValidations, own.MinProperties = nil, nil
		r.rules.all = r.rules.all || r.isSetOnce || !demandsNothing(own)
	}
	return r
}

// withoutSetOnce returns the rules that demand more than that a value doesn't change once set, and records if there are
// others.
func (r *restriction) withoutSetOnce(all []apiextensionsv1.ValidationRule) []apiextensionsv1.ValidationRule {
	left := slices.DeleteFunc(slices.Clone(all), isSetOnce)
	r.isSetOnce = r.isSetOnce || len(left) < len(all)
	return left
}

// row returns the parts of a struct's row.
func (r restriction) row(s *structure) (parts []jen.Code) {
	if len(s.kinds) > 0 {
		// It is there already.
		if how := s.treatment.Comparison; how != "" && how != fieldmarkers.Exact {
			parts = append(parts, jen.Id("Compare").Op(":").Lit(string(how)))
		}
		return parts
	}
	if r.isRuled {
		parts = append(parts, is("Ruled"))
	}
	var groups []jen.Code
	for _, of := range r.oneOf {
		if of.AtLeast {
			groups = append(groups, jen.ValuesFunc(func(g *jen.Group) {
				for _, name := range slices.Concat(s.of.Alternatives(of.Fields)...) {
					g.Lit(name)
				}
			}))
		}
	}
	if len(groups) > 0 {
		parts = append(parts, jen.Id("AnyOf").Op(":").Index().Index().String().Values(groups...))
	}
	return parts
}

// beside returns the JSON names of the fields that replace a field, or exclude it: its reference and selector,
// and the others of a group of which at most one may be set.
func (r restriction) beside(of *model.Type, f *model.Field) []string {
	names := of.Companions(f)
	for _, group := range r.oneOf {
		if all := slices.Concat(of.Alternatives(group.Fields)...); group.AtMost && slices.Contains(all, f.JSONName) {
			names = append(names, all...)
		}
	}
	var others []string
	for _, name := range names {
		if name != f.JSONName && !slices.Contains(others, name) {
			others = append(others, name)
		}
	}
	return others
}

// typeConstraints returns the constraints of a type, from a cache.
func (t *table) typeConstraints(of *model.Type) constraint.Set {
	return t.typeSets.Get(of, func() constraint.Set { return t.Constraints.TypeConstraints(of) })
}
