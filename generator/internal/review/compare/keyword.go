package compare

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
)

type props = apiextensionsv1.JSONSchemaProps

// A verdict says what a change of a keyword does to the values that a schema accepts.
type verdict uint8

const (
	// same or looser: whatever was accepted is accepted now, and means the same.
	harmless verdict = iota
	// searched: whether it matters depends on what else holds, and the objects that would
	// show it are few: it is reported if one of them does.
	searched
	// undecided: the text doesn't tell. It is reported also if no counterexample is found.
	undecided
	// tighter: something that was accepted is not, unless something else in the old schema
	// refused that.
	tighter
	// certain: it breaks, whatever objects there are.
	certain
)

// unless returns a verdict, unless a change does no harm.
func unless(isHarmless bool, v verdict) verdict {
	if isHarmless {
		return harmless
	}
	return v
}

// A keyword compares one keyword of two schemas.
type keyword struct {
	name    string
	compare func(old, new *props) verdict
	// says returns in words what has changed.
	says func(old, new *props) string
}

// keywords are those of which one schema has a value, and so may the other. What other
// schemas hang from, such as properties, is in walk.go.
var keywords = []keyword{
	{"type", compareType, func(old, new *props) string { return "its type was " + typeName(old) + " and is " + typeName(new) }},
	{"nullable", func(old, new *props) verdict {
		return unless(old.Nullable == new.Nullable, searched) // null is the only value that shows it
	}, func(_, new *props) string { return "nullable is " + strconv.FormatBool(new.Nullable) }},
	{"enum", compareEnum, saysEnum},
	limit("maximum", 1, func(s *props) (*float64, bool) { return s.Maximum, s.ExclusiveMaximum }),
	limit("minimum", -1, func(s *props) (*float64, bool) { return s.Minimum, s.ExclusiveMinimum }),
	atMost("maxLength", func(s *props) *int64 { return s.MaxLength }),
	atLeast("minLength", func(s *props) *int64 { return s.MinLength }),
	atMost("maxItems", func(s *props) *int64 { return s.MaxItems }),
	atLeast("minItems", func(s *props) *int64 { return s.MinItems }),
	atMost("maxProperties", func(s *props) *int64 { return s.MaxProperties }),
	{"minProperties", func(old, new *props) verdict {
		if new.MinProperties != nil && *new.MinProperties <= int64(always(old, new)) {
			return harmless
		}
		return atLeast("minProperties", minProperties).compare(old, new)
	}, atLeast("minProperties", minProperties).says},
	{"multipleOf", func(old, new *props) verdict {
		switch {
		case new.MultipleOf == nil || *new.MultipleOf == 1 && old.Type == "integer" || old.MultipleOf != nil && *old.MultipleOf == *new.MultipleOf:
			return harmless
		case old.MultipleOf != nil && *old.MultipleOf/(*new.MultipleOf) == float64(int64(*old.MultipleOf / *new.MultipleOf)):
			return harmless
		default:
			return tighter
		}
	}, func(_, new *props) string { return "it must be a multiple of " + bound(new.MultipleOf, false) }},
	{"pattern", func(old, new *props) verdict {
		return unless(new.Pattern == "" || old.Pattern == new.Pattern, undecided)
	}, func(_, new *props) string { return "its pattern is " + strconv.Quote(new.Pattern) }},
	{"format", func(old, new *props) verdict {
		switch {
		case new.Format == "" || old.Format == new.Format || new.Type == "string" && !apiserver.ChecksFormat(new.Format):
			return harmless
		case new.Format == "int64" || new.Format == "double":
			return harmless // as any number
		case new.Type == "string":
			return undecided
		default: // numbers of any size are there to try
			return searched
		}
	}, func(_, new *props) string { return "its format is " + new.Format }},
	{"default", func(old, new *props) verdict {
		// An object without the field shows it, if there can be one.
		return unless(reflect.DeepEqual(decodeDefault(old), decodeDefault(new)), searched)
	}, saysDefault},
	logical("allOf", func(s *props) []props { return s.AllOf }, func(was, is []string) bool { return includes(was, is) }),
	logical("anyOf", func(s *props) []props { return s.AnyOf }, func(was, is []string) bool { return len(was) > 0 && includes(is, was) }),
	logical("oneOf", func(s *props) []props { return s.OneOf }, slices.Equal),
	logical("not", func(s *props) []props {
		if s.Not == nil {
			return nil
		}
		return []props{*s.Not}
	}, slices.Equal),
	{dropping, func(old, new *props) verdict {
		return unless(!keepsUnknown(old) || keepsUnknown(new), tighter)
	}, func(_, _ *props) string { return "unknown fields are dropped" }},
	{"x-kubernetes-embedded-resource", func(old, new *props) verdict {
		return unless(old.XEmbeddedResource || !new.XEmbeddedResource, tighter)
	}, func(_, _ *props) string { return "it must be a resource" }},
	{"x-kubernetes-list-type", func(old, new *props) verdict {
		return unless(listType(old) == listType(new), certain)
	}, func(old, new *props) string { return "its list type was " + listType(old) + " and is " + listType(new) }},
	{"x-kubernetes-map-type", func(old, new *props) verdict {
		return unless(mapType(old) == mapType(new), certain)
	}, func(old, new *props) string { return "its map type was " + mapType(old) + " and is " + mapType(new) }},
}

