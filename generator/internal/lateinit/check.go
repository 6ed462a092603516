package lateinit

import (
	"encoding/json"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/internal/constraint"
	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
	"github.com/mrgen-io/mrgen/generator/internal/mapping"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/markers"
)

// values says what markers demand of the values of a type.
type values struct {
	// checks are constraints that generated code checks before it writes an observed value into the
	// desired state, as calls of functions in the package of helpers.
	checks []jen.Code
	// isRuled is set if code can't check a constraint: nothing is written. isSetOnce is set if values
	// can't change once they are set.
	isRuled, isSetOnce bool
	// isSet is set for lists whose items have no order, and keys for those whose items have some.
	isSet bool
	keys  []string
	// item is set for lists and maps.
	item *values
}

// relate returns what markers demand of the values of a type: those of the sets, of the field with the
// values, and of the type.
func (t *table) relate(of *model.Type, sets []constraint.Set, fieldMarkers []model.Marker) *values {
	v, base := &values{}, mapping.Base(of)
	for declared := base; declared != nil && declared.Package != "" && declared.Kind != model.Struct && !mapping.SharedAsIs(declared); declared = declared.Of {
		sets = append(slices.Clip(sets), t.typeConstraints(declared))
	}
	switch {
	case mapping.SharedAsIs(base), base.IsBytes():
	case base.Kind == model.Struct:
		v.isSetOnce = t.restrict(&structure{of: base}).isSetOnce
	case base.Kind == model.Map:
		v.item = t.relate(base.Elem, nil, nil)
	case base.Kind == model.Slice:
		v.item = t.relate(base.Elem, items(sets), nil)
		v.list(base.Elem, slices.Concat(fieldMarkers, base.Markers))
	}
	v.isRuled = v.isRuled || v.item != nil && v.item.isRuled
	for _, s := range sets {
		v.restrict(t, of, s)
	}
	return v
}

// list records what tells the items of a list apart. The API server demands that it is unique, which code can't
// check where keys are optional: these may have defaults.
func (v *values) list(item *model.Type, all []model.Marker) {
	item = mapping.Base(item)
	switch mapping.Argument(all, markers.ListType) {
	case "set":
		v.isSet, v.isRuled = true, item.Kind != model.Basic
	case "map":
		for _, m := range all {
			name := mapping.Argument([]model.Marker{m}, markers.ListMapKey)
			if name == "" {
				continue
			}
			key := item.Field(name)
			if key == nil || mapping.Base(key.Type).Kind != model.Basic {
				v.keys = nil
				return
			}
			v.keys, v.isRuled = append(v.keys, name), v.isRuled || !key.Required
		}
	}
}

// parts returns the parts of a row about constraints.
func (v *values) parts(to Target) (parts []jen.Code) {
	if len(v.checks) > 0 {
		parts = append(parts, jen.Id("Checks").Op(":").Index().Add(to.Helper("Check")).Values(v.checks...))
	}
	if v.item != nil {
		inner := v.item.parts(to)
		if v.item.isSet {
			inner = append(inner, is("Set"))
		}
		if len(v.item.keys) > 0 {
			inner = append(inner, texts("Keys", v.item.keys))
		}
		if len(inner) > 0 {
			parts = append(parts, jen.Id("Items").Op(":").Op("&").Add(to.Helper("Row")).Values(inner...))
		}
	}
	return parts
}

// items returns the sets for the items of lists.
func items(sets []constraint.Set) []constraint.Set {
	var below []constraint.Set
	for _, s := range sets {
		if s.Schema.Items != nil {
			below = append(below, constraint.Set{Schema: *s.Schema.Items.Schema})
		}
	}
	return below
}

// restrict records the constraints of a set as checks.
func (v *values) restrict(t *table, of *model.Type, s constraint.Set) {
	c := checker{values: v, to: t.Target, left: s.Schema}
	c.left.XValidations = slices.DeleteFunc(slices.Clone(c.left.XValidations), isSetOnce)
	v.isSetOnce = v.isSetOnce || len(c.left.XValidations) < len(s.Schema.XValidations)
	switch base := mapping.Base(of); {
	case base.IsBytes():
		c.takeFormat("byte")
	case mapping.SharedAsIs(base):
		c.takeFormat("date-time")
	case base.Kind == model.Basic:
		c.scalar(base)
	case base.Kind == model.Slice:
		c.size(&c.left.MinItems, &c.left.MaxItems, of.Kind == model.Pointer)
	case base.Kind == model.Map:
		c.size(&c.left.MinProperties, &c.left.MaxProperties, of.Kind == model.Pointer)
	}
	if !demandsNothing(c.left) || len(s.OneOf) > 0 || len(s.Unknown) > 0 {
		v.isRuled = true
	}
}

// A checker turns the constraints of a schema into checks, and removes them from it.
type checker struct {
	*values
	to   Target
	left apiextensionsv1.JSONSchemaProps
}

func (c *checker) check(name string, arguments ...jen.Code) {
	c.checks = append(c.checks, c.to.Helper(name).Call(arguments...))
}

// isSetOnce reports whether a rule demands nothing but that a value doesn't change once set.
func isSetOnce(rule apiextensionsv1.ValidationRule) bool {
	text := strings.Join(strings.Fields(rule.Rule), "")
	return text == "self==oldSelf" || text == "oldSelf==self"
}

