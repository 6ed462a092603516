package lateinit

import (
	"encoding/json"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/internal/constraint"
	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
	"github.com/mrgen-io/mrgen/generator/internal/mapping"
	"github.com/mrgen-io/mrgen/generator/internal/model"
)

// A demand is a constraint that the schema of spec puts on a value.
type demand uint8

const (
	// anyOf demands one of some values.
	anyOf demand = iota
	// minimum, maximum, above and below demand a number within bounds.
	minimum
	maximum
	above
	below
	// multiple demands a multiple of a number.
	multiple
	// shortest and longest bound the number of characters in a string.
	shortest
	longest
	// matching demands that a string matches a pattern, formatted that it has a format.
	matching
	formatted
	// fewest and most bound the number of items or entries.
	fewest
	most
	// unique demands that no two items are equal, uniqueKeys that none have equal keys.
	unique
	uniqueKeys
)

// A check is a demand that generated code checks before it writes an observed value into the
// desired state.
type check struct {
	demand demand
	// values are strings, numbers or booleans.
	values []any
	// number is a bound, a size or a divisor.
	number float64
	// text is a pattern or the name of a format.
	text string
	// owner is the name of the field or type with the pattern.
	owner string
}

// An ownedSet has the constraints of a field or type with the name owner.
type ownedSet struct {
	constraint.Set
	owner string
}

// items returns the sets for the items of lists.
func items(sets []ownedSet) []ownedSet {
	var below []ownedSet
	for _, s := range sets {
		if s.Schema.Items != nil {
			below = append(below, ownedSet{constraint.Set{Schema: *s.Schema.Items.Schema}, s.owner + "Item"})
		}
	}
	return below
}

