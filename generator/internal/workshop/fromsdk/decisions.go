package fromsdk

import (
	"fmt"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
	"github.com/mrgen-io/mrgen/markers"
)

// A Ground says who decided something about a kind. Its text is the function of the provider that says so.
type Ground string

const (
	// ByType is a decision that types leave no choice about, and ByAuthor one that the command line makes.
	ByType   Ground = "ByType"
	ByAuthor Ground = "ByAuthor"
	// Undecided is one that the author has yet to make.
	Undecided Ground = "Undecided"
)

// A Decision is one about a kind. Texts name the choice, or the candidates.
type Decision struct {
	Name   string
	Ground Ground
	Texts  []string
}

// Code returns the decision as the controller declares it.
func (d Decision) Code() string {
	all := []string{strconv.Quote(d.Name)}
	for _, text := range d.Texts {
		all = append(all, strconv.Quote(text))
	}
	return fmt.Sprintf("decisions.%s(%s)", d.Ground, strings.Join(all, ", "))
}

// decide notes a decision.
func (r *reader) decide(name string, ground Ground, texts ...string) {
	r.kind.Decisions = append(r.kind.Decisions, Decision{name, ground, texts})
}

// decideArguments says which arguments the calls leave out.
func (r *reader) decideArguments(c *calls) {
	var open []string
	for _, m := range c.all() {
		if left := c.unset[m]; len(left) > 0 {
			open = append(open, m.name+" leaves out "+some(left, "and"))
		}
	}
	if len(open) > 0 {
		r.decide("arguments", Undecided, open...)
	} else {
		r.decide("arguments", ByType, "no call leaves any out")
	}
}

// decideFields says which parameters types don't tell the meaning of: those of the object's own type, those that updates alone take,
// and those that another method may change.
func (r *reader) decideFields(c *calls) {
	var mixed, unseen []string
	for _, f := range r.kind.Parameters {
		if f.from == nil || f.isSecret {
			continue
		}
		isSame := f.from.inObject || types.Identical(r.create, r.observe)
		if isSame && !r.isOutputOnly(f.from) {
			mixed = append(mixed, f.Name)
		}
		if f.isUnseen() && len(r.changes(c, f)) == 0 && !f.isMarked(markers.Identifier) {
			unseen = append(unseen, f.Name)
		}
	}
	var open []string
	if len(mixed) > 0 {
		open = append(open, "the request has the object's own type, so that the API alone may set "+some(mixed, "or"))
	}
	if len(unseen) > 0 {
		open = append(open, "nothing returns "+some(unseen, "or")+": it may be a token of the request")
	}
	if len(open) > 0 {
		r.decide("fields", Undecided, open...)
	}
	if len(r.later) > 0 {
		r.decide("updates", Undecided, r.later...)
	}
	r.decideImmutable(c)
}

// decideImmutable names the methods that may change what the update doesn't take.
func (r *reader) decideImmutable(c *calls) {
	var open []string
	for _, f := range r.kind.Parameters {
		if f.from == nil || !f.isMarked(markers.Immutable) || f.isMarked(markers.Identifier) {
			continue
		}
		if others := r.changes(c, f); len(others) > 0 {
			open = append(open, f.Name+" by "+some(described(others), "or"))
		}
	}
	if len(open) > 0 {
		r.decide("changes", Undecided, open...)
	}
}

// changes returns the methods beside the called ones that take a parameter of the kind, together with what tells the object apart.
func (r *reader) changes(c *calls, f *Field) []*method {
	return filter(r.all, func(m *method) bool {
		isOther := slices.Contains(c.all(), m) || m.returnsList() || !m.shares(c.create) || m.takes(r.create)
		if isOther || !r.findsSame(m, c.get) || c.own.taken != nil && !slices.ContainsFunc(r.keysOf(m), c.own.taken.isLike) {
			return false
		}
		return slices.ContainsFunc(m.params(), func(v *types.Var) bool {
			isField := f.from.isCalled(gotypes.PlainName(v.Name())) && types.Identical(gotypes.Deref(v.Type()), gotypes.Deref(f.from.v.Type()))
			t := gotypes.Deref(v.Type())
			isStruct := gotypes.StructOf(t) != nil && !types.Identical(t, r.observe)
			return isField || isStruct && slices.ContainsFunc(r.sources(t), f.from.isNamed)
		})
	})
}
