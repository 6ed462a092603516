package rules

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/apiserver/pkg/cel"

	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
)

// What a controller sends back is what its Go types made of what somebody wrote: they
// leave out what is empty, and write quantities and durations in a form of their own.
// The conditions of this file see no difference in that.

// quantitiesSince is the first release whose rules know quantities: CEL's environment
// has them since 1.28, and a release uses that of the one before it.
var quantitiesSince = version.MajorMinor(1, 29)

// A value is an expression in a rule, with its Go type and its schema.
type value struct {
	text   string
	goType *model.Type
	schema *apiextensionsv1.JSONSchemaProps
}

// isKind reports whether a value has the form of its Go type's kind in JSON.
func (v value) isKind(kind model.Kind) bool {
	return v.goType.Kind == kind && v.goType.Encoding() == model.Plain
}

// isMap reports whether a value is a map with values of one type, and isList whether it
// is a list: text may be a list of bytes in Go.
func (v value) isMap() bool {
	return v.isKind(model.Map) && v.schema.AdditionalProperties != nil && v.schema.AdditionalProperties.Schema != nil
}

func (v value) isList() bool {
	return v.isKind(model.Slice) && v.schema.Items != nil && v.schema.Items.Schema != nil
}

// isObject reports whether a value is a struct with fields that rules know.
func (v value) isObject() bool { return v.isKind(model.Struct) && len(v.schema.Properties) > 0 }

// isTime reports whether rules take a value for a time.
func (v value) isTime() bool { return v.schema.Type == "string" && v.schema.Format == "date-time" }

// elem returns the items of a list, or the values of a map, as an expression.
func (v value) elem(text string) value {
	schema := v.schema
	if v.isMap() {
		schema = schema.AdditionalProperties.Schema
	} else {
		schema = schema.Items.Schema
	}
	return value{text, v.goType.Elem.Deref(), schema}
}

// neglects reports whether Go makes no difference between a field that is zero, or
// empty, and one that isn't there.
func neglects(f *model.Field, object *apiextensionsv1.JSONSchemaProps) bool {
	return omits(f) || f.AlwaysMarshals() && (object.Properties[f.JSONName].Nullable || !schema.Always(object, f.JSONName))
}

// omits reports whether a field is not there any more after an update from Go if it was
// zero, or empty.
func omits(f *model.Field) bool { return f.OmitsZero() || f.Type.Deref().NullIfZero() }

// losesNull reports whether Go writes a field in another way if it was null.
func losesNull(f *model.Field, schema *apiextensionsv1.JSONSchemaProps) bool {
	return schema.Nullable && (f.OmitsNull() || f.AlwaysMarshals())
}

// defaults reports whether a default that is not zero takes the place of what Go leaves
// out.
func defaults(f *model.Field, schema *apiextensionsv1.JSONSchemaProps) bool {
	return schema.Default != nil && (losesNull(f, schema) ||
		f.OmitsZero() && !slices.Contains([]string{`""`, "0", "0.0", "false", "[]", "{}"}, string(schema.Default.Raw)))
}

// A leaf is a field of an object, or of an object in it that is no pointer, such that
// objects with the same leaves are the same to Go.
type leaf struct {
	names  []string
	goType *model.Type
	schema *apiextensionsv1.JSONSchemaProps
	// neglected is set if a zero value is as good as none, and omitted if that is since
	// Go leaves it out.
	neglected, omitted bool
	// presence is set if there are other leaves for what is in it.
	presence bool
	// null is set if Go does something to null, and defaulted if a default takes the
	// place of what Go leaves out.
	null, defaulted bool
}

// leaves returns the leaves of an object. Loose is set if Go makes no difference
// between the object without any values and none.
func (v value) leaves(loose bool) []leaf {
	var all []leaf
	for _, name := range slices.Sorted(maps.Keys(v.schema.Properties)) {
		f := v.goType.Field(name)
		if f == nil {
			continue // Go drops it
		}
		property := v.schema.Properties[name]
		l := leaf{names: []string{name}, goType: f.Type.Deref(), schema: &property}
		inner := value{goType: l.goType, schema: l.schema}
		pointer := f.Type.Kind == model.Pointer
		l.neglected = neglects(f, v.schema) || loose && !pointer && f.Type.Elem == nil
		l.omitted = f.OmitsZero()
		l.null, l.defaulted = losesNull(f, l.schema), defaults(f, l.schema)
		if !inner.isObject() || l.schema.Nullable || pointer && inner.loss("") == nil {
			all = append(all, l)
			continue
		}
		if pointer {
			present := l
			present.presence = true
			all = append(all, present)
		}
		for _, below := range inner.leaves(!pointer && l.neglected) {
			below.null, below.defaulted = below.null || l.null, below.defaulted || l.defaulted
			below.names = append(slices.Clip(l.names), below.names...)
			all = append(all, below)
		}
	}
	return all
}

