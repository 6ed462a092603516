package sdkconversion

import (
	"fmt"
	"go/ast"
	"go/types"
	"path"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/extensions/bodies"
	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
	"github.com/mrgen-io/mrgen/generator/internal/render/gosrc"
	"github.com/mrgen-io/mrgen/markers"
)

// A declaration is an interface with +mrgen:convert.
type declaration struct {
	name    string
	methods []*function
}

// A function converts values: a method of an interface, an author's function, or a function between two structs
// inside others.
type function struct {
	name string
	pos  diag.Position
	marks
	// parameters are all parameters: from has the structs to convert, and arguments the others.
	parameters, from, arguments []*types.Var
	to                          types.Type
	// signature is a method's signature.
	signature *types.Signature
	// fails is set if the function returns an error.
	fails bool
	// sends is set if the value goes to the SDK.
	sends bool
	// byHand is the declaration of an author's function.
	byHand *ast.FuncDecl
	// steps fill the result. done are fields of the kind that aren't missing though they have no step.
	steps []*step
	done  []*field
	// method is the method that first needed this function between structs.
	method *function
}

// marks are the meaning of the markers on a method or a field.
type marks struct {
	// names are the markers with the name of a field.
	names []marker
	// within are structs of the SDK whose own fields count as their parent's.
	within []string
	// name is the field's name in the SDK, by the marker at namedAt.
	name    string
	namedAt diag.Position
	form
	// optional is set for a field that may stay unconverted.
	optional bool
	// updates is set for a method that makes a request to update.
	updates bool
}

// A marker names a field to leave out, a struct of the SDK, or a field and its path in the SDK.
type marker struct {
	kind, name, path string
	pos              diag.Position
}

// find returns the last marker of a kind with a name, or nil.
func (m marks) find(kind, name string) (found *marker) {
	for _, one := range m.names {
		if one.kind == kind && one.name == name {
			found = &one
		}
	}
	return found
}

// A form is what markers say of values, on a method or a field.
type form struct {
	// key and value are the fields of list items that hold the entries of a map.
	key, value string
	sendsZero  bool
	// isNumber is set if a value is a number in any form.
	isNumber bool
}

// read reads the declarations of the package.
func (w *writer) read(problems []bodies.Problem) {
	w.fields, w.lines, w.counted = map[string][]*field{}, map[string][]string{}, map[*ast.Comment]bool{}
	w.pkg = gosrc.NewPackage(w.checked.Types.Path(), w.checked.Types.Name())
	for _, file := range slices.Concat(w.checked.Files, w.checked.Others, w.tests()) {
		for _, decl := range file.Decls {
			gosyntax.EachName(decl, func(name *ast.Ident) { w.pkg.Declare(name.Name) })
		}
	}
	functions := map[string]*ast.FuncDecl{}
	for _, file := range w.checked.Files {
		for _, decl := range file.Decls {
			if decl, ok := decl.(*ast.FuncDecl); ok && decl.Recv == nil {
				functions[decl.Name.Name] = decl
				if w.isMarked(decl.Doc) {
					w.addByHand(decl)
				}
			}
		}
		for decl, declared := range gosyntax.Types(file) {
			w.readType(decl, declared, problems)
		}
	}
	w.checkPlaces()
	for i, m := range w.functions {
		other := slices.IndexFunc(w.functions, func(f *function) bool { return f.name == m.name })
		// An author's function of that name implements the method; anything else clashes.
		m.byHand = functions[m.name]
		switch {
		case other < i:
			w.errorf(m.pos, "%s declares %s as well: one function can't convert both: rename one of them", w.functions[other].pos, m.name)
		case m.byHand == nil && (w.pkg.IsTaken(m.name) || w.isReserved(m.name)):
			w.errorf(m.pos, "the package, or Go, has something else of the name %s: rename the method", m.name)
		case m.byHand != nil:
			w.checkByHand(m)
		}
		w.pkg.Declare(m.name)
	}
}

// checkByHand reports an author's function that differs from the method that it implements.
func (w *writer) checkByHand(m *function) {
	object, ok := w.checked.Info.Defs[m.byHand.Name].(*types.Func)
	if ok && !types.Identical(object.Type(), m.signature) {
		w.errorf(w.program.Files.Position(m.byHand.Name.Pos()), "%s differs from the method at %s: declare it as %s", m.name, m.pos,
			m.name+strings.TrimPrefix(types.TypeString(m.signature, gotypes.ByName), "func"))
	}
}

// isMarked reports whether a comment has the bare marker +mrgen:convert, which counts there.
func (w *writer) isMarked(doc *ast.CommentGroup) bool { return w.note(doc, declares) }

// declares reports whether a marker is the bare +mrgen:convert.
func declares(text string) bool { return strings.TrimSpace(text) == markers.Convert }

