package fromsdk

import (
	"fmt"
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
		slices.Sort(candidates)
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
	for _, of := range []struct {
		call *Call
		m    *method
	}{{k.Get, c.get}, {k.Create, c.create}, {k.Update, c.update}, {k.Delete, c.delete}} {
		if of.m == nil || of.call.Name == k.Create.Name && of.m != c.create {
			continue
		}
		if len(c.parents) > 0 { // or it is the only argument
			r.ask(of.call, "takes the external name as", c.lastKeys[of.m])
		}
		r.ask(of.call, "gets no", c.unset[of.m])
	}
	r.decideUnset(c)
	r.decideFields()
	switch {
	case c.own.none:
	case c.own.observed == nil || c.own.name == "":
		k.Own.Check = r.decide("the external name is the argument of "+c.get.name, c.own.name, Suggested, inController)
	case c.own.observed.names[0] == strings.TrimSuffix(strings.ToLower(c.own.name), "s"):
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

// askField notes what a name alone says of a field, at the field.
func (r *reader) askField(f *Field, what string) {
	f.Checks = append(f.Checks, what+": the name alone says so")
	r.kind.Decisions = append(r.kind.Decisions, Decision{What: what, Choice: f.Name, Ground: Suggested, Place: inTypes, Check: what})
}

// askFields notes what names alone, or types that several structs share, say of fields, above the parameters. The check has
// the names in place of %s.
func (r *reader) askFields(what, check string, names []string) {
	if len(names) == 0 {
		return
	}
	const shown = 6
	slices.Sort(names)
	if names = slices.Compact(names); len(names) > shown {
		names = append(names[:shown:shown], fmt.Sprintf("%d more", len(names)-shown))
	}
	check = fmt.Sprintf(check, diag.And(names))
	r.kind.Checks = append(r.kind.Checks, check)
	r.kind.Decisions = append(r.kind.Decisions, Decision{What: what, Choice: strings.Join(names, ", "), Ground: Suggested, Place: inTypes, Check: check})
}

// decideFields notes what is guessed of fields: that a list has no order, that an object is its ID, and that answers have
// what requests set, where they share a type.
func (r *reader) decideFields() {
	var unordered, objects, apis, shared []string
	isWhole := types.Identical(r.create, r.observe) || r.envelope(r.create) != ""
	for _, f := range r.kind.fields() {
		if slices.Contains(f.Markers, "+"+markers.Diff+"=unordered") {
			unordered = append(unordered, f.Name)
		}
	}
	sent := slices.Clone(r.kind.Parameters)
	for key, s := range r.structs {
		if key.part != spec || !slices.Contains(r.kind.Structs, s) {
			continue
		}
		sent = append(sent, s.Fields...)
		if r.isObserved(key.of) {
			shared = append(shared, s.Name)
		}
	}
	for _, f := range sent {
		if f.from != nil && r.idOf(gotypes.Leaf(f.from.v.Type())) != nil {
			objects = append(objects, f.Name)
		}
	}
	for _, f := range r.kind.Parameters {
		if t := f.Type; isWhole && f.from != nil && !slices.Contains(f.Markers, "+"+markers.Identifier) &&
			(strings.HasPrefix(t, "*int") || t == "*metav1.Time") {
			apis = append(apis, f.Name)
		}
	}
	r.askFields("lists without order", "the order of %s means nothing: the names alone say so", unordered)
	r.askFields("objects as IDs", "requests have the IDs of %s, which are objects", objects)
	r.askFields("only the API may set it", "requests have the object itself: delete the parameters that only the API sets, such as %s", apis)
	if isWhole { // whose structs are the object's, too
		return
	}
	r.askFields("requests and answers share a type", "requests and answers share %s: delete the fields that only the API sets, "+
		"mark those that it never returns +"+markers.Mirror+"=false", shared)
}

// isObserved reports whether the object has a struct as a field, or in one.
func (r *reader) isObserved(of *types.TypeName) bool {
	seen := map[*types.TypeName]bool{}
	var has func(t types.Type) bool
	has = func(t types.Type) bool {
		named := gotypes.NamedOf(t)
		switch {
		case named == nil || gotypes.StructOf(t) == nil || seen[named.Obj()]:
			return false
		case named.Obj() == of:
			return true
		}
		seen[named.Obj()] = true
		return slices.ContainsFunc(r.sources(t), func(s *source) bool { return has(gotypes.Leaf(s.v.Type())) })
	}
	return has(r.observe)
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
	r.ask(r.kind.Delete, "gets no", unset)
}

// ask notes what a call does with some names, which nothing but the names says, at its line of the interface.
func (r *reader) ask(call *Call, does string, names []string) {
	if len(names) == 0 {
		return
	}
	const shown = 6
	check := call.Name + " " + does + " " + diag.And(names[:min(len(names), shown)]) + "."
	r.kind.Decisions = append(r.kind.Decisions, Decision{
		What:   call.Name + " " + does,
		Choice: strings.Join(names, ", "),
		Ground: Suggested,
		Place:  inClient,
		Check:  check,
	})
	if call.Check != "" {
		check = call.Check + " " + check
	} else {
		check = markers.CheckComment + check
	}
	call.Check = check
}
