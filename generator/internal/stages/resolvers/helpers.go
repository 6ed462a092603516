package resolvers

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/mrgen-io/mrgen/generator/internal/flavor"
)

// A helper is a function that methods call. It is written once a file, and only if
// it is called.
type helper struct {
	kind helperKind
	// generation is that of the kinds whose errors the function returns.
	generation *flavor.Generation
	// goType is the predeclared type of the numbers that the function converts.
	goType string
}

// helperKind says what a helper does.
type helperKind uint8

const (
	// singleError names the reference that can't be resolved.
	singleError helperKind = iota
	// multiError names the one of several references that can't be resolved.
	multiError
	// fromNumber and fromPointer convert a number for the resolver.
	fromNumber
	fromPointer
	// toNumber and toPointer convert what the resolver returns.
	toNumber
	toPointer
)

// name returns what a helper is called, if the author declares nothing of that
// name.
func (h helper) name() string {
	switch h.kind {
	case singleError:
		return errorName(h.generation.References.Request)
	case multiError:
		return errorName(h.generation.References.MultiRequest)
	case fromNumber:
		return "from" + h.number()
	case fromPointer:
		return "from" + h.number() + "Ptr"
	case toNumber:
		return "to" + h.number()
	default:
		return "to" + h.number() + "Ptr"
	}
}

// errorName returns the name of the function for the errors of a request.
func errorName(request string) string {
	return strings.ToLower(request[:1]) + strings.TrimSuffix(request[1:], "Request") + "Error"
}

// number returns what numbers are called in the names of conversions.
func (h helper) number() string {
	if h.goType == "int64" {
		return "Integer"
	}
	return "Float"
}

// helper returns the name of a function that is to be written.
func (w *writer) helper(h helper) string {
	if name, known := w.helpers[h]; known {
		return name
	}
	name := h.name()
	for n := 2; w.isDeclared(name); n++ {
		name = h.name() + strconv.Itoa(n)
	}
	w.helpers[h] = name
	return name
}

// isDeclared reports whether the author or a helper has a name.
func (w *writer) isDeclared(name string) bool {
	_, declared := w.pkg.Names[name]
	return declared || slices.Contains(slices.Collect(maps.Values(w.helpers)), name)
}

// singleError returns the name of the function that names the reference that
// can't be resolved.
func (w *writer) singleError(g *flavor.Generation) string {
	return w.helper(helper{kind: singleError, generation: g})
}

// multiError returns the name of the function that names the one of several
// references that can't be resolved.
func (w *writer) multiError(g *flavor.Generation) string {
	w.singleError(g) // is called by the other
	return w.helper(helper{kind: multiError, generation: g})
}

// writeHelpers writes the functions that the methods call, sorted by name.
func (w *writer) writeHelpers() {
	helpers := slices.SortedFunc(maps.Keys(w.helpers), func(a, b helper) int { return cmp.Compare(w.helpers[a], w.helpers[b]) })
	for _, h := range helpers {
		switch h.kind {
		case singleError:
			w.writeSingleError(h)
		case multiError:
			w.writeMultiError(h)
		case fromNumber:
			w.writeFromNumber(h)
		case fromPointer:
			w.writeFromPointer(h)
		case toNumber:
			w.writeToNumber(h)
		case toPointer:
			w.writeToPointer(h)
		}
	}
}

func (w *writer) writeSingleError(h helper) {
	types, references := h.generation.Types, h.generation.References
	w.file.Commentf("%s says which reference can't be resolved.", w.helpers[h])
	w.file.Func().Id(w.helpers[h]).Params(
		jen.Err().Error(),
		jen.List(jen.Id("path"), jen.Id("kind")).String(),
		jen.Id("ref").Op("*").Add(w.qualified(types, references.Reference)),
		jen.Id("selector").Op("*").Add(w.qualified(types, references.Selector)),
	).Error().Block(
		jen.If(jen.Id("ref").Op("==").Nil().Op("||").Add(selectsAlways(jen.Id("selector")))).Block(
			jen.Return(w.selectorError(references))),
		jen.Return(w.qualified(references.Errors, "Wrapf").Call(
			jen.Err(), jen.Lit("%s: cannot resolve reference to %s %q"), jen.Id("path"), jen.Id("kind"), jen.Id("ref").Dot("Name"))),
	)
}

// writeMultiError writes the function that names one of several references. The
// resolver doesn't tell which one it is, so it is asked about each.
func (w *writer) writeMultiError(h helper) {
	references := h.generation.References
	request := jen.Dict{
		jen.Id("Extract"):   jen.Id("mreq").Dot("Extract"),
		jen.Id("Reference"): jen.Op("&").Id("mreq").Dot("References").Index(jen.Id("i")),
		jen.Id("To"):        jen.Id("mreq").Dot("To"),
	}
	if references.Namespaced {
		request[jen.Id("Namespace")] = jen.Id("mreq").Dot("Namespace")
	}
	w.file.Commentf("%s says which of several references can't be resolved: the first that can't be on its own.", w.helpers[h])
	w.file.Func().Id(w.helpers[h]).Params(
		jen.Id("ctx").Qual("context", "Context"),
		jen.Id("r").Op("*").Add(w.qualified(references.Package, references.Resolver)),
		jen.Id("mreq").Add(w.qualified(references.Package, references.MultiRequest)),
		jen.Err().Error(),
		jen.List(jen.Id("path"), jen.Id("kind")).String(),
	).Error().Block(
		jen.If(jen.Len(jen.Id("mreq").Dot("References")).Op("==").Lit(0).Op("||").Add(selectsAlways(jen.Id("mreq").Dot("Selector")))).Block(
			jen.Return(w.selectorError(references))),
		jen.For(jen.Id("i").Op(":=").Range().Id("mreq").Dot("References")).Block(
			jen.List(jen.Id("_"), jen.Id("refErr")).Op(":=").Id("r").Dot("Resolve").Call(
				jen.Id("ctx"), w.qualified(references.Package, references.Request).Values(request)),
			jen.If(jen.Id("refErr").Op("!=").Nil()).Block(
				jen.Return(jen.Id(w.singleError(h.generation)).Call(
					jen.Id("refErr"), jen.Qual("fmt", "Sprintf").Call(jen.Lit("%s[%d]"), jen.Id("path"), jen.Id("i")), jen.Id("kind"),
					jen.Op("&").Id("mreq").Dot("References").Index(jen.Id("i")), jen.Nil()))),
		),
		jen.Return(w.qualified(references.Errors, "Wrapf").Call(
			jen.Err(), jen.Lit("%s: cannot resolve references to %s"), jen.Id("path"), jen.Id("kind"))),
	)
}

// selectorError returns an error that names a selector.
func (w *writer) selectorError(references flavor.References) *jen.Statement {
	return w.qualified(references.Errors, "Wrapf").Call(
		jen.Err(), jen.Lit("%s: cannot resolve reference to %s by selector"), jen.Id("path"), jen.Id("kind"))
}

// selectsAlways returns the condition that a selector takes the place of the
// references that were resolved before.
func selectsAlways(selector *jen.Statement) *jen.Statement {
	return selector.Clone().Op("!=").Nil().Op("&&").Add(selector.Clone()).Dot("Policy").Dot("IsResolvePolicyAlways").Call()
}