// demandsNothing reports whether a schema has no constraints apart from the JSON type.
func demandsNothing(s apiextensionsv1.JSONSchemaProps) bool {
	if len(s.XValidations) > 0 {
		return false
	}
	s.XValidations = nil
	s.Type, s.Title, s.Default, s.Example, s.Nullable = "", "", nil, nil, false
	s.Items, s.XListType, s.XListMapKeys, s.XMapType = nil, nil, nil, nil
	s.XPreserveUnknownFields, s.XEmbeddedResource, s.XIntOrString = nil, false, false
	return reflect.DeepEqual(s, apiextensionsv1.JSONSchemaProps{})
}

// takeFormat removes a format that all values of the type have.
func (c *checker) takeFormat(format string) {
	if c.left.Format == format {
		c.left.Format = ""
	}
}

// size checks the size of a list or map. An empty one counts as not observed, except behind a pointer.
func (c *checker) size(fewest, most **int64, isPointer bool) {
	if n := *fewest; n != nil && (*n > 1 || *n == 1 && isPointer) {
		c.check("Min", jen.Lit(int(*n)))
	}
	if n := *most; n != nil {
		c.check("Max", jen.Lit(int(*n)))
	}
	*fewest, *most = nil, nil
}

// scalar checks a boolean, a number or a string. If a marker sets another JSON type, the constraints are left.
func (c *checker) scalar(of *model.Type) {
	s := &c.left
	if s.Type != of.JSONType() {
		return
	}
	if values := enumerated(s, of.Basic); len(s.Enum) > 0 && len(values) > 0 {
		c.check("OneOf", values...)
		s.Enum = nil
	}
	switch s.Type {
	case "string":
		c.text()
	case "integer", "number":
		c.number(of.Basic)
	}
}

// enumerated returns the values of the enum of a schema that a type can hold.
func enumerated(s *apiextensionsv1.JSONSchemaProps, basic string) []jen.Code {
	var all []any
	var values []jen.Code
	for _, e := range s.Enum {
		var value any
		if json.Unmarshal(e.Raw, &value) != nil || slices.Contains(all, value) {
			continue
		}
		number, isNumber := value.(float64)
		var fits bool
		switch s.Type {
		case "boolean":
			_, fits = value.(bool)
		case "string":
			_, fits = value.(string)
		case "integer":
			fits = isNumber && holds(basic, number)
		case "number":
			fits = isNumber
		}
		if !fits {
			continue
		}
		all = append(all, value)
		if isNumber {
			values = append(values, literal(number))
		} else {
			values = append(values, jen.Lit(value))
		}
	}
	return values
}

// holds reports whether a number is one of an integer type, and small enough for all comparisons.
func holds(basic string, number float64) bool {
	return number == math.Trunc(number) && math.Abs(number) < 1<<53 && gotypes.IntegerNamed(basic).HoldsExactly(number)
}

// literal returns a number in its usual notation.
func literal(n float64) *jen.Statement {
	if n == math.Trunc(n) && math.Abs(n) <= 1<<53 {
		return jen.Lit(int(n))
	}
	return jen.Op(strconv.FormatFloat(n, 'g', -1, 64))
}

// number checks bounds, except for those that the type can't hold exactly.
func (c *checker) number(basic string) {
	s, isInteger := &c.left, c.left.Type == "integer"
	take := func(number **float64, name string) bool {
		n := *number
		if n == nil || isInteger && !holds(basic, *n) {
			return false
		}
		c.check(name, literal(*n))
		*number = nil
		return true
	}
	if s.ExclusiveMinimum && s.Minimum != nil {
		s.ExclusiveMinimum = !take(&s.Minimum, "Above")
	} else {
		take(&s.Minimum, "Min")
	}
	if s.ExclusiveMaximum && s.Maximum != nil {
		s.ExclusiveMaximum = !take(&s.Maximum, "Below")
	} else {
		take(&s.Maximum, "Max")
	}
	if isInteger && s.MultipleOf != nil && *s.MultipleOf >= 1 {
		take(&s.MultipleOf, "MultipleOf")
	}
	switch {
	case !isInteger, s.Format == "int64", s.Format == "int32" && basic != "int" && basic != "int64" && !strings.HasPrefix(basic, "uint"):
		s.Format = ""
	}
}

// text checks a string.
func (c *checker) text() {
	s := &c.left
	if s.MinLength != nil && *s.MinLength > 0 {
		c.check("Min", jen.Lit(int(*s.MinLength)))
	}
	if s.MaxLength != nil {
		c.check("Max", jen.Lit(int(*s.MaxLength)))
	}
	s.MinLength, s.MaxLength = nil, nil
	if _, err := regexp.Compile(s.Pattern); s.Pattern != "" && err == nil {
		pattern := strconv.Quote(s.Pattern)
		if strconv.CanBackquote(s.Pattern) {
			pattern = "`" + s.Pattern + "`"
		}
		c.check("Matching", jen.Op(pattern))
		s.Pattern = ""
	}
	if isValid := formats[strings.ReplaceAll(s.Format, "-", "")]; isValid != "" {
		c.check("Formatted", c.to.Helper(isValid))
		s.Format = ""
	}
	c.takeFormat("password")
}

// formats are the helpers that check the formats of strings. None accepts more than the API
// server does.
var formats = map[string]string{
	"byte":     "IsBase64",
	"cidr":     "IsCIDR",
	"date":     "IsDate",
	"datetime": "IsDateTime",
	"duration": "IsDuration",
	"ipv4":     "IsIPv4",
	"ipv6":     "IsIPv6",
	"mac":      "IsMAC",
	"uri":      "IsURI",
	"uuid":     "IsUUID",
}