// in returns the leaf of an object.
func (l leaf) in(object string) value {
	for _, name := range l.names {
		escaped, _ := cel.Escape(name)
		object += "." + escaped
	}
	return value{object, l.goType, l.schema}
}

// isStruct reports whether the leaf is an object that Go writes field by field.
func (l leaf) isStruct() bool { return l.in("").isObject() }

// hidden returns why rules can't compare the leaf of an object of that name, or nil.
func (l leaf) hidden(object string) *block {
	name := dotted([]string{object}, l.names...)
	switch {
	case l.defaulted:
		return &block{"a default takes the place of what updates from Go omit of " + name, "make " + name + " a pointer, or remove the marker"}
	case l.schema.Nullable && l.isStruct():
		b := mayBeNull(name)
		return &b
	case !exposed(l.schema):
		return &block{"rules can't read " + name + ", which has no type", "remove the marker"}
	case !slices.ContainsFunc(l.names, func(n string) bool { return !reachable(n) }):
		return nil
	}
	return &block{"rules can't read " + name + ", because of its name", "rename it, or remove the marker"}
}

// given returns a condition that holds if an object has the leaf.
func (l leaf) given(object string) string {
	conditions := selection{root: object}.below(l.names...).set()
	if l.neglected {
		if nonzero := l.in(object).isZero(false); nonzero != "" {
			conditions = append(conditions, nonzero)
		}
	}
	return and(conditions...)
}

// orZero returns the leaf of an object, or zero if it isn't there, if there is a literal
// for that, and it makes no difference; else "".
func (l leaf) orZero(object string) string {
	v := l.in(object)
	literal, known := map[string]string{"string": "''", "integer": "0", "number": "0.0", "boolean": "false"}[l.schema.Type]
	if !l.neglected || !known || slices.Contains(typedFormats, l.schema.Format) || v.loss("") != nil || v.isZero(true) == "" {
		return ""
	}
	return "(" + and(selection{root: object}.below(l.names...).set()...) + " ? " + v.text + " : " + literal + ")"
}

// isZero returns a condition that holds if a value is zero or empty for Go, or if it is
// not. It returns "" for values that never are.
func (v value) isZero(zero bool) string {
	equal := func(left, right string) string {
		if zero {
			return left + " == " + right
		}
		return left + " != " + right
	}
	s := v.schema
	switch {
	case v.goType.Encoding() == model.Unknown:
		return ""
	case v.goType.Encoding() == model.Quantity:
		// The API server estimates that it takes for ever to see that they differ.
		if condition := v.quantity() + " == quantity('0')"; zero {
			return condition
		} else {
			return "!(" + condition + ")"
		}
	case v.goType.Encoding() == model.Duration:
		return equal("duration("+v.text+")", "duration('0s')")
	case v.isTime() && v.goType.Kind == model.Struct:
		return equal(v.text, "timestamp('0001-01-01T00:00:00Z')")
	case v.isObject() && s.Nullable:
		return ""
	case v.isObject():
		var given []string
		for _, l := range v.leaves(true) {
			if l.hidden("") != nil {
				return ""
			}
			given = append(given, l.given(v.text))
		}
		if len(given) > 0 && zero {
			return not(or(given...))
		}
		return or(given...)
	case s.XIntOrString && v.goType.Basic == "string":
		return equal(v.text, "''")
	case s.XIntOrString, s.Type == "integer" && !leavesOut(s, "0"):
		return equal(v.text, "0")
	case s.Type == "number" && !leavesOut(s, "0"):
		return equal(v.text, "0.0")
	case s.Type == "boolean" && !leavesOut(s, "false"):
		if zero {
			return not(v.text)
		}
		return v.text
	case s.Type == "string" && !isPositive(s.MinLength) && !leavesOut(s, `""`) && !slices.Contains(typedFormats, s.Format):
		return equal(v.text, "''")
	case v.isList() && !isPositive(s.MinItems), v.isKind(model.Map) && s.Type == "object" && !isPositive(s.MinProperties):
		return equal("size("+v.text+")", "0")
	}
	return ""
}

// typedFormats are formats of texts for which rules have types of their own, see
// SchemaDeclType in pkg/cel/common of k8s.io/apiserver. No text of them is empty.
var typedFormats = []string{"byte", "date", "date-time", "duration"}

func isPositive(n *int64) bool { return n != nil && *n > 0 }

// leavesOut reports whether an enum has no such value.
func leavesOut(s *apiextensionsv1.JSONSchemaProps, value string) bool {
	return len(s.Enum) > 0 && !slices.ContainsFunc(s.Enum, func(v apiextensionsv1.JSON) bool { return string(v.Raw) == value })
}

