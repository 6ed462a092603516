package fromsdk

import (
	"go/types"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
)

// A Key tells external resources apart that have the same parents.
type Key struct {
	// None is set if there is no such key, Named if users choose it, and Number if it is a whole number.
	None, Named, Number bool
	// Created is the key of what Create returns, as a text, "" if users have chosen it.
	Created string
	// Beside is the field of the object with the key if the request that creates has another value of that name, "" if not.
	Beside string
	// Path is the statement that sets the key of an object to the path that its API makes of the arguments of a creation, "" if it
	// makes none.
	Path string
}

// A Call is a method of the SDK, and how the controller calls it.
type Call struct {
	// Name and Signature are the method's.
	Name, Signature string
	// Results are the variables for the results, and Arguments the passed values.
	Results, Arguments string
	// Sets are the statements that set arguments which the request has.
	Sets []string
	// NeedsOwn, NeedsParameters and NeedsObject are set if the arguments have the own key, parameters or the object.
	NeedsOwn, NeedsParameters, NeedsObject bool
	// Missing is a condition under which there is no object, and Object is that otherwise.
	Missing, Object string
}

// qualify returns the name of a package in the controller's files, which import it where they use it.
func (r *reader) qualify(p *types.Package) string {
	if r.names == nil {
		r.names = map[string]*types.Package{}
	}
	name := p.Name()
	isKnown := slices.Contains([]string{"context", "net/http", "net/url"}, p.Path()) // for which these names are reserved
	for !isKnown && (slices.Contains(r.options.Reserved, name) || r.names[name] != nil && r.names[name] != p) {
		name = "sdk" + name
	}
	r.names[name] = p
	line := strconv.Quote(p.Path())
	if name != path.Base(p.Path()) {
		line = name + " " + line
	}
	if !slices.Contains(r.kind.Imports, line) {
		r.kind.Imports = append(r.kind.Imports, line)
	}
	return name
}

func (r *reader) text(t types.Type) string { return types.TypeString(t, r.qualify) }

// literal returns a struct with fields, or a pointer to one, as a type asks.
func (r *reader) literal(t types.Type, fields string) string {
	text := r.text(gotypes.Deref(t)) + "{" + fields + "}"
	if gotypes.IsPointer(t) {
		return "&" + text
	}
	return text
}

// Variables of the controller.
const (
	ownName   = "name"
	ownNumber = "id"
	request   = "request"
	// parameters are the kind's, and observed is the object as the API returned it last.
	parameters = "p"
	observed   = "e.object"
	// observedETag is the ETag beside it.
	observedETag = "e.etag"
)

// write writes the parts of the controller that depend on the SDK.
func (r *reader) write(c *calls) {
	k := r.kind
	k.Object = r.text(r.observe)
	k.Own = Key{None: c.own.taken == nil, Named: c.own.named, Number: c.own.isNumber()}
	k.Get = r.call(c, c.get, c.getObject)
	created := c.createObject
	if created == nil {
		created = r.keyIn(c)
	}
	k.Create = r.call(c, c.create, created)
	k.Delete = r.call(c, c.delete, nil)
	if c.update != nil {
		k.Update = r.call(c, c.update, nil)
		k.Update.NeedsObject = k.Update.NeedsObject || len(c.locks) > 0
		r.setMask()
	}
	if c.etag != nil {
		k.ETag = &ETag{r.text(c.etag.seen.v.Type()), c.etag.seen.way(), c.etag.sent.name()}
		k.Update.Sets = append(k.Update.Sets, request+"."+c.etag.sent.way()+" = "+observedETag)
	}
	if c.around != nil {
		k.Own.Beside = c.own.observed.name()
	}
	if c.own.taken != nil && !c.own.named {
		k.Own.Created = r.created(c)
	}
	k.Own.Path = r.setPath(c)
	if k.Own.Created == "" && (len(k.Details) == 0 || k.Create.Object == "") {
		k.Create.Results = strings.NewReplacer("object", "_", "output", "_").Replace(k.Create.Results)
	}
	k.Fakes = r.fakes(c)
	k.Locks = each(c.locks, (*source).name)
	r.declareConversions(c)
	for _, f := range k.fields() {
		if f.from != nil && !f.isSecret {
			r.help(f.from.v.Type())
		}
		if f.from != nil && f.from.wrapper != nil {
			k.Members = unique(append(k.Members, "&"+r.qualify(f.from.wrapper.Pkg())+"."+f.from.wrapper.Name()+"{}"))
		}
	}
	r.decideArguments(c)
	r.notFound(c)
	r.service(c)
	r.states(c)
	r.decideFields(c)
	r.findClient(c)
}

