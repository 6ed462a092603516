package fromsdk

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/extensions/sdkconversion"
	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
)

// A Service has as methods what the controller calls, where the SDK isn't called by plain methods.
type Service struct {
	// Client is the type of the SDK's client, and Methods are declarations.
	Client  string
	Methods []string
}

// endings are the styles of calls: methods of a result that send the request, or wait until it is done if the call may fail before.
var endings = []struct {
	name  string
	waits bool
}{
	{"Extract", false}, {"ExtractErr", false}, // functions with a client: Get(ctx, client, id).Extract()
	{"Execute", false},      // builders of openapi-generator: Create(ctx).Body(body).Execute()
	{"Do", false},           // builders of Google: Create(project, body).Context(ctx).Do()
	{"PollUntilDone", true}, // pollers of Azure: BeginCreate(ctx, body, nil)
	{"Wait", true},          // operations of Google Cloud: Create(ctx, request)
}

// A style is how a method of the service calls the SDK.
type style struct {
	// arguments are those of the SDK's function, with calls of setters, and built is its result.
	arguments string
	built     types.Type
	// ending is the method of the result that is called last, nil for a plain call, and end is its call.
	ending *types.Func
	end    string
	waits  bool
	// left are the setters that aren't called.
	left []string
}

// functions returns the functions of the SDK that take a client, as methods of that.
func (r *reader) functions() (all []*method) {
	for _, function := range exported[*types.Func](r.pkg.Types) {
		if m := r.styled(function); m != nil && len(m.receivers) > 0 {
			all = append(all, m)
		}
	}
	return all
}

// styled returns the method that stands for a function or method whose result has an ending, or nil.
func (r *reader) styled(of *types.Func) *method {
	results := of.Signature().Results()
	waits := results.Len() == 2 && isCallable(of.Signature())
	if of.Signature().TypeParams().Len() > 0 || results.Len() != 1 && !waits {
		return nil
	}
	built := gotypes.Deref(results.At(0).Type())
	recv := of.Signature().Recv()
	if types.Identical(built, r.observe) || recv != nil && types.Identical(built, gotypes.Deref(recv.Type())) {
		return nil // the object, or the setter of a builder
	}
	for _, e := range endings {
		end := methodOf(results.At(0).Type(), e.name)
		if e.waits != waits || end == nil || !isCallable(end.Signature()) {
			continue
		}
		if m := r.adapted(of, end); m != nil {
			return m
		}
	}
	return nil
}

// methodOf returns a method of a type, nil if it has none of the name.
func methodOf(t types.Type, name string) *types.Func {
	object, _, _ := types.LookupFieldOrMethod(t, true, nil, name)
	f, _ := object.(*types.Func)
	return f
}

// adapted returns the method of the service that calls one of the SDK, with all that setters and an ending take; nil if the ending
// takes more than anybody knows.
func (r *reader) adapted(of, end *types.Func) *method {
	m := &method{name: of.Name(), object: of, style: &style{ending: end}}
	var params []*types.Var
	ctx := ""
	pass := func(v *types.Var) string {
		name := v.Name()
		if slices.Contains([]string{"", "_", "s", "err", "done", "call", "page", "pager", "next"}, name) ||
			slices.ContainsFunc(params, func(p *types.Var) bool { return p.Name() == name }) {
			name = fmt.Sprintf("arg%d", len(params))
		}
		param := types.NewParam(v.Pos(), v.Pkg(), name, r.requestFor(v.Type()))
		switch {
		case !isContext(v.Type()):
			params = append(params, param)
		case ctx != "": // one for all
			return ctx
		default:
			params, ctx = append([]*types.Var{param}, params...), name
		}
		return name
	}
	var arguments []string
	for _, v := range required(of.Signature()) {
		if client := clientOf(v.Type()); client != nil && m.isFunction() && m.receivers == nil {
			m.receivers = []*types.TypeName{client}
			arguments = append(arguments, "s.client")
		} else {
			arguments = append(arguments, pass(v))
		}
	}
	m.style.arguments = "(" + strings.Join(arguments, ", ") + ")"
	results := of.Signature().Results()
	if end != nil {
		m.style.built, m.style.waits = results.At(0).Type(), isCallable(of.Signature())
		hasParent := slices.ContainsFunc(params, func(p *types.Var) bool { return p.Name() == parentName })
		for _, setter := range settersOf(m.style.built) {
			if v := r.setBy(setter, hasParent); v != nil {
				m.style.arguments += "." + setter.Name() + "(" + pass(v) + ")"
			} else if setter.Name() != "IfNoneMatch" { // by which Google's generator lets any read return nothing
				m.style.left = append(m.style.left, setter.Name())
			}
		}
		arguments = nil
		for _, v := range required(end.Signature()) {
			switch {
			case isContext(v.Type()):
				arguments = append(arguments, pass(v))
			case gotypes.IsPointer(v.Type()):
				arguments = append(arguments, "nil")
			default:
				return nil
			}
		}
		m.style.end = "." + end.Name() + "(" + strings.Join(arguments, ", ") + ")"
		results = end.Signature().Results()
	}
	m.signature = signature(params, each(slices.Collect(results.Variables()), (*types.Var).Type)...)
	return m
}

