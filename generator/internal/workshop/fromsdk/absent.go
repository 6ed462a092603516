package fromsdk

import (
	"go/types"
	"os"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
)

// NotFound tells that there is no such resource.
type NotFound struct {
	// Body is the body of a function that has the error err.
	Body string
	// Decision is the one about it, which all kinds of the SDK share if they know it by the same error.
	Decision Decision
	// IsShared is set if all kinds of the SDK know it by the same error.
	IsShared bool
	// Errors are what the API may answer with, as Go has them.
	Errors []string
	// ByAnswer is set if methods return the answer of HTTP, whose status tells it.
	ByAnswer bool
}

// A way is one in which the SDK may tell that there is no such resource: how a decision names it, the body of a function, and an
// error that says so, "" if it takes more than a literal.
type way struct{ name, body, failure string }

// notFound finds how the SDK says that there is no such resource. The code of gRPC, and the status 404 where it is the only way to
// tell, leave no choice; errors that are called somehow do.
func (r *reader) notFound(c *calls) {
	n := &r.kind.NotFound
	defer func() {
		if !n.IsShared {
			r.kind.Decisions = append(r.kind.Decisions, n.Decision)
		}
	}()
	n.Decision, n.IsShared = Decision{"absent", ByType, nil}, true
	if c.get.isRemote() {
		n.Body = "return status.Code(err) == codes.NotFound"
		n.Decision.Texts, n.Errors = []string{"the code NotFound of gRPC"}, []string{`status.Error(codes.NotFound, "")`}
		return
	}
	byStatus, byType := r.absentWays(c.get, r.ofModule())
	isOwn := len(byStatus)+len(byType) > 0
	if !isOwn && r.absentIn(c.get) == "" { // or of what the SDK is made with
		isForeign := func(p *packages.Package) bool { return p.Module != nil } // not Go's own
		byStatus, byType = r.absentWays(c.get, filter(r.imports(), isForeign))
	}
	all := slices.Concat(byStatus, byType)
	rank := func(w way) int {
		isOfObject := strings.Contains(gotypes.PlainName(w.name), gotypes.PlainName(r.observe.Obj().Name()))
		isNamed := ranksFirst.MatchString(w.name) || strings.Contains(w.failure, "StatusNotFound")
		return 2*boolInt(!isNamed) + boolInt(!isOfObject)
	}
	slices.SortStableFunc(all, func(a, b way) int { return rank(a) - rank(b) })
	n.Errors = filter(each(all[:min(len(all), mostNames)], func(w way) string { return w.failure }), func(failure string) bool { return failure != "" })
	switch {
	case isOwn && len(byStatus) == 1 && len(byType) == 0:
		n.Body, n.Decision.Texts = byStatus[0].body, []string{byStatus[0].name}
		return
	case len(byStatus)+len(byType) == 0 && c.client != nil && r.absentIn(c.get) != "" && r.absentIn(c.delete) != "":
		n.Body, n.ByAnswer, n.IsShared = "return errors.Is(err, errMissing)", true, false
		n.Errors = []string{"errMissing"}
		n.Decision.Texts = []string{"the status 404 of the answer"}
		return
	}
	n.IsShared = len(byStatus) > 0 || !slices.ContainsFunc(all, func(w way) bool { return strings.HasPrefix(w.name, "errors.As") })
	n.Decision.Ground, n.Decision.Texts = Undecided, []string{"no error of " + r.pkg.Types.Name() + " is known: it may be nil without one"}
	n.Body = "return false"
	switch isNil := r.kind.Get.Missing != ""; {
	case len(all) == 0 && isNil:
		n.Errors = []string{"nil"}
	case len(all) > 0:
		n.Decision.Texts = []string{some(each(all, func(w way) string { return w.name }), "or")}
		if isNil {
			n.Decision.Texts = append(n.Decision.Texts, "or nil without an error")
		}
	}
}

// ranksFirst matches the errors that candidates begin with. It decides nothing.
var ranksFirst = regexp.MustCompile(`(?i)not_?found|not_?exist|no_?such`)

// absentWays returns the ways that the errors of packages leave: by a status of HTTP, and by errors of types and values of their own.
func (r *reader) absentWays(m *method, of []*packages.Package) (byStatus, byType []way) {
	seen := map[string]bool{}
	add := func(to *[]way, w way) {
		if !seen[w.name] {
			seen[w.name] = true
			*to = append(*to, w)
		}
	}
	for _, p := range of {
		for _, o := range exported[types.Object](p.Types) {
			of, qualified := p.Types.Name()+"."+o.Name(), r.qualify(o.Pkg())+"."+o.Name()
			switch o := o.(type) {
			case *types.Var:
				if implementsError(o.Type()) {
					add(&byType, way{"errors.Is(err, " + of + ")", "", qualified})
				}
			case *types.Func:
				if types.Identical(o.Type(), reportsError) {
					add(&byType, way{of + "(err)", "", ""})
				}
				if types.Identical(o.Type(), comparesStatus) {
					add(&byStatus, way{of + "(err, http.StatusNotFound)", "return " + qualified + "(err, http.StatusNotFound)", ""})
				}
			case *types.TypeName:
				named := gotypes.NamedOf(o.Type())
				if named == nil || named.TypeParams().Len() > 0 || types.IsInterface(named) || !implementsError(types.NewPointer(named)) {
					continue
				}
				pointer, literal := "*", "&"+qualified
				if implementsError(named) {
					pointer, literal = "", qualified
				}
				if is, fields := statusIn(named); is != "" {
					add(&byStatus, way{"the status 404 of " + of, "var answer " + pointer + qualified + "\nreturn errors.As(err, &answer) && answer." + is, literal + fields})
				} else if r.mayReturn(m, o.Name()) {
					switch {
					case gotypes.StructOf(named) != nil:
						literal += "{" + onlyNumber(named) + "}"
					case isInteger(named) && pointer == "":
						literal += "(http.StatusNotFound)"
					default:
						literal = "" // which takes more
					}
					add(&byType, way{"errors.As(err, new(" + pointer + of + "))", "", literal})
				}
			}
		}
	}
	return byStatus, byType
}

