package load

import (
	"fmt"
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/mrgen-io/mrgen/generator/internal/diag"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/markers"
)

// PackageErrors returns the errors that controller-tools has added to packages
// since they were loaded, or since the last call, type errors apart: the packages that it
// checks in part have many, and none that matter.
func (s *Source) PackageErrors() diag.List {
	s.loading.Lock()
	defer s.loading.Unlock()
	var diags diag.List
	s.eachPackage(func(pkg *loader.Package) {
		from := max(s.errorsAtLoad[pkg], s.errorsReported[pkg])
		for _, e := range s.told(pkg, pkg.Errors[from:]) {
			diags = append(diags, s.atUsers(pkg, e)...)
		}
		s.errorsReported[pkg] = len(pkg.Errors)
	})
	return diags
}

// A told error is one of controller-tools in mrgen's words.
type told struct {
	pos     diag.Position
	message string
	// of is where the field or type is declared that the error is about, and typ the
	// name of the type that it is in.
	of  token.Pos
	typ string
	// misapplied is set if a marker is for other types than that of the declaration, and
	// followUp if that may be because the type is wrong.
	misapplied, followUp bool
}

// told returns the errors of a package, those left out that follow from others about the
// same declaration.
func (s *Source) told(pkg *loader.Package, errors []packages.Error) []told {
	var all []told
	for _, e := range errors {
		if e.Kind != packages.TypeError {
			all = append(all, s.tell(pkg, e))
		}
	}
	return slices.DeleteFunc(slices.Clone(all), func(e told) bool {
		return e.followUp && slices.ContainsFunc(all, func(other told) bool { return other.of == e.of && !other.misapplied })
	})
}

// tell says an error in mrgen's words, at what it is about.
func (s *Source) tell(pkg *loader.Package, e packages.Error) told {
	t := told{pos: s.errorPosition(pkg, s.root, e.Pos), message: s.relativeText(e.Msg)}
	d := s.declarationAt(pkg, t.pos)
	if d == nil {
		return t
	}
	t.of, t.typ = d.pos, d.typ
	if strings.HasPrefix(e.Msg, "found float,") {
		t.pos = s.Position(d.pos)
		t.message = d.name + " has a floating-point type, which not all clients read alike: use a string or resource.Quantity, or set --allow-dangerous-types"
		return t
	}
	if match := constrained.FindStringSubmatch(e.Msg); match != nil {
		t.pos = s.Position(d.pos)
		t.message = match[1] + " is one of several fields of which a marker demands some, so that it can't be required: mark it +optional, and give it omitempty"
		return t
	}
	match := misapplied.FindStringSubmatch(e.Msg)
	if match == nil {
		return t
	}
	text, at := s.markerOf(d.doc, match[1])
	if text == "" {
		text, at = markers.ValidationPrefix+match[1], s.Position(d.pos)
	}
	what := d.name + " is none"
	if match[3] != "" {
		what = d.name + " is of type " + match[3]
	}
	t.pos, t.misapplied, t.followUp = at, true, match[3] == ""
	t.message = fmt.Sprintf("+%s is for %s, and %s: remove the marker, or put it where the type is declared", text, match[2], what)
	return t
}

// misapplied is what controller-tools says of a marker for other types.
var misapplied = regexp.MustCompile(`^must apply ([\w:]+) to (an? [\w ]+?)(?:, found(?: type)? "?(\w*)"?)?$`)

// constrained is what it says of a required field in a choice.
var constrained = regexp.MustCompile(`^field (\S+) is part of OneOf constraint`)

// atUsers returns the diagnostics for an error: one about a type of another module is at
// the fields below the module root that lead to the type.
func (s *Source) atUsers(pkg *loader.Package, e told) diag.List {
	if !e.pos.IsOutside() || e.typ == "" || s.Model == nil {
		return diag.List{diag.Errorf(e.pos, codeType, "%s", e.message)}
	}
	var diags diag.List
	for _, f := range usersOf(s.Model, loader.NonVendorPath(pkg.PkgPath), e.typ) {
		t := f.Type.Leaf()
		diags = append(diags, diag.Errorf(f.Pos, codeType, "%s has the type %s.%s, which the schema of a CRD can't express, since its source is not made for it: use a type of your own, or apiextensionsv1.JSON",
			f.Name, t.PackageName, t.Name))
	}
	if len(diags) == 0 {
		return diag.List{diag.Errorf(e.pos, codeType, "%s", e.message)}
	}
	return diags
}

