package fromsdk

import (
	"cmp"
	"go/types"
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
}

// A way is one in which the SDK may tell that there is no such resource: how a decision names it, the body of a function if it is a
// status of HTTP, and the errors that say so, none if they take more than a literal.
type way struct {
	name, body string
	failures   []string
}

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
	all := r.absentWays(r.ofModule())
	if len(all) == 0 { // or of what the SDK is made with
		isForeign := func(p *packages.Package) bool { return p.Module != nil } // not Go's own
		all = r.absentWays(filter(r.imports(), isForeign))
	}
	rank(all, func(w way) int {
		isOfObject := isAbout(w.name, gotypes.PlainName(r.options.Kind))
		isNamed := ranksFirst.MatchString(w.name) || w.body != ""
		hasStatus := strings.Contains(strings.Join(w.failures, ""), "http.StatusNotFound")
		order := 4*boolInt(!isNamed && !hasStatus) + 2*boolInt(!isNamed) + boolInt(!isOfObject)
		return 1000*order + len(w.name) // a short one is about all kinds
	})
	n.Errors = slices.Concat(each(all[:min(len(all), mostNames)], func(w way) []string { return w.failures })...)
	names := each(all, func(w way) string { return w.name })
	if len(all) == 1 && all[0].body != "" {
		n.Body, n.Decision.Texts = all[0].body, names
		return
	}
	isOfKind := func(w way) bool { return strings.HasPrefix(w.name, "errors.As") }
	n.IsShared = slices.ContainsFunc(all, func(w way) bool { return w.body != "" }) || !slices.ContainsFunc(all, isOfKind)
	n.Decision.Ground, n.Body = Undecided, "return false"
	n.Decision.Texts = []string{cmp.Or(some(names, "or"), "no error of "+r.pkg.Types.Name()+" is known, so that Absent in the test has none yet")}
	if slices.ContainsFunc(c.get.results(), func(v *types.Var) bool { return isAnswer(v.Type()) }) {
		n.Decision.Texts = append(n.Decision.Texts, "or the status 404 of the answer")
	}
	if r.kind.Get.Missing != "" {
		n.Decision.Texts = append(n.Decision.Texts, "or nil without an error")
	}
}

// isAbout reports whether the name of an error has that of a kind, or the end of it, as SubscriptionNotFoundFault of an EventSubscription.
func isAbout(name, kind string) bool {
	called := name[strings.LastIndexAny(name, ".")+1:]
	if at := ranksFirst.FindStringIndex(called); at != nil {
		if of := gotypes.PlainName(called[:at[0]]); of != "" && strings.HasSuffix(kind, of) {
			return true
		}
	}
	return strings.Contains(gotypes.PlainName(name), kind)
}

// ranksFirst matches the errors that candidates begin with. It decides nothing.
var ranksFirst = regexp.MustCompile(`(?i)not_?found|not?n?_?exist|no_?such|missing`)

// absentWays returns the ways that the errors of packages leave: by a status of HTTP, and by errors of types and values of their own.
func (r *reader) absentWays(of []*packages.Package) (all []way) {
	for _, p := range of {
		for _, o := range exported[types.Object](p.Types) {
			of, qualified := p.Types.Name()+"."+o.Name(), r.qualify(o.Pkg())+"."+o.Name()
			switch o := o.(type) {
			case *types.Var:
				if implementsError(o.Type()) {
					all = append(all, way{"errors.Is(err, " + of + ")", "", []string{qualified}})
				}
			case *types.Func:
				if types.Identical(o.Type(), reportsError) {
					all = append(all, way{of + "(err)", "", nil})
				}
				if types.Identical(o.Type(), comparesStatus) {
					all = append(all, way{of + "(err, http.StatusNotFound)", "return " + qualified + "(err, http.StatusNotFound)", nil})
				}
			case *types.TypeName:
				all = append(all, absentByType(o, of, qualified)...)
			}
		}
	}
	return all
}

