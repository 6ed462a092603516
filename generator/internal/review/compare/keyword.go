package compare

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
	"github.com/mrgen-io/mrgen/generator/internal/review/bounds"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
)

type props = schema.Props

// A verdict says how a change of a keyword affects the accepted values.
type verdict uint8

const (
	// harmless: all accepted values are still accepted, and mean the same.
	harmless verdict = iota
	// searched: the effect depends on the rest of the schema, and few objects would show it. It is reported
	// only with a counterexample.
	searched
	// undecided: the text doesn't tell. It is reported even without a counterexample.
	undecided
	// tighter: an accepted value is not accepted any more, unless the rest of the old schema refused it anyway.
	tighter
	// certain: it breaks, with any objects.
	certain
)

// unless returns harmless if the change does no harm, and otherwise the verdict v.
func unless(isHarmless bool, v verdict) verdict {
	if isHarmless {
		return harmless
	}
	return v
}

// A keyword compares one keyword of two schemas.
type keyword struct {
	*schema.Keyword
	compare func(old, new *props) verdict
	// says describes the change in words.
	says func(old, new *props) string
}

// keywords are the keywords that hold one value each, or schemas of the same value. walk.go handles keywords with schemas
// below them, such as properties.
var keywords = func() []keyword {
	var all []keyword
	for _, k := range schema.Keywords {
		one, isSingle := single[k.Name]
		switch isLooser := looser[k.Name]; {
		case isSingle:
			all = append(all, keyword{k, one.compare, one.says})
		case isLooser != nil:
			all = append(all, branching(k, isLooser))
		case k.Sign != 0:
			all = append(all, bound(k))
		}
	}
	return all
}()

// single are the effects of keywords that hold one value each, apart from bounds, by name.
var single = map[string]struct {
	compare func(old, new *props) verdict
	says    func(old, new *props) string
}{
	"type": {compareType, func(old, new *props) string { return "its type was " + typeName(old) + " and is " + typeName(new) }},
	"nullable": {func(old, new *props) verdict {
		return unless(old.Nullable == new.Nullable, searched) // only null shows it
	}, func(_, new *props) string { return "nullable is " + strconv.FormatBool(new.Nullable) }},
	"enum": {compareEnum, saysEnum},
	"multipleOf": {func(old, new *props) verdict {
		switch {
		// Every integer is a multiple of 1.
		case new.MultipleOf == nil || *new.MultipleOf == 1 && old.Type == "integer" ||
			old.MultipleOf != nil && *old.MultipleOf == *new.MultipleOf:
			return harmless
		// A multiple of 6 is a multiple of 3.
		case old.MultipleOf != nil && *old.MultipleOf/(*new.MultipleOf) == float64(int64(*old.MultipleOf / *new.MultipleOf)):
			return harmless
		default:
			return tighter
		}
	}, func(_, new *props) string { return "it must be a multiple of " + schema.JSON(*new.MultipleOf) }},
	"pattern": {func(old, new *props) verdict {
		return unless(new.Pattern == "" || old.Pattern == new.Pattern, undecided)
	}, func(_, new *props) string { return "its pattern is " + strconv.Quote(new.Pattern) }},
	"format": {func(old, new *props) verdict {
		switch {
		case new.Format == "" || old.Format == new.Format, new.Type == "string" && !apiserver.KnowsFormat("string", new.Format):
			return harmless // unknown formats are ignored
		case new.Format == "password":
			return harmless // any string has it
		case new.Format == "int64" || new.Format == "double":
			return harmless // the API server accepts any number
		case new.Type == "string":
			return undecided
		default: // the search tries numbers of any size
			return searched
		}
	}, func(_, new *props) string { return "its format is " + new.Format }},
	"default": {func(old, new *props) verdict {
		// Only an object without the field shows it, and there may be none.
		return unless(reflect.DeepEqual(decodeDefault(old), decodeDefault(new)), searched)
	}, saysDefault},
	dropping: {func(old, new *props) verdict {
		values := schema.Child(new, schema.Step{Kind: schema.Values}) // the unknown fields are values of a map now
		return unless(!keepsUnknown(old) || keepsUnknown(new) || values != nil, tighter)
	}, func(_, _ *props) string { return "unknown fields are dropped" }},
	"x-kubernetes-embedded-resource": {func(old, new *props) verdict {
		return unless(old.XEmbeddedResource || !new.XEmbeddedResource, tighter)
	}, func(_, _ *props) string { return "it must be a resource" }},
	"x-kubernetes-list-type": {func(old, new *props) verdict {
		return unless(listType(old) == listType(new), certain)
	}, func(old, new *props) string { return "its list type was " + listType(old) + " and is " + listType(new) }},
	"x-kubernetes-map-type": {func(old, new *props) verdict {
		return unless(mapType(old) == mapType(new), certain)
	}, func(old, new *props) string { return "its map type was " + mapType(old) + " and is " + mapType(new) }},
}

