package lateinit

import (
	"encoding/json"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/internal/constraint"
	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
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
	v, base := &values{}, model.Base(of)
	for declared := base; declared != nil && declared.Package != "" && declared.Kind != model.Struct && !model.SharedAsIs(declared); declared = declared.Of {
		sets = append(slices.Clip(sets), t.typeConstraints(declared))
	}
	switch {
	case model.SharedAsIs(base), base.IsBytes():
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
	item = model.Base(item)
	switch model.Argument(all, markers.ListType) {
	case "set":
		v.isSet, v.isRuled = true, item.Kind != model.Basic
	case "map":
		for _, m := range all {
			name := model.Argument([]model.Marker{m}, markers.ListMapKey)
			if name == "" {
				continue
			}
			key := item.Field(name)
			if key == nil || model.Base(key.Type).Kind != model.Basic {
				v.keys = nil
				return
			}
			v.keys, v.isRuled = append(v.keys, name), v.isRuled || !key.Required
		}
	}
}

// parts returns the parts of a row about values.
func (v *values) parts(to Target) (parts []jen.Code) {
	if v.isSet {
		parts = append(parts, is("Set"))
	}
	if len(v.keys) > 0 {
		parts = append(parts, texts("Keys", v.keys))
	}
	if v.isRuled {
		return parts
	}
	if len(v.checks) > 0 {
		parts = append(parts, jen.Id("Checks").Op(":").Index().Add(to.Helper("Check")).Values(v.checks...))
	}
	if v.item != nil {
		if inner := v.item.parts(to); len(inner) > 0 {
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
	base, keywords := model.Base(of), keywordsOf(s.Schema)
	v.isRuled = v.isRuled || len(s.OneOf) > 0 || len(s.Unknown) > 0
	check := func(name string, argument jen.Code) {
		v.checks = append(v.checks, t.Helper(name).Call(argument))
	}
	for _, keyword := range slices.Sorted(maps.Keys(keywords)) {
		text, _ := keywords[keyword].(string)
		number, _ := keywords[keyword].(float64)
		isExact := holds(base, number)
		switch keyword {
		case "exclusiveMinimum", "exclusiveMaximum":
		case "type":
			v.isRuled = v.isRuled || base.Kind == model.Basic && !model.SharedAsIs(base) && text != base.JSONType()
		case "x-kubernetes-validations":
			rules := slices.DeleteFunc(slices.Clone(s.Schema.XValidations), isSetOnce)
			v.isSetOnce = v.isSetOnce || len(rules) < len(s.Schema.XValidations)
			v.isRuled = v.isRuled || len(rules) > 0
		case "minItems", "minProperties":
			if number > 1 || of.Kind == model.Pointer { // an empty one counts as not observed
				check("Min", literal(number))
			}
		case "minimum", "minLength":
			check(either(s.Schema.ExclusiveMinimum, "Above", "Min"), literal(number))
			v.isRuled = v.isRuled || !isExact
		case "maximum", "maxLength", "maxItems", "maxProperties":
			check(either(s.Schema.ExclusiveMaximum, "Below", "Max"), literal(number))
			v.isRuled = v.isRuled || !isExact
		case "multipleOf":
			check("MultipleOf", literal(number))
			v.isRuled = v.isRuled || !isExact || number != math.Trunc(number) || base.JSONType() != "integer"
		case "enum":
			v.checks = append(v.checks, t.Helper("OneOf").Call(literals(keywords[keyword])...))
		case "pattern":
			check("Matching", jen.Op(gosyntax.Quoted(text)))
			_, err := regexp.Compile(text)
			v.isRuled = v.isRuled || err != nil
		case "format":
			if name := strings.ReplaceAll(text, "-", ""); slices.Contains(formats, name) && base.JSONType() == "string" {
				check("Format", jen.Lit(name))
			} else {
				v.isRuled = v.isRuled || !follows(base, text)
			}
		default:
			v.isRuled = true
		}
	}
}

// holds reports whether values of a type compare rightly with a bound.
func holds(t *model.Type, bound float64) bool {
	if t.Basic == "int32" {
		// The API server refuses every value of this format beside a bound that is none of it.
		return bound >= math.MinInt32 && bound <= math.MaxInt32
	}
	return math.Abs(bound) < 1<<53 // beyond, floats skip integers
}

// keywordsOf returns the keywords of a schema that constrain values, as in JSON.
func keywordsOf(s apiextensionsv1.JSONSchemaProps) map[string]any {
	s.Title, s.Default, s.Example, s.Nullable = "", nil, nil, false
	s.Items, s.XListType, s.XListMapKeys, s.XMapType = nil, nil, nil, nil
	s.XPreserveUnknownFields, s.XEmbeddedResource, s.XIntOrString = nil, false, false
	var keywords map[string]any
	encoded, err := json.Marshal(s)
	if err == nil {
		err = json.Unmarshal(encoded, &keywords)
	}
	if err != nil {
		return map[string]any{"": err} // no keyword that code can check
	}
	return keywords
}

// demandsNothing reports whether a schema has no constraints apart from the JSON type.
func demandsNothing(s apiextensionsv1.JSONSchemaProps) bool {
	s.Type = ""
	return len(keywordsOf(s)) == 0
}

// follows reports whether all values of a type have a format.
func follows(t *model.Type, format string) bool {
	switch basic := t.Basic; {
	case format == "password", format == "int64", t.JSONType() == "number":
		return true
	case format == "int32":
		return t.JSONType() == "integer" && basic != "int" && basic != "int64" && !strings.HasPrefix(basic, "uint")
	case t.IsBytes():
		return format == "byte"
	default:
		return model.SharedAsIs(t) && format == "date-time"
	}
}

func either(first bool, one, other string) string {
	if first {
		return one
	}
	return other
}

// literal returns a number in its usual notation.
func literal(n float64) jen.Code {
	if n == math.Trunc(n) && math.Abs(n) <= 1<<53 {
		return jen.Lit(int(n))
	}
	return jen.Op(strconv.FormatFloat(n, 'g', -1, 64))
}

// literals returns the values of an enum.
func literals(enum any) (all []jen.Code) {
	values, _ := enum.([]any)
	for _, value := range values {
		switch value := value.(type) {
		case float64:
			all = append(all, literal(value))
		case string, bool:
			all = append(all, jen.Lit(value))
		}
	}
	return all
}

// isSetOnce reports whether a rule demands nothing but that a value doesn't change once set.
func isSetOnce(rule apiextensionsv1.ValidationRule) bool {
	text := strings.Join(strings.Fields(rule.Rule), "")
	return text == "self==oldSelf" || text == "oldSelf==self"
}

// formats are the formats that Format checks. It accepts no more than the API server does.
var formats = []string{"byte", "cidr", "date", "datetime", "duration", "ipv4", "ipv6", "mac", "uri", "uuid"}
