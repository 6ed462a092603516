package lateinit

import (
	"slices"
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/mrgen-io/mrgen/generator/internal/fieldmarkers"
	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
	"github.com/mrgen-io/mrgen/generator/internal/mapping"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/render/gosrc"
)

// The names in the code that is written.
const (
	parametersName = "p"
	observedName   = "observed"
	desiredName    = "desired"
	specName       = "s"
	initialName    = "initial"
	changedName    = "changed"
	pathsName      = "paths"
	pathName       = "path"
	valueName      = "value"
	okName         = "ok"
	itemName       = "item"
)

// IsVariable reports whether generated code may have a variable with that name.
func IsVariable(name string) bool {
	return slices.Contains([]string{
		parametersName, observedName, desiredName, specName, initialName, changedName, pathsName, pathName, valueName, okName, itemName,
	}, gosrc.Wanted(name))
}

// variable returns a variable, with another name if it could hide a type that the code names.
func (w *pairWriter) variable(name string) *jen.Statement {
	return jen.Id(gosrc.Variable(name, w.DeclaresType))
}

// from returns the variable that values are taken from.
func (w *pairWriter) from() *jen.Statement { return w.variable(w.fromName) }

// A purpose says what a function does for a pair.
type purpose uint8

const (
	// create returns a desired struct that is equal to an observed one.
	create purpose = iota
	lateInitialize
	complete
	diff
	// merge sets what is unset in a desired struct to what initProvider gives.
	merge
	// without returns an observed struct without what initProvider gives.
	without
	// given returns the paths of entries of maps that only initProvider gives.
	given
)

// purposes are the prefixes of the names of functions, in the order of the functions of a pair.
var purposes = []string{create: "new", lateInitialize: "lateInitialize", complete: "complete", diff: "diff", merge: "merge", without: "without", given: "given"}

// function names a function for a pair.
type function struct {
	purpose purpose
	pair    *pair
}

// pairWriter writes methods and functions for pairs into a file.
type pairWriter struct {
	Target
	*matcher
	// needed are the functions that are called.
	needed map[function]bool
	// pairs are those with functions, in the order of their first call, and names
	// the ends of the names of their functions.
	pairs []*pair
	names map[*pair]string
	// fromName is the name of the variable that values are taken from.
	fromName string
	// patterns are the regular expressions that conditions match.
	patterns []patternVariable
}

// method writes a method of the pair's desired type.
func (w *pairWriter) method(m Method, of *pair, kinds []*model.Object) {
	receiver := w.variable(parametersName).Op("*").Add(w.Type(of.Target))
	if m == ImmutableFields {
		w.comment("ImmutableFields returns those of the paths that Diff returned whose fields can't be changed once set.", "")
		w.writeMethod(receiver, m, w.variable(pathsName).Index().String(), jen.Index().String(), w.immutableBody(of, kinds))
		return
	}
	var comment string
	result := jen.Null()
	var purpose purpose
	switch m {
	case LateInitialize:
		purpose, result = lateInitialize, jen.Bool()
		comment = "LateInitialize fills the fields of p that are unset with what is observed and spec accepts, and reports whether it changed any. " + fillingComment
	case Diff:
		purpose, result = diff, jen.Index().String()
		comment = "Diff returns the JSON paths of the fields that p sets and that the observed state contradicts, such as a.b, a[0].b, a[key=\"b\"] and a[\"b\"]. " +
			"Items and entries that p doesn't have contradict a list or map that it sets."
	}
	w.comment(comment, omissions(purpose, of))
	body := w.body(purpose, of, func(jsonName string) *jen.Statement { return jen.Lit(jsonName) })
	w.writeMethod(receiver, m, w.variable(observedName).Add(w.Type(of.Source)), result, body)
}

// fillingComment says what LateInitialize fills.
const fillingComment = "A field that is set stays as it is: lists and maps are filled as a whole, structs field by field, unless nothing in them is observed."

