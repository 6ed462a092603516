package observation

import (
	"cmp"
	"maps"
	"slices"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/generator/internal/lateinit"
	"github.com/mrgen-io/mrgen/generator/internal/mirroring"
	"github.com/mrgen-io/mrgen/generator/internal/model"
)

// A packagePlan lists what to write into a package.
type packagePlan struct {
	source *model.Package
	// declarations are sorted by name.
	declarations []*declaration
	// parameters are the types that get methods.
	parameters []lateinit.Parameters
	// specs are the types of spec that get methods.
	specs []lateinit.Spec
}

// A declaration is a struct type to write.
type declaration struct {
	name flavor.TypeName
	// source is the struct that the form derives the type from.
	source *model.Type
	form   form
	// doc is the comment, and markers end it.
	doc     string
	markers []string
	fields  []field
	// omissions are the fields of source that the type lacks.
	omissions []omission
	// uses are the uses of the type by authors, or nil if only other declarations use it.
	uses *missingTypeGroup
	// lost says which constraints of the source the form can't keep.
	lost []string
	// within is a declaration with a field of this type, or nil.
	within *declaration
}

// empty reports whether all fields of the source are omitted.
func (d *declaration) empty() bool { return len(d.fields) == 0 && len(d.source.Fields) > 0 }

// taken returns the names of the author's own fields in the struct that embeds the type.
func (d *declaration) taken() names {
	if d.uses == nil {
		return nil
	}
	return d.uses.uses[0].taken
}

// A field is a field to write.
type field struct {
	// name is "" for an embedded field.
	name string
	typ  *model.Type
	// tag is the json tag.
	tag     string
	doc     string
	markers []string
	// source is the source's field, and pos its position.
	source *model.Field
	pos    diag.Position
}

// An omission is a field of the source that the type lacks.
type omission struct {
	field  *model.Field
	reason string
}

// newPlan decides what to write for the kinds of a model.
func newPlan(m *model.Model, constraints lateinit.Constraints) *planner {
	p := &planner{
		constraints: constraints,
		packages:    map[string]*model.Package{},
		uses:        map[flavor.TypeName]*missingTypeGroup{},
		declared:    map[flavor.TypeName]*declaration{},
		guessed:     map[*model.Field]bool{},
		refused:     map[*model.Field]bool{},
	}
	for _, pkg := range m.Packages {
		p.packages[pkg.Path] = pkg
	}
	kinds := m.Managed()
	p.kinds = kinds
	p.exclusions = mirroring.New(kinds)
	var uses []missingType
	for _, o := range kinds {
		uses = append(uses, findMissingTypes(o, p.exclusions)...)
	}
	groups := groupMissingTypes(uses)
	sources := make([]*model.Type, len(groups))
	for i, group := range groups {
		if sources[i] = p.source(group); sources[i] != nil {
			p.checkTaken(group, sources[i])
			p.uses[group.name] = group
		}
	}
	for i, group := range groups {
		if sources[i] == nil {
			continue
		}
		for _, r := range group.uses {
			p.warnSimilar(r, sources[i])
		}
		p.declare(group.uses[0].form, group.name, sources[i])
	}
	p.keepConstraints(uses)
	p.checkShared()
	p.checkImports(m)
	p.warnSecrets(uses)
	p.warnTreatment(kinds)
	p.planDeclarations()
	if !p.diags.HasErrors() {
		p.planMethods(groups, sources)
	}
	return p
}

// planner declares types.
type planner struct {
	// plans are the plans of the packages to write into.
	plans []*packagePlan
	kinds []*model.Object
	// packages are the packages that mrgen writes files into, by import path.
	packages map[string]*model.Package
	// uses are the types that authors use.
	uses     map[flavor.TypeName]*missingTypeGroup
	declared map[flavor.TypeName]*declaration
	// sources are the types that are being converted, outermost first.
	sources []*model.Type
	// exclusions decide which fields aren't mirrored, and guessed are the fields that they exclude by
	// name.
	exclusions *mirroring.Rules
	guessed    map[*model.Field]bool
	// refused are the fields whose type no form can have.
	refused     map[*model.Field]bool
	constraints lateinit.Constraints
	diags       diag.List
}