// merging are the keywords that say how server-side apply merges.
var merging = []string{"x-kubernetes-list-type", "x-kubernetes-map-type"}

// anything is the type of a value that may be of any type.
const anything = "anything"

func typeName(s *props) string {
	switch {
	case s.XIntOrString:
		return "int-or-string"
	case s.Type == "":
		return anything
	default:
		return s.Type
	}
}

// compareType compares types. What is of another type can't be decoded by those who know
// the new one, whatever the API server says.
func compareType(old, new *props) verdict {
	switch was, is := typeName(old), typeName(new); {
	case was == is, is == anything:
		return harmless
	case is == "number" && was == "integer", is == "int-or-string" && (was == "integer" || was == "string"):
		return harmless // each old value is one of the new type
	default:
		return tighter
	}
}

// retyped reports whether what was there is of another type now.
func retyped(old, new *props) bool { return new != nil && compareType(old, new) == tighter }

func listType(s *props) string {
	if s.XListType == nil {
		return "atomic"
	}
	if len(s.XListMapKeys) > 0 {
		return *s.XListType + " by " + strings.Join(slices.Sorted(slices.Values(s.XListMapKeys)), ", ")
	}
	return *s.XListType
}

func mapType(s *props) string {
	if s.XMapType == nil {
		return "granular"
	}
	return *s.XMapType
}

// keepsUnknown reports whether a schema has fields kept that it doesn't know.
func keepsUnknown(s *props) bool {
	return schema.KeepsUnknown(s) ||
		s.AdditionalProperties != nil && s.AdditionalProperties.Schema == nil && s.AdditionalProperties.Allows
}

func enumValues(s *props) []string {
	var values []string
	for _, v := range s.Enum {
		values = append(values, schema.RawJSON(v.Raw))
	}
	return values
}

func compareEnum(old, new *props) verdict {
	is := enumValues(new)
	return unless(len(is) == 0 || len(old.Enum) > 0 && includes(is, enumValues(old)), tighter)
}

func saysEnum(old, new *props) string {
	if len(old.Enum) == 0 {
		return "it must be one of " + strings.Join(enumValues(new), ", ")
	}
	is := enumValues(new)
	lost := slices.DeleteFunc(enumValues(old), func(value string) bool { return slices.Contains(is, value) })
	return "the enum lacks " + strings.Join(lost, ", ")
}

