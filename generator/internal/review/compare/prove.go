package compare

import (
	"context"
	"iter"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
)

// A proof is what came of the search for a counterexample.
type proof struct {
	found  bool
	object map[string]any
	effect effect
	// accepted tells that objects were tried.
	accepted bool
	// exhausted tells that nothing was found among all that there is: nothing breaks.
	exhausted bool
	// why says what was looked at, if nothing was found.
	why string
}

// A candidate is a value to put at the place of a difference, or none.
type candidate struct {
	value  any
	remove bool
}

const (
	// maxTelling bounds the candidates that the schema of the place alone tells apart, and
	// maxSilent the others. Those are for what is around the place.
	maxTelling, maxSilent = 24, 6
	// maxBetter bounds the candidates after the first that proves something, in case one
	// proves something worse.
	maxBetter = 3
	// maxAround bounds the candidates that are tried with all sorts of things around them.
	maxAround = 8
)

// prove looks for the smallest object that fares worse because of a difference.
func (s *search) prove(ctx context.Context, d *difference) proof {
	if d.has(merging...) {
		if p, ok := s.merges(ctx, d); ok {
			return p
		}
	}
	var p proof
	tried, better, accepted := 0, 0, 0
	candidates, exhausted := s.candidates(ctx, d)
	for c := range candidates {
		if ctx.Err() != nil || s.remaining < 0 {
			break
		}
		tried++
		for object := range s.with(ctx, d.path, c.value, c.remove) {
			accepted++
			e, ok := s.worst(ctx, object, d)
			if !ok {
				if tried > maxAround {
					break // the smallest object has to do
				}
				continue
			}
			if !p.found || worse(e.class, p.effect.class) < 0 {
				p.found = true
				p.object, p.effect = s.smallest(ctx, object, d)
			}
			better++
			break
		}
		if p.found && (p.effect.class == Stored || better > maxBetter) {
			break
		}
	}
	if !p.found && slices.ContainsFunc(d.rules(), isTransition) && !isStatus(d.path) {
		if changed, ok := s.changed(ctx, d); ok {
			p = changed
		}
	}
	p.accepted, p.exhausted = accepted > 0, *exhausted
	switch {
	case p.found:
	case s.remaining < 0:
		p.why = "the budget cut the search"
	case accepted == 0:
		p.why = "no object was found that the old definition accepts, and that has it"
	default:
		p.why = "none of the objects that were tried shows it, and the schema doesn't exclude it"
	}
	return p
}

// worst returns the worst that becomes of an object because of a difference.
func (s *search) worst(ctx context.Context, object map[string]any, d *difference) (effect, bool) {
	if !s.spend() {
		return effect{}, false
	}
	for _, e := range s.effects(ctx, object, d.path) {
		if s.causes(d, e) {
			return e, true
		}
	}
	return effect{}, false
}

// causes reports whether an effect comes from a difference: from one of its rules, or, if no
// rule is it, from the innermost difference around what it happens to.
func (s *search) causes(d *difference, e effect) bool {
	if e.class == Client && !d.isGone() {
		return false
	}
	if !isAbout(e.field, d.path) {
		// What is around a field may need it, or have room for no more.
		explains := func(other *difference) bool { return isAbout(e.field, other.path) }
		return e.rule == "" && d.has("nullable", "default", removed) && d.path.HasPrefix(s.locate(e.field)) && !slices.ContainsFunc(s.differences, explains)
	}
	if e.rule != "" {
		return slices.ContainsFunc(d.rules(), func(r apiextensionsv1.ValidationRule) bool { return r.Rule == e.rule })
	}
	return !slices.ContainsFunc(s.differences, func(other *difference) bool {
		return len(other.path) > len(d.path) && other.path.HasPrefix(d.path) && isAbout(e.field, other.path)
	}) && len(d.rules()) < len(d.changes)
}