// call returns how the controller calls a method, and reads its results on the way to the object, or to the key of a new one.
func (r *reader) call(c *calls, m *method, way []*types.Var) *Call {
	call := &Call{Name: m.name, Signature: strings.TrimPrefix(r.text(m.signature), "func")}
	r.calling = call
	var arguments []string
	for v := range m.signature.Params().Variables() {
		if text := r.argument(c, m, v); text != "" {
			arguments = append(arguments, text)
		}
		if !r.isRequest(gotypes.Deref(v.Type())) {
			continue
		}
		for _, s := range r.needed(v.Type()) {
			if text := r.keyFor(c, s, m); text != "" {
				call.Sets = append(call.Sets, request+"."+s.v.Name()+" = "+text)
			} else {
				c.unset[m] = append(c.unset[m], s.v.Name())
			}
		}
	}
	if m == c.create && c.around != nil {
		call.NeedsParameters = true
		value := r.converted("ptr.Deref("+parameters+"."+c.around.field.Name+`, "")`, "string", c.around.v.Type())
		call.Sets = append(call.Sets, request+"."+c.around.way()+" = "+value)
	}
	call.Arguments = strings.Join(arguments, ", ")
	results := m.results()
	names := slices.Repeat([]string{"_"}, len(results)) // which nobody reads
	names[len(names)-1] = "err"
	if len(way) > 0 {
		names[slices.Index(results, way[0])] = r.variable(way[0])
	}
	call.Results = strings.Join(names, ", ")
	if len(way) == 0 {
		return call
	}
	expr, t, missing := r.follow(way)
	isObject := types.Identical(gotypes.Deref(t), r.observe)
	switch {
	case isObject && gotypes.IsPointer(t):
		call.Object = expr
	case isObject:
		call.Object = "&" + expr
	case gotypes.IsPointer(t):
		missing = missing[:len(missing)-1] // a missing key is read as the zero
	}
	if m == c.create && isObject && c.own.observed != nil {
		missing = append(missing, pointersOn(t, c.own.observed.path, expr)...)
	}
	call.Missing = strings.Join(missing, " || ")
	return call
}

// pointersOn returns the conditions under which a path from an expression leads nowhere.
func pointersOn(t types.Type, path []string, expr string) (missing []string) {
	for _, name := range path {
		object, _, _ := types.LookupFieldOrMethod(t, true, nil, name)
		v, isField := object.(*types.Var)
		if !isField {
			return missing
		}
		if t, expr = v.Type(), expr+"."+name; gotypes.IsPointer(t) {
			missing = append(missing, expr+" == nil")
		}
	}
	return missing
}

// variable returns the name of the variable for a result.
func (r *reader) variable(result *types.Var) string {
	if types.Identical(gotypes.Deref(result.Type()), r.observe) {
		return "object"
	}
	return "output"
}

// follow returns an expression for the end of a way from a result, its type, and the conditions under which there is nothing.
func (r *reader) follow(way []*types.Var) (expr string, t types.Type, missing []string) {
	expr, t = r.variable(way[0]), way[0].Type()
	for i, v := range way {
		if i > 0 {
			expr, t = expr+"."+v.Name(), v.Type()
		}
		if gotypes.IsPointer(t) {
			missing = append(missing, expr+" == nil")
		}
	}
	if isList(t) {
		missing = append(missing, "len("+expr+") == 0")
		expr, t = expr+"[0]", itemOf(t)
	}
	return expr, t, missing
}

// argument returns the value for a parameter, "" for options that may be left out.
func (r *reader) argument(c *calls, m *method, v *types.Var) string {
	t := v.Type()
	switch {
	case m.isOption(v):
		return r.withContext(itemOf(t))
	case isContext(t):
		return "ctx"
	case r.isRequest(gotypes.Deref(t)) && (m == c.create || m == c.update):
		return request
	case types.Identical(gotypes.Deref(t), r.observe) && m != c.create:
		r.calling.NeedsObject = true
		if gotypes.IsPointer(t) {
			return observed
		}
		return "*" + observed
	case isMask(v) && m == c.update && r.mask != nil && r.mask.v == v:
		return "strings.Join(" + masked + `, ",")`
	case isKey(t):
		if key := m.key(v); key != nil {
			if text := r.keyFor(c, key, m); text != "" {
				return text
			}
		}
		c.unset[m] = append(c.unset[m], v.Name())
	case gotypes.StructOf(t) != nil && !gotypes.IsTime(gotypes.Deref(t)):
		var fields, values []string
		var wrapped []*source
		for _, s := range r.sent(t) {
			switch text := r.keyFor(c, s, m); {
			case text != "" && len(s.path) == 0 && s.wrapped != nil:
				wrapped, values = append(wrapped, s), append(values, text)
			case text != "" && len(s.path) == 0:
				fields = append(fields, s.v.Name()+": "+text)
			case text == "" && (len(s.path) == 0 || s.isNeeded()) && !m.continues(s): // such as SkipFinalSnapshot
				c.unset[m] = append(c.unset[m], s.v.Name())
			}
		}
		if len(wrapped) > 0 {
			return r.filled(t, wrapped) + "(" + strings.Join(values, ", ") + ")"
		}
		if len(fields) == 0 && gotypes.IsPointer(t) {
			return "nil"
		}
		return r.literal(t, strings.Join(fields, ", "))
	}
	return gotypes.Zero(t, r.text)
}

