package fromsdk

import (
	"go/types"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
	"github.com/mrgen-io/mrgen/markers"
)

// require marks a field required that a request can't leave out, and else optional. Fields outside of lists are
// only required where something is sent.
func (r *reader) require(f *Field, s *source, relaxed bool) {
	t := s.v.Type()
	isSeldomEmpty := gotypes.IsString(t) || gotypes.StructOf(t) != nil && !gotypes.IsTime(t) // as an API seldom takes "" or {} for unset
	if r.isRequired(s) || s.isAlwaysSent() && isSeldomEmpty {
		f.need(relaxed)
	} else {
		f.Markers = append([]string{"+optional"}, f.Markers...)
	}
}

// isAlwaysSent reports whether a request has a field even if that is zero.
func (s *source) isAlwaysSent() bool {
	options := s.tag.Get("json") + s.tag.Get("url")
	isDropped := options == "" && !s.isJSON || strings.Contains(options, "omitempty") || strings.Contains(options, "omitzero")
	return !isDropped && !gotypes.IsPointer(s.v.Type()) && s.wrapped == nil
}

// isRequired reports whether a request can't do without a field.
func (r *reader) isRequired(s *source) bool {
	tags := s.tag.Get("validate") + s.tag.Get("binding") + s.tag.Get("api")
	return saysRequired.MatchString(r.doc(s.v)) || strings.Contains(tags, "required") || s.tag.Get("mandatory") == "true"
}

// addOneOfs adds markers for alternatives to the parameters, and to their structs.
func (r *reader) addOneOfs() {
	k := r.kind
	k.OneOfs = r.oneOfs(k.Parameters, true, 0)
	for _, s := range k.Structs {
		if s.at == spec {
			s.Comment = append(s.Comment, r.oneOfs(s.Fields, false, k.listsAround(s))...)
		}
	}
}

// listsAround returns how many lists are around a struct of the parameters, at most.
func (k *Kind) listsAround(of *Struct) (most int) {
	count := func(fields []*Field, around func() int) {
		for _, f := range fields {
			if in, isOne := strings.CutSuffix(f.Type, of.Name); isOne && (in == "" || strings.HasSuffix(in, "*") || strings.HasSuffix(in, "]")) {
				most = max(most, boolInt(strings.Contains(in, "]"))+around())
			}
		}
	}
	count(k.Parameters, func() int { return 0 })
	for _, s := range k.Structs {
		if s.at == spec && s != of {
			count(s.Fields, func() int { return k.listsAround(s) })
		}
	}
	return most
}

// mostAlternatives is how many alternatives a rule may have for the items of a list: the API server has no time for more where nothing
// says how long the list is, nor for any in lists of lists.
const mostAlternatives = 4

// oneOfs returns markers for the fields of a struct of which one alone may be set, or must be if the request can't do without it: where
// something is sent if that is relaxed. It says so in words where there are too many lists around it.
func (r *reader) oneOfs(fields []*Field, relaxed bool, lists int) (lines []string) {
	var all []string
	alternatives := map[*types.Var][]*Field{}
	for _, f := range fields {
		if f.from != nil && f.from.oneof != nil {
			alternatives[f.from.oneof] = append(alternatives[f.from.oneof], f)
		}
	}
	for of, members := range alternatives {
		list := strings.Join(each(members, func(f *Field) string { return f.json }), ";")
		isRequired := saysRequired.MatchString(r.doc(of))
		switch isTooSlow := lists > 1 || lists == 1 && len(members) > mostAlternatives; {
		case isRequired && len(members) == 1: // as long as the API has no other
			members[0].need(relaxed)
		case isTooSlow && len(members) > 1:
			all = append(all, "The API takes one alone of "+strings.ReplaceAll(list, ";", ", ")+".")
		case isRequired && relaxed:
			all = append(all, "+"+markers.RequiredOneOf+":fields="+list+",exactly=true")
		case isRequired:
			all = append(all, "+"+markers.ExactlyOneOf+"="+list)
		case len(members) > 1:
			all = append(all, "+"+markers.AtMostOneOf+"="+list)
		}
	}
	slices.Sort(all)
	for _, text := range all {
		if strings.HasPrefix(text, "+") {
			lines = append(lines, text)
		} else {
			lines = append(lines, wrap(text)...)
		}
	}
	return lines
}

// need marks a field required, where something is sent if that is relaxed.
func (f *Field) need(relaxed bool) {
	f.drop("+optional")
	if relaxed {
		f.Markers = append([]string{"+" + markers.ValidationRequired}, f.Markers...)
	} else {
		f.Type, f.Tag = strings.TrimPrefix(f.Type, "*"), f.json
	}
}