func (w *writer) addByHand(decl *ast.FuncDecl) {
	object, ok := w.checked.Info.Defs[decl.Name].(*types.Func)
	if !ok {
		return
	}
	f := &function{name: decl.Name.Name, pos: w.program.Files.Position(decl.Name.Pos()), byHand: decl}
	signature := object.Signature()
	f.to, f.fails = resultOf(signature)
	if f.to == nil || signature.Params().Len() != 1 || signature.TypeParams().Len() > 0 {
		w.errorf(f.pos,
			"%s can't be used to convert fields: give it one parameter and one result, and an error as second result if it may fail", f.name)
		return
	}
	f.from = []*types.Var{signature.Params().At(0)}
	w.byHand = append(w.byHand, f)
}

// misnamed says which package clause differs from its folder if that makes a name undefined, or returns "".
func (w *writer) misnamed(problem string) string {
	for _, imported := range w.checked.Types.Imports() {
		if problem == "undefined: "+path.Base(imported.Path()) {
			return fmt.Sprintf(": %s has the package clause %s: rename it, or the folder", imported.Path(), imported.Name())
		}
	}
	return ""
}

// resultOf returns the result of a conversion, nil for other functions, and whether an error is beside it.
func resultOf(signature *types.Signature) (result types.Type, fails bool) {
	results := signature.Results()
	fails = results.Len() == 2 && gotypes.IsError(results.At(1).Type())
	if results.Len() != 1 && !fails {
		return nil, false
	}
	return results.At(0).Type(), fails
}

func (w *writer) readType(decl *ast.GenDecl, declared *ast.TypeSpec, problems []bodies.Problem) {
	doc := declared.Doc
	// In a group, the comment above it isn't the type's.
	if doc == nil && !decl.Lparen.IsValid() {
		doc = decl.Doc
	}
	methods, ok := declared.Type.(*ast.InterfaceType)
	if !ok || !w.isMarked(doc) {
		return
	}
	pos := w.program.Files.Position(declared.Name.Pos())
	w.noteRead(methods.Methods, func(text string) bool { return !declares(text) })
	if declared.TypeParams != nil {
		w.errorf(pos, "%s has type parameters, which conversions can't have: declare it without them", declared.Name.Name)
		return
	}
	first, last := pos.Line, w.program.Files.Position(methods.End()).Line
	before := len(w.diags)
	for _, p := range problems {
		// Errors inside the interface explain why it has no types. Errors elsewhere don't matter.
		if p.Pos.File == pos.File && p.Pos.Line >= first && p.Pos.Line <= last {
			d := diag.Errorf(p.Pos, codeSDK, "%s%s", p.Message, w.misnamed(p.Message))
			if strings.HasPrefix(p.Message, "undefined: ") { // such as all of a deleted file
				d = d.As("%%d types of %s are undefined, such as here: declare or correct them, or delete the interface", declared.Name.Name)
			}
			w.diags = append(w.diags, d)
		}
	}
	if len(w.diags) > before {
		return
	}
	d := &declaration{name: declared.Name.Name}
	w.interfaces = append(w.interfaces, d)
	for _, m := range methods.Methods.List {
		if len(m.Names) != 1 {
			w.errorf(w.program.Files.Position(m.Pos()), "embedded interfaces aren't converted: declare the methods of %s here", d.name)
			continue
		}
		if f := w.method(m); f != nil {
			d.methods = append(d.methods, f)
			w.functions = append(w.functions, f)
		}
	}
	w.checkUpdates(d)
}

// method returns the function for an interface's method, or nil with an error.
func (w *writer) method(m *ast.Field) *function {
	object, ok := w.checked.Info.Defs[m.Names[0]].(*types.Func)
	if !ok {
		return nil
	}
	f := &function{name: object.Name(), pos: w.program.Files.Position(m.Names[0].Pos())}
	f.method, f.signature = f, object.Signature()
	f.to, f.fails = resultOf(f.signature)
	if gotypes.StructOf(f.to) == nil || gotypes.NamedOf(f.to) == nil || f.signature.Variadic() {
		w.errorf(f.pos, "%s can't be written: it must return a declared struct, or a pointer to one, and may return an error beside it", f.name)
		return nil
	}
	f.sends = !w.isAPI(f.to)
	for p := range f.signature.Params().Variables() {
		f.parameters = append(f.parameters, p)
		if gotypes.StructOf(p.Type()) != nil && gotypes.NamedOf(p.Type()) == nil {
			w.errorf(f.pos, "%s can't be written, since one of its structs has no name: declare a type for it", f.name)
			return nil
		}
		// Parameters on the same side as the result are arguments, and so are times: they have a field each.
		if gotypes.StructOf(p.Type()) != nil && !gotypes.IsTime(gotypes.Deref(p.Type())) && w.isAPI(p.Type()) == f.sends {
			f.from = append(f.from, p)
		} else {
			f.arguments = append(f.arguments, p)
		}
	}
	if len(f.from) == 0 {
		w.errorf(f.pos, "%s can't be written: one of its structs must be a type of a kind, and another one the SDK's", f.name)
		return nil
	}
	for _, a := range f.arguments {
		if a.Name() == "" || a.Name() == "_" {
			w.errorf(f.pos,
				"the parameter of type %s needs a name, which is that of the field that it fills", types.TypeString(a.Type(), gotypes.ByName))
			return nil
		}
	}
	for c, text := range gosyntax.Markers(m.Doc) {
		w.mark(&f.marks, text, w.program.Files.Position(c.Pos()), f.name, markers.ClientMethod)
	}
	if f.updates && !f.sends {
		w.errorf(f.pos, "%s makes no request, so it updates nothing: remove +%s", f.name, markers.ConvertUpdate)
	}
	return f
}

