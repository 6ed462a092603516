package fromsdk

import (
	"go/types"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
	"github.com/mrgen-io/mrgen/markers"
)

// NotFound tells that there is no such resource.
type NotFound struct {
	// Body is that of a function that has the error err. Fake is the error of the fake in tests, which the function reports if
	// it asks for a type or for a code of gRPC.
	Body []string
	Fake string
	// Error is the name of the error's type, "" if it is not by its type that it is known.
	Error string
}

var saysNotFound = regexp.MustCompile(`(?i)not_?found|does_?not_?exist|no_?such`)

// notFound finds how the SDK says that there is no such resource: by the code of gRPC, by an error for all resources
// or for those of the object, by the status of the answer, or by a code that has a constant for it. Errors that are
// merely called alike are named in a check.
func (r *reader) notFound(c *calls) {
	n := &r.kind.NotFound
	if c.get.isRemote() {
		n.Fake = `status.Error(codes.NotFound, "there is no such resource")`
		r.tells("the code NotFound", Proved, nil, nil, "return status.Code(err) == codes.NotFound")
		return
	}
	var others []string
	isMissing := func(name string) bool {
		says := saysNotFound.MatchString(name)
		if says && !r.isOwnError(name) {
			others = append(others, name)
		}
		return says && r.isOwnError(name)
	}
	if object, near := r.best(func(o types.Object) bool {
		_, isVar := o.(*types.Var)
		return isVar && implementsError(o.Type()) && isMissing(o.Name())
	}); object != nil {
		n.Fake = r.qualify(object.Pkg()) + "." + object.Name()
		r.tells(object.Name(), "", object, near, "return errors.Is(err, "+n.Fake+")")
		return
	}
	isType := func(o types.Object) bool {
		t, ok := o.(*types.TypeName)
		if !ok || gotypes.StructOf(t.Type()) == nil || !implementsError(types.NewPointer(t.Type())) {
			return false
		}
		named := gotypes.NamedOf(t.Type())
		return !t.IsAlias() || named != nil && strings.Contains(named.Obj().Pkg().Path(), "/internal/") // which nobody else can name
	}
	awaited := r.awaited(c.get)
	if object, near := r.best(func(o types.Object) bool {
		return isType(o) && isMissing(o.Name()) && strings.HasPrefix(o.Name(), awaited)
	}); object != nil {
		n.Error = object.Name()
		if awaited != "" {
			r.tells(n.Error+", which waiters await", Documented, nil, nil, r.asError("missing", object, "")...)
		} else {
			r.tells(n.Error, "", object, near, r.asError("missing", object, "")...)
		}
		return
	}
	if is, near := r.best(func(o types.Object) bool {
		_, isFunction := o.(*types.Func)
		return isFunction && types.Identical(o.Type(), reportsError) && isMissing(strings.TrimPrefix(o.Name(), "Is"))
	}); is != nil {
		r.tells(is.Name(), "", is, near, "return "+r.qualify(is.Pkg())+"."+is.Name()+"(err)")
		return
	}
	if is := r.statusFunction(c); is != nil {
		r.tells("the status 404 in "+is.Name(), "", is, nil, "return "+r.qualify(is.Pkg())+"."+is.Name()+"(err, http.StatusNotFound)")
		return
	}
	object, ground, near := r.documentedError(c.get), Documented, []string(nil)
	if object == nil {
		ground = Proved
		object, near = r.best(func(o types.Object) bool { return isType(o) && r.responseIn(o.Type()) != "" })
	}
	if object != nil {
		status := " && answer." + r.responseIn(object.Type())
		if strings.HasSuffix(status, ".Response") {
			status += " != nil" + status + ".StatusCode"
		}
		r.tells("the status 404 of "+object.Name(), ground, nil, near, r.asError("answer", object, status+" == http.StatusNotFound")...)
		return
	}
	if object, near := r.best(func(o types.Object) bool { return isType(o) && codeIn(o.Type()) != nil }); object != nil {
		code := codeIn(object.Type())
		is := " && answer.Code == " + r.qualify(code.Pkg()) + "." + code.Name()
		r.tells(code.Name(), "", code, near, r.asError("answer", object, is)...)
		return
	}
	n.Fake = "errMissing"
	hasAnswer := func(m *method) bool {
		return slices.ContainsFunc(m.results(), func(v *types.Var) bool { return isAbsent(v.Type()) != "" })
	}
	if r.absentByAnswer = c.client != nil && (c.get.list != nil || hasAnswer(c.get)) && hasAnswer(c.delete); r.absentByAnswer {
		r.tells("the status 404 of the answer", Proved, nil, nil, "return errors.Is(err, errMissing)")
		return
	}
	check := markers.CheckComment + "say how the SDK tells that there is no such resource"
	if len(others) > 0 {
		check += ": " + listed(others) + " are called so"
	}
	if !r.speaksHTTP(c) {
		check += "; the fake of the test returns errMissing"
	}
	n.Body = []string{"// " + check + ".", "return errors.Is(err, errMissing)"}
}