// candidates yields the values to try for a difference, the most telling first. Whether they
// are all that there are is known at the end.
func (s *search) candidates(ctx context.Context, d *difference) (_ iter.Seq[candidate], exhausted *bool) {
	exhausted = new(bool)
	return func(yield func(candidate) bool) {
		canBeAbsent := len(d.path) > 0 && d.path[len(d.path)-1].Kind != schema.Items
		if canBeAbsent && (d.old == nil || d.has(required, "default")) && !yield(candidate{remove: true}) {
			return
		}
		if d.old == nil {
			return
		}
		l, ok := newLeaf(d)
		if !ok {
			return
		}
		var silent []candidate
		telling := 0
		try := func(value any) bool {
			switch {
			case !l.accepts(ctx, value):
				return true
			case l.tells(ctx, value, s.ratchets):
				telling++
				return telling > maxTelling || yield(candidate{value: value})
			default:
				silent = append(silent, candidate{value: value})
				return true
			}
		}
		decided := len(d.rules()) > 0
		for _, rule := range d.rules() {
			refused, all := ruleStates(ctx, d, rule, s.ratchets)
			decided = decided && (all || isTransition(rule) && len(refused) == 0)
			for _, object := range refused {
				if !s.spend() || !try(object) {
					return
				}
			}
		}
		if decided && l.rulesAlone {
			*exhausted = true
			return
		}
		for _, value := range values(ctx, d.old, d.new) {
			if !s.spend() || !try(value) {
				return
			}
		}
		for _, c := range silent[:min(len(silent), maxSilent)] {
			if !yield(c) {
				return
			}
		}
		*exhausted = telling == 0 && s.remaining >= 0 && (decided && onlyRules(d) || isFinite(d.old) && !d.has(required, "default", removed))
	}, exhausted
}

// onlyRules reports whether rules are all that has changed, but for what objects show that
// were tried.
func onlyRules(d *difference) bool {
	return !slices.ContainsFunc(d.changes, func(c change) bool { return c.rule == nil && c.verdict > searched })
}

// isFinite reports whether all values that a schema accepts are tried.
func isFinite(s *props) bool { return len(s.Enum) > 0 || s.Type == "boolean" }

// A leaf judges values by the schemas of a place alone.
type leaf struct {
	old, new     *apiserver.ObjectValidator
	isTransition bool
	// rulesAlone tells that nothing else has changed there: what becomes of what is below
	// is told elsewhere.
	rulesAlone bool
}

// inLeaf is the field that a value is in, to be judged.
const inLeaf = "value"

func newLeaf(d *difference) (leaf, bool) {
	wrapped := func(s *props) (*apiserver.ObjectValidator, bool) {
		v, err := apiserver.NewObjectValidator(&props{Type: "object", Properties: map[string]props{inLeaf: *s}})
		return v, err == nil
	}
	l := leaf{isTransition: slices.ContainsFunc(d.rules(), isTransition), rulesAlone: len(d.rules()) == len(d.changes)}
	var ok bool
	if l.old, ok = wrapped(d.old); !ok {
		return l, false
	}
	if d.new != nil {
		l.new, ok = wrapped(only(d.new, d.rules()))
	}
	return l, ok
}

// only returns a schema without rules, but for those given: others are judged elsewhere.
func only(s *props, rules []apiextensionsv1.ValidationRule) *props {
	c := schema.Map(bare(s), func(s *props) { s.XValidations = nil })
	c.XValidations = rules
	return c
}

func (l leaf) accepts(ctx context.Context, value any) bool {
	return len(l.old.Refusals(ctx, map[string]any{inLeaf: value})) == 0
}

// tells reports whether a value, which was accepted, fares worse.
func (l leaf) tells(ctx context.Context, value any, ratchets bool) bool {
	if l.new == nil {
		return true
	}
	object := map[string]any{inLeaf: value}
	refusals := l.new.Refusals(ctx, object)
	if slices.ContainsFunc(refusals, func(r apiserver.Refusal) bool { return r.Rule != "" || !l.rulesAlone }) {
		return true
	}
	if l.rulesAlone && (!l.isTransition || len(refusals) > 0) {
		return false
	}
	was, _ := l.old.Read(object)
	is, _ := l.new.Read(was)
	if l.rulesAlone {
		return len(l.new.UpdateRefusals(ctx, is, is, ratchets)) > 0
	}
	if len(apiserver.Differences(was, l.old.Known(is))) > 0 {
		return true
	}
	return l.isTransition && len(l.new.UpdateRefusals(ctx, is, is, ratchets)) > 0
}
