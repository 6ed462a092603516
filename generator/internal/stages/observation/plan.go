package observation

import (
	"cmp"
	"maps"
	"slices"

	"github.com/mrgen-io/mrgen/generator/internal/desired"
	"github.com/mrgen-io/mrgen/generator/internal/diag"
	"github.com/mrgen-io/mrgen/generator/internal/exclusion"
	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/generator/internal/model"
)

// A packagePlan says what is written into a package.
type packagePlan struct {
	source *model.Package
	// declarations are sorted by name.
	declarations []*declaration
	// parameters are the types that get methods, deepCopies tells which types have
	// deep copies, and secret which fields are secrets or refer to some.
	parameters  []desired.Parameters
	deepCopies  func(*model.Type) bool
	secret      func(*model.Field) bool
	constraints desired.Constraints
}

// A declaration is a struct type to be written.
type declaration struct {
	name flavor.TypeName
	// packageName is the name in the clause of the type's package.
	packageName string
	// source is the struct that the type is made of, by the rules of form.
	source *model.Type
	form   form
	// doc is the comment, markers the marker comments that end it.
	doc     string
	markers []string
	fields  []field
	// omissions are the fields of source that the type does without.
	omissions []omission
	// requests are how authors ask for the type, nil if it is only part of others.
	requests *requestGroup
	// within is a declaration that has a field of this type, or nil.
	within *declaration
}

// empty reports whether nothing of the source is left.
func (d *declaration) empty() bool { return len(d.fields) == 0 && len(d.source.Fields) > 0 }

// taken returns the names that the authors who embed the type declare.
func (d *declaration) taken() names {
	if d.requests == nil {
		return names{}
	}
	return d.requests.requests[0].taken
}

// A field is a field to be written.
type field struct {
	// name is "" for an embedded field.
	name string
	typ  *model.Type
	// tag is the json tag.
	tag     string
	doc     string
	markers []string
	// pos is that of the field it is made of.
	pos diag.Position
}

// An omission is a field that was left out.
type omission struct {
	field  *model.Field
	reason string
}

// newPlan decides what is written for the kinds of a model.
func newPlan(m *model.Model, constraints desired.Constraints) ([]*packagePlan, diag.List) {
	p := &planner{
		constraints: constraints,
		packages:    map[string]*model.Package{},
		requests:    map[flavor.TypeName]*requestGroup{},
		declared:    map[flavor.TypeName]*declaration{},
		guessed:     map[*model.Field]bool{},
	}
	for _, pkg := range m.Packages {
		p.packages[pkg.Path] = pkg
	}
	kinds := managedKinds(m)
	p.exclusions = exclusion.New(kinds)
	requests := findRequests(kinds, p.exclusions)
	groups := groupRequests(requests)
	sources := make([]*model.Type, len(groups))
	for i, group := range groups {
		if sources[i] = p.source(group); sources[i] != nil {
			p.checkTaken(group, sources[i])
			p.requests[group.name] = group
		}
	}
	for i, group := range groups {
		if sources[i] == nil {
			continue
		}
		for _, r := range group.requests {
			p.warnSimilar(r, sources[i])
		}
		p.declare(group.requests[0].form, group.name, sources[i])
	}
	p.checkShared()
	p.checkImports(m)
	p.warnSecrets(requests)
	if p.diags.HasErrors() {
		return p.result(), p.diags
	}
	return p.planMethods(groups, sources, p.result()), p.diags
}

// planner declares types.
type planner struct {
	// packages are those that files are written into, by import path.
	packages map[string]*model.Package
	// requests has the types that authors ask for.
	requests map[flavor.TypeName]*requestGroup
	declared map[flavor.TypeName]*declaration
	// sources are the types that are being converted, outermost first.
	sources []*model.Type
	// exclusions say what is not mirrored, and guessed are the fields of which they
	// say so because of their names.
	exclusions *exclusion.Rules
	guessed    map[*model.Field]bool
	// constraints tell what markers demand.
	constraints desired.Constraints
	diags       diag.List
}

func (p *planner) errorf(at diag.Position, format string, args ...any) {
	p.diags = append(p.diags, diag.Errorf(at, codeObservation, format, args...))
}

// derive declares the type that is made of a struct by the rules of a form, for
// use in the package user. A package that no file is written into leaves its
// types to those that use them.
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
	d := &declaration{name: name, packageName: p.packages[name.Package].Name, source: t, form: f, markers: schemaShape(t.Markers), requests: p.requests[name]}
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

// cycle returns the names of the types that lead from t back to t, if t is being
// converted.
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

// checkShared reports types that lack fields because the author declares them in
// a struct that embeds the type, but that are parts of others too.
func (p *planner) checkShared() {
	for _, d := range p.sorted() {
		var declared []string
		for _, o := range d.omissions {
			if o.reason == reasonAuthor {
				declared = append(declared, o.field.Name)
			}
		}
		if d.within != nil && len(declared) > 0 {
			embed := d.requests.requests[0]
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

// result returns the declarations by package, those without fields left out.
func (p *planner) result() []*packagePlan {
	var packages []*packagePlan
	for _, d := range p.sorted() {
		if d.empty() && d.requests == nil {
			continue
		}
		if len(packages) == 0 || packages[len(packages)-1].source.Path != d.name.Package {
			packages = append(packages, p.emptyPlan(d.name.Package))
		}
		last := packages[len(packages)-1]
		last.declarations = append(last.declarations, d)
	}
	return packages
}

// emptyPlan returns a plan that writes nothing into a package yet.
func (p *planner) emptyPlan(importPath string) *packagePlan {
	return &packagePlan{
		source:      p.packages[importPath],
		deepCopies:  p.hasDeepCopy,
		constraints: p.constraints,
		secret:      func(f *model.Field) bool { return p.exclusions.Of(f).Secret() },
	}
}

// qualifiedName returns the name of a type as it is written in Go.
func qualifiedName(t *model.Type) string { return t.PackageName + "." + t.Name }
