package apitypes

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/controllertools"
	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/source/load"
	"github.com/mrgen-io/mrgen/markers"
)

// PackageErrors returns the errors that controller-tools has added to packages since they were loaded, or since the last
// call.
func (s *Source) PackageErrors() diag.List {
	var diags diag.List
	s.Program.NewErrors(func(pkg *loader.Package, errors []packages.Error) {
		for _, e := range s.packageErrors(pkg, errors) {
			diags = append(diags, s.atUsers(pkg, e)...)
		}
	})
	return diags
}

// A packageError is an error of controller-tools, in mrgen's words.
type packageError struct {
	diag.Diagnostic
	// of is the position of the declaration that the error is about, and typ is the name of its type, or of the type
	// around the field.
	of  token.Pos
	typ string
	// misapplied is set if a marker is for other types than the declaration's. followUp is set if another error in the
	// declaration may be the reason.
	misapplied, followUp bool
}

// packageErrors translates the errors of a package. It leaves out errors that follow from others about the same
// declaration.
func (s *Source) packageErrors(pkg *loader.Package, errors []packages.Error) []packageError {
	var all []packageError
	for _, e := range errors {
		if e.Kind != packages.TypeError { // packages that are checked in part have many type errors, which don't matter
			all = append(all, s.translate(pkg, e))
		}
	}
	return slices.DeleteFunc(slices.Clone(all), func(e packageError) bool {
		return e.followUp && slices.ContainsFunc(all, func(other packageError) bool { return other.of == e.of && !other.misapplied })
	})
}

// translate returns an error in mrgen's words, at the declaration that it is about.
func (s *Source) translate(pkg *loader.Package, e packages.Error) packageError {
	t := packageError{Diagnostic: diag.Errorf(s.files.ErrorPosition(pkg, s.Program.Scope.Root(), e.Pos), codeType, "%s",
		s.files.RelativeText(e.Msg))}
	d := s.declarationAt(pkg, t.Pos)
	if d == nil { // no declaration of this package, such as an import
		return t
	}
	t.of, t.typ = d.pos, d.typ
	if controllertools.FloatingError.MatchString(e.Msg) {
		t.Diagnostic = diag.Errorf(s.files.Position(d.pos), codeType, "%s", d.name+floating)
		t.Like = "%d fields have" + strings.TrimPrefix(floating, " has")
		return t
	}
	if match := controllertools.AliasError.FindStringSubmatch(e.Msg); match != nil {
		name, kind := match[2], strings.ToLower(match[1])
		t.Message = fmt.Sprintf("%s is an alias of a %s, which can't be read here: write the %s itself", name, kind, kind)
		if kind != "pointer" { // a pointer type has no methods, such as DeepCopyInto
			t.Message += fmt.Sprintf(", or declare %s without an equals sign", name)
		}
		return t
	}
	for _, slip := range controllertools.TypeErrors {
		if slip.Matches.MatchString(e.Msg) {
			t.Message = d.name + slip.Message
			isOfKey := strings.HasPrefix(e.Msg, "must apply listMapKey") // which another +listType may explain
			t.misapplied, t.followUp = isOfKey, isOfKey
			return t
		}
	}
	if match := controllertools.AlternativeError.FindStringSubmatch(e.Msg); match != nil {
		t.Diagnostic = diag.Errorf(s.files.Position(d.pos), codeType,
			"%s is one of several alternatives in a marker, so it can't be required: mark it +optional, and give it omitempty", match[1])
		return t
	}
	if controllertools.UntaggedError.MatchString(e.Msg) {
		tag := strings.ToLower(d.name[:1]) + d.name[1:]
		if !token.IsExported(d.name) { // encoding/json ignores it
			tag = "-"
		}
		t.Diagnostic = diag.Errorf(s.files.Position(d.pos), codeType, "%s has no json tag: give it json:%q", d.name, tag)
		return t
	}
	if match := controllertools.MisappliedError.FindStringSubmatch(e.Msg); match != nil {
		s.misapplied(&t, pkg, d, match)
	}
	return t
}

