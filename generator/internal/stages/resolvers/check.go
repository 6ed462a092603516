package resolvers

import (
	"cmp"
	"go/token"
	"slices"
	"strings"
	"unicode"

	"github.com/mrgen-io/mrgen/generator/internal/diag"
	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/markers"
)

// valuePosition returns where the value of a marker begins, after the equals sign.
func valuePosition(m *model.Marker) diag.Position {
	_, after, _ := strings.Cut(m.Text, "=")
	at := m.Pos
	at.Column += len("+") + len(m.Text) - len(strings.TrimLeft(after, " \t"))
	return at
}

// target sets the kind that a reference is to, as its type marker names it.
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
	target := p.Object(name)
	switch from, to := c.object.Generation, generation(target); {
	case target == nil && p.Names[name] == diag.Position{}:
		c.errorf(at, "package %s declares no type %s: name the Go type of a managed resource", p.Path, name)
	case target == nil || target.Role != model.Managed:
		c.errorf(at, "%s is no managed resource, so nothing can refer to it: name the Go type of a managed resource", name)
	case to != nil && to.Resource != from.Resource:
		c.errorf(at, "%s is a managed resource of %s, and %s is one of %s: refer to a managed resource of the same version of crossplane-runtime",
			name, to.Name, c.object.Name, from.Name)
	case !hasList(p, name):
		c.errorf(at, "%s has no list, which selectors need: declare %sList, with items of type %s", name, name, name)
	}
}

func imported(p *model.Package) flavor.Import { return flavor.Import{Path: p.Path, Alias: p.Name} }

func generation(o *model.Object) *flavor.Generation {
	if o == nil {
		return nil
	}
	return o.Generation
}

func hasList(p *model.Package, kind string) bool {
	list := p.Object(kind + "List")
	return list != nil && list.List
}

// pkg returns a package whose names a marker uses, or nil if it can't be read,
// which is reported.
func (c *collector) pkg(importPath string, at diag.Position) *model.Package {
	p := c.model.Package(importPath)
	if p == nil {
		p = &model.Package{Path: importPath, Problem: "there is no package with this import path"}
	}
	if p.Problem != "" {
		c.errorf(at, "cannot read package %s: %s: correct the import path, or require the module of the package", p.Path, p.Problem)
		return nil
	}
	return p
}

// A companion is a field beside the value of a reference.
type companion struct {
	// name is the Go name that the field must have, and marker the one that says
	// so, or nil if it has the default name.
	name   string
	marker *model.Marker
	// goType is the type that the field must have, as source has it.
	goType string
	// fits reports whether a type is that one.
	fits func(*model.Type) bool
	// holds says what is in the field.
	holds string
}

// fields sets the fields that hold the reference, or references, and their
// selector, and reports those that are missing or have another type.
func (c *collector) fields(r *reference, t *model.Type, m *model.Marker) {
	g := c.object.Generation
	is := func(name string) func(*model.Type) bool {
		return func(t *model.Type) bool {
			return t.Name == name && slices.Contains(g.References.Declarations, t.Package)
		}
	}
	isPointer := func(elem func(*model.Type) bool) func(*model.Type) bool {
		return func(t *model.Type) bool { return t.Kind == model.Pointer && elem(t.Elem) }
	}
	reference := companion{
		name: r.field.Name + "Ref", marker: marker(r.field, markerRefField), holds: "reference",
		goType: "*" + g.Types.Alias + "." + g.References.Reference,
		fits:   isPointer(is(g.References.Reference)),
	}
	if r.value.slice {
		reference.name = r.field.Name + "Refs"
		reference.holds = "references"
		reference.goType = "[]" + g.Types.Alias + "." + g.References.Reference
		reference.fits = func(t *model.Type) bool {
			return t.Kind == model.Slice && !t.Array && is(g.References.Reference)(t.Elem)
		}
	}
	selector := companion{
		name: r.field.Name + "Selector", marker: marker(r.field, markerSelectorField), holds: "selector",
		goType: "*" + g.Types.Alias + "." + g.References.Selector,
		fits:   isPointer(is(g.References.Selector)),
	}
	var missing []companion
	for _, f := range []*companion{&reference, &selector} {
		if f.marker != nil {
			f.name = f.marker.Value.Text("")
		}
		switch found := goField(t, f.name); {
		case found == nil && f.marker != nil:
			c.errorf(valuePosition(f.marker), "there is no field %s beside %s, which refers to %s: add %s, or name the field that holds the %s",
				f.name, r.field.Name, r.target, f.source(r.field), f.holds)
		case found == nil:
			missing = append(missing, *f)
		case !f.fits(found.Type):
			c.errorf(found.Pos, "%s can't hold the %s of %s in %s, which is a managed resource of %s: declare it as %s",
				f.name, f.holds, r.field.Name, c.object.Name, g.Name, declaration(f.name, f.goType, found.JSONName))
		}
	}
	switch len(missing) {
	case 1:
		c.errorf(m.Pos, "there is no field %s beside %s, which refers to %s: add %s",
			missing[0].name, r.field.Name, r.target, missing[0].source(r.field))
	case 2:
		c.errorf(m.Pos, "there are no fields %s and %s beside %s, which refers to %s: add %s and %s",
			reference.name, selector.name, r.field.Name, r.target, reference.source(r.field), selector.source(r.field))
	}
	r.refField, r.selectorField = reference.name, selector.name
}

