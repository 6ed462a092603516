package fromsdk

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
)

// A Service has as methods what the controller calls, where the SDK isn't called by plain methods.
type Service struct {
	// Client is the type of the SDK's client, and Methods are declarations.
	Client  string
	Methods []string
}

// An ending is a method of the result of a call, which sends the request, or waits until it is done.
type ending struct {
	name string
	// waits is set if the call sends the request, so that it may fail.
	waits bool
}

// endings are the styles of calls.
var endings = []ending{
	{"Extract", false}, {"ExtractErr", false}, // functions with a client: Get(ctx, client, id).Extract()
	{"Execute", false},      // builders of openapi-generator: Create(ctx).Body(body).Execute()
	{"Do", false},           // builders of Google: Create(project, body).Context(ctx).Do()
	{"PollUntilDone", true}, // pollers of Azure: BeginCreate(ctx, body, nil)
	{"Wait", true},          // operations of Google Cloud: Create(ctx, request)
}

// A styled call stands for a function or method of the SDK whose result has an ending.
type styled struct {
	// client is the type of the client that a function takes, nil for a method.
	client *types.Named
	// built is the type of the result, and arguments are what makes it.
	built     types.Type
	arguments []string
	// setters are calls between, and end is the last one.
	setters, end string
	ending       *types.Func
	waits        bool
}

// functions returns the functions of the SDK that take a client, as methods of that.
func (r *reader) functions() (all []*method) {
	for function := range exported[*types.Func](r.pkg.Types) {
		if m := r.styled(function); m != nil && m.style.client != nil {
			m.receivers = []*types.TypeName{m.style.client.Obj()}
			all = append(all, m)
		}
	}
	return all
}

// styled returns the method that stands for a function or method whose result has an ending, nil if it has none.
func (r *reader) styled(of *types.Func) *method {
	results := of.Signature().Results()
	waits := results.Len() == 2 && isCallable(of.Signature())
	if of.Signature().TypeParams().Len() > 0 || results.Len() != 1 && !waits || types.Identical(gotypes.Deref(results.At(0).Type()), r.observe) {
		return nil
	}
	for _, e := range endings {
		if e.waits != waits {
			continue
		}
		style := &styled{built: results.At(0).Type(), waits: waits}
		object, _, _ := types.LookupFieldOrMethod(style.built, true, nil, e.name)
		if end, ok := object.(*types.Func); ok && isCallable(end.Signature()) {
			if m := r.withEnding(of, style, end); m != nil {
				return m
			}
		}
	}
	return nil
}

func (r *reader) withEnding(of *types.Func, style *styled, end *types.Func) *method {
	m := &method{name: of.Name(), object: of, style: style}
	var params []*types.Var
	var ctx *types.Var
	take := func(v *types.Var) *types.Var {
		name := v.Name()
		isTaken := func(p *types.Var) bool { return p.Name() == name }
		if name == "_" || name == "" || slices.Contains([]string{"s", "r", "err", "done"}, name) || slices.ContainsFunc(params, isTaken) {
			name = fmt.Sprintf("arg%d", len(params))
		}
		params = append(params, types.NewParam(v.Pos(), v.Pkg(), name, r.requestFor(v.Type())))
		return params[len(params)-1]
	}
	for i := range of.Signature().Params().Len() {
		v := of.Signature().Params().At(i)
		named := gotypes.NamedOf(gotypes.Deref(v.Type()))
		switch {
		case of.Signature().Variadic() && i == of.Signature().Params().Len()-1: // options may be left out
		case of.Signature().Recv() == nil && style.client == nil && named != nil && gotypes.IsPointer(v.Type()) && strings.HasSuffix(named.Obj().Name(), "Client"):
			style.client = named
			style.arguments = append(style.arguments, "s.client")
		default:
			param := take(v)
			style.arguments = append(style.arguments, param.Name())
			if isContext(v.Type()) {
				ctx = param
			}
		}
	}
	withContext := func(v *types.Var) string {
		if ctx == nil {
			ctx = types.NewParam(0, nil, "ctx", v.Type())
			params = append([]*types.Var{ctx}, params...)
		}
		return ctx.Name()
	}
	setters := types.NewMethodSet(style.built)
	for i := range setters.Len() {
		setter, ok := setters.At(i).Obj().(*types.Func)
		if s := setter.Signature(); !ok || s.Params().Len() != 1 || s.Results().Len() != 1 || !types.Identical(s.Results().At(0).Type(), style.built) {
			continue
		}
		switch v := setter.Signature().Params().At(0); {
		case isContext(v.Type()):
			style.setters += "." + setter.Name() + "(" + withContext(v) + ")"
		case r.isRequest(gotypes.Deref(v.Type())):
			style.setters += "." + setter.Name() + "(" + take(v).Name() + ")"
		}
	}
	var arguments []string
	for i := range end.Signature().Params().Len() {
		switch v := end.Signature().Params().At(i); {
		case end.Signature().Variadic() && i == end.Signature().Params().Len()-1: // options again
		case isContext(v.Type()):
			arguments = append(arguments, withContext(v))
		case gotypes.IsPointer(v.Type()):
			arguments = append(arguments, "nil")
		default: // which takes more than anybody knows
			return nil
		}
	}
	style.ending, style.end = end, "."+end.Name()+"("+strings.Join(arguments, ", ")+")"
	var results []*types.Var
	for v := range end.Signature().Results().Variables() {
		results = append(results, types.NewParam(0, nil, "", v.Type()))
	}
	m.signature = types.NewSignatureType(nil, nil, nil, types.NewTuple(params...), types.NewTuple(results...), false)
	return m
}