// setBy returns what a controller passes to a setter: a context, a struct, the names of the fields to change, or the own ID of the object
// beside a parent. It returns nil for others.
func (r *reader) setBy(setter *types.Func, hasParent bool) *types.Var {
	v := setter.Signature().Params().At(0)
	isStruct := gotypes.StructOf(v.Type()) != nil && !gotypes.IsTime(v.Type())
	switch {
	case hasParent && r.isOwnID(gotypes.PlainName(setter.Name())):
		return types.NewParam(v.Pos(), v.Pkg(), camel(setter.Name()), v.Type())
	case isContext(v.Type()), isStruct, isMask(v):
		return v
	}
	return nil
}

// clientOf returns the type of a client that a function takes, nil for another type.
func clientOf(t types.Type) *types.TypeName {
	named := gotypes.NamedOf(gotypes.Deref(t))
	switch {
	case named == nil, !gotypes.IsPointer(t), !strings.HasSuffix(named.Obj().Name(), "Client"):
		return nil
	case gotypes.StructOf(named) == nil, named.TypeArgs().Len() > 0, !named.Obj().Exported(): // no controller can make it
		return nil
	}
	return named.Obj()
}

// required returns the parameters without options, which may be left out.
func required(s *types.Signature) []*types.Var {
	all := slices.Collect(s.Params().Variables())
	if s.Variadic() {
		return all[:len(all)-1]
	}
	return all
}

// pointsTo reports whether a type is a pointer to the one that a package declares by that name.
func pointsTo(t types.Type, path, name string) bool {
	return gotypes.IsPointer(t) && gotypes.IsDeclaredIn(gotypes.Deref(t), path, name)
}

func isContext(t types.Type) bool { return gotypes.IsDeclaredIn(t, "context", "Context") }

// settersOf returns the methods of a builder that take one value.
func settersOf(built types.Type) (all []*types.Func) {
	methods := types.NewMethodSet(built)
	for i := range methods.Len() {
		setter, ok := methods.At(i).Obj().(*types.Func)
		if !ok || !setter.Exported() || len(required(setter.Signature())) != 1 {
			continue
		}
		if results := setter.Signature().Results(); results.Len() == 1 && types.Identical(results.At(0).Type(), built) {
			all = append(all, setter)
		}
	}
	return all
}

// requestFor returns the type of a request that is passed for an interface, or else the type itself.
func (r *reader) requestFor(t types.Type) types.Type {
	i, ok := t.Underlying().(*types.Interface)
	if !ok || i.NumMethods() == 0 {
		return t
	}
	for _, request := range r.requests() {
		switch {
		case types.Implements(request, i):
			return request
		case types.Implements(types.NewPointer(request), i):
			return types.NewPointer(request)
		}
	}
	return t
}