// restrict records the constraints on the values of a relation as checks. If code can't check
// one, it marks the relation unchecked, and nothing is written.
func (r *relation) restrict(sets []ownedSet) {
	for _, s := range sets {
		left := s.Schema
		left.XValidations = slices.DeleteFunc(slices.Clone(left.XValidations), isSetOnce)
		r.setOnce = r.setOnce || len(left.XValidations) < len(s.Schema.XValidations)
		switch r.Shape {
		case mapping.Scalar:
			r.restrictScalar(&left, s.owner)
		case mapping.List, mapping.Set, mapping.Keyed:
			r.restrictSize(&left.MinItems, &left.MaxItems)
		case mapping.Map:
			r.restrictSize(&left.MinProperties, &left.MaxProperties)
		case mapping.Binary:
			takeFormat(&left, "byte")
		case mapping.Opaque:
			takeFormat(&left, "date-time")
		}
		if !demandsNothing(left) || len(s.OneOf) > 0 || len(s.Unknown) > 0 {
			r.unchecked = true
		}
	}
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

// takeFormat removes from a schema a format that all values of the type have.
func takeFormat(s *apiextensionsv1.JSONSchemaProps, format string) {
	if s.Format == format {
		s.Format = ""
	}
}

// restrictSize turns the bounds on the size of a list or map into checks.
func (r *relation) restrictSize(fewestOf, mostOf **int64) {
	// An empty value counts as not observed, unless it is behind a pointer.
	if n := *fewestOf; n != nil && (*n > 1 || *n == 1 && r.Target.Kind == model.Pointer) {
		r.checks = append(r.checks, check{demand: fewest, number: float64(*n)})
	}
	if n := *mostOf; n != nil {
		r.checks = append(r.checks, check{demand: most, number: float64(*n)})
	}
	*fewestOf, *mostOf = nil, nil
}

// restrictScalar turns the constraints on a boolean, a number or a string into checks, and
// removes them from the schema.
func (r *relation) restrictScalar(s *apiextensionsv1.JSONSchemaProps, owner string) {
	if s.Type != mapping.Base(r.Target).JSONType() {
		return // a marker sets another JSON type: the constraints stay unchecked
	}
	if len(s.Enum) > 0 {
		if values := enumerated(s, mapping.Base(r.Target).Basic); len(values) > 0 {
			r.checks = append(r.checks, check{demand: anyOf, values: values})
			s.Enum = nil
		}
	}
	switch s.Type {
	case "string":
		r.restrictText(s, owner)
	case "integer", "number":
		r.restrictNumber(s)
	}
}

// enumerated returns the values of the enum of a schema that a type can hold.
func enumerated(s *apiextensionsv1.JSONSchemaProps, basic string) []any {
	var values []any
	for _, e := range s.Enum {
		var value any
		if json.Unmarshal(e.Raw, &value) != nil {
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
			fits = isNumber && number == math.Trunc(number) && gotypes.IntegerNamed(basic).HoldsExactly(number)
		case "number":
			fits = isNumber
		}
		if fits && !slices.Contains(values, value) {
			values = append(values, value)
		}
	}
	return values
}

// restrictNumber turns bounds into checks, except for those that the type can't hold exactly.
func (r *relation) restrictNumber(s *apiextensionsv1.JSONSchemaProps) {
	basic := mapping.Base(r.Target).Basic
	isInteger := s.Type == "integer"
	take := func(number **float64, d demand) {
		if n := *number; n != nil && (!isInteger || *n == math.Trunc(*n) && gotypes.IntegerNamed(basic).HoldsExactly(*n)) {
			r.checks = append(r.checks, check{demand: d, number: *n})
			*number = nil
		}
	}
	lower, upper := minimum, maximum
	if s.ExclusiveMinimum && s.Minimum != nil {
		lower = above
	}
	if s.ExclusiveMaximum && s.Maximum != nil {
		upper = below
	}
	take(&s.Minimum, lower)
	take(&s.Maximum, upper)
	s.ExclusiveMinimum, s.ExclusiveMaximum = s.ExclusiveMinimum && lower == minimum, s.ExclusiveMaximum && upper == maximum
	if isInteger && s.MultipleOf != nil && *s.MultipleOf >= 1 {
		take(&s.MultipleOf, multiple)
	}
	switch {
	case !isInteger, s.Format == "int64", s.Format == "int32" && basic != "int" && basic != "int64" && !strings.HasPrefix(basic, "uint"):
		s.Format = ""
	}
}

// restrictText turns the constraints on a string into checks.
func (r *relation) restrictText(s *apiextensionsv1.JSONSchemaProps, owner string) {
	if s.MinLength != nil {
		if *s.MinLength > 0 {
			r.checks = append(r.checks, check{demand: shortest, number: float64(*s.MinLength)})
		}
		s.MinLength = nil
	}
	if s.MaxLength != nil {
		r.checks = append(r.checks, check{demand: longest, number: float64(*s.MaxLength)})
		s.MaxLength = nil
	}
	if _, err := regexp.Compile(s.Pattern); s.Pattern != "" && err == nil {
		r.checks = append(r.checks, check{demand: matching, text: s.Pattern, owner: owner})
		s.Pattern = ""
	}
	format := strings.ReplaceAll(s.Format, "-", "")
	if formats[format] != "" {
		r.checks = append(r.checks, check{demand: formatted, text: format})
		s.Format = ""
	}
	takeFormat(s, "password")
}

// textType is the type string.
var textType = model.Type{Kind: model.Basic, Name: "string", Basic: "string"}

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

// acceptsZero reports whether the zero value of a scalar passes all checks.
func (r *relation) acceptsZero() bool {
	zero := map[string]any{"boolean": false, "string": "", "integer": 0.0, "number": 0.0}[mapping.Base(r.Target).JSONType()]
	return !slices.ContainsFunc(r.checks, func(c check) bool { return !c.accepts(zero) })
}

// accepts reports whether the zero value of a scalar, or of its length, passes the check. It returns false
// if it can't tell.
func (c check) accepts(zero any) bool {
	switch c.demand {
	case anyOf:
		return slices.Contains(c.values, zero)
	case minimum, shortest:
		return c.number <= 0
	case maximum, longest:
		return c.number >= 0
	case above:
		return c.number < 0
	case below:
		return c.number > 0
	case multiple:
		return true
	case matching:
		return regexp.MustCompile(c.text).MatchString("")
	default:
		return false
	}
}