// limit compares a bound of numbers: the upper one has the sign 1, and the lower one -1.
func limit(name string, sign float64, of func(*props) (value *float64, exclusive bool)) keyword {
	// An exclusive bound of whole numbers is the next number.
	inclusive := func(s *props) (*float64, bool) {
		value, exclusive := of(s)
		if value != nil && exclusive && s.Type == "integer" && *value == math.Trunc(*value) {
			return new(*value - sign), false
		}
		return value, exclusive
	}
	return keyword{name, func(old, new *props) verdict {
		was, wasExclusive := inclusive(old)
		is, isExclusive := inclusive(new)
		switch {
		case is == nil:
			return harmless
		case was == nil, *was*sign > *is*sign, *was == *is && isExclusive && !wasExclusive:
			return tighter
		default:
			return harmless
		}
	}, func(_, new *props) string { return name + " is " + bound(of(new)) }}
}

func bound(limit *float64, exclusive bool) string {
	if limit == nil {
		return "none"
	}
	text := strconv.FormatFloat(*limit, 'g', -1, 64)
	if exclusive {
		text += ", exclusively"
	}
	return text
}

// atMost compares an upper bound.
func atMost(name string, of func(*props) *int64) keyword {
	return count(name, of, func(was, is int64) bool { return is < was })
}

// atLeast compares a lower bound.
func atLeast(name string, of func(*props) *int64) keyword {
	return count(name, of, func(was, is int64) bool { return is > was })
}

func count(name string, of func(*props) *int64, isTighter func(was, is int64) bool) keyword {
	return keyword{name, func(old, new *props) verdict {
		was, is := of(old), of(new)
		switch {
		case is == nil, *is == 0 && strings.HasPrefix(name, "min"): // which every object has
			return harmless
		case was == nil:
			return tighter
		default:
			return unless(!isTighter(*was, *is), tighter)
		}
	}, func(_, new *props) string { return fmt.Sprintf("%s is %d", name, *of(new)) }}
}

func minProperties(s *props) *int64 { return s.MinProperties }

// always counts the fields that objects have in any case.
func always(old, new *props) int {
	n := 0
	for name, property := range new.Properties {
		if slices.Contains(old.Required, name) || property.Default != nil {
			n++
		}
	}
	for _, branches := range [][]props{old.OneOf, old.AnyOf} {
		if len(branches) > 0 && !slices.ContainsFunc(branches, func(b props) bool { return len(b.Required) == 0 }) {
			n = max(n, 1)
		}
	}
	return n
}

// logical compares a keyword that holds schemas, whose order doesn't matter. IsLooser reports
// whether those that are accept whatever those that were accepted.
func logical(name string, of func(*props) []props, isLooser func(was, is []string) bool) keyword {
	return keyword{name, func(old, new *props) verdict {
		is := branches(new, of)
		return unless(len(is) == 0 || isLooser(branches(old, of), is), undecided)
	}, func(_, _ *props) string { return name + " has changed" }}
}

// intOrString is what each schema of an int-or-string may say of it, to no effect.
var intOrString = canonical(props{AnyOf: []props{{Type: "integer"}, {Type: "string"}}})

// branches returns the schemas that a keyword holds, in one form and order.
func branches(s *props, of func(*props) []props) []string {
	if s.XIntOrString && canonical(props{AnyOf: of(s)}) == intOrString {
		return nil
	}
	var all []string
	for _, branch := range of(s) {
		if text := canonical(branch); !s.XIntOrString || text != intOrString {
			all = append(all, text)
		}
	}
	slices.Sort(all)
	return all
}

// includes reports whether one list has whatever another one has.
func includes(all, some []string) bool {
	return !slices.ContainsFunc(some, func(text string) bool { return !slices.Contains(all, text) })
}

func decodeDefault(s *props) any {
	if s.Default == nil {
		return nil
	}
	return decode(s.Default.Raw)
}

func saysDefault(old, new *props) string {
	switch {
	case old.Default == nil:
		return "it has the default " + schema.RawJSON(new.Default.Raw)
	case new.Default == nil:
		return "it has no default any more, which was " + schema.RawJSON(old.Default.Raw)
	default:
		return "its default was " + schema.RawJSON(old.Default.Raw) + " and is " + schema.RawJSON(new.Default.Raw)
	}
}
