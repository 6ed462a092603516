package rules

import (
	"maps"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/apiserver/pkg/cel"

	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
)

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
