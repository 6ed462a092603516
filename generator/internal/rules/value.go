package rules

import (
	"maps"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/internal/cel"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/markers"
)

// A value is an expression in a rule, with its Go type and its schema.
type value struct {
	expr   cel.Expr
	goType *model.Type
	schema *apiextensionsv1.JSONSchemaProps
}

// isKind reports whether JSON encodes a value as usual for the kind of its Go type.
func (v value) isKind(kind model.Kind) bool {
	return v.goType.Kind == kind && v.goType.Encoding() == model.Plain
}

// isMap and isList report whether a value is a map or a list in JSON. A []byte is a string.
func (v value) isMap() bool {
	return v.isKind(model.Map) && v.schema.AdditionalProperties != nil && v.schema.AdditionalProperties.Schema != nil
}

func (v value) isList() bool {
	return v.isKind(model.Slice) && v.schema.Items != nil && v.schema.Items.Schema != nil
}

// isObject reports whether a value is a struct with fields that rules can read.
func (v value) isObject() bool { return v.isKind(model.Struct) && len(v.schema.Properties) > 0 }

// isTime reports whether rules treat a value as a timestamp.
func (v value) isTime() bool { return v.schema.Type == "string" && v.schema.Format == "date-time" }

// elem returns an element of a list or a map, for which there is an expression.
func (v value) elem(expr cel.Expr) value {
	if v.isMap() {
		return value{expr, v.goType.Elem.Deref(), v.schema.AdditionalProperties.Schema}
	}
	return value{expr, v.goType.Elem.Deref(), v.schema.Items.Schema}
}

// zeroMeansUnset reports whether Go doesn't tell a zero or empty value of a field from an
// unset one.
func zeroMeansUnset(f *model.Field, object *apiextensionsv1.JSONSchemaProps) bool {
	return f.Zero() != model.Written ||
		f.Unset() == model.Written && (object.Properties[f.JSONName].Nullable || !schema.Always(object, f.JSONName))
}

// resolvesToNone reports whether resolvers turn an empty value of the field into nil, as reference.ToPtrValue of
// crossplane-runtime does.
func resolvesToNone(f *model.Field) bool {
	return f.OwnMarker(markers.ReferenceType) != nil && f.Type.Kind == model.Pointer && f.Type.Deref().Basic == "string"
}

// losesNull reports whether Go writes something other than null for a field that was null.
func losesNull(f *model.Field, schema *apiextensionsv1.JSONSchemaProps) bool {
	return schema.Nullable && f.Unset() != model.Null
}

// defaults reports whether a default other than zero replaces a value that Go omits.
func defaults(f *model.Field, schema *apiextensionsv1.JSONSchemaProps) bool {
	return schema.Default != nil && (losesNull(f, schema) ||
		f.Zero() == model.Omitted && !slices.Contains([]string{`""`, "0", "0.0", "false", "[]", "{}"}, string(schema.Default.Raw)))
}

// A leaf is a field of an object, at any depth. Objects whose leaves are equal are equal for
// Go.
type leaf struct {
	names  []string
	goType *model.Type
	schema *apiextensionsv1.JSONSchemaProps
	// zeroIsUnset is set if Go doesn't tell a zero value from an unset one, and omitted if
	// the reason is that Go omits zero values.
	zeroIsUnset, omitted bool
	// presence is set if other leaves represent the content, and this one only the presence.
	presence bool
	// defaulted is set if a default replaces what Go omits, and changed if Go writes something
	// else for null, or omits an object around that a default replaces.
	defaulted, changed bool
}

// leaves returns the leaves of an object. Loose is set if Go doesn't tell an empty object
// from an unset one.
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
		l.zeroIsUnset = zeroMeansUnset(f, v.schema) || loose && !pointer && f.Type.Elem == nil
		l.omitted = f.Zero() == model.Omitted
		l.changed, l.defaulted = losesNull(f, l.schema), defaults(f, l.schema)
		isWhole := pointer && inner.loss("") == nil && !inner.holdsReference() // nothing in it has another form
		if isWhole || !inner.isObject() || inner.isReference() || l.schema.Nullable {
			all = append(all, l)
			// An object that a pointer leads to may be set and empty, which its leaves don't show.
			continue
		}
		if pointer {
			present := l
			present.presence = true
			all = append(all, present)
		}
		for _, below := range inner.leaves(!pointer && l.zeroIsUnset) {
			below.changed, below.defaulted = below.changed || l.defaulted, below.defaulted || l.defaulted
			below.names = append([]string{name}, below.names...)
			all = append(all, below)
		}
	}
	return all
}

// of returns the leaf's value in an object, which is an expression.
func (l leaf) of(object cel.Expr) value { return value{object.Field(l.names...), l.goType, l.schema} }

