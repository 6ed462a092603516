package lintrules

import (
	"regexp"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/markers"
)

// crossed returns a bound of a field that leaves no value beside the opposite bound of its type, and that one, or nil.
func crossed(f *linter.Field) (own, by *model.Marker) {
	for _, k := range schema.Keywords {
		if k.Sign == 0 {
			continue
		}
		of := k.Name[len("min"):]
		least, most := markers.ValidationPrefix+"Min"+of, markers.ValidationPrefix+"Max"+of
		name, opposite := least, most
		if k.Sign > 0 {
			name, opposite = most, least
		}
		own, by = f.Marker(name), model.Named(f.Type.Deref().AllMarkers(), opposite)
		if own != nil && by != nil && numberOf(own)*float64(k.Sign) < numberOf(by)*float64(k.Sign) {
			return own, by
		}
	}
	return nil, nil
}

// checkCounts checks the bounds of how many fields of a struct are set.
func checkCounts(p *linter.Pass, f *linter.Field) {
	at := f.Cursor().Innermost()
	if at.Schema == nil || at.Type == nil || at.Type.Deref().Kind != model.Struct {
		return
	}
	least, most := model.Named(at.Markers(), markers.ValidationPrefix+"MinProperties"), model.Named(at.Markers(), markers.ValidationPrefix+"MaxProperties")
	defaulted, written := "", ""
	defaults, always := 0, 0
	for name, below := range at.Properties() {
		switch {
		case below.Schema.Default != nil:
			defaulted, defaults = name, defaults+1
		case below.Field != nil && below.Field.Type.Kind == model.Struct && below.Field.Unset() == model.Written && !below.Always():
			written, always = name, always+1
		}
	}
	isSome := defaults > 0 && defaults < len(at.Schema.Properties)
	if most != nil && at.Schema.MaxProperties != nil && isSome && int64(defaults) >= *at.Schema.MaxProperties {
		p.At(f, most.Pos, f.Markers, nil, "the marker +%s leaves no room beside %s, which its default always sets: remove the default", most.Text, defaulted)
	}
	if least != nil && at.Schema.MinProperties != nil && always > 0 && int64(defaults+always) >= *at.Schema.MinProperties {
		p.At(f, least.Pos, f.Markers, nil, "the marker +%s has no effect on objects from Go, which always have %s: make it a pointer with omitempty", least.Text, written)
	}
}

// patternTokens matches the parts of a pattern that its bars and parentheses stand apart from.
var patternTokens = regexp.MustCompile(`(?s)\\Q.*?\\E|\\.|\[\^?\]?(\\.|\[:\^?\w+:\]|[^\]])*\]|.`)

// alternatives returns the alternatives of a pattern outside of parentheses.
func alternatives(pattern string) []string {
	all, depth := []string{""}, 0
	for _, token := range patternTokens.FindAllString(pattern, -1) {
		switch token {
		case "(":
			depth++
		case ")":
			depth--
		case "|":
			if depth == 0 {
				all = append(all, "")
				continue
			}
		}
		all[len(all)-1] += token
	}
	return all
}

// anchoredInPart returns the pattern that is meant by one that anchors some of its alternatives and not others, or "".
func anchoredInPart(m model.Marker) string {
	name, value, _ := strings.Cut(m.Text, "=")
	isPattern := name == markers.Pattern || name == markers.ItemsValidationPrefix+"Pattern"
	if !isPattern || patternOf(m) == nil {
		return ""
	}
	var inner []string
	begins, ends := map[bool]bool{}, map[bool]bool{} // whether there are alternatives with and without such an anchor
	for _, a := range alternatives(strings.Trim(value, "`\"")) {
		bare, isBegun := strings.CutPrefix(a, "^")
		isEnded := strings.HasSuffix(bare, "$") && !strings.HasSuffix(bare, `\$`)
		if isEnded {
			bare = strings.TrimSuffix(bare, "$")
		}
		inner = append(inner, bare)
		// No text at all may stand beside any other, and .* is as good as an anchor.
		if isFree := bare == "" || strings.HasPrefix(bare, ".*"); !isFree {
			begins[isBegun] = true
		}
		if isFree := bare == "" || strings.HasSuffix(bare, ".*"); !isFree {
			ends[isEnded] = true
		}
	}
	isPart := len(begins) == 2 || len(ends) == 2
	if grouped := "^(" + strings.Join(inner, "|") + ")$"; isPart && len(grouped) <= 40 {
		return grouped
	} else if isPart {
		return "^(…|…)$"
	}
	return ""
}
