package sdk

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/compile"
	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
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
	// fails is set if the function returns an error, and mayFail if it needs to.
	fails, mayFail bool
	// sends is set if the value goes to the SDK.
	sends bool
	// byHand is the declaration of an author's function.
	byHand *ast.FuncDecl
	// steps fill the result. done are fields of the kind that aren't missing though they have no step.
	steps []*step
	done  map[*field]bool
	// method is the method that first needed this function between structs.
	method *function
}

// returnsError reports whether a function returns an error besides its result.
func (f *function) returnsError() bool { return f.fails || f.method != f && f.mayFail }

// marks are the meaning of the markers on a method or a field.
type marks struct {
	// ignored are the fields to leave out, by name, with the place of the marker.
	ignored map[string]diag.Position
	// paths are the paths of the SDK's fields, by the kind's fields.
	paths map[string]string
	// within are structs of the SDK whose own fields count as their parent's.
	within []string
	// name is the field's name in the SDK.
	name string
	// key and value are the fields of list items that hold the entries of a map.
	key, value          string
	sendsZero, isNumber bool
	// optional is set for a field that may stay unconverted.
	optional bool
}

// inner returns the marks that a method passes on to the structs inside its own.
func (m marks) inner() marks {
	inner := marks{key: m.key, value: m.value, sendsZero: m.sendsZero, ignored: maps.Clone(m.ignored)}
	maps.DeleteFunc(inner.ignored, func(field string, _ diag.Position) bool { return !strings.Contains(field, ".") })
	return inner
}

// sameInner reports whether two methods mark inner structs alike, and so share functions for them.
func (m marks) sameInner(other marks) bool {
	return m.key == other.key && m.value == other.value && m.sendsZero == other.sendsZero &&
		maps.EqualFunc(m.ignored, other.ignored, func(diag.Position, diag.Position) bool { return true })
}