// misapplied states an error about a marker on the wrong type, from the parts of controller-tools' message.
func (s *Source) misapplied(t *packageError, pkg *loader.Package, d *declaration, match []string) {
	text, at := s.markerOf(d.doc, match[1])
	if text == "" {
		text, at = markers.ValidationPrefix+match[1], s.files.Position(d.pos)
	}
	// controller-tools found no type, and another error may say why.
	t.misapplied, t.followUp = true, match[3] == ""
	var of *types.TypeName
	remedy, isForeign := "put it above the declaration of that type", false
	named, isNamed := d.pointedTo(pkg).(*types.Named)
	if isNamed {
		of = named.Obj()
		isForeign = of.Pkg() != nil && !load.InModule(s.files.Position(of.Pos()).File)
	}
	if isForeign { // the author can't mark its declaration
		remedy = "write a rule, +" + markers.XValidation + ", instead"
	}
	// The schema of the field refers to the declared type's, and so doesn't show its kind. A marker may give a type of the
	// author's that marshals itself any form.
	isMarkable := isNamed && (isWanted(named, match[2]) || !isForeign && hasMethod(named, "MarshalJSON", "MarshalText"))
	switch {
	case isMarkable:
		t.Diagnostic = diag.Errorf(at, codeType, "+%s has no effect on %s, whose type %s is declared elsewhere: %s", text, d.name, of.Name(), remedy)
	case match[2] == "an array value" && match[3] == "array":
		t.Diagnostic = diag.Errorf(at, codeType, misapplied, text, match[2], d.name+" has no items in Go", d.remedy(pkg, match[2], text))
	case match[3] != "":
		t.Diagnostic = diag.Errorf(at, codeType, misapplied, text, match[2], d.name+" is of type "+match[3], d.remedy(pkg, match[2], text))
	case isForeign && slices.Contains([]string{"IntOrString", "Quantity"}, of.Name()) && match[2] == "a textual value":
		t.Diagnostic = diag.Errorf(at, codeType, "+%s is for %s, and %s is of type %s: mark it +%s, too", text, match[2], d.name, of.Name(), markers.XIntOrString)
	case isForeign:
		t.Diagnostic = diag.Errorf(at, codeType, "+%s is for %s, and %s is of type %s: %s", text, match[2], d.name, of.Name(), remedy)
	default:
		t.Diagnostic = diag.Errorf(at, codeType, misapplied, text, match[2], d.name+" is not one", d.remedy(pkg, match[2], text))
	}
}

// misapplied is the message about a marker, the types that it is for, the type that it is on, and the remedy.
const misapplied = "+%s is for %s, and %s: %s"

// floating is the message about a field or type.
const floating = " has a floating-point type, which clients read differently: use a string or resource.Quantity, or set crds.allowDangerousTypes in mrgen.yaml"

// atUsers returns the diagnostics for an error. For a type of another module, they are at the fields below the module
// root that lead to the type.
func (s *Source) atUsers(pkg *loader.Package, e packageError) diag.List {
	if !e.Pos.IsOutside() || e.typ == "" || s.Model == nil {
		return diag.List{e.Diagnostic}
	}
	var diags diag.List
	for _, f := range usersOf(s.Model, loader.NonVendorPath(pkg.PkgPath), e.typ) {
		t := origin(f.Type)
		diags = append(diags, diag.Errorf(f.Pos, codeType,
			"%s has the type %s.%s, which the schema of a CRD can't express: declare a type of your own, or use apiextensionsv1.JSON",
			f.Name, t.PackageName, t.Name))
	}
	if len(diags) == 0 {
		return diag.List{e.Diagnostic}
	}
	return diags
}

// usersOf returns the fields, in types below the module root, through which a type of
// another module is part of the API.
func usersOf(m *model.Model, importPath, name string) []*model.Field {
	leadsTo := func(t *model.Type) (leads bool) {
		model.EachField([]*model.Field{{Type: t}}, func(f *model.Field) bool {
			t := f.Type.Leaf()
			leads = leads || t.Package == importPath && t.Name == name
			return !leads && !strings.HasPrefix(t.Package, "k8s.io/apimachinery/") // whose schemas controller-tools knows
		})
		return leads
	}
	var users []*model.Field
	for o := range model.Objects(m.Packages) {
		model.EachField(o.Type.Fields, func(f *model.Field) bool {
			if of := origin(f.Type); !of.Local && of.Package != "" && leadsTo(of) {
				users = append(users, f)
			}
			return f.Type.Leaf().Local
		})
	}
	return users
}

// origin returns the type of a field's values, or the one of another module that it is declared as.
func origin(t *model.Type) *model.Type {
	for t = t.Leaf(); t.Local && t.Of != nil; {
		t = t.Of.Leaf()
	}
	return t
}