// checkUpdates asks which of the requests for a kind are updates, if there are several and no method says so.
func (w *writer) checkUpdates(d *declaration) {
	requests := map[*types.TypeName][]*function{}
	for _, m := range d.methods {
		if m.sends && w.isRequest(m.to) {
			kind := gotypes.NamedOf(m.from[0].Type()).Obj()
			requests[kind] = append(requests[kind], m)
		}
	}
	w.checkKinds(d)
	for kind, all := range requests {
		if len(all) > 1 && !slices.ContainsFunc(all, func(m *function) bool { return m.updates }) {
			w.errorf(all[1].pos, "%s and %s both send %s: mark the one that updates +%s, or declare them in two interfaces if both create",
				all[0].name, all[1].name, kind.Name(), markers.ConvertUpdate)
		}
	}
}

// checkKinds warns of a method with the name of one kind and a type of another one, as after a copy.
func (w *writer) checkKinds(d *declaration) {
	for _, m := range d.methods {
		for _, t := range m.types(true) {
			named := gotypes.NamedOf(t)
			for _, part := range []string{"Parameters", "Observation"} {
				kind, isOf := strings.CutSuffix(named.Obj().Name(), part)
				if !isOf || strings.HasSuffix(m.name, kind) {
					continue
				}
				for _, other := range named.Obj().Pkg().Scope().Names() {
					own, isType := strings.CutSuffix(other, part)
					if isType && own != "" && strings.HasSuffix(m.name, own) && !strings.HasSuffix(kind, own) {
						w.diags = append(w.diags, diag.Warningf(m.pos, codeSDK, "%s is for %s by its name, and converts %s: write %s, or rename it",
							m.name, own, named.Obj().Name(), other))
					}
				}
			}
		}
	}
}

// isRequest reports whether a type is the SDK's, rather than one that the author declares beside the conversions.
func (w *writer) isRequest(t types.Type) bool {
	return gotypes.NamedOf(t).Obj().Pkg() != w.checked.Types
}

// mark adds the meaning of a marker on a method, or on a field of the name at.
func (w *writer) mark(m *marks, text string, pos diag.Position, at string, place markers.Place) {
	if !strings.HasPrefix(text, markers.Convert+":") {
		return
	}
	kind, value, _ := strings.Cut(text, "=")
	// Mirrors have the markers of their fields copied by mrgen, wherever they belong.
	if known := markers.Lookup(kind); known != nil && !isGenerated(pos) && !slices.Contains(known.Places, place) {
		where := "a field of the kind"
		if place == markers.Field {
			where = "a method that converts the field"
		}
		w.errorf(pos, "+%s belongs to %s: move it there", kind, where)
	}
	note := func(name, path string) {
		m.names = append(m.names, marker{kind: kind, name: name, path: path, pos: pos})
	}
	refuse := func(how string) {
		w.errorf(pos, "+%s can't be read: write it as +%s=%s", text, kind, how)
	}
	switch kind {
	case markers.ConvertIgnore:
		field, form := ignored(value, at, place)
		if field == "" {
			refuse(form)
			return
		}
		note(field, "")
	case markers.ConvertField:
		field, path, ok := strings.Cut(value, "=")
		if !ok {
			refuse("Field=Path.Of.Field")
			return
		}
		note(field, path)
	case markers.ConvertIn:
		for name := range strings.SplitSeq(value, ",") {
			m.within = append(m.within, name)
			note(name, "")
		}
	case markers.ConvertName:
		m.name, m.namedAt = value, pos
	case markers.ConvertList:
		var ok bool
		if m.key, m.value, ok = strings.Cut(value, ","); !ok {
			refuse("Key,Value")
		}
	case markers.ConvertSendZero:
		m.sendsZero = true
	case markers.ConvertNumber:
		m.isNumber = true
	case markers.ConvertUpdate:
		m.updates = true
	default:
		w.errorf(pos, "there is no marker +%s: there are field, ignore, in, list, name, number, sendZero and update", kind)
	}
}

// ignored returns the field that a marker with a reason ignores, or "", and the form of its value. The own marker of the
// field of the name at needs no name.
func ignored(value, at string, place markers.Place) (field, form string) {
	field, reason, _ := strings.Cut(value, ",")
	form = `Field,reason="why nothing is lost"`
	if place == markers.Field {
		_, form, _ = strings.Cut(form, ",")
		if strings.HasPrefix(value, "reason=") {
			field, reason = at, value
		}
	}
	if why, ok := strings.CutPrefix(reason, "reason="); !ok || strings.Trim(why, "\"` ") == "" {
		return "", form
	}
	return field, form
}

// isAPI reports whether a type's package has kinds.
func (w *writer) isAPI(t types.Type) bool {
	named := gotypes.NamedOf(t)
	return named != nil && named.Obj().Pkg() != nil && w.options.IsAPI(named.Obj().Pkg().Path())
}