// mayReturn reports whether a method may return an error of a type: one that its own deserializer makes, or any if it has none.
func (r *reader) mayReturn(m *method, name string) bool {
	if r.deserializer == nil {
		r.deserializer = new(deserializerOf(r.pkg, m.name))
	}
	made := regexp.MustCompile("deserializeError" + regexp.QuoteMeta(name) + `\b`)
	return *r.deserializer == "" || made.MatchString(*r.deserializer)
}

// deserializerOf returns the text of the function that makes the errors of a method, as an SDK generator writes it, or "".
func deserializerOf(pkg *packages.Package, method string) string {
	for _, name := range pkg.GoFiles {
		content, err := os.ReadFile(name)
		if err != nil {
			continue // which was just read
		}
		_, text, found := strings.Cut(string(content), "deserializeOpError"+method+"(response *")
		if end := strings.Index(text, "\n}"); found && end >= 0 {
			return text[:end]
		}
	}
	return ""
}

// ofModule returns the package of the SDK, and those of its module that it imports and others may.
func (r *reader) ofModule() []*packages.Package {
	module := r.pkg.PkgPath
	if r.pkg.Module != nil {
		module = r.pkg.Module.Path
	}
	return append([]*packages.Package{r.pkg}, filter(r.imports(), func(p *packages.Package) bool {
		inside := strings.TrimPrefix(strings.TrimPrefix(p.PkgPath, r.pkg.PkgPath), module) // which may be internal to the provider
		return (p.PkgPath == module || isBelow(p.PkgPath, module)) && !strings.Contains(inside+"/", "/internal/")
	})...)
}

// failure is the type of errors.
var failure = types.Universe.Lookup("error").Type()

func implementsError(t types.Type) bool {
	return types.Implements(t, failure.Underlying().(*types.Interface))
}

// signature returns the signature of a function with parameters, and results without names.
func signature(params []*types.Var, results ...types.Type) *types.Signature {
	unnamed := each(results, func(t types.Type) *types.Var { return types.NewParam(0, nil, "", t) })
	return types.NewSignatureType(nil, nil, nil, types.NewTuple(params...), types.NewTuple(unnamed...), false)
}

// Signatures of functions that report what an error says, and that compare its status.
var (
	reportsError   = signature([]*types.Var{types.NewParam(0, nil, "", failure)}, types.Typ[types.Bool])
	comparesStatus = signature([]*types.Var{
		types.NewParam(0, nil, "", failure), types.NewParam(0, nil, "", types.Typ[types.Int]),
	}, types.Typ[types.Bool])
)

// statusIn returns a condition that a field of an error has the status 404, and a literal of the fields; "" if no field has a status.
func statusIn(t types.Type) (is, fields string) {
	s := gotypes.StructOf(t)
	if s == nil {
		return "", ""
	}
	for v := range s.Fields() {
		switch {
		case isAnswer(v.Type()) && v.Exported():
			return v.Name() + " != nil && answer." + v.Name() + ".StatusCode == http.StatusNotFound",
				"{" + v.Name() + ": &http.Response{StatusCode: http.StatusNotFound}}"
		case v.Name() == "StatusCode" && types.Identical(v.Type(), types.Typ[types.Int]):
			return "StatusCode == http.StatusNotFound", "{StatusCode: http.StatusNotFound}"
		}
	}
	return "", ""
}

// onlyNumber returns the only field of an error that is an int, with the status 404.
func onlyNumber(t types.Type) string {
	is := func(v *types.Var) bool { return v.Exported() && types.Identical(v.Type(), types.Typ[types.Int]) }
	if all := filter(slices.Collect(gotypes.StructOf(t).Fields()), is); len(all) == 1 {
		return all[0].Name() + ": http.StatusNotFound"
	}
	return ""
}

// isAnswer reports whether a type is an HTTP response.
func isAnswer(t types.Type) bool { return pointsTo(t, "net/http", "Response") }

// absentIn returns the condition that what a method returns beside an error says that there is no object, "" if nothing does.
func (r *reader) absentIn(m *method) string {
	if m.style == nil || m.style.waits || !slices.ContainsFunc(m.results(), func(v *types.Var) bool { return isAnswer(v.Type()) }) {
		return ""
	}
	return "answer != nil && answer.StatusCode == http.StatusNotFound"
}
