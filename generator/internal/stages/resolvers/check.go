package resolvers

import (
	"cmp"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/markers"
)

// valuePosition returns the position of a marker's value, after the equals sign.
func valuePosition(m *model.Marker) diag.Position {
	_, after, _ := strings.Cut(m.Text, "=")
	at := m.Pos
	at.Column += len("+") + len(m.Text) - len(strings.TrimLeft(after, " \t"))
	return at
}

// target sets the kind that a reference's type marker names.
func (c *collector) target(r *reference, m *model.Marker) {
	importPath, name := markers.SplitGoName(m.Value.Text(""))
	r.target = name
	at := valuePosition(m)
	p := c.pkg(cmp.Or(importPath, c.home), at)
	if p == nil {
		return
	}
	r.targetIn, r.at = imported(p), at
	r.group, r.version = p.Group, p.Version
	target, list := p.Object(name), p.Object(name+"List")
	switch from := c.object.Generation; {
	case target == nil && p.Names[name] == diag.Position{}:
		remedy := markers.Remedy(name, slices.Sorted(maps.Keys(p.Names)), "name the Go type of a managed resource")
		if i := slices.IndexFunc(c.model.Managed(), func(o *model.Object) bool { return o.Name == name }); i >= 0 {
			remedy = "write " + c.model.Managed()[i].Package.Path + "." + name
		}
		c.errorf(at, "package %s declares no type %s: %s", p.Path, name, remedy)
	case target == nil || target.Role != model.Managed:
		c.errorf(at, "%s is not a managed resource, so nothing can refer to it: name the Go type of a managed resource", name)
	case target.Generation != nil && target.Generation.Resource != from.Resource:
		c.errorf(at, "%s is a managed resource of %s, and %s is one of %s: refer to a managed resource of the same version of crossplane-runtime",
			name, target.Generation.Name, c.object.Name, from.Name)
	case target.Namespaced() && !from.References.Namespaced:
		c.errorf(at, "%s is namespaced, and the references of %s name no namespace: refer to a cluster scoped kind", name, from.Name)
	// A cluster-scoped object has no namespace to look in.
	case target.Namespaced() && !c.object.Namespaced():
		c.errorf(at,
			"%s is namespaced, and a reference in %s, which is cluster scoped, would name no namespace: refer to a cluster scoped kind, or make %s namespaced, too",
			name, c.object.Name, c.object.Name)
	case list == nil || !list.List:
		c.errorf(at, "%s has no list, which selectors need: declare %sList, with items of type %s", name, name, name)
	default:
		// The resolver would look in the referrer's namespace.
		r.clusterScoped = c.object.Namespaced() && !target.Namespaced() && from.References.Namespaced
	}
}

func imported(p *model.Package) flavor.Import { return flavor.Import{Path: p.Path, Alias: p.Name} }

// pkg returns a package whose names a marker uses. If it can't be read, pkg reports that and returns nil.
func (c *collector) pkg(importPath string, at diag.Position) *model.Package {
	p := c.model.Package(importPath)
	if p == nil || p.Name+p.Problem == "" { // the go command lists a package that no module has, without a name
		p = &model.Package{Path: importPath, Problem: "there is no package with this import path"}
	}
	if p.Problem != "" {
		such := ""
		if near, found := markers.Nearest(p.Path, c.paths()); found {
			such = ", such as to " + near
		}
		c.errorf(at, "cannot read package %s: %s: correct the import path%s, or require the module of the package", p.Path, p.Problem, such)
		return nil
	}
	return p
}

// paths returns the packages that a marker may name: those with kinds of the same scope, and that of extractors.
func (c *collector) paths() []string {
	all := []string{c.object.Generation.References.Package.Path}
	for _, o := range c.model.Managed() {
		if o.Namespaced() == c.object.Namespaced() {
			all = append(all, o.Package.Path)
		}
	}
	return all
}

// fields sets the fields for the reference and the selector. It records missing fields, and reports fields of
// another type.
func (c *collector) fields(r *reference, t *model.Type, m *model.Marker) {
	missing := Missing{Object: c.object, Struct: t, Value: r.field, Slice: r.value.slice, Target: r.target, Pos: m.Pos}
	for _, f := range c.companions(r) {
		if f.Selector {
			r.selectorField = f.Name
		} else {
			r.refField, missing.Reference = f.Name, f.Name
		}
		found := goField(t, f.Name)
		r.policy = f.Selector && found != nil && found.Type.Deref().GoField("Policy") != nil
		if found == nil {
			// The author may have chosen another Go name: suggest a marker instead of a second field.
			if other := t.Field(f.JSONName); other != nil && other.Name != f.Name && f.fits(other.Type) {
				f.Other = other
			}
			missing.Companions = append(missing.Companions, f)
		} else if !f.fits(found.Type) && !f.Slice && found.Type.Name == f.Type { // whatever the scope
			c.errorf(found.Pos, "%s can't hold the %s of %s: make it a pointer", f.Name, f.Holds(), r.field.Name)
		} else if !f.fits(found.Type) {
			c.errorf(found.Pos, "%s can't hold the %s of %s in %s, which is a managed resource of %s: declare it as %s",
				f.Name, f.Holds(), r.field.Name, c.object.Name, c.object.Generation.Name,
				declaration(f.Name, f.goType(t.Qualified(f.TypeIn, f.Type)), found.JSONName))
		}
	}
	if len(missing.Companions) > 0 {
		c.missing = append(c.missing, missing)
	}
}

