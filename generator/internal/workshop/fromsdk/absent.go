package fromsdk

import (
	"go/types"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
)

// NotFound tells that there is no such resource.
type NotFound struct {
	// Body is that of a function that has the error err.
	Body string
	// Decision is the one about it, which all kinds of the SDK share if they know it by the same error.
	Decision Decision
	// IsShared is set if all kinds of the SDK know it by the same error.
	IsShared bool
	// ByAnswer is set if methods return the answer of HTTP, whose status tells it.
	ByAnswer bool
}

// A way is one in which the SDK may tell that there is no such resource: the body of a function, and how a decision names it.
type way struct{ name, body string }

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
		n.Decision.Texts = []string{"the code NotFound of gRPC"}
		return
	}
	byStatus, byType := r.absentWays()
	switch {
	case len(byStatus) == 1 && len(byType) == 0:
		n.Body, n.Decision.Texts = byStatus[0].body, []string{byStatus[0].name}
		return
	case len(byStatus)+len(byType) == 0 && c.client != nil && r.absentIn(c.get) != "" && r.absentIn(c.delete) != "":
		n.Body, n.ByAnswer, n.IsShared = "return errors.Is(err, errMissing)", true, false
		n.Decision.Texts = []string{"the status 404 of the answer"}
		return
	}
	all := slices.Concat(byType, byStatus)
	n.IsShared = len(byStatus) > 0 || !slices.ContainsFunc(all, func(w way) bool { return strings.HasPrefix(w.name, "errors.As") })
	n.Decision.Ground, n.Decision.Texts = Undecided, []string{"no error of " + r.pkg.Types.Name() + " is known: it may be nil without one"}
	if n.Body = "return false"; len(all) > 0 {
		n.Decision.Texts = []string{some(each(all, func(w way) string { return w.name }), "or")}
	}
}

// ranksFirst matches the errors that candidates begin with. It decides nothing.
var ranksFirst = regexp.MustCompile(`(?i)not_?found|not_?exist|no_?such`)

// absentWays returns the ways that the SDK's errors leave: by a status of HTTP, and by errors of types and values of their own.
func (r *reader) absentWays() (byStatus, byType []way) {
	seen := map[string]bool{}
	add := func(to *[]way, name, body string) {
		if !seen[name] {
			seen[name] = true
			*to = append(*to, way{name, body})
		}
	}
	for _, p := range r.ofModule() {
		for _, o := range exported[types.Object](p.Types) {
			of := p.Types.Name() + "." + o.Name()
			switch o := o.(type) {
			case *types.Var:
				if implementsError(o.Type()) {
					add(&byType, "errors.Is(err, "+of+")", "")
				}
			case *types.Func:
				if types.Identical(o.Type(), reportsError) {
					add(&byType, of+"(err)", "")
				}
				if types.Identical(o.Type(), comparesStatus) {
					add(&byStatus, of+"(err, http.StatusNotFound)", "return "+r.qualify(o.Pkg())+"."+o.Name()+"(err, http.StatusNotFound)")
				}
			case *types.TypeName:
				named := gotypes.NamedOf(o.Type())
				isError := named != nil && named.TypeParams().Len() == 0 && !types.IsInterface(named) && implementsError(types.NewPointer(named))
				if status := statusIn(o.Type()); isError && status != "" {
					qualified := r.qualify(o.Pkg()) + "." + o.Name()
					if !implementsError(named) {
						qualified = "*" + qualified
					}
					add(&byStatus, "the status 404 of "+of, "var answer "+qualified+"\nreturn errors.As(err, &answer) && answer."+status)
				} else if isError {
					pointer := "*"
					if implementsError(named) {
						pointer = ""
					}
					add(&byType, "errors.As(err, new("+pointer+of+"))", "")
				}
			}
		}
	}
	rank := func(w way) int { return boolInt(!ranksFirst.MatchString(w.name)) }
	slices.SortStableFunc(byType, func(a, b way) int { return rank(a) - rank(b) })
	return byStatus, byType
}

// ofModule returns the package of the SDK, and those of its module that it imports and others may.
func (r *reader) ofModule() []*packages.Package {
	module := r.pkg.PkgPath
	if r.pkg.Module != nil {
		module = r.pkg.Module.Path
	}
	return append([]*packages.Package{r.pkg}, filter(r.imports(), func(p *packages.Package) bool {
		inside := strings.TrimPrefix(strings.TrimPrefix(p.PkgPath, r.pkg.PkgPath), module) // which may be internal to the provider
		return isBelow(p.PkgPath, module) && !strings.Contains(inside+"/", "/internal/")
	})...)
}

// failure is the type of errors.
var failure = types.Universe.Lookup("error").Type()

func implementsError(t types.Type) bool {
	return types.Implements(t, failure.Underlying().(*types.Interface))
}

// signature returns that of a function with parameters, and results without names.
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

// statusIn returns a condition that a field of an error has the status 404, "" if no field has a status.
func statusIn(t types.Type) string {
	s := gotypes.StructOf(t)
	if s == nil {
		return ""
	}
	for v := range s.Fields() {
		switch {
		case isAnswer(v.Type()) && v.Exported():
			return v.Name() + " != nil && answer." + v.Name() + ".StatusCode == http.StatusNotFound"
		case v.Name() == "StatusCode" && types.Identical(v.Type(), types.Typ[types.Int]):
			return "StatusCode == http.StatusNotFound"
		}
	}
	return ""
}

// isAnswer reports whether a type is that of answers of HTTP.
func isAnswer(t types.Type) bool { return pointsTo(t, "net/http", "Response") }

// absentIn returns the condition that what a method returns beside an error says that there is no object, "" if nothing does.
func (r *reader) absentIn(m *method) string {
	if m.style == nil || m.style.waits || !slices.ContainsFunc(m.results(), func(v *types.Var) bool { return isAnswer(v.Type()) }) {
		return ""
	}
	return "answer != nil && answer.StatusCode == http.StatusNotFound"
}