// serveStyles has all methods called by a service if one needs it: of a client that has them all.
func (r *reader) serveStyles(c *calls) {
	all := c.all()
	if !slices.ContainsFunc(all, func(m *method) bool { return m.style != nil }) {
		return
	}
	for _, t := range c.get.receivers {
		isInterface := types.IsInterface(t.Type()) // which a struct with the methods fits, too
		if (c.client == nil || isInterface) && !slices.ContainsFunc(all, func(m *method) bool { return !slices.Contains(m.receivers, t) }) {
			c.client = types.NewPointer(t.Type())
			if isInterface {
				c.client = t.Type()
			}
		}
	}
	if c.client == nil {
		r.errorf("no type of %s has all of %s: name methods of one type with --method, or write its controller by hand",
			r.options.Package, strings.Join(described(all), ", "))
	}
	for _, m := range all {
		if m.style == nil {
			adapted := r.adapted(m.object, nil)
			m.signature, m.style = adapted.signature, adapted.style
		}
	}
}

// continues reports whether a field is an option that goes on with an earlier call: what waits for the call tells its value.
func (m *method) continues(s *source) bool {
	return m.style != nil && m.style.waits && methodOf(m.style.built, s.name()) != nil
}

// isFunction reports whether the SDK has functions that take a client.
func (m *method) isFunction() bool { return m.object.Signature().Recv() == nil }

// service writes the methods for calls in a style.
func (r *reader) service(c *calls) {
	if c.client == nil {
		return
	}
	r.kind.Service = &Service{Client: r.text(c.client), Methods: each(c.all(), func(m *method) string {
		isNeeded := m == c.create && (r.kind.Own.Created != "" || len(r.kind.Details) > 0 && r.kind.Create.Object != "")
		return "func (s *service) " + m.name + strings.TrimPrefix(r.text(m.signature), "func") + " {\n" + r.body(m, isNeeded) + "\n}"
	})}
}

// body returns the statements of a method that calls the SDK in its style. If its results aren't needed, what takes long goes on
// after the reconcile.
func (r *reader) body(m *method, isNeeded bool) string {
	call := "s.client." + m.name
	if m.isFunction() {
		call = r.qualify(r.pkg.Types) + "." + m.name
	}
	call += m.style.arguments
	if m.style.waits {
		results := m.results()[:m.signature.Results().Len()-1]
		zeros := each(results, func(v *types.Var) string { return gotypes.Zero(v.Type(), r.text) })
		none := strings.Join(zeros, ", ")
		if none != "" {
			none += ", "
		}
		begin := "done, err := " + call + "\nif err != nil {\nreturn " + none + "err\n}\n"
		if isNeeded {
			return begin + "return done" + m.style.end
		}
		r.qualify(types.NewPackage("time", "time"))
		r.declare("// wait is how long a reconcile waits for what the API does. What takes longer goes on, and Observe sees how it ends. Tests may shorten it.\nvar wait = 10 * time.Second")
		isLate := "ctx.Err() != nil"
		if m.isRemote() { // whose server may see the deadline first
			isLate += " || status.Code(err) == codes.DeadlineExceeded"
		}
		return begin + "ctx, cancel := context.WithTimeout(ctx, wait)\ndefer cancel()\n" +
			strings.Repeat("_, ", len(results)) + "err = done" + m.style.end + "\nif " + isLate + " {\nreturn " + none + "nil\n}\nreturn " + none + "err"
	}
	return "return " + call + m.style.end
}

// all returns the methods that are called, each once.
func (c *calls) all() []*method {
	all := []*method{c.get, c.create}
	if c.update != nil && c.update != c.create {
		all = append(all, c.update)
	}
	return append(all, c.delete)
}

// filled adds a function that makes a request of values which its fields wrap, and returns its name.
func (r *reader) filled(t types.Type, fields []*source) string {
	free := func(name string) string { // neither a keyword nor the result
		if name = camel(name); token.IsKeyword(name) || name == request {
			return name + "Value"
		}
		return name
	}
	name := free(gotypes.NamedOf(gotypes.Deref(t)).Obj().Name())
	params := each(fields, func(s *source) string { return free(s.name()) + " " + r.text(s.v.Type()) })
	lines := each(fields, func(s *source) string { return sdkconversion.Fill(s.wrapped, "request."+s.name(), free(s.name())) })
	r.declare("// " + name + " returns a request for one external resource.\nfunc " + name + "(" + strings.Join(params, ", ") + ") (request " +
		r.text(t) + ") {\n" + strings.Join(lines, "\n") + "\nreturn request\n}")
	return name
}