// functions writes the functions that methods and other functions call.
func (w *pairWriter) functions() {
	code := map[function][]jen.Code{}
	for len(code) < len(w.needed) {
		// Bodies add to the pairs.
		for i := 0; i < len(w.pairs); i++ {
			for p := range purposes {
				f := function{purpose(p), w.pairs[i]}
				if _, written := code[f]; w.needed[f] && !written {
					code[f] = w.body(f.purpose, f.pair, func(jsonName string) *jen.Statement {
						return w.variable(pathName).Op("+").Lit("." + jsonName)
					})
				}
			}
		}
	}
	for _, of := range w.pairs {
		for p := range purposes {
			if f := (function{purpose(p), of}); w.needed[f] {
				w.function(f, code[f])
			}
		}
	}
}

// function writes a function.
func (w *pairWriter) function(f function, body []jen.Code) {
	name := w.functionName(f)
	w.fromName = f.pair.fromName()
	desired, from := w.Type(f.pair.Target), w.from().Add(w.Type(f.pair.Source))
	signature := jen.Func().Id(name)
	does := map[purpose]string{
		create:         " returns the value that agrees with an observed one.",
		lateInitialize: " fills unset fields as LateInitialize does, and reports whether it changed any.",
		complete:       " fills the required fields that are unset, or zero.",
		diff:           " returns the paths of the fields that are contradicted, as Diff does.",
		merge:          " sets what is unset to what spec.initProvider gives.",
		without:        " returns what is observed, but for what spec.initProvider gives.",
		given:          " returns the paths of the entries of maps that only spec.initProvider gives.",
	}[f.purpose]
	switch f.purpose {
	case create:
		if f.pair.matcher.initial {
			does = " returns the value that spec.initProvider gives."
		}
		signature.Params(from)
		if f.pair.demanding() {
			does = " returns the value that agrees with an observed one, and false if spec requires more than is observed."
			signature.Params(desired, jen.Bool())
		} else {
			signature.Add(desired)
		}
	case lateInitialize, complete, merge:
		if signature.Params(w.variable(parametersName).Op("*").Add(desired), from); f.purpose == lateInitialize {
			signature.Bool()
		}
	case diff, given:
		signature.Params(w.variable(pathName).String(), w.variable(parametersName).Add(desired), from).Index().String()
	case without:
		signature.Params(w.variable(observedName).Add(desired), from).Add(desired)
	}
	comment := ""
	if f.purpose < without && f.purpose != create {
		comment = omissions(f.purpose, f.pair)
	}
	w.comment(name+does, comment)
	w.File.Add(signature.Block(body...))
	w.File.Line()
}

// body returns the body of a method or a function. The parameter where returns the path of a
// field for a diff.
func (w *pairWriter) body(p purpose, of *pair, where func(jsonName string) *jen.Statement) []jen.Code {
	defer func(before string) { w.fromName = before }(w.fromName)
	w.fromName = of.fromName()
	switch p {
	case create:
		return w.createBody(of)
	case merge:
		return w.mergeBody(of, false)
	case without:
		return w.withoutBody(of)
	case lateInitialize:
		return w.lateInitializeBody(of)
	case complete:
		return w.completeBody(of)
	case given:
		return append(append([]jen.Code{jen.Var().Add(w.variable(pathsName)).Index().String()}, w.givenEntries(of, where)...), jen.Return(w.variable(pathsName)))
	default:
		return w.diffBody(of, where)
	}
}

// createBody returns a new struct: required fields come first, since LateInitialize takes for set what
// can't be unset.
func (w *pairWriter) createBody(of *pair) []jen.Code {
	body := []jen.Code{jen.Var().Add(w.variable(parametersName)).Add(w.Type(of.Target))}
	if of.matcher.initial {
		return append(append(body, w.mergeBody(of, true)...), jen.Return(w.variable(parametersName)))
	}
	if of.completable() {
		body = append(body, w.call(complete, of, jen.Op("&").Add(w.variable(parametersName)), w.from()))
	}
	var missing []*jen.Statement
	for _, f := range of.fields {
		if f.desired.Field().Required {
			missing = append(missing, w.isMissing(f)...)
		}
	}
	if len(missing) > 0 {
		body = append(body, jen.If(joined("||", missing)).Block(jen.Return(w.variable(parametersName), jen.False())))
	}
	if of.fillable() {
		body = append(body, w.call(lateInitialize, of, jen.Op("&").Add(w.variable(parametersName)), w.from()))
	}
	if !of.demanding() {
		return append(body, jen.Return(w.variable(parametersName)))
	}
	isComplete := jen.True()
	var conditions []*jen.Statement
	for _, f := range of.fields {
		if !f.desired.Field().Required && f.demanded() {
			conditions = append(conditions, w.isSet(f))
		}
	}
	for _, g := range of.groups {
		if g.atLeast && len(g.fields) > 0 {
			conditions = append(conditions, w.hasAny(of, g))
		}
	}
	if len(conditions) > 0 {
		isComplete = joined("&&", conditions)
	}
	return append(body, jen.Return(w.variable(parametersName), isComplete))
}