func (p *planner) errorf(at diag.Position, format string, args ...any) {
	p.diags = append(p.diags, diag.Errorf(at, codeObservation, format, args...))
}

// derive declares the form's type for a struct: in the package of the struct, or in the
// package user if mrgen writes no file into the former.
func (p *planner) derive(f form, t *model.Type, user string) *declaration {
	home := user
	if p.packages[t.Package] != nil {
		home = t.Package
	}
	return p.declare(f, flavor.TypeName{Package: home, Name: f.typeName(t)}, t)
}

// declare declares a type, unless it is declared already.
func (p *planner) declare(f form, name flavor.TypeName, t *model.Type) *declaration {
	if known := p.declared[name]; known != nil {
		if known.source.Package != t.Package || known.source.Name != t.Name || known.form != f {
			p.errorf(t.Pos, "%s and %s would both get the type %s in package %s: rename one of them",
				qualifiedName(known.source), qualifiedName(t), name.Name, name.Package)
		}
		return known
	}
	if at, found := p.packages[name.Package].Names[name.Name]; found {
		p.errorf(at, "mrgen writes a type %s for %s: give this one another name", name.Name, qualifiedName(t))
	}
	d := &declaration{name: name, source: t, form: f, markers: schemaShape(t.Markers), uses: p.uses[name]}
	d.doc = documentation(d)
	if !p.packages[name.Package].DeepCopies {
		d.markers = append(d.markers, "kubebuilder:object:generate=true")
	}
	p.declared[name] = d
	p.sources = append(p.sources, t)
	b := &fieldBuilder{planner: p, declaration: d}
	b.addFields(t, d.taken())
	p.sources = p.sources[:len(p.sources)-1]
	return d
}

// cycle returns the names of the types from t back to t, if t is being converted.
func (p *planner) cycle(t *model.Type) []string {
	i := slices.Index(p.sources, t)
	if i < 0 {
		return nil
	}
	var names []string
	for _, source := range p.sources[i:] {
		if source.Name != "" {
			names = append(names, source.Name)
		}
	}
	return append(names, names[0])
}

// checkShared reports types that lack fields because a struct that embeds them declares these,
// although other declarations use the types, too.
func (p *planner) checkShared() {
	for _, d := range p.sorted() {
		var declared []string
		for _, o := range d.omissions {
			if o.reason == reasonAuthor {
				declared = append(declared, o.field.Name)
			}
		}
		if d.within != nil && len(declared) > 0 {
			embed := d.uses.uses[0]
			p.errorf(embed.field.Pos, "%s, which %s embeds, is part of %s too, and would lack the fields that %s declares itself: %s; rename these fields, or declare all of them and embed no %s",
				d.name.Name, embed.holder.Name, d.within.name.Name, embed.holder.Name, diag.And(declared), d.name.Name)
		}
	}
}

func (p *planner) sorted() []*declaration {
	return slices.SortedFunc(maps.Values(p.declared), func(a, b *declaration) int {
		return cmp.Or(cmp.Compare(a.name.Package, b.name.Package), cmp.Compare(a.name.Name, b.name.Name))
	})
}

// planDeclarations adds the declarations to the plans of their packages, without empty ones.
func (p *planner) planDeclarations() {
	for _, d := range p.sorted() {
		if !d.empty() || d.uses != nil {
			plan := p.planOf(d.name.Package)
			plan.declarations = append(plan.declarations, d)
		}
	}
}

// planOf returns the plan of a package, which it adds to the plans if there is none.
func (p *planner) planOf(importPath string) *packagePlan {
	i := slices.IndexFunc(p.plans, func(plan *packagePlan) bool { return plan.source.Path == importPath })
	if i < 0 {
		i = len(p.plans)
		p.plans = append(p.plans, &packagePlan{source: p.packages[importPath]})
	}
	return p.plans[i]
}

// qualifiedName returns the name of a type, qualified by its package.
func qualifiedName(t *model.Type) string { return t.PackageName + "." + t.Name }