// tells writes how the SDK tells that there is no object, and records on which ground: without one, the comment of an object says so,
// or its name alone. Others of similar names are doubts.
func (r *reader) tells(what string, ground Ground, object types.Object, others []string, body ...string) {
	n, decision := &r.kind.NotFound, what+" says that the object is absent"
	switch {
	case len(others) > 0, ground == "" && !saysAbsent.MatchString(r.doc(object)):
		n.Body = []string{"// " + r.suggestNamed(decision, what, inClient, others...)}
	case ground == "":
		r.decide(decision, what, Documented, inClient)
	default:
		r.decide("absent", what, ground, inClient)
	}
	n.Body = append(n.Body, body...)
}

// asError returns the statements that look for an error of a type, under a condition, which the fake returns.
func (r *reader) asError(name string, object types.Object, condition string) []string {
	of := r.qualify(object.Pkg()) + "." + object.Name()
	r.kind.NotFound.Fake = "&" + of + "{}"
	lines := []string{"var " + name + " *" + of}
	is := "errors.As(err, &" + name + ")" + condition
	if implementsError(object.Type()) { // signatures don't say whether methods return a pointer to it
		lines = append(lines, "var value "+of)
		is += " ||\nerrors.As(err, &value)" + strings.ReplaceAll(condition, name+".", "value.")
	}
	return append(lines, "return "+is)
}

// comparesStatus is the signature of functions that compare the status of an error.
var comparesStatus = signature([]*types.Var{
	types.NewParam(0, nil, "", failure), types.NewParam(0, nil, "", types.Typ[types.Int]),
}, types.Typ[types.Bool])

// reportsError is the signature of functions that report what an error says.
var reportsError = signature([]*types.Var{types.NewParam(0, nil, "", failure)}, types.Typ[types.Bool])

// statusFunction returns the function of a client's package that compares the status of an error, nil if there is none.
func (r *reader) statusFunction(c *calls) *types.Func {
	if !c.get.isFunction() {
		return nil
	}
	return first(exported[*types.Func](c.get.receivers[0].Pkg()), func(f *types.Func) bool {
		return types.Identical(f.Signature(), comparesStatus)
	})
}

// namesError matches the name of an error in the comment of a method, such as *googleapi.Error.
var namesError = regexp.MustCompile(`\*(\w+)\.(\w*Error)\b`)

// documentedError returns the type of an error with the status, which the comment of a method names; nil if there is none.
func (r *reader) documentedError(m *method) types.Object {
	said := r.doc(m.object)
	if m.style != nil && m.style.ending != nil {
		said += r.doc(m.style.ending)
	}
	for _, match := range namesError.FindAllStringSubmatch(said, -1) {
		if p := r.imported(match[1]); p != nil {
			o, ok := p.Types.Scope().Lookup(match[2]).(*types.TypeName)
			if ok && gotypes.StructOf(o.Type()) != nil && r.responseIn(o.Type()) != "" {
				return o
			}
		}
	}
	return nil
}

var saysAbsent = regexp.MustCompile(`(?i)not (be )?found|404|(doesn't|does not|don't) exist|no such|there is no|status|response code`)