// hasAny returns the condition that a field of a group is set in a new struct, which only has
// observed fields.
func (w *pairWriter) hasAny(of *pair, g group) *jen.Statement {
	var absent []*jen.Statement
	for _, a := range g.fields {
		if slices.ContainsFunc(of.fields, func(f field) bool { return f.desired.Field() == a.Field() }) {
			absent = append(absent, w.isAbsent(access{Access: a}))
		}
	}
	if len(absent) == 0 {
		return jen.False()
	}
	return jen.Op("!").Parens(joined("&&", absent))
}

// isMissing returns alternative conditions that a required field of a new struct, which is
// filled, has no observed value.
func (w *pairWriter) isMissing(f field) []*jen.Statement {
	r, declared := f.relation, f.desired.Field()
	value, observed := w.read(f.desired, w.variable(parametersName)), w.read(f.observed, w.from())
	switch {
	case r.Shape == mapping.Struct && r.Target.Kind != model.Pointer && !r.fallible() && !declared.OmitZero:
		return nil // it may be empty
	case r.Shape != mapping.Scalar, keepsNil(f), declared.Omits(), f.desired.indirect(), !r.acceptsZero():
		return []*jen.Statement{w.isUnset(f)}
	}
	// The observed value may be zero.
	var conditions []*jen.Statement
	if r.Source.Kind == model.Pointer {
		conditions = append(conditions, observed.Clone().Op("==").Nil())
	}
	if len(r.checks) > 0 {
		conditions = append(conditions, value.Op("!=").Add(w.convert(r, pointee(r.Source, observed))))
	}
	return conditions
}

// call calls a function for a pair, and has it written.
func (w *pairWriter) call(p purpose, of *pair, arguments ...jen.Code) *jen.Statement {
	return w.reference(p, of).Call(arguments...)
}

// reference returns a function for a pair, and has it written.
func (w *pairWriter) reference(p purpose, of *pair) *jen.Statement {
	// Functions that agree are one.
	treated := fieldmarkers.Treatment{Comparison: fieldmarkers.Exact}
	switch p {
	case create, lateInitialize:
		treated.Kept = of.treatment.Kept
	case diff:
		treated.Comparison = of.treatment.Comparison
	}
	f := function{p, of.matcher.pair(of.Pair, treated)}
	w.needed[f] = true
	return jen.Id(w.functionName(f))
}

func (w *pairWriter) functionName(f function) string { return purposes[f.purpose] + w.pairName(f.pair) }

// pairName returns the suffix of the names of all functions for a pair: the name of the desired
// type, and that of the observed one if the former has other functions.
func (w *pairWriter) pairName(of *pair) string {
	if name, known := w.names[of]; known {
		return name
	}
	name := gosyntax.Exported(of.Target.Name)
	if of.matcher.initial && of.filled == nil {
		name = "Initial" + name
	}
	if c := of.treatment.Comparison; c != fieldmarkers.Exact {
		name += gosyntax.Exported(string(c))
	}
	if w.isTaken(name) {
		name += "From" + gosyntax.Exported(of.Source.Name)
	}
	for base, i := name, 2; w.isTaken(name); i++ {
		name = base + strconv.Itoa(i)
	}
	w.pairs = append(w.pairs, of)
	w.names[of] = name
	for _, prefix := range purposes {
		w.Names.Declare(prefix + name)
	}
	return name
}

// isTaken reports whether other functions have the suffix.
func (w *pairWriter) isTaken(name string) bool {
	return slices.ContainsFunc(purposes, func(prefix string) bool { return w.Names.IsTaken(prefix + name) })
}