// read reads the declarations of the package.
func (w *writer) read(problems []compile.Problem) {
	w.fields, w.comments, w.declared, w.counted = map[string][]*field{}, map[string][]string{}, map[string]bool{}, map[*ast.Comment]bool{}
	for _, file := range slices.Concat(w.checked.Files, w.checked.Others, w.tests()) {
		for _, decl := range file.Decls {
			gosyntax.EachName(decl, func(name *ast.Ident) { w.declared[name.Name] = true })
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
	seen := map[string]*function{}
	for _, m := range w.methods() {
		if other := seen[m.name]; other != nil {
			w.errorf(m.pos, "%s declares %s as well: one function can't convert both: rename one of them", other.pos, m.name)
		}
		seen[m.name] = m
		// An author's function of that name implements the method; anything else clashes.
		if m.byHand = functions[m.name]; m.byHand == nil && (w.declared[m.name] || w.isReserved(m.name)) {
			w.errorf(m.pos, "the package, or Go, has something else of the name %s: rename the method", m.name)
		}
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
	results := signature.Results()
	f.fails = results.Len() == 2 && gotypes.IsError(results.At(1).Type())
	hasResult := results.Len() == 1 || f.fails
	if signature.Params().Len() != 1 || !hasResult || signature.TypeParams().Len() > 0 {
		w.errorf(f.pos,
			"%s can't be used to convert fields: give it one parameter and one result, and an error as second result if it may fail", f.name)
		return
	}
	f.from, f.to, f.mayFail = []*types.Var{signature.Params().At(0)}, results.At(0).Type(), f.fails
	w.functions = append(w.functions, f)
}

func (w *writer) readType(decl *ast.GenDecl, declared *ast.TypeSpec, problems []compile.Problem) {
	doc := declared.Doc
	// In a group, the comment above it isn't the type's.
	if doc == nil && !decl.Lparen.IsValid() {
		doc = decl.Doc
	}
	if !w.isMarked(doc) {
		return
	}
	pos := w.program.Files.Position(declared.Name.Pos())
	methods, ok := declared.Type.(*ast.InterfaceType)
	if !ok || declared.TypeParams != nil {
		w.errorf(pos, "+%s belongs to an interface with a method for each conversion, or to a function", markers.Convert)
		return
	}
	w.noteRead(methods.Methods, func(text string) bool { return !declares(text) })
	first, last := pos.Line, w.program.Files.Position(methods.End()).Line
	wrong := false
	for _, p := range problems {
		// Errors inside the interface explain why it has no types. Errors elsewhere don't matter.
		if p.Pos.File == pos.File && p.Pos.Line >= first && p.Pos.Line <= last {
			w.errorf(p.Pos, "%s", p.Message)
			wrong = true
		}
	}
	if wrong {
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
}

// method returns the function for an interface's method, or nil with an error.
func (w *writer) method(m *ast.Field) *function {
	object, ok := w.checked.Info.Defs[m.Names[0]].(*types.Func)
	if !ok {
		return nil
	}
	f := &function{name: object.Name(), pos: w.program.Files.Position(m.Names[0].Pos())}
	f.method = f
	signature := object.Signature()
	results := signature.Results()
	f.fails = results.Len() == 2 && gotypes.IsError(results.At(1).Type())
	if results.Len() != 1 && !f.fails || gotypes.StructOf(results.At(0).Type()) == nil || signature.Variadic() {
		w.errorf(f.pos, "%s can't be written: it must return a struct, or a pointer to one, and may return an error beside it", f.name)
		return nil
	}
	f.to = results.At(0).Type()
	if slices.ContainsFunc(append(slices.Collect(signature.Params().Variables()), results.At(0)), func(v *types.Var) bool {
		return gotypes.StructOf(v.Type()) != nil && gotypes.NamedOf(v.Type()) == nil
	}) {
		w.errorf(f.pos, "%s can't be written, since one of its structs has no name: declare a type for it", f.name)
		return nil
	}
	f.sends = !w.isAPI(f.to)
	for p := range signature.Params().Variables() {
		f.parameters = append(f.parameters, p)
		// Parameters on the same side as the result are arguments, and so are times: they have a field each.
		if gotypes.StructOf(p.Type()) != nil && !gotypes.IsTime(gotypes.Deref(p.Type())) && w.isAPI(p.Type()) == f.sends {
			f.from = append(f.from, p)
		} else {
			f.arguments = append(f.arguments, p)
		}
	}
	switch {
	case len(f.from) == 0 && f.sends:
		w.errorf(f.pos, "%s can't be written: its result is not a type of a kind, so a parameter must be one", f.name)
		return nil
	case len(f.from) == 0:
		w.errorf(f.pos, "%s can't be written: its result is the type of a kind, so that a parameter must be a struct of the SDK", f.name)
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
		w.mark(&f.marks, text, w.program.Files.Position(c.Pos()), f.name, true)
	}
	return f
}

// mark adds the meaning of a marker on a method, or on a field of the name at.
func (w *writer) mark(m *marks, text string, pos diag.Position, at string, isMethod bool) {
	text, found := strings.CutPrefix(text, markers.Convert+":")
	if !found {
		return
	}
	name, value, _ := strings.Cut(text, "=")
	// Mirrors have the markers of their fields copied by mrgen, wherever they belong.
	if places := markers.Lookup(markers.Convert + ":" + name); places != nil && !isGenerated(pos) {
		if atMethod := slices.Contains(places.Places, markers.ClientMethod); isMethod && !atMethod {
			w.errorf(pos, "+%s:%s belongs to a field of the kind: move it there", markers.Convert, name)
		} else if !isMethod && atMethod && len(places.Places) == 1 {
			w.errorf(pos, "+%s:%s belongs to a method that converts the field: move it there", markers.Convert, name)
		}
	}
	refuse := func(how string) {
		w.errorf(pos, "+%s:%s can't be read: write it as +%s:%s", markers.Convert, text, markers.Convert, how)
	}
	switch name {
	case "ignore":
		field, reason, _ := strings.Cut(value, ",")
		if strings.HasPrefix(value, "reason=") { // a field's own marker needs no name
			field, reason = at, value
		}
		if why, ok := strings.CutPrefix(reason, "reason="); field == "" || !ok || strings.Trim(why, "\"` ") == "" {
			refuse(`ignore=Field,reason="why nothing is lost"`)
			return
		}
		if m.ignored == nil {
			m.ignored = map[string]diag.Position{}
		}
		m.ignored[field] = pos
	case "field":
		kind, path, ok := strings.Cut(value, "=")
		if !ok {
			refuse("field=Field=Path.Of.Field")
			return
		}
		if m.paths == nil {
			m.paths = map[string]string{}
		}
		m.paths[kind] = path
	case "in":
		m.within = append(m.within, strings.Split(value, ",")...)
	case "name":
		m.name = value
	case "list":
		var ok bool
		if m.key, m.value, ok = strings.Cut(value, ","); !ok {
			refuse("list=Key,Value")
		}
	case "sendZero":
		m.sendsZero = true
	case "number":
		m.isNumber = true
	default:
		w.errorf(pos, "there is no marker +%s:%s: there are field, ignore, in, list, name, number and sendZero", markers.Convert, name)
	}
}

// isAPI reports whether a type's package has kinds.
func (w *writer) isAPI(t types.Type) bool {
	named := gotypes.NamedOf(t)
	return named != nil && named.Obj().Pkg() != nil && w.options.IsAPI(named.Obj().Pkg().Path())
}