// absentByType returns the ways by a type of errors: by the status 404 if it has one, else by pointers, and by values if they are errors,
// too.
func absentByType(o *types.TypeName, of, qualified string) (all []way) {
	named := gotypes.NamedOf(o.Type())
	switch {
	case named == nil:
		return nil
	case types.IsInterface(named):
		return absentByInterface(named.Underlying().(*types.Interface), of, qualified)
	case named.TypeParams().Len() > 0, !implementsError(types.NewPointer(named)):
		return nil
	}
	condition, fields := statusIn(named)
	literal := qualified + "{" + strings.Join(fields, ", ") + "}"
	isValue := implementsError(named)
	switch {
	case condition != "" && isValue:
		body := "var answer *" + qualified + "\nvar value " + qualified + "\nif errors.As(err, &value) {\nanswer = &value\n}\n" +
			"return (answer != nil || errors.As(err, &answer)) && " + condition
		return []way{{"the status 404 of " + of, body, []string{"&" + literal, literal}}}
	case condition != "":
		body := "var answer *" + qualified + "\nreturn errors.As(err, &answer) && " + condition
		return []way{{"the status 404 of *" + of, body, []string{"&" + literal}}}
	case gotypes.StructOf(named) != nil:
		all = append(all, way{"errors.As(err, new(*" + of + "))", "", []string{"&" + literal}})
	}
	if !isValue {
		return all
	}
	byValue := way{name: "errors.As(err, new(" + of + "))"}
	switch {
	case gotypes.StructOf(named) != nil:
		byValue.failures = []string{literal}
	case isInteger(named): // others take more
		byValue.failures = []string{qualified + "(http.StatusNotFound)"}
	}
	return append(all, byValue)
}

// absentByInterface returns the way by an interface that errors may implement, if it has a method for the status.
func absentByInterface(i *types.Interface, of, qualified string) []way {
	status := first(slices.Collect(i.Methods()), func(m *types.Func) bool {
		return strings.HasSuffix(m.Name(), "StatusCode") && types.Identical(m.Signature(), returnsNumber)
	})
	if status == nil {
		return nil
	}
	body := "var answer " + qualified + "\nreturn errors.As(err, &answer) && answer." + status.Name() + "() == http.StatusNotFound"
	return []way{{"the status 404 of " + of, body, nil}}
}

// ofModule returns the package of the SDK, and those of its module that it imports and others may.
func (r *reader) ofModule() []*packages.Package {
	return append([]*packages.Package{r.pkg}, filter(r.imports(), func(p *packages.Package) bool {
		return strings.HasPrefix(p.PkgPath+"/", r.module()+"/") && !r.isInternal(p.PkgPath)
	})...)
}

// module returns the path of the SDK's module.
func (r *reader) module() string {
	if r.pkg.Module != nil {
		return r.pkg.Module.Path
	}
	return r.pkg.PkgPath
}

// isInternal reports whether a package is internal to another module than the provider's, which may have the SDK in a folder of its own.
func (r *reader) isInternal(importPath string) bool {
	inside := strings.TrimPrefix(strings.TrimPrefix(importPath, r.pkg.PkgPath), r.module())
	return strings.Contains(inside+"/", "/internal/")
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

// Signatures of functions that report what an error says, and that compare its status, and of a method that returns this.
var (
	returnsNumber  = signature(nil, types.Typ[types.Int])
	reportsError   = signature([]*types.Var{types.NewParam(0, nil, "", failure)}, types.Typ[types.Bool])
	comparesStatus = signature([]*types.Var{
		types.NewParam(0, nil, "", failure), types.NewParam(0, nil, "", types.Typ[types.Int]),
	}, types.Typ[types.Bool])
)

// statusIn returns a condition that an error called answer has the status 404, "" if no field has a status, and the fields of an error
// as the SDK makes it: a status is in all places that have one.
func statusIn(t types.Type) (condition string, fields []string) {
	s := gotypes.StructOf(t)
	if s == nil {
		return "", nil
	}
	isNumber := func(v *types.Var) bool { return v.Exported() && types.Identical(v.Type(), types.Typ[types.Int]) }
	numbers := filter(slices.Collect(s.Fields()), isNumber)
	for v := range s.Fields() {
		field := "answer." + v.Name()
		switch {
		case isAnswer(v.Type()) && v.Exported():
			fields = append(fields, v.Name()+": simulated.NotFoundResponse()")
			condition = cmp.Or(condition, field+" != nil && "+field+".StatusCode == http.StatusNotFound")
		case isNumber(v) && (len(numbers) == 1 || strings.HasSuffix(v.Name(), "StatusCode")):
			if fields = append(fields, v.Name()+": http.StatusNotFound"); strings.HasSuffix(v.Name(), "StatusCode") {
				condition = field + " == http.StatusNotFound"
			}
		}
	}
	return condition, fields
}

// isAnswer reports whether a type is an HTTP response.
func isAnswer(t types.Type) bool { return pointsTo(t, "net/http", "Response") }