// markerOf returns the name and the position of a marker in a comment, by the name in an error of controller-tools.
func (s *Source) markerOf(doc *ast.CommentGroup, name string) (string, diag.Position) {
	_, last := cutLast(name)
	for comment, text := range gosyntax.Markers(doc) {
		full, _, _ := strings.Cut(text, "=")
		full = strings.TrimSuffix(full, ":")
		_, own := cutLast(full)
		isShared := name == controllertools.ItemsMarkers && strings.HasPrefix(full, controllertools.ItemsMarkers)
		// Errors name the Go type of a marker, which may be the singular of its name, and the case may differ.
		if isShared || strings.EqualFold(own, last) || strings.EqualFold(own, last+"s") {
			return full, s.markerPosition(comment)
		}
	}
	return "", diag.Position{}
}

// cutLast cuts the name of a marker before its last part.
func cutLast(name string) (rest, last string) {
	i := strings.LastIndexByte(name, ':')
	return name[:max(i, 0)], name[i+1:]
}

// A declaration is the declaration of a field or type.
type declaration struct {
	name string
	// typ is the name of the type, or of the type around the field.
	typ string
	pos token.Pos
	doc *ast.CommentGroup
	// expr is the type of a field, or of the declaration.
	expr ast.Expr
}

// kindsOf maps a word in controller-tools' errors to the kinds of types that a marker is for.
var kindsOf = map[string]func(types.Type) bool{
	"object": func(t types.Type) bool {
		_, isStruct := t.(*types.Struct)
		_, isMap := t.(*types.Map)
		return isStruct || isMap
	},
	"array":   func(t types.Type) bool { _, ok := t.(*types.Slice); return ok },
	"textual": func(t types.Type) bool { basic, ok := t.(*types.Basic); return ok && basic.Info()&types.IsString != 0 },
	"numeric": func(t types.Type) bool { basic, ok := t.(*types.Basic); return ok && basic.Info()&types.IsNumeric != 0 },
}

// isWanted reports whether a type is of the kind that a marker is for.
func isWanted(t types.Type, wanted string) bool {
	for word, isOfKind := range kindsOf {
		if slices.Contains(strings.Fields(wanted), word) {
			return isOfKind(t.Underlying())
		}
	}
	return false
}

// remedy says where a marker belongs that is on another type than it is for, or how it is called there.
func (d *declaration) remedy(pkg *loader.Package, wanted, text string) string {
	switch t := d.pointedTo(pkg).(type) {
	case *types.Slice:
		ofItems := markers.ItemsValidationPrefix + strings.TrimPrefix(text, markers.ValidationPrefix)
		if isWanted(t.Elem(), wanted) && markers.IsRead(ofItems) {
			return "write +" + ofItems
		}
		if name, isOfObjects := strings.CutSuffix(text, "Properties"); isOfObjects {
			return "write +" + name + "Items"
		}
	case *types.Map:
		if isWanted(t.Elem(), wanted) {
			return "declare a type for its values, and mark that"
		}
		if name, isOfLists := strings.CutSuffix(text, "Items"); isOfLists {
			return "write +" + name + "Properties"
		}
	}
	return "remove the marker, or put it where the type is declared"
}

// pointedTo returns the field's type, or the type that it points to.
func (d *declaration) pointedTo(pkg *loader.Package) types.Type {
	t := types.Unalias(pkg.TypesInfo.TypeOf(d.expr))
	if pointer, ok := t.(*types.Pointer); ok {
		t = types.Unalias(pointer.Elem())
	}
	return t
}

// declarationAt returns the innermost declaration of a field or type that a position is
// in, or nil.
func (s *Source) declarationAt(pkg *loader.Package, at diag.Position) *declaration {
	var found *declaration
	for _, node := range s.files.EnclosingAt(pkg, at) {
		switch node := node.(type) {
		case *ast.Field:
			if names := gosyntax.FieldNames(node); len(names) > 0 && found == nil {
				found = &declaration{name: names[0].Name, pos: names[0].Pos(), doc: node.Doc, expr: node.Type}
			}
		case *ast.TypeSpec:
			if found == nil {
				found = &declaration{name: node.Name.Name, pos: node.Name.Pos(), doc: node.Doc, expr: node.Type}
			}
			found.typ = node.Name.Name
		case *ast.GenDecl:
			// A declaration without parentheses has the comment of the type.
			if found != nil && found.name == found.typ && found.doc == nil && !node.Lparen.IsValid() {
				found.doc = node.Doc
			}
		}
	}
	return found
}
