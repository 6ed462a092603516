package fromsdk

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
	"github.com/mrgen-io/mrgen/generator/internal/prose"
	"github.com/mrgen-io/mrgen/markers"
)

// mostValues is how many values an enumeration may have: longer ones grow with each release of an API.
const mostValues = 30

// addEnum adds the values that the type of a field has as constants, or that its comment lists.
func (f *Field) addEnum(t types.Type, doc string) {
	marker := markers.Enum
	if list, isList := gotypes.Deref(t).Underlying().(*types.Slice); isList {
		t, marker = list.Elem(), markers.ItemsEnum
	}
	constants := constantsOf(t)
	slices.SortFunc(constants, func(a, b *types.Const) int {
		if constant.Compare(a.Val(), token.LSS, b.Val()) {
			return -1
		}
		return 1
	})
	var found []string
	for _, c := range constants {
		value := c.Val().ExactString()
		if c.Val().Kind() == constant.String && isWord.MatchString(constant.StringVal(c.Val())) {
			value = constant.StringVal(c.Val()) // without quotes
		}
		found = append(found, value)
	}
	isNumber := strings.HasPrefix(strings.TrimLeft(f.Type, "*[]"), "int") // unlike a duration
	switch isText := gotypes.IsString(gotypes.Deref(t)); {
	case len(found) > 0 && !isText && !isNumber:
		return
	case len(found) == 0 && isText && marker == markers.Enum:
		if found = prose.Values(doc); len(found) > 1 {
			f.Checks = append(f.Checks, "these are the values that the comment lists")
		}
	}
	if len(found) > 1 && len(found) <= mostValues {
		f.mark(marker + "=" + strings.Join(found, ";"))
	}
}

// limit gives a text in tests the values that an enumeration which reads itself accepts: it refuses others.
func (r *reader) limit(name string, t types.Type) {
	reads := func(name string) bool { return methodOf(types.NewPointer(t), name) != nil }
	if !gotypes.IsString(t) || !reads("UnmarshalJSON") && !reads("UnmarshalText") {
		return
	}
	values := each(constantsOf(t), func(c *types.Const) string { return constant.StringVal(c.Val()) })
	if values = filter(values, func(value string) bool { return value != "" }); len(values) > 0 { // an empty value isn't sent
		r.kind.Texts[name] = strings.Join(values, "|")
	}
}
