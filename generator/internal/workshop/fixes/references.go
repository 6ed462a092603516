package fixes

import (
	"go/ast"
	"go/token"
	"path"
	"slices"
	"strconv"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/stages/resolvers"
	"github.com/mrgen-io/mrgen/generator/internal/workshop/goedit"
	"github.com/mrgen-io/mrgen/markers"
)

// References adds the fields for references and selectors that reference markers need, after the fields with
// the values, and lets JSON omit the values. A required value stays required unless a reference or selector is
// set. If requiredRules is set, generate writes that rule in forProvider.
//
// References returns the edited files, or none if a diagnostic is an error. It reports other problems with
// references as the resolvers stage does.
func References(source Source, requiredRules bool) (*artifact.Set, diag.List, error) {
	missing, diags := resolvers.FindMissing(source.Model)
	missing = slices.DeleteFunc(missing, func(m resolvers.Missing) bool {
		return source.Generated(m.Value.Pos.File) || source.isCopied(m.Struct) // a copy gets the edits of its source
	})
	slices.SortStableFunc(missing, func(a, b resolvers.Missing) int { return a.Value.Pos.Compare(b.Value.Pos) })
	r := &referenceFix{editor: newEditor(source.Root), uses: findUses(source.Model, requiredRules)}
	r.diags = diags
	for _, m := range missing {
		r.collect(m)
	}
	if !r.diags.HasErrors() {
		r.edit()
	}
	return r.set()
}

// A referenceFix collects the fields to add. Values may share a field, and kinds a struct.
type referenceFix struct {
	*editor
	uses map[*model.Type]uses
	// values are sorted by position, without duplicates.
	values []*value
	added  []*addition
}

// A value is a field that needs a reference or a selector.
type value struct {
	*goedit.Field
	model *model.Field
	// owner is the struct that declares the field.
	owner *model.Type
	// reference is the Go name of the reference's field, which may exist.
	reference string
}

// An addition is a field to add.
type addition struct {
	resolvers.Companion
	// first is the first reference that needs the field.
	first resolvers.Missing
	in    *ast.StructType
	// values share the field, which is added after the last of them.
	values []*value
}

func (r *referenceFix) collect(m resolvers.Missing) {
	v := r.value(m)
	if v == nil {
		return
	}
	for _, c := range m.Companions {
		i := slices.IndexFunc(r.added, func(a *addition) bool { return a.in == v.Struct && a.Name == c.Name })
		if i >= 0 {
			r.share(r.added[i], m, c, v)
			continue
		}
		if r.isFree(m, c, v.Struct) {
			r.added = append(r.added, &addition{Companion: c, first: m, in: v.Struct, values: []*value{v}})
		}
	}
}

// value returns the field with the value of a reference, or nil if it can't be edited.
func (r *referenceFix) value(m resolvers.Missing) *value {
	d := r.field(m.Value.Pos, m.Value.Name)
	if d == nil {
		return nil
	}
	if i := slices.IndexFunc(r.values, func(v *value) bool { return v.Field == d }); i >= 0 {
		return r.values[i]
	}
	v := &value{Field: d, model: m.Value, owner: m.Struct, reference: m.Reference}
	r.values = append(r.values, v)
	return v
}

// share makes another reference use an addition, or reports that it needs another type.
func (r *referenceFix) share(a *addition, m resolvers.Missing, c resolvers.Companion, v *value) {
	declares := func(pkg string) bool { return slices.Contains(c.Declarations, pkg) }
	switch {
	case a.Slice != c.Slice || a.Selector != c.Selector:
		r.errorf(m.Position(c), "%s would hold the %s of %s and the %s of %s, which have different types: name another field",
			c.Name, a.Holds(), a.first.Value.Name, c.Holds(), m.Value.Name)
	case a.Type != c.Type || !slices.ContainsFunc(a.Declarations, declares):
		r.errorf(m.Position(c),
			"%s has one type in %s, a managed resource of %s, and another in %s, one of %s, and both share this struct: declare a struct for each",
			c.Name, a.first.Object.Name, a.first.Object.Generation.Name, m.Object.Name, m.Object.Generation.Name)
	case !slices.Contains(a.values, v):
		a.values = append(a.values, v)
	}
}