// source returns the field as source has it.
func (f *companion) source(of *model.Field) string {
	return declaration(f.name, f.goType, jsonName(f.name, of))
}

func declaration(name, goType, jsonName string) string {
	return name + " " + goType + " `json:\"" + jsonName + ",omitempty\"`"
}

// jsonName returns the JSON name for a field beside that with the value: it begins
// as the JSON name of that field does, if the Go name begins as its Go name.
func jsonName(name string, of *model.Field) string {
	for _, plural := range []string{"", "s"} {
		goName, isGo := strings.CutSuffix(of.Name, plural)
		inJSON, isJSON := strings.CutSuffix(of.JSONName, plural)
		if rest, found := strings.CutPrefix(name, goName); found && isGo && isJSON {
			return inJSON + rest
		}
	}
	return lowerFirst(name)
}

// lowerFirst returns a Go name with its first word in lower case: URL, or the V of
// Value.
func lowerFirst(name string) string {
	end := strings.IndexFunc(name, func(r rune) bool { return !unicode.IsUpper(r) })
	switch {
	case end < 0:
		end = len(name)
	case end > 1:
		end-- // the last one begins the next word
	}
	return strings.ToLower(name[:end]) + name[end:]
}

// goField returns the field that a Go selector reaches in a struct without
// passing a pointer, which may be nil.
func goField(t *model.Type, name string) *model.Field {
	for _, f := range t.Fields {
		if f.Name == name {
			return f
		}
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

// extractor sets the function that takes the value from the kind that a reference
// is to, as its marker names it.
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
	f := p.Functions[call.Function]
	switch {
	case f == nil:
		c.errorf(at, "package %s declares no function %s: declare one that returns a %s.ExtractValueFn", p.Path, call.Function, g.References.Package.Alias)
	case p.Path != c.object.Package.Path && !token.IsExported(call.Function):
		c.errorf(at, "%s is not exported by package %s, and package %s calls it: export it", call.Function, p.Path, c.object.Package.Path)
	case !slices.Equal(f.Results, []flavor.TypeName{want}):
		c.errorf(at, "%s does not return an ExtractValueFn of %s alone, as an extractor for a managed resource of %s must: change its results",
			call.Function, want.Package, g.Name)
	default:
		c.arguments(call, f, home, at)
	}
}

// arguments reports arguments that the function of an extractor doesn't take.
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
		if argument.Kind == token.IDENT && !isPredeclared(argument.Text) {
			c.constant(argument, home, at)
		} else if !takes(parameter, argument) {
			c.errorf(at, "argument %d of %s is %s, and must be of type %s: see %s", i+1, call.Function, argument.Text, parameter.Name, f.Pos)
		}
	}
}

// constant reports a name that is not declared where the marker is.
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

func isPredeclared(name string) bool { return name == "true" || name == "false" }

// takes reports whether a parameter takes a literal, as far as the name of its
// type tells.
func takes(parameter flavor.TypeName, argument markers.CallArgument) bool {
	if parameter.Package != "" {
		return true
	}
	switch parameter.Name {
	case "string":
		return argument.Kind == token.STRING
	case "bool":
		return argument.Kind == token.IDENT
	case "int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64", "uintptr", "byte", "rune":
		return argument.Kind == token.INT || argument.Kind == token.CHAR
	case "float32", "float64":
		return argument.Kind == token.INT || argument.Kind == token.CHAR || argument.Kind == token.FLOAT
	}
	return true
}
