package fromsdk

import (
	"go/types"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
)

// A Client is what all kinds of an SDK share: its type, and the ways in which the SDK makes one.
type Client struct {
	// Type is that of the client, with Zero as its zero value, and Of an expression for what has the methods that the controller calls.
	Type, Zero, Of string
	// Name is the package's name, and Makers are the functions that make a client.
	Name   string
	Makers []string
	// HidesErrors is set if methods return answers with the status of an error without an error.
	HidesErrors bool
}

// findClient finds the type that functions of the SDK make, and that has, or leads to, all methods which are called.
func (r *reader) findClient(c *calls) {
	type found struct {
		t      types.Type
		expr   string
		makers []string
	}
	var all []*found
	add := func(t types.Type, maker string) {
		expr := r.serving(c, t, "api")
		if expr == "" {
			return
		}
		one := first(all, func(f *found) bool { return types.Identical(f.t, t) })
		if one == nil {
			one = &found{t: t, expr: expr}
			all = append(all, one)
		}
		if maker != "" {
			one.makers = append(one.makers, maker)
		}
	}
	for _, function := range exported[*types.Func](r.pkg.Types) {
		results := function.Signature().Results()
		if results.Len() == 0 || function.Signature().TypeParams().Len() > 0 {
			continue
		}
		add(results.At(0).Type(), r.pkg.Types.Name()+"."+function.Name()+strings.TrimPrefix(types.TypeString(function.Signature(), gotypes.ByName), "func"))
	}
	k := &r.kind.Client
	k.Name = strings.ToLower(r.pkg.Types.Name())
	k.HidesErrors = slices.ContainsFunc(c.get.results(), func(v *types.Var) bool { return methodOf(v.Type(), "StatusCode") != nil })
	// What leads to the methods of one kind leads to those of others.
	rank(all, func(f *found) int { return boolInt(!strings.Contains(f.expr, ".")) })
	if len(all) > 0 {
		k.Type, k.Zero, k.Of, k.Makers = r.text(all[0].t), gotypes.Zero(all[0].t, r.text), all[0].expr, all[0].makers
		return
	}
	t := c.client
	if t == nil {
		receiver := c.get.receivers[0].Type()
		if t = types.NewPointer(receiver); types.IsInterface(receiver) {
			t = receiver
		}
	}
	k.Type, k.Zero, k.Of = r.text(t), gotypes.Zero(t, r.text), "api"
}

// serving returns the expression for the value with all methods that are called: a client, a field of it, or the result of a method
// that takes nothing, or "".
func (r *reader) serving(c *calls, t types.Type, client string) string {
	if expr := c.served(t, client); expr != "" || gotypes.StructOf(t) == nil {
		return expr
	}
	if expr := c.servedWithin(t, client, 2); expr != "" {
		return expr
	}
	for selection := range types.NewMethodSet(t).Methods() {
		s, name := selection.Type().(*types.Signature), selection.Obj().Name()
		if s.Params().Len() > 0 || s.Results().Len() != 1 || !selection.Obj().Exported() {
			continue
		}
		if expr := c.served(s.Results().At(0).Type(), client+"."+name+"()"); expr != "" && expr[0] != '&' { // which has no address
			return expr
		}
	}
	return ""
}

// servedWithin returns the expression for a field of a struct that has all methods, or of a service of services in it, or "".
func (c *calls) servedWithin(t types.Type, expr string, depth int) string {
	for v := range gotypes.StructOf(t).Fields() {
		if !v.Exported() {
			continue
		}
		field := expr + "." + v.Name()
		if found := c.served(v.Type(), field); found != "" {
			return found
		}
		if depth > 1 && gotypes.IsPointer(v.Type()) && gotypes.StructOf(v.Type()) != nil {
			if found := c.servedWithin(v.Type(), field, depth-1); found != "" {
				return found
			}
		}
	}
	return ""
}

// served returns an expression for what has all methods: one of a type, or its address, or "".
func (c *calls) served(t types.Type, expr string) string {
	has := func(t types.Type) bool {
		if c.client != nil {
			return types.AssignableTo(t, c.client)
		}
		return !slices.ContainsFunc(c.all(), func(m *method) bool {
			object, _, _ := types.LookupFieldOrMethod(t, false, nil, m.name)
			f, ok := object.(*types.Func)
			return !ok || !types.Identical(f.Signature(), m.signature)
		})
	}
	switch {
	case has(t):
		return expr
	case has(types.NewPointer(t)):
		return "&" + expr
	}
	return ""
}

// Shared returns the decisions that all kinds of the SDK share: about the client, and about an error for what is absent.
func (k *Kind) Shared() []Decision {
	texts := []string{"what the SDK makes of the credentials"}
	if len(k.Client.Makers) > 0 {
		texts = []string{some(k.Client.Makers, "or")}
	}
	if k.Client.HidesErrors {
		texts = append(texts, "methods return no error for the status of an error: give the client an HTTP client that does")
	}
	all := []Decision{{"client", Undecided, texts}}
	if k.NotFound.IsShared {
		all = append(all, k.NotFound.Decision)
	}
	return all
}

// optionsOf returns the functions that make an option of a type of one value: those of the SDK, and of the package of the type.
func (r *reader) optionsOf(t types.Type) (all []*types.Func) {
	of := []*types.Package{r.pkg.Types}
	named, ok := t.(interface{ Obj() *types.TypeName }) // or an alias, maybe of an internal package
	if ok && named.Obj().Pkg() != nil && named.Obj().Pkg() != of[0] {
		of = append(of, named.Obj().Pkg())
	}
	for _, p := range of {
		all = append(all, filter(exported[*types.Func](p), func(f *types.Func) bool {
			params, results := f.Signature().Params(), f.Signature().Results()
			return params.Len() == 1 && results.Len() == 1 && types.Identical(results.At(0).Type(), t)
		})...)
	}
	return all
}
