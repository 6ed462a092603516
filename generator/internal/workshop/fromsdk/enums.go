package fromsdk

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
	"github.com/mrgen-io/mrgen/markers"
)

// mostValues is how many values an enumeration may have: longer ones grow with each release of an API.
const mostValues = 30

// addEnum adds the values that the type of a field has as constants, without the zero if no request carries it.
func (f *Field) addEnum(t types.Type, dropsZero bool) {
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
	named := gotypes.NamedOf(gotypes.Deref(t))
	// Constants are called as the type, or as the message around it, before what their names are.
	around := ""
	if isEnum(named) {
		around = named.Obj().Name() + "_"
		if inner := strings.LastIndex(named.Obj().Name(), "_"); inner >= 0 { // within a message, maybe within another
			around = around[:inner+1]
		}
	}
	var found []string
	for _, c := range constants {
		if (dropsZero || around != "") && c.Val().Kind() == constant.Int && constant.Sign(c.Val()) == 0 {
			continue
		}
		value := c.Val().ExactString()
		if around != "" {
			value = strings.TrimPrefix(c.Name(), around)
		}
		if c.Val().Kind() == constant.String && isWord.MatchString(constant.StringVal(c.Val())) {
			value = constant.StringVal(c.Val()) // without quotes
		}
		found = append(found, value)
	}
	isNumber := strings.HasPrefix(strings.TrimLeft(f.Type, "*[]"), "int") // unlike a duration
	isKnown := gotypes.IsString(gotypes.Deref(t)) || isNumber || around != ""
	if isKnown && len(found) > 1 && len(found) <= mostValues {
		f.mark(marker + "=" + strings.Join(found, ";"))
	}
}

// constantsOf returns the exported constants of a type of texts or whole numbers, each value once: not the units of durations.
func constantsOf(t types.Type) (all []*types.Const) {
	named := gotypes.NamedOf(gotypes.Deref(t))
	switch {
	case named == nil, named.Obj().Pkg() == nil, !gotypes.IsString(named) && !isInteger(named):
		return nil
	case named.Obj().Pkg().Path() == "time": // a duration or a month
		return nil
	}
	for _, c := range exported[*types.Const](named.Obj().Pkg()) {
		isSame := func(other *types.Const) bool { return constant.Compare(other.Val(), token.EQL, c.Val()) }
		if types.Identical(c.Type(), named) && !slices.ContainsFunc(all, isSame) {
			all = append(all, c)
		}
	}
	return all
}
