package fromsdk

import (
	"go/types"
	"regexp"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
	"github.com/mrgen-io/mrgen/markers"
)

// A Ground is why a kind is made in one way and not in another.
type Ground string

const (
	// Proved decisions follow from types and signatures.
	Proved Ground = "proved by its type"
	// Documented ones are in the comment of the SDK.
	Documented Ground = "documented"
	// Given ones are named by the user.
	Given Ground = "given with --method"
	// Suggested ones follow from a name. A check at the place names the candidates.
	Suggested Ground = "suggested by its name"
)

// A Decision is one about a kind.
type Decision struct {
	// What was decided, and how.
	What, Choice string
	Ground       Ground
	// Place is the file with the decision, and Check is the comment there that asks about it, "" if nothing is guessed.
	Place, Check string
}

// The files in which decisions show.
const (
	inTypes      = "the types"
	inClient     = "client.go"
	inController = "the controller"
)

// decide notes a decision. A suggestion returns the comment for its place.
func (r *reader) decide(what, choice string, ground Ground, place string, candidates ...string) string {
	for i, d := range r.kind.Decisions {
		if d.What == what && d.Ground == ground && ground != Suggested {
			r.kind.Decisions[i].Choice += ", " + choice
			return ""
		}
	}
	d := Decision{What: what, Choice: choice, Ground: ground, Place: place}
	if ground == Suggested {
		d.Check = markers.CheckComment + what + ": the name alone says so"
		if others := slices.DeleteFunc(candidates, func(name string) bool { return name == choice }); len(others) > 0 {
			d.Check += ", and there is " + diag.And(others[:min(len(others), 4)])
		}
		d.Check += "."
	}
	r.kind.Decisions = append(r.kind.Decisions, d)
	return d.Check
}

// roles are what methods are called for, and what comments say of such.
var roles = map[string]struct {
	what string
	says *regexp.Regexp
}{
	"get":    {"reads the object", regexp.MustCompile(`(?i)\b(gets?|retriev|describ|reads?|fetch|returns?|shows?|finds?|looks? up|quer)`)},
	"create": {"creates the object", regexp.MustCompile(`(?i)\b(creat|adds?|regist|puts?|insert|import|allocat|protect|shar|sav|posts?)`)},
	"update": {"updates the object", regexp.MustCompile(`(?i)\b(updat|edit|modif|patch|chang|puts?|sets?|replac|creates or)`)},
	"delete": {"deletes the object",
		regexp.MustCompile(`(?i)\b(delet|remov|destroy|terminat|deregist|unregist|releas|revok|unprotect|unshar|disabl)`)},
}

// decideMethod notes which method does a thing, and returns the comment for the line of the interface that has it.
func (r *reader) decideMethod(role string, m *method, alone bool) string {
	ground := Suggested
	switch {
	case r.isGiven(m):
		ground = Given
	case alone:
		ground = Proved
	case roles[role].says.MatchString(r.doc(m.object)):
		ground = Documented
	}
	var candidates []string
	for _, other := range r.all {
		if _, fits := stem(other.name, role); fits && other.shares(m) {
			candidates = append(candidates, other.name)
		}
	}
	return r.decide(roles[role].what, m.name, ground, inClient, candidates...)
}

// decideAll notes the decisions about calls, and about what they tell.
func (r *reader) decideAll(c *calls) {
	k := r.kind
	takers := func(t *types.Named) int { return len(filter(r.all, func(m *method) bool { return m.takes(t) })) }
	k.Create.Check = r.decideMethod("create", c.create, takers(r.create) == 1)
	getters := filter(r.all, func(m *method) bool {
		isOther := m == c.create || m == c.update || (m.list == nil) != (c.get.list == nil)
		return !isOther && m.shares(c.get) && r.accessTo(m, r.observe).found
	})
	k.Get.Check = r.decideMethod("get", c.get, len(getters) == 1)
	if c.update != nil && c.update != c.create {
		k.Update.Check = r.decideMethod("update", c.update, takers(r.update) == 1)
	}
	k.Delete.Check = r.decideMethod("delete", c.delete, false)
	r.decideUnset(c)
	switch {
	case c.own.none:
	case c.own.observed == nil || c.own.name == "":
		k.Own.Check = r.decide("the external name is the argument of "+c.get.name, c.own.name, Suggested, inController)
	case c.own.observed.names[0] == strings.TrimSuffix(strings.ToLower(c.own.name), "s"), types.IsInterface(c.own.typ):
		r.decide("the external name", c.own.observed.v.Name(), Proved, inController)
	default:
		k.Own.Check = r.decide("the external name is "+c.own.observed.v.Name()+", which "+c.get.name+" takes as "+c.own.name,
			c.own.observed.v.Name(), Suggested, inController)
	}
	for _, f := range k.fields() {
		switch name := f.Name; {
		case f.isSecret:
			r.decide("a secret", name, Suggested, inTypes)
			k.Decisions[len(k.Decisions)-1].Check = f.Check()
		case f.from != nil && r.isOutputOnly(f.from):
			r.decide("only the API sets it", name, Documented, inTypes)
		case slices.Contains(f.Markers, "+"+markers.Immutable) && f.from != nil:
			r.decide("can't be changed", name, Proved, inTypes)
		case r.options.Update != "" && f.from != nil && f.said != nil:
			r.decide("requests don't carry a zero", name, Proved, inTypes)
		}
	}
	for _, d := range k.Details {
		k.Checks = append(k.Checks, strings.TrimSuffix(strings.TrimPrefix(r.decide(d.Key+" is a secret that the API returns", d.Key, Suggested,
			inTypes), markers.CheckComment), "."))
	}
	if k.States != nil {
		check := k.States.Check
		if check == "" {
			check = "mrgen:check: the names of the states say what they mean."
		}
		k.Decisions = append(k.Decisions, Decision{
			What:   "is ready by its state",
			Choice: k.States.Of,
			Ground: Suggested,
			Place:  inClient,
			Check:  check,
		})
	}
}

// decideUnset notes what a deletion could be asked for beside the keys, such as SkipFinalSnapshot, and isn't.
func (r *reader) decideUnset(c *calls) {
	var unset []string
	for v := range c.delete.signature.Params().Variables() {
		if c.delete.isOption(v) || gotypes.StructOf(v.Type()) == nil || types.Identical(gotypes.Deref(v.Type()), r.observe) {
			continue
		}
		for _, s := range r.sources(v.Type()) {
			if r.keyFor(c, leaf{name: s.v.Name(), typ: s.v.Type(), from: s}, c.delete, &file{r: r}) == "" {
				unset = append(unset, s.v.Name())
			}
		}
	}
	if len(unset) == 0 {
		return
	}
	const shown = 6
	check := "deletion leaves " + diag.And(unset[:min(len(unset), shown)]) + " unset."
	r.kind.Decisions = append(r.kind.Decisions, Decision{
		What:   "deletes without",
		Choice: strings.Join(unset, ", "),
		Ground: Suggested,
		Place:  inClient,
		Check:  check,
	})
	if r.kind.Delete.Check == "" {
		check = markers.CheckComment + check
	} else {
		check = r.kind.Delete.Check + " " + check
	}
	r.kind.Delete.Check = check
}