// usersOf returns the fields of types below the module root whose types are of another
// module, and are or lead to a declared one.
func usersOf(m *model.Model, importPath, name string) []*model.Field {
	leads := map[*model.Type]bool{}
	var leadsTo func(t *model.Type) bool
	leadsTo = func(t *model.Type) bool {
		t = t.Leaf()
		if known, seen := leads[t]; seen {
			return known
		}
		leads[t] = t.Package == importPath && t.Name == name
		if strings.HasPrefix(t.Package, "k8s.io/apimachinery/") || strings.HasPrefix(t.Package, "k8s.io/apiextensions-apiserver/") {
			return leads[t] // controller-tools knows the schemas of these
		}
		for _, f := range t.Fields {
			leads[t] = leads[t] || leadsTo(f.Type)
		}
		return leads[t]
	}
	var users []*model.Field
	seen := map[*model.Type]bool{}
	var visit func(t *model.Type)
	visit = func(t *model.Type) {
		t = t.Leaf()
		if seen[t] || !t.Local {
			return
		}
		seen[t] = true
		for _, f := range t.Fields {
			if leaf := f.Type.Leaf(); !leaf.Local && leaf.Package != "" && leadsTo(leaf) {
				users = append(users, f)
			}
			visit(f.Type)
		}
	}
	for _, p := range m.Packages {
		for _, o := range p.Objects {
			visit(o.Type)
		}
	}
	return users
}

// markerOf returns the name of a marker in a comment, and where it is, by the last part
// of the name in lower case, or what controller-tools has for it.
func (s *Source) markerOf(doc *ast.CommentGroup, name string) (string, diag.Position) {
	if doc == nil {
		return "", diag.Position{}
	}
	_, name = cutLast(name)
	for _, comment := range doc.List {
		text, found := markerText(comment.Text)
		if !found {
			continue
		}
		full, _, _ := strings.Cut(text, "=")
		if _, last := cutLast(full); strings.EqualFold(last, name) || strings.EqualFold(last, name+"s") {
			return full, s.markerPosition(comment)
		}
	}
	return "", diag.Position{}
}

// cutLast cuts the last part off a name of a marker.
func cutLast(name string) (rest, last string) {
	i := strings.LastIndexByte(name, ':')
	return name[:max(i, 0)], name[i+1:]
}

// A declaration is that of a field or type.
type declaration struct {
	name string
	// typ is the name of the type that it is in, or is.
	typ string
	pos token.Pos
	doc *ast.CommentGroup
}

// declarationAt returns the innermost declaration of a field or type that a position is
// in, or nil.
func (s *Source) declarationAt(pkg *loader.Package, at diag.Position) *declaration {
	for _, file := range pkg.Syntax {
		pos, found := s.posIn(file, at)
		if !found {
			continue
		}
		var innermost *declaration
		ast.Inspect(file, func(node ast.Node) bool {
			if node == nil || pos < node.Pos() || node.End() <= pos {
				return false
			}
			switch node := node.(type) {
			case *ast.GenDecl:
				if len(node.Specs) == 1 && !node.Lparen.IsValid() {
					innermost = &declaration{doc: node.Doc}
				}
			case *ast.TypeSpec:
				d := &declaration{name: node.Name.Name, typ: node.Name.Name, pos: node.Name.Pos(), doc: node.Doc}
				if innermost != nil && d.doc == nil {
					d.doc = innermost.doc
				}
				innermost = d
			case *ast.Field:
				if names := FieldNames(node); len(names) > 0 && innermost != nil {
					innermost = &declaration{name: names[0].Name, typ: innermost.typ, pos: names[0].Pos(), doc: node.Doc}
				}
			}
			return true
		})
		if innermost != nil && innermost.name != "" {
			return innermost
		}
	}
	return nil
}

// posIn returns the position in a file, if it is in that one.
func (s *Source) posIn(file *ast.File, at diag.Position) (token.Pos, bool) {
	tokenFile := s.fset.File(file.Pos())
	if s.relative(tokenFile.Name()) != at.File || at.Line < 1 || at.Line > tokenFile.LineCount() {
		return token.NoPos, false
	}
	return tokenFile.LineStart(at.Line) + token.Pos(max(at.Column-1, 0)), true
}
