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

// decide notes a decision that a type, a comment or the user makes. One of the same kind takes the choice, too.
func (r *reader) decide(what, choice string, ground Ground, place string) {
	for i := range r.kind.Decisions {
		if d := &r.kind.Decisions[i]; d.What == what && d.Ground == ground {
			d.Choice += ", " + choice
			return
		}
	}
	r.kind.Decisions = append(r.kind.Decisions, Decision{What: what, Choice: choice, Ground: ground, Place: place})
}

// suggest notes a decision that a name alone makes, with the check at its place.
func (r *reader) suggest(what, choice, place, check string) {
	r.kind.Decisions = append(r.kind.Decisions, Decision{What: what, Choice: choice, Ground: Suggested, Place: place, Check: check})
}

// suggestNamed notes such a decision, and returns the check, which has other candidates.
func (r *reader) suggestNamed(what, choice, place string, candidates ...string) string {
	check := markers.CheckComment + what + ": the name alone says so"
	if others := filter(candidates, func(name string) bool { return name != choice }); len(others) > 0 {
		check += ", and there is " + listed(others)
	}
	r.suggest(what, choice, place, check+".")
	return check + "."
}

// listed returns names as a check has them: in order, and not too many.
func listed(names []string) string {
	const shown = 6
	names = slices.Compact(slices.Sorted(slices.Values(names)))
	if len(names) > shown {
		names = append(names[:shown:shown], fmt.Sprintf("%d more", len(names)-shown))
	}
	return diag.And(names)
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
func (r *reader) decideMethod(c *calls, role string, m *method, alone bool) string {
	ground := Documented
	switch {
	case r.isGiven(m):
		ground = Given
	case alone:
		ground = Proved
	case !roles[role].says.MatchString(r.doc(m.object)), role == "delete" && !r.isAbout(m, c):
		candidates := filter(r.all, func(other *method) bool {
			_, fits := stem(other.name, role)
			return fits && other.shares(m)
		})
		return r.suggestNamed(roles[role].what, m.name, inClient, each(candidates, func(m *method) string { return m.name })...)
	}
	r.decide(roles[role].what, m.name, ground, inClient)
	return ""
}

// isAbout reports whether a method that deletes is called as the one that creates, or as the object: its type doesn't say so.
func (r *reader) isAbout(m *method, c *calls) bool {
	name, _ := stem(m.name, "delete")
	created, _ := stem(c.create.name, "create")
	known := []string{created, gotypes.PlainName(r.observe.Obj().Name()), gotypes.PlainName(r.kind.Name)}
	return slices.ContainsFunc(known, func(of string) bool {
		return name == "" || of != "" && (strings.Contains(name, of) || strings.Contains(of, name))
	})
}

// decideAll notes the decisions about calls, and about what they tell.
func (r *reader) decideAll(c *calls) {
	k := r.kind
	isStruct := func(v *types.Var) bool { return gotypes.StructOf(v.Type()) != nil }
	takers := func(t *types.Named) int { return len(filter(r.all, func(m *method) bool { return m.takes(t) })) }
	getters := filter(r.all, func(m *method) bool {
		isOther := m == c.create || m == c.update || (m.list == nil) != (c.get.list == nil)
		return !isOther && m.shares(c.get) && r.objectIn(m) != nil
	})
	k.Create.Check = r.decideMethod(c, "create", c.create, takers(r.create) == 1)
	k.Get.Check = r.decideMethod(c, "get", c.get, len(getters) == 1)
	if c.update != nil {
		k.Update.Check = r.decideMethod(c, "update", c.update, takers(r.update) == 1)
	}
	k.Delete.Check = r.decideMethod(c, "delete", c.delete, false)
	r.askArguments(c, k.Get, c.get)
	r.askArguments(c, k.Create, c.create)
	if c.update != nil {
		r.askArguments(c, k.Update, c.update)
		r.askCondition(k.Update, c.update)
	}
	r.askArguments(c, k.Delete, c.delete)
	r.askCondition(k.Delete, c.delete)
	r.askCalls(c)
	r.decideFields()
	var others []string
	if c.own.observed != nil && r.hasOtherID(c) {
		others = []string{counterpartNamed(r.sources(r.observe), "id").v.Name()}
	}
	switch {
	case c.own.taken == nil && slices.ContainsFunc(required(c.get.signature), isStruct):
		k.Own.Check = r.suggestNamed("there is one object alone: no field of what "+c.get.name+" takes tells it apart", c.get.name, inController)
	case c.own.taken == nil:
	case c.own.observed == nil || c.own.taken.v.Name() == "":
		k.Own.Check = r.suggestNamed("the external name is the argument of "+c.get.name, c.own.taken.v.Name(), inController)
	case c.own.isChosen:
		k.Own.Check = r.suggestNamed("the API chooses "+c.own.observed.v.Name(), c.own.observed.v.Name(), inController)
	case c.own.observed.names[0] == strings.TrimSuffix(strings.ToLower(c.own.taken.v.Name()), "s") && !r.hasOtherID(c):
		r.decide("the external name", c.own.observed.v.Name(), Proved, inController)
	default:
		k.Own.Check = r.suggestNamed("the external name is "+c.own.observed.v.Name()+", which "+c.get.name+" takes as "+c.own.taken.v.Name(),
			c.own.observed.v.Name(), inController, others...)
	}
	for _, f := range k.fields() {
		switch name := f.Name; {
		case f.isSecret:
			r.suggest("a secret", name, inTypes, f.Check())
		case f.from != nil && r.isOutputOnly(f.from):
			r.decide("only the API sets it", name, Documented, inTypes)
		case slices.Contains(f.Markers, "+"+markers.Immutable) && f.from != nil:
			r.decide("can't be changed", name, Proved, inTypes)
		case r.options.Update != "" && f.from != nil && f.said != nil:
			r.decide("requests don't carry a zero", name, Proved, inTypes)
		}
	}
	if k.States != nil {
		r.suggest("is ready by its state", k.States.Of, inClient, k.States.Check)
	}
}

// hasOtherID reports whether the object has an ID beside the field that is named as the own key, and ends so: one of both may be
// what methods take.
func (r *reader) hasOtherID(c *calls) bool {
	name, other := c.own.taken.names[0], counterpartNamed(r.sources(r.observe), "id")
	isOther := other != nil && other != c.own.observed && isInteger(other.v.Type()) == isInteger(c.own.observed.v.Type())
	return isOther && !slices.Contains(ids, name) && strings.HasSuffix(name, "id")
}

// askArguments records the suggestions about the arguments of a call.
func (r *reader) askArguments(c *calls, call *Call, m *method) {
	if len(c.parents) > 0 { // or it is the only argument
		r.ask(call, "takes the external name as", c.lastKeys[m])
	}
	r.ask(call, "gets no", c.unset[m])
}

// askCalls records the suggestions about pages of objects, and about what creation returns.
func (r *reader) askCalls(c *calls) {
	_, isUpdate := stem(c.create.name, "update")
	if c.update == c.create && !isUpdate && !strings.HasSuffix(c.create.name, "CreateOrUpdate") {
		r.ask(r.kind.Create, "is called for each update, too, of", []string{r.options.Update})
	}
	if l := c.get.list; l != nil {
		var unset []string // such as the project of the object
		for _, v := range l.options {
			isAsked := func(s *source) bool { return counterpartNamed(r.sources(r.create), s.names[0]) != nil }
			unset = append(unset, each(filter(r.sources(v.Type()), isAsked), (*source).name)...)
		}
		r.ask(r.kind.Get, "gets no", unset)
		r.ask(r.kind.Get, "reads one page, and not those of", l.more)
	}
	result, v := c.create.signature.Results().At(0).Type(), r.summary(c)
	switch of := types.TypeString(gotypes.Deref(result), gotypes.ByName); {
	case r.kind.Own.Created == "", c.createObject != nil:
	case r.fillsRequest(c):
		r.ask(r.kind.Create, "sets the external name in its argument, as", []string{r.kind.Own.Created})
	case v != nil:
		r.ask(r.kind.Create, "returns the external name in", []string{v.Name()})
	case gotypes.StructOf(result) != nil && !isEnvelope.MatchString(of): // which may be an operation
		r.ask(r.kind.Create, "returns the external name in", []string{of})
	}
}

// saysCondition matches sentences about when a call fails, and about calls before it. They end where startsList matches.
var (
	saysCondition = regexp.MustCompile(`(?i)\b(fails|must|cannot|can't|can only|only (one|if|when|after)|unless|before)\b`)
	startsList    = regexp.MustCompile(`(?m)^\s*(-|@param)`)
)

// askCondition quotes the first condition in the comment of a method: the controller calls it without any.
func (r *reader) askCondition(call *Call, m *method) {
	const most = 160
	said := strings.Join(strings.Fields(startsList.Split(r.doc(m.object), 2)[0]), " ")
	for sentence := range strings.SplitSeq(said, ". ") {
		if len(sentence) < most && saysCondition.MatchString(sentence) && !namesError.MatchString(sentence) {
			sentence = strings.TrimRight(sentence, ".:")
			check := call.Name + " says: " + sentence + "."
			r.kind.Decisions = append(r.kind.Decisions, Decision{call.Name + " says", sentence, Documented, inClient, check})
			call.check(check)
			return
		}
	}
}

// askField records a suggestion about a field, with a check at the field.
func (r *reader) askField(f *Field, what string) {
	f.Checks = append(f.Checks, what+": the name alone says so")
	r.suggest(what, f.Name, inTypes, what)
}

// askFields records a suggestion about fields, with a check above the parameters. The check has their names in place of %s.
func (r *reader) askFields(what, check string, names ...string) {
	if len(names) == 0 {
		return
	}
	slices.Sort(names)
	check = fmt.Sprintf(check, listed(names))
	r.kind.Checks = append(r.kind.Checks, check)
	r.suggest(what, strings.Join(names, ", "), inTypes, check)
}

// decideFields records the suggestions about fields: what is called as something, and types that requests share with answers.
func (r *reader) decideFields() {
	k := r.kind
	sent := slices.Clone(k.Parameters)
	var shared []string
	isObject := func(t *types.Named) bool { return t != nil && (types.Identical(t, r.observe) || r.hasObject(t)) }
	isWhole, created := isObject(r.create), r.sources(r.create)
	isUnseen := func(f *Field) bool { return slices.Contains(f.Markers, "+"+markers.Mirror+"=false") }
	for key, s := range r.structs {
		if key.part != spec || !slices.Contains(k.Structs, s) {
			continue
		}
		sent = append(sent, s.Fields...)
		isSeen := k.Conversions.Observe.seen[[2]*types.TypeName{key.of, key.of}]
		if isSeen && !isWhole { // whose structs are the object's
			shared = append(shared, s.Name)
		}
	}
	for _, of := range []struct {
		what, check string
		fields      []*Field
		is          func(f *Field) bool
	}{
		{"lists without order", "the order of %s means nothing: the names alone say so", k.fields(),
			func(f *Field) bool { return slices.Contains(f.Markers, "+"+markers.Diff+"=unordered") }},
		{"it may be a secret", "%s may be secrets: their names have a word for one", k.fields(), r.mayBeSecret},
		{"maps as they are sent", "a key of %s that the API adds or hides, such as a secret, differs for ever", sent,
			func(f *Field) bool { return f.Type == "map[string]string" && !isUnseen(f) }},
		{"maps that may have secrets", "%s may have secrets, since the API doesn't return them", sent,
			func(f *Field) bool { return f.Type == "map[string]string" && isUnseen(f) }},
		{"objects as IDs", "requests have the IDs of %s, which are objects", sent,
			func(f *Field) bool { return f.from != nil && r.idOf(gotypes.Leaf(f.from.v.Type())) != nil }},
		{"only the API may set it", "requests have the object itself: if only the API sets one of %s, move it to " + k.Name + "Observation",
			k.Parameters, func(f *Field) bool {
				if f.from == nil || slices.Contains(f.Markers, "+"+markers.Identifier) {
					return false
				}
				isLater := isObject(r.update) && counterpart(created, f.from) == nil // which creation leaves out
				return isLater || isWhole && slices.Contains(f.Markers, "+optional")
			}},
		{"ready once it exists", "it is ready once it exists: %s may be its state", k.Observation, func(f *Field) bool {
			return k.States == nil && f.from != nil && slices.ContainsFunc(words(f.Name), isStateWord)
		}},
	} {
		r.askFields(of.what, of.check, each(filter(of.fields, of.is), func(f *Field) string { return f.Name })...)
	}
	r.askFields("requests and answers share a type", "requests and answers share %s: move the fields that only the API sets to structs of "+
		k.Name+"Observation that embed the observed ones, mark fields that it never returns +"+markers.Mirror+"=false", shared...)
	for _, d := range k.Details {
		r.askFields("a secret that the API returns", "%s is a secret that the API returns: the name alone says so", d.Key)
	}
}

func isStateWord(word string) bool {
	return slices.Contains([]string{"state", "status", "phase"}, word)
}

// ask records a suggestion about names in a call, with a check at the call's line of the interface.
func (r *reader) ask(call *Call, does string, names []string) {
	if len(names) == 0 {
		return
	}
	does = call.Name + " " + does
	check := does + " " + listed(names) + "."
	r.suggest(does, strings.Join(names, ", "), inClient, check)
	call.check(check)
}

// check adds a text to the comment that asks about a call.
func (c *Call) check(text string) {
	if c.Check == "" {
		text = markers.CheckComment + text
	}
	c.Check = strings.TrimSpace(c.Check + " " + text)
}
