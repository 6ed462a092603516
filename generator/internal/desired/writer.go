package desired

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/dave/jennifer/jen"

	"github.com/mrgen-io/mrgen/generator/internal/diag"
	"github.com/mrgen-io/mrgen/generator/internal/mapping"
	"github.com/mrgen-io/mrgen/generator/internal/model"
)

// The names in the code that is written.
const (
	parametersName = "p"
	observedName   = "observed"
	desiredName    = "desired"
	changedName    = "changed"
	pathsName      = "paths"
	pathName       = "path"
	valueName      = "value"
	okName         = "ok"
)

// A purpose says what a function does for a pair.
type purpose uint8

const (
	// create returns a desired struct that agrees with an observed one.
	create purpose = iota
	lateInitialize
	adopt
	diff
)

// purposes has the prefixes of the names of functions, in the order in which those
// of a pair are written.
var purposes = []string{create: "new", lateInitialize: "lateInitialize", adopt: "adopt", diff: "diff"}

// function names a function for a pair.
type function struct {
	purpose purpose
	pair    *pair
}

// writer writes methods and functions into a file.
type writer struct {
	Target
	// needed are the functions that what was written calls, and written those that
	// were written.
	needed, written map[function]bool
	// pairs are those with functions, in the order of their first call, and names
	// the ends of the names of their functions.
	pairs []*pair
	names map[*pair]string
	// helperNames has the names of the helpers that what was written calls.
	helperNames map[helper]string
	library     *library
	// patterns are the regular expressions that conditions match.
	patterns []patternVariable
}

func newWriter(to Target) (*writer, error) {
	l, err := newLibrary()
	if err != nil {
		return nil, err
	}
	return &writer{
		Target:      to,
		needed:      map[function]bool{},
		written:     map[function]bool{},
		names:       map[*pair]string{},
		helperNames: map[helper]string{},
		library:     l,
	}, nil
}

// method writes a method of the pair's desired type.
func (w *writer) method(m Method, of *pair) {
	var comment string
	var result *jen.Statement
	var purpose purpose
	switch m {
	case LateInitialize:
		purpose, result = lateInitialize, jen.Bool()
		comment = "LateInitialize fills the fields of p that are unset with what is observed and spec accepts, and reports whether it changed any. " +
			"A field that is set stays as it is: lists are filled as a whole, maps entry by entry."
	case Adopt:
		purpose = adopt
		comment = "Adopt fills the required fields of p that are unset, or zero, with what is observed and spec accepts."
	case Diff:
		purpose, result = diff, jen.Index().String()
		comment = "Diff returns the JSON paths of the fields that p sets and that the observed state contradicts, such as a.b, a[0].b, a[key=\"b\"] and a[\"b\"]."
	}
	w.comment(comment, omissions(purpose, of))
	signature := w.File.Func().Params(jen.Id(parametersName).Op("*").Add(w.Type(of.Target))).Id(string(m)).
		Params(jen.Id(observedName).Add(w.Type(of.Source)))
	if result != nil {
		signature.Add(result)
	}
	signature.Block(w.body(purpose, of, func(jsonName string) *jen.Statement { return jen.Lit(jsonName) })...)
	w.File.Line()
}

