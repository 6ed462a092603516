package fromsdk

import (
	"go/types"
	"regexp"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
)

// isTooLarge says that a kind with a field would be beyond the budget: a larger definition is neither applied nor read.
const isTooLarge = "the definition would be too large: add the fields that you need"

// A budget has 100 KiB of schema, and 920 lines, which some 200 parameters take. Fields near the top of the kind come first, and there
// those that creation needs.
type budget struct {
	// spent is the share that fields have taken.
	spent float64
	// fields and structs are those that it has room for.
	fields  map[*source]bool
	structs map[structKey]bool
	// isBrief is set if comments have one sentence alone, so that it has room for more fields.
	isBrief bool
	// lacked are the fields that it has no room for.
	lacked []string
}

// allot gives room to the fields of a part of the kind, and to those of their structs.
func (r *reader) allot(fields []*source, at part) {
	fields = r.ordered(fields, at)
	all := r.budget.spent + r.costOf(fields, at, func(structKey) bool { return true })
	r.budget.isBrief = r.budget.isBrief || at == spec && all > 1
	none := func(structKey) bool { return false }
	var kept []*source
	for _, s := range fields {
		if r.isRequired(s) || r.budget.spent+r.costOf(append(slices.Clip(kept), s), at, none) <= 1 {
			kept, r.budget.fields[s] = append(kept, s), true
		}
	}
	has := func(key structKey) bool { return r.budget.structs[key] }
	var within []*types.Named
	for level := kept; len(level) > 0; {
		var next []*source
		for _, s := range level {
			of := r.structOf(s)
			if of == nil {
				continue
			}
			key := structKey{of.Obj(), at}
			if _, isDecided := r.budget.structs[key]; isDecided {
				continue
			}
			r.budget.structs[key] = true
			if r.budget.spent+r.costOf(kept, at, has) > 1 {
				r.budget.structs[key] = false
				continue
			}
			within, next = append(within, of), append(next, r.ordered(r.sources(of), at)...)
		}
		level = next
	}
	for _, of := range slices.Backward(within) { // those that have nothing but structs without room have none
		r.budget.structs[structKey{of.Obj(), at}] = slices.ContainsFunc(r.ordered(r.sources(of), at), func(s *source) bool {
			of := r.structOf(s)
			return of == nil || has(structKey{of.Obj(), at})
		})
	}
	r.budget.spent += r.costOf(kept, at, has)
}

// ordered returns the fields that a part of the kind may have, those first that creation needs.
func (r *reader) ordered(fields []*source, at part) []*source {
	fields = filter(fields, func(s *source) bool { return at == status || !r.isOutputOnly(s) })
	rank(fields, func(s *source) int { return boolInt(!r.isRequired(s)) })
	return fields
}

// structOf returns the struct whose fields a kind has for one of the SDK, nil for a field without any.
func (r *reader) structOf(s *source) *types.Named {
	switch of := gotypes.NamedOf(gotypes.Leaf(s.v.Type())); {
	case of == nil, gotypes.StructOf(of) == nil:
		return nil
	case textOf(of) != nil, r.idOf(of) != nil, gotypes.IsTime(of): // which are one value
		return nil
	default:
		return of
	}
}

// endOfSentence matches the end of one before another.
var endOfSentence = regexp.MustCompile(`\. +[A-Z]`)

// comment returns the lines of a comment about a field, of which a brief one has the first sentence.
func (r *reader) comment(name, doc, owner string) []string {
	lines := comment(name, doc, owner)
	text := strings.Join(lines, " ")
	if end := endOfSentence.FindStringIndex(text); r.budget.isBrief && end != nil {
		return wrap(text[:end[0]+1])
	}
	return lines
}

// costOf returns what fields take of the budget, with those of the structs that are in the kind, at any depth but around them.
func (r *reader) costOf(fields []*source, at part, has func(structKey) bool, around ...*types.TypeName) (all float64) {
	times := 1.0
	if at == spec {
		times = 3 // in forProvider, initProvider and atProvider
	}
	const beside = 160 // bytes of a schema beside the name and the description, whose lines are indented
	for _, s := range r.ordered(fields, at) {
		said := float64(len(strings.Join(r.comment(s.v.Name(), r.doc(s.v), "object"), " ")))
		all += max(times*(beside+float64(len(s.v.Name()))+said*3/2)/(100<<10), (3+times/2+said/95)/920)
		if of := r.structOf(s); of != nil && has(structKey{of.Obj(), at}) && !slices.Contains(around, of.Obj()) {
			all += r.costOf(r.sources(of), at, has, append(slices.Clip(around), of.Obj())...)
		}
		if all > 1 {
			break
		}
	}
	return all
}