// looser say of the keywords that hold schemas of the same value, in any order, whether the new schemas accept everything
// that the old ones accepted.
var looser = map[string]func(was, is []string) bool{
	"allOf": func(was, is []string) bool { return includes(was, is) },
	"anyOf": func(was, is []string) bool { return len(was) > 0 && includes(is, was) },
	"oneOf": slices.Equal[[]string],
	"not":   slices.Equal[[]string],
}

// merging are the keywords that control how server-side apply merges.
var merging = []string{"x-kubernetes-list-type", "x-kubernetes-map-type"}

// anything is the name of the type of a value that may have any type.
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

// compareType compares types. Clients that know the new type can't decode values of another one, even if the
// API server accepts them.
func compareType(old, new *props) verdict {
	switch was, is := typeName(old), typeName(new); {
	case was == is, is == anything:
		return harmless
	case is == "number" && was == "integer", is == "int-or-string" && (was == "integer" || was == "string"):
		return harmless // every old value has the new type
	default:
		return tighter
	}
}

// retyped reports whether values have another type now.
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

// keepsUnknown reports whether a schema keeps unknown fields.
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

// bound compares a bound.
func bound(k *schema.Keyword) keyword {
	return keyword{k, func(old, new *props) verdict {
		isMet := k.Name == "minProperties" && new.MinProperties != nil && *new.MinProperties <= int64(always(old, new))
		return unless(isMet || !bounds.IsTighter(k, new, old), tighter)
	}, func(_, new *props) string {
		value, exclusive := bounds.Of(k, new)
		text := k.Name + " is " + schema.JSON(*value)
		if exclusive {
			text += ", exclusively"
		}
		return text
	}}
}

// always counts the fields that every object has.
func always(old, new *props) int {
	n := 0
	for name, property := range new.Properties {
		if slices.Contains(old.Required, name) || property.Default != nil {
			n++
		}
	}
	// Each alternative requires some field, so there is at least one.
	for _, branches := range [][]props{old.OneOf, old.AnyOf} {
		if len(branches) > 0 && !slices.ContainsFunc(branches, func(b props) bool { return len(b.Required) == 0 }) {
			n = max(n, 1)
		}
	}
	return n
}

// branching compares a keyword that holds schemas of the same value, in any order.
func branching(k *schema.Keyword, isLooser func(was, is []string) bool) keyword {
	return keyword{k, func(old, new *props) verdict {
		is := branches(new, k)
		return unless(len(is) == 0 || isLooser(branches(old, k), is), undecided)
	}, func(_, _ *props) string { return k.Name + " has changed" }}
}

// intOrString is the pair of schemas that controller-gen adds to every int-or-string, without effect.
var intOrString = canonical(&props{AnyOf: []props{{Type: "integer"}, {Type: "string"}}})

// branches returns the schemas that a keyword holds, in one form and order.
func branches(s *props, k *schema.Keyword) []string {
	alone := &props{}
	if k.Copy(alone, s); s.XIntOrString && canonical(alone) == intOrString {
		return nil
	}
	var all []string
	k.Each(s, func(_ schema.Step, below *props) bool {
		if text := canonical(below); !s.XIntOrString || text != intOrString {
			all = append(all, text)
		}
		return false
	})
	slices.Sort(all)
	return all
}

// includes reports whether all has every element of some.
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
