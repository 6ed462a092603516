package fromsdk

import (
	"go/types"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
)

// A Service has functions of the SDK as methods, which call them with a client.
type Service struct {
	// Client is the type of the client, and Methods are declarations.
	Client  string
	Methods []string
}

// functions returns the functions of the SDK that take a client, as methods of that: func Get(ctx, client, id) GetResult, whose
// result has the method Extract, becomes Get(ctx, id) (*Object, error).
func (r *reader) functions() (all []*method) {
	for function := range exported[*types.Func](r.pkg.Types) {
		if m := r.asMethod(function); m != nil {
			all = append(all, m)
		}
	}
	return all
}

func (r *reader) asMethod(function *types.Func) *method {
	s := function.Signature()
	if s.TypeParams().Len() > 0 || s.Variadic() || s.Results().Len() != 1 {
		return nil
	}
	m := &method{name: function.Name(), object: function}
	var params []*types.Var
	for v := range s.Params().Variables() {
		named := gotypes.NamedOf(gotypes.Deref(v.Type()))
		if m.client == nil && named != nil && gotypes.IsPointer(v.Type()) && strings.HasSuffix(named.Obj().Name(), "Client") {
			m.client = named
			continue
		}
		params = append(params, types.NewParam(v.Pos(), v.Pkg(), v.Name(), r.requestFor(v.Type())))
	}
	if m.client == nil {
		return nil
	}
	for _, extract := range []string{"Extract", "ExtractErr"} {
		object, _, _ := types.LookupFieldOrMethod(s.Results().At(0).Type(), false, nil, extract)
		if f, ok := object.(*types.Func); ok && f.Signature().Params().Len() == 0 && isCallable(f.Signature()) {
			m.extract = extract
			m.signature = types.NewSignatureType(nil, nil, nil, types.NewTuple(params...), f.Signature().Results(), false)
			m.receivers = []*types.TypeName{m.client.Obj()}
			return m
		}
	}
	return nil
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

// service writes the methods for functions that are called.
func (r *reader) service(c *calls, f *file) {
	if c.get.client == nil {
		return
	}
	s := &Service{Client: f.text(c.get.client)}
	for _, m := range c.all() {
		var arguments []string
		for v := range m.object.Signature().Params().Variables() {
			if types.Identical(gotypes.Deref(v.Type()), m.client) {
				arguments = append(arguments, "s.client")
			} else {
				arguments = append(arguments, v.Name())
			}
		}
		s.Methods = append(s.Methods, "func (s *service) "+m.name+strings.TrimPrefix(f.text(m.signature), "func")+
			" {\nreturn "+f.qualify(r.pkg.Types)+"."+m.name+"("+strings.Join(arguments, ", ")+")."+m.extract+"()\n}")
	}
	r.kind.Service = s
}

// serviceAt returns an expression for a service whose client sends requests to an address, "" if the client has no field for it.
func (r *reader) serviceAt(c *calls, f *file) string {
	var fields []string
	hasAddress := false
	for v := range gotypes.StructOf(c.get.client).Fields() {
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
	return "return &service{&" + f.text(c.get.client) + "{" + strings.Join(fields, ", ") + "}}"
}

// all returns the methods that are called, each once.
func (c *calls) all() []*method {
	all := []*method{c.get, c.create}
	if c.update != nil && c.update != c.create {
		all = append(all, c.update)
	}
	return append(all, c.delete)
}