// functions writes the functions that methods call, and those that these call.
func (w *writer) functions() {
	code := map[function][]jen.Code{}
	for len(w.written) < len(w.needed) {
		// Bodies add to the pairs.
		for i := 0; i < len(w.pairs); i++ {
			for p := range purposes {
				f := function{purpose(p), w.pairs[i]}
				if w.needed[f] && !w.written[f] {
					w.written[f] = true
					code[f] = w.body(f.purpose, f.pair, func(jsonName string) *jen.Statement {
						return jen.Id(pathName).Op("+").Lit("." + jsonName)
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
func (w *writer) function(f function, body []jen.Code) {
	name := w.functionName(f)
	desired, from := w.Type(f.pair.Target), jen.Id(observedName).Add(w.Type(f.pair.Source))
	signature := jen.Func().Id(name)
	var does string
	switch f.purpose {
	case create:
		does = " returns the value that agrees with an observed one."
		signature.Params(from)
		if f.pair.demanding() {
			does = " returns the value that agrees with an observed one, and false if spec requires more than is observed."
			signature.Params(desired, jen.Bool())
		} else {
			signature.Add(desired)
		}
	case lateInitialize:
		does = " fills unset fields as LateInitialize does, and reports whether it changed any."
		signature.Params(jen.Id(parametersName).Op("*").Add(desired), from).Bool()
	case adopt:
		does = " fills unset required fields as Adopt does."
		signature.Params(jen.Id(parametersName).Op("*").Add(desired), from)
	case diff:
		does = " returns the paths of the fields that are contradicted, as Diff does."
		signature.Params(jen.Id(pathName).String(), jen.Id(parametersName).Add(desired), from).Index().String()
	}
	comment := ""
	if f.purpose != create {
		comment = omissions(f.purpose, f.pair)
	}
	w.comment(name+does, comment)
	w.File.Add(signature.Block(body...))
	w.File.Line()
}

// body returns what a method or a function does. The parameter where returns the
// path of a field for a diff.
func (w *writer) body(p purpose, of *pair, where func(jsonName string) *jen.Statement) []jen.Code {
	switch p {
	case create:
		return w.createBody(of)
	case lateInitialize:
		return w.lateInitializeBody(of)
	case adopt:
		return w.adoptBody(of)
	default:
		return w.diffBody(of, where)
	}
}

// createBody returns a new struct: required fields come from Adopt, since
// LateInitialize takes for set what can't be unset.
func (w *writer) createBody(of *pair) []jen.Code {
	body := []jen.Code{jen.Var().Id(parametersName).Add(w.Type(of.Target))}
	if of.adoptable() {
		body = append(body, w.call(adopt, of, jen.Op("&").Id(parametersName), jen.Id(observedName)))
	}
	var missing []*jen.Statement
	for _, f := range of.fields {
		if f.desired.Field().Required {
			missing = append(missing, w.isMissing(f)...)
		}
	}
	if len(missing) > 0 {
		body = append(body, jen.If(joined("||", missing)).Block(jen.Return(jen.Id(parametersName), jen.False())))
	}
	if of.fillable() {
		body = append(body, w.call(lateInitialize, of, jen.Op("&").Id(parametersName), jen.Id(observedName)))
	}
	if !of.demanding() {
		return append(body, jen.Return(jen.Id(parametersName)))
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
	return append(body, jen.Return(jen.Id(parametersName), isComplete))
}

// hasAny returns a condition that holds if a field of a group is set in a new struct, which
// has no others than those that are observed.
func (w *writer) hasAny(of *pair, g group) *jen.Statement {
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

// isMissing returns conditions one of which holds if a required field of a new struct
// has no value that was observed, after Adopt has filled it.
func (w *writer) isMissing(f field) []*jen.Statement {
	r, declared := f.relation, f.desired.Field()
	value, observed := w.read(f.desired, jen.Id(parametersName)), w.read(f.observed, jen.Id(observedName))
	switch {
	case r.Shape == mapping.Struct && r.Target.Kind != model.Pointer && !r.fallible() && !declared.OmitZero:
		return nil // it may be empty
	case r.Shape != mapping.Scalar, keepsNil(f), declared.OmitEmpty, declared.OmitZero, f.desired.indirect(), !r.acceptsZero():
		return []*jen.Statement{w.isUnset(f)}
	}
	// The zero value may be what was observed.
	var conditions []*jen.Statement
	if r.Source.Kind == model.Pointer {
		conditions = append(conditions, observed.Clone().Op("==").Nil())
	}
	if len(r.checks) > 0 {
		conditions = append(conditions, value.Op("!=").Add(w.convert(r, pointee(r.Source, observed))))
	}
	return conditions
}

// call calls a function for a pair, which is then written.
func (w *writer) call(p purpose, of *pair, arguments ...jen.Code) *jen.Statement {
	return w.reference(p, of).Call(arguments...)
}

// reference returns a function for a pair, which is then written.
func (w *writer) reference(p purpose, of *pair) *jen.Statement {
	f := function{p, of}
	w.needed[f] = true
	return jen.Id(w.functionName(f))
}

func (w *writer) functionName(f function) string { return purposes[f.purpose] + w.pairName(f.pair) }

// pairName returns what the names of all functions for a pair end in: the name of
// the desired type, with that of the observed one if the former has other functions.
func (w *writer) pairName(of *pair) string {
	if name, known := w.names[of]; known {
		return name
	}
	name := exported(of.Target.Name)
	if w.isTaken(name) {
		name += "From" + exported(of.Source.Name)
	}
	for base, i := name, 2; w.isTaken(name); i++ {
		name = base + strconv.Itoa(i)
	}
	w.pairs = append(w.pairs, of)
	w.names[of] = name
	return name
}

// isTaken reports whether other functions have names that end so.
func (w *writer) isTaken(name string) bool {
	for _, other := range w.names {
		if name == other {
			return true
		}
	}
	return slices.ContainsFunc(purposes, func(prefix string) bool {
		return w.Taken(prefix+name) || w.library.has(prefix+name)
	})
}

// exported returns a name with an upper-case first letter.
func exported(name string) string {
	first, size := utf8.DecodeRuneInString(name)
	return string(unicode.ToUpper(first)) + name[size:]
}

// unexported returns a name with its first word in lower case.
func unexported(name string) string {
	runes := []rune(name)
	for i, r := range runes {
		if !unicode.IsUpper(r) || i > 0 && i+1 < len(runes) && unicode.IsLower(runes[i+1]) {
			break
		}
		runes[i] = unicode.ToLower(r)
	}
	return string(runes)
}

// comment writes a comment of one or two paragraphs.
func (w *writer) comment(first, second string) {
	lines := wrapped(first)
	if second != "" {
		lines = append(append(lines, ""), wrapped(second)...)
	}
	for _, line := range lines {
		w.File.Comment(strings.TrimRight("// "+line, " "))
	}
}

// commentWidth is how many characters a line of a comment has at most.
const commentWidth = 80 - len("// ")

// wrapped breaks text into lines.
func wrapped(text string) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && utf8.RuneCountInString(line+" "+word) > commentWidth {
			lines = append(lines, line)
			line = ""
		}
		line = strings.TrimPrefix(line+" "+word, " ")
	}
	return append(lines, line)
}

// omissions says which fields a function is not about.
func omissions(p purpose, of *pair) string {
	var sentences []string
	add := func(before string, left []omission, after string) {
		var names []string
		for _, o := range left {
			// Adopt is about required fields only.
			if p != adopt || o.required {
				names = append(names, o.jsonName)
			}
		}
		if len(names) > 0 {
			sentences = append(sentences, before+diag.And(names)+after)
		}
	}
	add("Only the desired state has ", of.desiredOnly, ".")
	if p != adopt {
		add("Only the observed state has ", of.observedOnly, ".")
	}
	add("Left out, since they are secrets or refer to some: ", of.secret, ".")
	add("Left out, since their types differ: ", of.incomparable, ".")
	if p != diff {
		add("Not filled, since only the API server checks what constrains them: ", of.notTaken(ruledOut, false), ".")
		add("Not filled as a whole, since only the API server checks what constrains them: ", of.notTaken(ruledOut, true), ".")
		add("Not filled, since they can't change, and Go has always written them: ", of.fixed(), ".")
		add("Not filled as a whole, since not all that they require is mirrored: ", of.notTaken(lacking, true), ".")
	}
	return strings.Join(sentences, " ")
}

// read returns an expression for the value of a field that holds its zero value
// if an embedded pointer on the way is nil.
func (w *writer) read(a access, of *jen.Statement) *jen.Statement {
	if !a.indirect() {
		return a.write(of)
	}
	value := of.Clone()
	for i, f := range a.Path {
		value = value.Dot(f.Name)
		if i < len(a.Path)-1 && f.Type.Kind == model.Pointer {
			value = w.help(valueOf, value)
		}
	}
	return value
}

// write returns an expression that a field can be assigned to.
func (a access) write(of *jen.Statement) *jen.Statement {
	value := of.Clone()
	if a.Promoted && !a.indirect() {
		return value.Dot(a.Field().Name)
	}
	for _, f := range a.Path {
		value = value.Dot(f.Name)
	}
	return value
}

// ensure returns statements that set the embedded pointers on the way to a field.
func (w *writer) ensure(a access, of *jen.Statement) []jen.Code {
	var statements []jen.Code
	value := of.Clone()
	for _, f := range a.Embedded() {
		value = value.Clone().Dot(f.Name)
		if !a.isSafe && f.Type.Kind == model.Pointer {
			statements = append(statements, jen.If(value.Clone().Op("==").Nil()).Block(
				value.Clone().Op("=").Op("&").Add(w.Type(f.Type.Elem)).Values(),
			))
		}
	}
	return statements
}
