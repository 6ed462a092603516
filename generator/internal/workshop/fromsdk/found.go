package fromsdk

import (
	"go/types"
	"maps"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
	"github.com/mrgen-io/mrgen/markers"
)

// NotFound tells that there is no such resource.
type NotFound struct {
	// Body is that of a function that has the error err, and Fake an error that it reports.
	Body []string
	Fake string
}

var saysNotFound = regexp.MustCompile(`(?i)not_?found|does_?not_?exist|no_?such`)

// notFound finds how the SDK says that there is no such resource: by an error of that name, by a type of error
// of that name, by the code of gRPC, or by the status of the answer.
func (r *reader) notFound(c *calls, client, test *file) {
	n := &r.kind.NotFound
	if c.get.isRemote() {
		for _, f := range []*file{client, test} {
			f.add(`"google.golang.org/grpc/codes"`)
			f.add(`"google.golang.org/grpc/status"`)
		}
		n.Body = []string{"return status.Code(err) == codes.NotFound"}
		n.Fake = `status.Error(codes.NotFound, "there is no such resource")`
		return
	}
	if object := r.best(func(o types.Object) bool {
		_, isVar := o.(*types.Var)
		return isVar && saysNotFound.MatchString(o.Name()) && implementsError(o.Type())
	}); object != nil {
		n.Body = []string{"return errors.Is(err, " + client.qualify(object.Pkg()) + "." + object.Name() + ")"}
		n.Fake = test.qualify(object.Pkg()) + "." + object.Name()
		return
	}
	asError := func(name string, object types.Object, condition, fields string) {
		n.Body = []string{"var " + name + " *" + client.qualify(object.Pkg()) + "." + object.Name(), "return errors.As(err, &" + name + ")" + condition}
		n.Fake = "&" + test.qualify(object.Pkg()) + "." + object.Name() + "{" + fields + "}"
	}
	isType := func(o types.Object) bool {
		t, ok := o.(*types.TypeName)
		return ok && !t.IsAlias() && gotypes.StructOf(t.Type()) != nil && implementsError(types.NewPointer(t.Type()))
	}
	if object := r.best(func(o types.Object) bool { return isType(o) && saysNotFound.MatchString(o.Name()) }); object != nil {
		asError("missing", object, "", "")
		return
	}
	if object := r.best(func(o types.Object) bool { return isType(o) && responseIn(o.Type()) != "" }); object != nil {
		field := responseIn(object.Type())
		client.add(`"net/http"`)
		test.add(`"net/http"`)
		if field == "Response" {
			test.add(`"net/http/httptest"`)
			asError("answer", object, " && answer.Response != nil && answer.Response.StatusCode == http.StatusNotFound",
				`Response: &http.Response{StatusCode: http.StatusNotFound, Request: httptest.NewRequest(http.MethodGet, "/", nil)}`)
		} else {
			asError("answer", object, " && answer."+field+" == http.StatusNotFound", field+": http.StatusNotFound")
		}
		return
	}
	n.Body = []string{"// " + markers.CheckComment + "say how the SDK tells that there is no such resource.", "return errors.Is(err, errMissing)"}
	n.Fake = "errMissing"
}

// best returns the exported object of the SDK, or of a package below it, that a function accepts: one with
// the name of the kind's object first, then one for all resources, and then the one with the shortest name.
func (r *reader) best(accepts func(types.Object) bool) types.Object {
	var found []types.Object
	each := func(p *packages.Package) {
		for o := range exported[types.Object](p.Types) {
			if accepts(o) {
				found = append(found, o)
			}
		}
	}
	each(r.pkg)
	for _, importPath := range slices.Sorted(maps.Keys(r.pkg.Imports)) {
		if p := r.pkg.Imports[importPath]; isBelow(p.PkgPath, r.pkg.PkgPath) && !strings.Contains(strings.TrimPrefix(p.PkgPath, r.pkg.PkgPath), "/internal/") {
			each(p)
		}
	}
	rank := func(o types.Object) int {
		name := gotypes.PlainName(o.Name())
		switch {
		case strings.Contains(name, gotypes.PlainName(r.observe.Obj().Name())):
			return 0
		case name == "errnotfound" || strings.HasPrefix(name, "resource"):
			return 1
		}
		return 2 + len(name)
	}
	if len(found) == 0 {
		return nil
	}
	return slices.MinFunc(found, func(a, b types.Object) int { return rank(a) - rank(b) })
}