func isContext(t types.Type) bool { return gotypes.IsDeclaredIn(t, "context", "Context") }

// withoutBuilders returns methods without those of builders, and those that take one, as openapi-generator writes beside the others.
func withoutBuilders(all []*method) []*method {
	built := map[*types.TypeName]bool{}
	for _, m := range all {
		if m.style != nil && !m.style.waits && gotypes.NamedOf(gotypes.Deref(m.style.built)) != nil {
			built[gotypes.NamedOf(gotypes.Deref(m.style.built)).Obj()] = true
		}
	}
	isBuilder := func(v *types.Var) bool {
		named := gotypes.NamedOf(gotypes.Deref(v.Type()))
		return named != nil && built[named.Obj()]
	}
	return slices.DeleteFunc(all, func(m *method) bool {
		return built[m.receivers[0]] || slices.ContainsFunc(slices.Collect(m.signature.Params().Variables()), isBuilder)
	})
}

// requestFor returns the type of a request that is passed for an interface, or else the type itself.
func (r *reader) requestFor(t types.Type) types.Type {
	i, ok := t.Underlying().(*types.Interface)
	if !ok || i.NumMethods() == 0 {
		return t
	}
	for _, request := range []*types.Named{r.create, r.update} {
		switch {
		case request == nil:
		case types.Implements(request, i):
			return request
		case types.Implements(types.NewPointer(request), i):
			return types.NewPointer(request)
		}
	}
	return t
}

// findClient finds the type of the client for calls in a style: the one from which fields lead to all methods that are called,
// by the longest way.
func (r *reader) findClient(c *calls) {
	all := c.all()
	if !slices.ContainsFunc(all, func(m *method) bool { return m.style != nil }) {
		return
	}
	if style := c.get.style; style != nil && style.client != nil {
		c.client = style.client
		return
	}
	longest := -1
	consider := func(named *types.Named) {
		ways, length := map[*method]string{}, 0
		for _, m := range all {
			way, found := wayTo(m, types.NewPointer(named), 2)
			if !found {
				return
			}
			ways[m] = way
			length += len(way)
		}
		if length > longest {
			c.client, c.ways, longest = named, ways, length
		}
	}
	for function := range exported[*types.Func](r.pkg.Types) {
		results := function.Signature().Results()
		if !strings.HasPrefix(function.Name(), "New") || results.Len() == 0 {
			continue
		}
		if named := gotypes.NamedOf(gotypes.Deref(results.At(0).Type())); named != nil && gotypes.StructOf(named) != nil {
			consider(named)
		}
	}
	if c.client == nil {
		r.errorf("no function New… of %s returns a client that leads to %s: name methods of one client with --method", r.options.Package,
			diag.And(described(all)))
	}
}

// wayTo returns the fields that lead from a value to one that has a method.
func wayTo(m *method, t types.Type, depth int) (way string, found bool) {
	object, _, _ := types.LookupFieldOrMethod(t, true, nil, m.name)
	if f, ok := object.(*types.Func); ok && types.Identical(f.Signature(), m.object.Signature()) {
		return "", true
	}
	s := gotypes.StructOf(t)
	if s == nil || depth == 0 {
		return "", false
	}
	for v := range s.Fields() {
		if v.Exported() {
			if way, found := wayTo(m, v.Type(), depth-1); found {
				return "." + v.Name() + way, true
			}
		}
	}
	return "", false
}