// quantity returns a value as a quantity, which may be a number in the schema.
func (v value) quantity() string {
	if v.schema.XIntOrString {
		return "quantity(string(" + v.text + "))"
	}
	return "quantity(" + v.text + ")"
}

// A loss is a place in a value at which Go may not write what it has read.
type loss struct {
	// name leads there from forProvider.
	name   string
	goType *model.Type
	// omitted is set if it leaves out what is zero or empty, and local if it does so
	// with a field of the author's.
	omitted, local bool
}

// loss returns the first loss in a value of that name, or nil if Go writes it as it
// was read.
func (v value) loss(name string) *loss {
	switch v.goType.Encoding() {
	case model.Verbatim:
		return nil
	case model.Plain:
	default:
		return &loss{name: name, goType: v.goType}
	}
	switch v.goType.Kind {
	case model.Struct:
		if v.schema.XPreserveUnknownFields != nil && *v.schema.XPreserveUnknownFields {
			return &loss{name: name, goType: v.goType}
		}
		for _, property := range slices.Sorted(maps.Keys(v.schema.Properties)) {
			f, below := v.goType.Field(property), strings.TrimPrefix(name+"."+property, ".")
			schema := v.schema.Properties[property]
			if f == nil {
				return &loss{name: below, goType: v.goType}
			}
			inner := value{goType: f.Type.Deref(), schema: &schema}
			if losesNull(f, &schema) || neglects(f, v.schema) && inner.isZero(true) != "" {
				return &loss{name: below, goType: f.Type, omitted: !losesNull(f, &schema), local: v.goType.Local}
			}
			if l := inner.loss(below); l != nil {
				return l
			}
		}
	case model.Slice, model.Map:
		if !v.isMap() && !v.isList() {
			return nil
		}
		elem := v.elem("")
		if elem.schema.Nullable && v.goType.Elem.Kind != model.Pointer {
			return &loss{name: name + "[]", goType: v.goType.Elem}
		}
		return elem.loss(name + "[]")
	}
	return nil
}

// same returns a condition that holds if a value and an older one, which are both
// there, are the same to Go; or why there is none.
func (a *applier) same(v, old value, name string, depth int) (string, *block) {
	if v.loss(name) == nil {
		return v.text + " == " + old.text, nil
	}
	conditions, why := a.sameParts(v, old, name, depth)
	if why != nil {
		return "", why
	}
	condition := and(conditions...)
	if mayFail(v) {
		// What is equal is the same, whether or not it can be read as what it should be.
		return or(v.text+" == "+old.text, condition), nil
	}
	return condition, nil
}

// sameParts returns conditions that hold together if two values are the same to Go.
func (a *applier) sameParts(v, old value, name string, depth int) ([]string, *block) {
	switch {
	case v.isMap():
		key := variable("key", depth)
		conditions, why := a.sameParts(v.elem(v.text+"["+key+"]"), v.elem(old.text+"["+key+"]"), name+"[]", depth+1)
		if why != nil {
			return nil, why
		}
		each := and(append([]string{key + " in " + old.text}, conditions...)...)
		return []string{fmt.Sprintf("size(%s) == size(%s)", v.text, old.text), fmt.Sprintf("%s.all(%s, %s)", v.text, key, each)}, nil
	case v.isObject():
		var conditions []string
		for _, l := range v.leaves(false) {
			if why := l.hidden(name); why != nil {
				return nil, why
			}
			given, oldGiven := inParentheses(l.given(v.text)), inParentheses(l.given(old.text))
			if text, oldText := l.orZero(v.text), l.orZero(old.text); text != "" {
				conditions = append(conditions, text+" == "+oldText)
				continue
			}
			if l.presence {
				conditions = append(conditions, given+" == "+oldGiven)
				continue
			}
			inner, why := a.same(l.in(v.text), l.in(old.text), dotted([]string{name}, l.names...), depth)
			if why != nil {
				return nil, why
			}
			conditions = append(conditions, given+" == "+oldGiven, or(not(given), inner))
		}
		return conditions, nil
	}
	forms, why := a.forms(v, name, depth)
	if why != nil {
		return nil, why
	}
	oldForms, _ := a.forms(old, name, depth)
	var conditions []string
	for i := range forms {
		conditions = append(conditions, forms[i]+" == "+oldForms[i])
	}
	return conditions, nil
}