// asObserved returns the value for a field of a request that has what the object has in its field of that name.
func (r *reader) asObserved(s *source) string {
	seen := counterpart(r.sources(r.observe), s)
	return r.converted(r.value(observed+"."+seen.way(), seen.v.Type()), types.TypeString(types.Unalias(gotypes.Deref(seen.v.Type())), nil), s.v.Type())
}

// keyFor returns the value for an argument, or a field of one, that tells resources apart, or "".
func (r *reader) keyFor(c *calls, s *source, m *method) string {
	if p := c.parentOf(s); p != nil {
		r.calling.NeedsParameters = true
		return r.converted(parameters+"."+p.field.Name, p.field.Type, s.v.Type())
	}
	switch {
	case m == c.delete && c.isETag(s):
		return observedETag
	case m == c.delete && slices.ContainsFunc(c.locks, s.isNamed):
		r.calling.NeedsObject = true
		return r.asObserved(s)
	case c.own.taken == nil:
		return ""
	}
	if !s.isLike(c.own.taken) && !s.isNamedAs(c.own.observed) && !s.isNamedAs(c.own.created) && !c.isLastKey(s, m) {
		return ""
	}
	text := r.ownVariable(c, s.v.Type())
	r.calling.NeedsOwn = r.calling.NeedsOwn || text != ""
	if c.own.parent != nil && m != c.create {
		r.calling.NeedsParameters = true
		return r.converted(r.fullName(c), "string", s.v.Type())
	}
	return text
}

// ownVariable returns what the controller passes as the own key, for a parameter of a type.
func (r *reader) ownVariable(c *calls, t types.Type) string {
	if c.own.isNumber() {
		return r.converted(ownNumber, "int64", t)
	}
	return r.converted(ownName, "string", t)
}

// isLastKey reports whether an argument of a method that is called otherwise elsewhere is the own key: the last
// one that tells resources apart.
func (c *calls) isLastKey(s *source, m *method) bool {
	keys := filter(m.params(), func(v *types.Var) bool {
		key := m.key(v)
		return key != nil && c.parentOf(key) == nil
	})
	isNamed := slices.ContainsFunc(keys, func(v *types.Var) bool { return m.key(v).isLike(c.own.taken) }) // so that others are something else
	return m != c.create && !isNamed && len(keys) > 0 && keys[len(keys)-1].Name() == s.v.Name()
}

// converted returns a value of a type as one of another, "" if that takes more than Go has for it.
func (r *reader) converted(expr, from string, to types.Type) string {
	switch t := types.Unalias(to).(type) {
	case *types.Pointer:
		if inner := r.converted(expr, from, t.Elem()); inner != "" {
			return "ptr.To(" + inner + ")"
		}
		return ""
	case *types.Slice:
		if inner := r.converted(expr, from, t.Elem()); inner != "" {
			return r.text(t) + "{" + inner + "}"
		}
		return ""
	}
	switch {
	case types.IsInterface(to), types.TypeString(types.Unalias(to), nil) == from:
		return expr
	case from == "string" && gotypes.IsString(to), from != "string" && isInteger(to):
		return r.text(to) + "(" + expr + ")"
	case gotypes.IsString(to):
		return "fmt.Sprint(" + expr + ")"
	}
	return ""
}

// withContext returns an option of a type that passes the context on, or "".
func (r *reader) withContext(option types.Type) string {
	for _, function := range r.optionsOf(option) {
		if isContext(function.Signature().Params().At(0).Type()) {
			return r.qualify(function.Pkg()) + "." + function.Name() + "(ctx)"
		}
	}
	return ""
}

// created returns the own key of what Create returns, as a text.
func (r *reader) created(c *calls) string {
	way, key := c.createObject, c.own.observed
	if way == nil || key == nil {
		way, key = r.keyIn(c), nil
	}
	expr, t, _ := r.follow(way)
	if key != nil {
		expr, t = expr+"."+key.way(), key.v.Type()
	}
	expr, t = r.value(expr, t), gotypes.Deref(t)
	if gotypes.IsString(t) {
		return cast(expr, t, "string")
	}
	return "strconv.FormatInt(" + cast(expr, t, "int64") + ", 10)"
}

// cast returns an expression of a type as one of another basic type.
func cast(expr string, t types.Type, to string) string {
	if types.TypeString(types.Unalias(t), nil) == to {
		return expr
	}
	return to + "(" + expr + ")"
}

// way returns the names of the fields on the way to one, and its own.
func (s *source) way() string { return strings.Join(append(slices.Clip(s.path), s.v.Name()), ".") }

// value returns what an expression has, or the zero value for a pointer to nothing.
func (r *reader) value(expr string, t types.Type) string {
	if !gotypes.IsPointer(t) {
		return expr
	}
	return "ptr.Deref(" + expr + ", " + gotypes.Zero(gotypes.Deref(t), r.text) + ")"
}