// service writes the methods for calls in a style.
func (r *reader) service(c *calls, f *file) {
	if c.client == nil {
		return
	}
	s := &Service{Client: f.text(c.client)}
	for _, m := range c.all() {
		s.Methods = append(s.Methods, "func (s *service) "+m.name+strings.TrimPrefix(f.text(m.signature), "func")+" {\n"+r.body(c, m, f)+"\n}")
	}
	r.kind.Service = s
}

// body returns the statements of a method that calls the SDK in its style.
func (r *reader) body(c *calls, m *method, f *file) string {
	call := "s.client" + c.ways[m] + "." + m.name
	if c.ways == nil { // functions
		call = f.qualify(r.pkg.Types) + "." + m.name
	}
	results := m.signature.Results()
	if m.style == nil {
		var arguments []string
		for v := range m.signature.Params().Variables() {
			arguments = append(arguments, v.Name())
		}
		if m.signature.Variadic() {
			arguments[len(arguments)-1] += "..."
		}
		return "return " + call + "(" + strings.Join(arguments, ", ") + ")"
	}
	call += "(" + strings.Join(m.style.arguments, ", ") + ")" + m.style.setters
	if m.style.waits {
		zeros := make([]string, results.Len())
		for i := range results.Len() - 1 {
			zeros[i] = gotypes.Zero(results.At(i).Type(), f.text)
		}
		zeros[results.Len()-1] = "err"
		return "done, err := " + call + "\nif err != nil {\nreturn " + strings.Join(zeros, ", ") + "\n}\nreturn done" + m.style.end
	}
	call += m.style.end
	at := answerIn(m.signature)
	if !r.absentByAnswer || at < 0 || m != c.get && m != c.delete {
		return "return " + call
	}
	names := make([]string, results.Len())
	for i := range names {
		names[i] = fmt.Sprintf("result%d", i)
	}
	names[at], names[len(names)-1] = "answer", "err"
	list, isSet := strings.Join(names, ", "), "answer != nil"
	if !gotypes.IsDeclaredIn(gotypes.Deref(results.At(at).Type()), "net/http", "Response") {
		isSet += " && answer.Response != nil"
	}
	f.add(`"net/http"`)
	return list + " := " + call + "\nif " + isSet + " && answer.StatusCode == http.StatusNotFound {\nerr = errMissing\n}\nreturn " + list
}

// answerIn returns the index of the result that is an answer of HTTP, or has one embedded; -1 if there is none.
func answerIn(s *types.Signature) int {
	is := func(t types.Type) bool {
		return gotypes.IsPointer(t) && gotypes.IsDeclaredIn(gotypes.Deref(t), "net/http", "Response")
	}
	for i := range s.Results().Len() {
		t := s.Results().At(i).Type()
		if is(t) {
			return i
		}
		if of := gotypes.StructOf(t); of != nil && gotypes.IsPointer(t) {
			for v := range of.Fields() {
				if v.Embedded() && is(v.Type()) {
					return i
				}
			}
		}
	}
	return -1
}

// serviceAt returns an expression for a service whose client sends requests to an address, "" if the client has no field for it.
func (r *reader) serviceAt(c *calls, f *file) string {
	var fields []string
	hasAddress := false
	for v := range gotypes.StructOf(c.client).Fields() {
		switch {
		case v.Embedded() && gotypes.IsPointer(v.Type()) && gotypes.StructOf(v.Type()) != nil:
			fields = append(fields, v.Name()+": &"+f.text(gotypes.Deref(v.Type()))+"{}")
		case !hasAddress && namesAddress.MatchString(v.Name()) && types.Identical(v.Type(), types.Typ[types.String]):
			hasAddress = true
			fields = append(fields, v.Name()+`: address + "/"`)
		}
	}
	if !hasAddress {
		return ""
	}
	return "return &service{&" + f.text(c.client) + "{" + strings.Join(fields, ", ") + "}}"
}

// all returns the methods that are called, each once.
func (c *calls) all() []*method {
	all := []*method{c.get, c.create}
	if c.update != nil && c.update != c.create {
		all = append(all, c.update)
	}
	return append(all, c.delete)
}