func implementsError(t types.Type) bool {
	return types.Implements(t, types.Universe.Lookup("error").Type().Underlying().(*types.Interface))
}

// responseIn returns the field of an error with the answer, or with its status.
func responseIn(t types.Type) string {
	for v := range gotypes.StructOf(t).Fields() {
		switch {
		case v.Name() == "Response" && gotypes.IsPointer(v.Type()) && gotypes.IsDeclaredIn(gotypes.Deref(v.Type()), "net/http", "Response"):
			return v.Name()
		case (v.Name() == "StatusCode" || v.Name() == "HTTPStatusCode") && types.Identical(v.Type(), types.Typ[types.Int]):
			return v.Name()
		}
	}
	return ""
}

// construct returns the body of a function that makes a client of credentials: one of the SDK that takes a
// text, and returns what has the methods that are called.
func (r *reader) construct(c *calls, f *file) string {
	var best *types.Func // with the shortest name
	way := ""
	for function := range exported[*types.Func](r.pkg.Types) {
		if !strings.HasPrefix(function.Name(), "New") || !takesText(function.Signature()) {
			continue
		}
		results := function.Signature().Results()
		if results.Len() == 0 || results.Len() > 2 || results.Len() == 2 && !gotypes.IsError(results.At(1).Type()) {
			continue
		}
		if field, ok := r.serving(c, results.At(0).Type()); ok && (best == nil || len(function.Name()) < len(best.Name())) {
			best, way = function, field
		}
	}
	if best == nil {
		return ""
	}
	f.add(`"strings"`)
	call := f.qualify(r.pkg.Types) + "." + best.Name() + "(strings.TrimSpace(string(credentials)))"
	if way != "" {
		way = "." + way
	}
	if best.Signature().Results().Len() == 1 {
		return "return " + call + way + ", nil"
	}
	return "client, err := " + call + "\nif err != nil {\nreturn nil, err\n}\nreturn client" + way + ", nil"
}

// takesText reports whether a function takes one text, and perhaps options.
func takesText(s *types.Signature) bool {
	params := s.Params()
	n := params.Len()
	if s.Variadic() {
		n--
	}
	return n == 1 && types.Identical(params.At(0).Type(), types.Typ[types.String]) && s.TypeParams().Len() == 0
}

// serving returns the field of a client that has all methods that are called, "" if the client itself has them.
func (r *reader) serving(c *calls, t types.Type) (field string, ok bool) {
	serves := func(t types.Type) bool {
		for _, m := range []*method{c.get, c.create, c.update, c.delete} {
			if m == nil {
				continue
			}
			object, _, _ := types.LookupFieldOrMethod(t, false, nil, m.name)
			f, ok := object.(*types.Func)
			if !ok || !types.Identical(f.Signature(), m.signature) {
				return false
			}
		}
		return true
	}
	if serves(t) {
		return "", true
	}
	s := gotypes.StructOf(t)
	if s == nil {
		return "", false
	}
	for v := range s.Fields() {
		if v.Exported() && serves(v.Type()) {
			return v.Name(), true
		}
	}
	return "", false
}

// hasStatus reports whether a method returns answers that tell their status, as clients of oapi-codegen do: an
// answer with the status of an error comes without an error.
func hasStatus(m *method) bool {
	for result := range m.signature.Results().Variables() {
		status, _, _ := types.LookupFieldOrMethod(result.Type(), true, nil, "StatusCode")
		if _, isMethod := status.(*types.Func); isMethod {
			return true
		}
	}
	return false
}