// companions returns the fields that a reference needs beside its value.
func (c *collector) companions(r *reference) []Companion {
	g := c.object.Generation
	reference, selector := r.field.ReferenceNames()
	fields := []Companion{
		{Name: reference, Slice: r.value.slice, Type: g.References.Reference, marker: r.field.OwnMarker(markers.ReferenceFieldName)},
		{Name: selector, Selector: true, Type: g.References.Selector, marker: r.field.OwnMarker(markers.ReferenceSelectorFieldName)},
	}
	for i := range fields {
		fields[i].JSONName = jsonName(fields[i].Name, r.field)
		fields[i].TypeIn, fields[i].Declarations = g.Types, g.References.Declarations
	}
	return fields
}

// fits reports whether the field may have a type.
func (c *Companion) fits(t *model.Type) bool {
	kind := map[bool]model.Kind{true: model.Slice, false: model.Pointer}[c.Slice]
	return t.Kind == kind && !t.Array && t.Elem.Name == c.Type && slices.Contains(c.Declarations, t.Elem.Package)
}

// goField returns the field that a Go selector selects in a struct without following a pointer, which may be
// nil.
func goField(t *model.Type, name string) *model.Field {
	// Fields of the struct itself hide fields of embedded structs.
	if i := slices.IndexFunc(t.Fields, func(f *model.Field) bool { return f.Name == name }); i >= 0 {
		return t.Fields[i]
	}
	for _, f := range t.Fields {
		if f.Embedded && f.Type.Kind == model.Struct {
			if found := goField(f.Type, name); found != nil {
				return found
			}
		}
	}
	return nil
}

// extractor sets the function named by a marker, which extracts the value from the target of a reference.
func (c *collector) extractor(r *reference, m *model.Marker) {
	call, _ := markers.ParseGoCall(m.Value.Text(""))
	at := valuePosition(m)
	home, p := c.pkg(c.home, at), c.pkg(cmp.Or(call.Package, c.home), at)
	if home == nil || p == nil {
		return
	}
	r.extractor = &extractor{function: call.Function, functionIn: imported(p), at: at, arguments: call.Arguments, namesIn: imported(home)}
	g := c.object.Generation
	want := flavor.TypeName{Package: g.References.Package.Path, Name: "ExtractValueFn"}
	switch f := p.Functions[call.Function]; {
	case f == nil:
		remedy := "declare one that returns a " + g.References.Package.Alias + ".ExtractValueFn"
		c.errorf(at, "package %s declares no function %s: %s", p.Path, call.Function, markers.Remedy(call.Function, slices.Sorted(maps.Keys(p.Functions)), remedy))
	// The method is in the kind's package, even if the struct isn't.
	case p.Path != c.object.Package.Path && !token.IsExported(call.Function):
		c.errorf(at, "%s is not exported by package %s, and package %s calls it: export it", call.Function, p.Path, c.object.Package.Path)
	case !slices.Equal(f.Results, []flavor.TypeName{want}):
		c.errorf(at, "%s does not return an ExtractValueFn of %s alone, as an extractor for a managed resource of %s must: change its results",
			call.Function, want.Package, g.Name)
	default:
		c.arguments(call, f, home, at)
	}
}

// arguments reports arguments that an extractor's function doesn't accept.
func (c *collector) arguments(call markers.Call, f *model.Function, home *model.Package, at diag.Position) {
	least := len(f.Parameters)
	if f.Variadic {
		least--
	}
	if n := len(call.Arguments); n < least || n > least && !f.Variadic {
		c.errorf(at, "%s takes %d arguments, and is given %d: see %s", call.Function, len(f.Parameters), n, f.Pos)
		return
	}
	for i, argument := range call.Arguments {
		parameter := f.Parameters[min(i, len(f.Parameters)-1)]
		if argument.Kind == token.IDENT && argument.Text != "true" && argument.Text != "false" {
			c.constant(argument, home, at)
		} else if !takes(parameter, argument) { // a constant's type is checked when generated code is compiled
			c.errorf(at, "argument %d of %s is %s, and must be of type %s: see %s", i+1, call.Function, argument.Text, parameter.Name, f.Pos)
		}
	}
}

// constant reports a name that the package with the marker doesn't declare.
func (c *collector) constant(argument markers.CallArgument, home *model.Package, at diag.Position) {
	switch _, name := splitSign(argument.Text); {
	case home.Names[name] == diag.Position{}:
		c.errorf(at, "package %s declares no %s: write a literal, or the name of a constant in this package", home.Path, name)
	case home != c.object.Package && !token.IsExported(name):
		c.errorf(at, "%s is not exported by package %s, and package %s uses it: export it", name, home.Path, c.object.Package.Path)
	}
}

// splitSign splits the sign off a literal or a name.
func splitSign(text string) (sign, name string) {
	name = strings.TrimLeft(text, "+-")
	return text[:len(text)-len(name)], name
}

// takes reports whether a parameter accepts a literal. Only literals of predeclared types can be judged.
func takes(parameter flavor.TypeName, argument markers.CallArgument) bool {
	if parameter.Package != "" || types.Universe.Lookup(parameter.Name) == nil {
		return true
	}
	_, err := types.Eval(token.NewFileSet(), nil, token.NoPos, "func("+parameter.Name+") {}("+argument.Text+")")
	return err == nil
}