// isFree reports whether a companion can be added to the struct. If not, it adds a diagnostic.
func (r *referenceFix) isFree(m resolvers.Missing, c resolvers.Companion, in *ast.StructType) bool {
	taken := m.Struct.Field(c.JSONName)
	for _, a := range r.added {
		if a.in == in && a.JSONName == c.JSONName {
			taken = &model.Field{Name: a.Name}
		}
	}
	_, isMethod := m.Struct.Methods[c.Name]
	switch {
	case !token.IsExported(c.Name):
		r.errorf(m.Position(c),
			"the field %s can't hold the %s of %s, since encoding/json passes over what is not exported: give it a name in upper case",
			c.Name, c.Holds(), m.Value.Name)
	case isMethod:
		r.errorf(m.Position(c), "the field %s can't be added, since %s has a method of that name: name another field", c.Name, m.Struct.Name)
	case c.Other != nil:
		r.diags = append(r.diags, m.Name(c))
	case taken != nil:
		r.errorf(m.Position(c), "the field %s would have the JSON name %q, which %s has: add %s with another one",
			c.Name, c.JSONName, taken.Name, c.SourceIn(m.Struct))
	default:
		return true
	}
	return false
}

func (r *referenceFix) edit() {
	for _, v := range r.values {
		r.omit(v)
		var fields [][]string
		for _, a := range r.added {
			if a.values[len(a.values)-1] == v {
				fields = append(fields, a.lines(v.File()))
			}
		}
		if len(fields) == 0 {
			continue
		}
		// A selector goes after an existing reference, if that is next to the value.
		after := v.Field
		if v.Next.Has(v.reference) {
			after = v.Next
		}
		after.InsertAfter(fields)
	}
}

// omit lets JSON omit a value that a reference can replace. If the value was required, then from now on the
// value or a reference must be set.
func (r *referenceFix) omit(v *value) {
	f := v.model
	if f.Omits() {
		return
	}
	if f.Required && !f.HasDefault() {
		switch marked, use := isMarkedRequired(f), r.uses[v.owner]; {
		// In forProvider, generate writes a rule for fields marked as required.
		case use == relaxed, use&(desired|other) == 0 && f.OwnMarker(markers.Identifier) != nil:
			if !marked {
				v.InsertBefore(markRequired)
			}
		case marked:
			r.staysRequired(v, "since it is marked so: drop that marker to have a rule ask for the value, its reference or its selector")
			return
		case use&other != 0:
			r.staysRequired(v, "since "+v.owner.Name+" is not only in spec: declare a struct for each")
			return
		// Elsewhere, a rule on the struct asks for the value or its reference.
		default:
			rule, ok := anySet(r.alternatives(v)...)
			if !ok {
				r.staysRequired(v, "since rules can't name it: choose other JSON names")
				return
			}
			comment := "// +" + markers.XValidation + ":rule=" + strconv.Quote(rule) + ",message=" +
				strconv.Quote(f.JSONName+" is required, or a reference or selector for it")
			v.File().InsertBeforeType(comment, func(t *ast.TypeSpec) bool { return ast.Unparen(t.Type) == v.Struct })
		}
	}
	v.AddOption("omitempty")
}

func (r *referenceFix) staysRequired(v *value, why string) {
	r.diags = append(r.diags, diag.Warningf(v.model.Pos, codeFix,
		"%s stays required where a reference or selector is given, %s", v.model.Name, why))
}

// alternatives returns the value, its reference and its selector.
func (r *referenceFix) alternatives(v *value) []givenValue {
	values := []givenValue{{jsonName: v.model.JSONName, typ: v.model.Type}}
	reference, selector := v.model.ReferenceNames()
	for _, name := range []string{reference, selector} {
		if f := v.owner.GoField(name); f != nil {
			values = append(values, givenValue{jsonName: f.JSONName, typ: f.Type})
			continue
		}
		i := slices.IndexFunc(r.added, func(a *addition) bool { return a.in == v.Struct && a.Name == name })
		kind := model.Pointer
		if r.added[i].Slice {
			kind = model.Slice
		}
		values = append(values, givenValue{jsonName: r.added[i].JSONName, typ: &model.Type{Kind: kind}})
	}
	return values
}

// lines returns the source of an addition.
func (a *addition) lines(f *goedit.File) []string {
	var names []string
	for _, v := range a.values {
		names = append(names, v.model.Name)
	}
	lines := goedit.Comment(purpose(a.Companion, a.first, names))
	if !a.Selector && a.first.Value.MarkedImmutable() {
		lines = append(lines, "// +"+markers.Immutable) // a selector only finds the reference
	}
	folders := path.Base(path.Dir(a.TypeIn.Path)) + path.Base(a.TypeIn.Path)
	return append(lines, "// +optional", a.Source(f.Import(a.TypeIn.Path, "", a.TypeIn.Alias, folders)))
}
