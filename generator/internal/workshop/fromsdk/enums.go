package fromsdk

import (
	"go/constant"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
	"github.com/mrgen-io/mrgen/generator/internal/prose"
	"github.com/mrgen-io/mrgen/markers"
)

// mostValues is how many values an enumeration may have: longer ones grow with each release of an API.
const mostValues = 30

// addEnum adds the values that the type of a field has as constants, or that its comment lists.
func (f *Field) addEnum(t types.Type, doc string) {
	t = types.Unalias(gotypes.Deref(t))
	list, isList := t.Underlying().(*types.Slice)
	if isList {
		t = types.Unalias(gotypes.Deref(list.Elem()))
	}
	named, ok := t.(*types.Named)
	var found []string
	isText := gotypes.IsString(t)
	isNumber := strings.HasPrefix(strings.TrimLeft(f.Type, "*[]"), "int")
	isDeclared := ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() != "time" // whose constants are units
	if isDeclared && (isText || isNumber) {
		for _, c := range constantsOf(named) {
			value := c.Val().ExactString()
			if c.Val().Kind() == constant.String {
				value = enumValue(constant.StringVal(c.Val()))
			}
			found = append(found, value)
		}
	} else if isText && !isList {
		if found = prose.Values(doc); len(found) > 1 {
			f.Checks = append(f.Checks, "these are the values that the comment lists")
		}
	}
	if len(found) < 2 || len(found) > mostValues {
		return
	}
	if !isText {
		slices.SortFunc(found, func(a, b string) int { return number(a) - number(b) })
	}
	marker := markers.Enum
	if isList {
		marker = markers.ItemsEnum
	}
	f.mark(marker + "=" + strings.Join(found, ";"))
}

func number(text string) int {
	n, _ := strconv.Atoi(text)
	return n
}

// enumValue returns a text as the marker of an enumeration has it.
func enumValue(text string) string {
	if isWord.MatchString(text) {
		return text
	}
	return strconv.Quote(text)
}