// isOwnError reports whether an error that says that something is missing speaks of the object, or of any resource.
func (r *reader) isOwnError(name string) bool {
	of := notFoundWords.ReplaceAllString(name, "")
	return slices.Contains([]string{"", "resource", "entity", "object", gotypes.PlainName(r.observe.Obj().Name())}, gotypes.PlainName(of))
}

// notFoundWords match the words of an error that name nothing which is missing.
var notFoundWords = regexp.MustCompile(`(?i)^err(or)?|not_?found|does_?not_?exist|no_?such|(exception|error|fault)$`)

// codeIn returns the constant which says that something is missing, of the type of the field Code of an error.
func codeIn(t types.Type) *types.Const {
	for v := range gotypes.StructOf(t).Fields() {
		named := gotypes.NamedOf(v.Type())
		if v.Name() != "Code" || named == nil || named.Obj().Pkg() == nil {
			continue
		}
		return first(constantsOf(named), func(c *types.Const) bool {
			return gotypes.PlainName(strings.TrimPrefix(c.Name(), named.Obj().Name())) == "notfound"
		})
	}
	return nil
}

// best returns the exported object of the SDK, or of a package of its module that it imports, which a function accepts: one
// with the name of the kind's object first, and then the one with the shortest name. It returns the names of the others, too.
func (r *reader) best(accepts func(types.Object) bool) (best types.Object, others []string) {
	module := r.pkg.PkgPath
	if r.pkg.Module != nil {
		module = r.pkg.Module.Path
	}
	of := filter(r.imports(), func(p *packages.Package) bool {
		inside := strings.TrimPrefix(strings.TrimPrefix(p.PkgPath, r.pkg.PkgPath), module) // which may be internal to the provider
		return isBelow(p.PkgPath, module) && !strings.Contains(inside, "/internal/")
	})
	var found []types.Object
	for _, p := range append([]*packages.Package{r.pkg}, of...) {
		found = append(found, filter(exported[types.Object](p.Types), func(o types.Object) bool {
			isSame := func(other types.Object) bool { return types.Identical(o.Type(), other.Type()) } // by another alias
			_, isType := o.(*types.TypeName)
			return accepts(o) && !(isType && slices.ContainsFunc(found, isSame))
		})...)
	}
	rank := func(o types.Object) int {
		name := gotypes.PlainName(o.Name())
		if strings.Contains(name, gotypes.PlainName(r.observe.Obj().Name())) {
			return 0
		}
		return 1 + len(name)
	}
	if len(found) == 0 {
		return nil, nil
	}
	slices.SortStableFunc(found, func(a, b types.Object) int { return rank(a) - rank(b) })
	return found[0], each(found[1:], types.Object.Name)
}

func implementsError(t types.Type) bool {
	return types.Implements(t, failure.Underlying().(*types.Interface))
}

// saysStatus matches comments of numbers that are a status, also of the error that has one.
var saysStatus = regexp.MustCompile(`(?i)\bstatus ?code\b`)

// responseIn returns the field of an error with the answer, or with its status.
func (r *reader) responseIn(t types.Type) string {
	for v := range gotypes.StructOf(t).Fields() {
		switch {
		case v.Name() == "Response" && pointsTo(v.Type(), "net/http", "Response"):
			return v.Name()
		case !types.Identical(v.Type(), types.Typ[types.Int]):
		case v.Name() == "StatusCode", v.Name() == "HTTPStatusCode",
			v.Name() == "Code" && strings.Contains(r.doc(v), "HTTP"),
			v.Name() == "Code" && saysStatus.MatchString(r.doc(v)+r.doc(gotypes.NamedOf(t).Obj())):
			return v.Name()
		}
	}
	return ""
}

// hasStatus reports whether a method returns answers that tell their status, as clients of oapi-codegen do: an
// answer with the status of an error comes without an error.
func hasStatus(m *method) bool {
	return slices.ContainsFunc(m.results(), func(v *types.Var) bool { return methodOf(v.Type(), "StatusCode") != nil })
}