// forms returns expressions that are equal for two values if these are the same to Go.
// Depth counts the variables around them.
func (a *applier) forms(v value, name string, depth int) ([]string, *block) {
	if v.loss(name) == nil {
		return []string{v.text}, nil
	}
	switch encoding := v.goType.Encoding(); {
	case encoding == model.Quantity && !a.settings.Release.LessThan(quantitiesSince):
		return []string{v.quantity()}, nil
	case encoding == model.Quantity:
		return nil, &block{fmt.Sprintf("updates from Go write %s in another form, and rules know quantities only from Kubernetes %s on", name, quantitiesSince), "raise minKubernetes, or remove the marker"}
	case encoding == model.Duration && v.schema.Type == "string":
		return []string{"duration(" + v.text + ")"}, nil
	case encoding == model.Seconds && v.isTime():
		return []string{"int(" + v.text + ")"}, nil
	case encoding == model.Rounded:
		return nil, &block{fmt.Sprintf("%s is a %s, which rounds what was written", name, v.goType.Basic), "make it a float64, or remove the marker"}
	case encoding != model.Plain:
		return nil, &block{fmt.Sprintf("%s encodes itself: updates from Go may write %s in another form than it has", v.goType.Name, name), "give it a type that doesn't, or remove the marker"}
	}
	var all []string
	switch {
	case v.isList() && !v.schema.Items.Schema.Nullable:
		item := variable("item", depth)
		forms, why := a.forms(v.elem(item), name+"[]", depth+1)
		if why != nil {
			return nil, why
		}
		for _, form := range forms {
			all = append(all, fmt.Sprintf("%s.map(%s, %s)", v.text, item, form))
		}
	case v.isObject():
		for _, l := range v.leaves(false) {
			if why := l.hidden(name); why != nil {
				return nil, why
			}
			if l.presence {
				all = append(all, l.given(v.text))
				continue
			}
			forms, why := a.forms(l.in(v.text), dotted([]string{name}, l.names...), depth)
			if why != nil {
				return nil, why
			}
			for _, form := range forms {
				all = append(all, fmt.Sprintf("%s ? [%s] : []", l.given(v.text), form))
			}
		}
	default:
		l := v.loss(name)
		return nil, &block{fmt.Sprintf("updates from Go may write %s in another form, and rules can't compare what it is in", l.name), "remove the marker"}
	}
	return all, nil
}

// rewritten returns a condition that holds if Go leaves out something of a list or map.
// It reports false if that isn't all that Go does to such values.
func (v value) rewritten(depth int) (string, bool) {
	switch {
	case v.goType.Encoding() != model.Plain, (v.isList() || v.isMap()) && v.elem("").schema.Nullable:
		return "", false
	case v.isList():
		item := variable("item", depth)
		condition, ok := v.elem(item).rewritten(depth + 1)
		return fmt.Sprintf("%s.exists(%s, %s)", v.text, item, condition), ok
	case v.isMap():
		key := variable("key", depth)
		condition, ok := v.elem(v.text + "[" + key + "]").rewritten(depth + 1)
		return fmt.Sprintf("%s.exists(%s, %s)", v.text, key, condition), ok
	case !v.isObject():
		return "", false
	}
	var conditions []string
	for _, l := range v.leaves(false) {
		inner, set := l.in(v.text), selection{root: v.text}.below(l.names...).set()
		zero := inner.isZero(true)
		switch {
		case !l.defaulted && l.hidden("") != nil, l.null, l.neglected && !l.omitted && zero != "":
			return "", false
		case l.presence:
			continue
		case l.neglected && zero != "":
			conditions = append(conditions, and(append(slices.Clip(set), zero)...))
		}
		if inner.loss("") != nil {
			condition, ok := inner.rewritten(depth)
			if !ok {
				return "", false
			}
			conditions = append(conditions, and(append(set, condition)...))
		}
	}
	return or(conditions...), len(conditions) > 0
}

// remedy returns what to do about a loss in a value that costs too much to compare.
func (l *loss) remedy(in value) string {
	const remove = "remove the marker"
	switch {
	case in.isObject(): // of another module
		return remove
	case l.omitted && l.local:
		return "make " + l.name + " a pointer, or " + bound + ", or " + remove
	default:
		return bound + ", or " + remove
	}
}

const bound = "bound the lists and maps in it with +kubebuilder:validation:MaxItems and MaxProperties"

// variable returns the name of a variable inside others.
func variable(name string, depth int) string {
	if depth == 0 {
		return name
	}
	return name + strconv.Itoa(depth+1)
}

// mayFail reports whether to compare a value may fail, or depends on an order that has
// no meaning.
func mayFail(v value) bool {
	switch v.goType.Encoding() {
	case model.Quantity, model.Duration:
		return true
	case model.Plain:
	default:
		return false
	}
	switch {
	case v.isObject():
		return slices.ContainsFunc(v.leaves(false), func(l leaf) bool { return !l.presence && mayFail(l.in("")) })
	case v.isList():
		atomic := v.schema.XListType == nil || *v.schema.XListType == "atomic"
		return !atomic || mayFail(v.elem(""))
	case v.isMap():
		return mayFail(v.elem(""))
	}
	return false
}

// inParentheses puts a condition in parentheses if it has an operator.
func inParentheses(condition string) string {
	if isJoined(condition) {
		return "(" + condition + ")"
	}
	return condition
}