// obstacle returns why rules can't compare the leaf of an object with that name, or nil.
func (l leaf) obstacle(object string) *obstacle {
	name := dotted([]string{object}, l.names...)
	switch {
	case l.defaulted:
		return &obstacle{"a default takes the place of what updates from Go omit of " + name, "make " + name + " a pointer, or remove the marker"}
	case l.schema.Nullable && l.of(cel.Expr{}).isObject():
		return new(mayBeNull(name))
	case unreadable(l.schema) != nil:
		return &obstacle{"rules can't read " + name, unreadable(l.schema).or("remove the marker")}
	case slices.ContainsFunc(l.names, func(n string) bool { return !cel.CanName(n) }):
		return &obstacle{"rules can't read " + name + ", because of its name", "rename it, or remove the marker"}
	}
	return nil
}

// has returns the condition that an object has the leaf.
func (l leaf) has(object cel.Expr) cel.Expr {
	conditions := l.set(object)
	if l.zeroIsUnset {
		if nonzero := l.of(object).isZero(false); !nonzero.IsNone() {
			conditions = append(conditions, nonzero)
		}
	}
	return cel.And(conditions...)
}

// set returns the conditions that an object has the leaf, with any value.
func (l leaf) set(object cel.Expr) []cel.Expr { return l.of(object).expr.Set(len(l.names)) }

// orZero returns an expression for the leaf of an object that is a zero literal where the leaf is unset. It returns none
// if there is no such literal, or if Go distinguishes the two.
func (l leaf) orZero(object cel.Expr) cel.Expr {
	v := l.of(object)
	literal, known := map[string]string{"string": "''", "integer": "0", "number": "0.0", "boolean": "false"}[l.schema.Type]
	hasLiteral := known && !slices.Contains(schema.TypedFormats, l.schema.Format)
	if !l.zeroIsUnset || !hasLiteral || v.loss("") != nil || v.isZero(true).IsNone() {
		return cel.Expr{}
	}
	return cel.If(cel.And(l.set(object)...), v.expr, cel.Literal(literal))
}

// isZero returns the condition that a value is zero or empty for Go, or that it isn't, depending on zero. It returns
// none for values that are never zero.
func (v value) isZero(zero bool) cel.Expr {
	equal := func(left, right cel.Expr) cel.Expr {
		if zero {
			return cel.Op(left, "==", right)
		}
		return cel.Op(left, "!=", right)
	}
	s := v.schema
	switch {
	case v.goType.Encoding() == model.Unknown:
		return cel.Expr{}
	case v.goType.Encoding() == model.Quantity:
		return equal(cel.Call("sign", v.quantity()), cel.Int(0))
	case v.goType.Encoding() == model.Duration:
		return equal(cel.Call("duration", v.expr), cel.Call("duration", cel.Text("0s")))
	case v.isTime() && v.goType.Kind == model.Struct: // the zero time.Time
		return equal(v.expr, cel.Call("timestamp", cel.Text("0001-01-01T00:00:00Z")))
	case v.isObject():
		return v.isZeroObject(zero)
	case s.XIntOrString && v.goType.Basic == "string": // the Go type is a string, whose zero value is empty
		return equal(v.expr, cel.Text(""))
	case s.XIntOrString, s.Type == "integer" && !leavesOut(s, "0"): // an enum without 0 never holds the zero value
		return equal(v.expr, cel.Int(0))
	case s.Type == "number" && !leavesOut(s, "0"):
		return equal(v.expr, cel.Literal("0.0"))
	case s.Type == "boolean" && !leavesOut(s, "false"):
		if zero {
			return cel.Not(v.expr)
		}
		return v.expr
	case s.Type == "string" && !isPositive(s.MinLength) && !leavesOut(s, `""`) && !slices.Contains(schema.TypedFormats, s.Format):
		// a minimum length or a format rules out ""
		return equal(v.expr, cel.Text(""))
	case v.isList() && !isPositive(s.MinItems), v.isKind(model.Map) && s.Type == "object" && !isPositive(s.MinProperties):
		return equal(cel.Call("size", v.expr), cel.Int(0))
	}
	return cel.Expr{}
}

// isZeroObject is isZero for an object, which is zero if all its leaves are unset.
func (v value) isZeroObject(zero bool) cel.Expr {
	if v.schema.Nullable { // a rule can't look into null
		return cel.Expr{}
	}
	var given []cel.Expr
	for _, l := range v.leaves(true) {
		switch {
		case l.obstacle("") != nil: // one leaf that rules can't read leaves the answer open
			return cel.Expr{}
		case l.schema.Default != nil && l.goType.Elem != nil: // Go decodes {} and [] as a value, and the default returns it
			given = append(given, cel.And(l.set(v.expr)...))
		default:
			given = append(given, l.has(v.expr))
		}
	}
	if len(given) > 0 && zero {
		return cel.Not(cel.Or(given...))
	}
	return cel.Or(given...)
}

func isPositive(n *int64) bool { return n != nil && *n > 0 }

// leavesOut reports whether there is an enum without the value.
func leavesOut(s *apiextensionsv1.JSONSchemaProps, value string) bool {
	return len(s.Enum) > 0 && !slices.ContainsFunc(s.Enum, func(v apiextensionsv1.JSON) bool { return string(v.Raw) == value })
}

// quantity returns an expression for a value as a quantity.
func (v value) quantity() cel.Expr {
	if v.schema.XIntOrString {
		return cel.Call("quantity", cel.Call("string", v.expr))
	}
	return cel.Call("quantity", v.expr)
}
