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
	var open, left []string
	callers := map[string][]string{} // by the arguments left out
	for _, m := range c.all() {
		unset := c.unset[m]
		if m.style != nil {
			unset = slices.Concat(unset, m.style.left)
		}
		if len(unset) > 0 {
			text := some(unique(unset), "and")
			left, callers[text] = append(left, text), append(callers[text], m.name)
		}
	}
	for _, text := range unique(left) {
		verb := " leaves out "
		if len(callers[text]) > 1 {
			verb = " leave out "
		}
		open = append(open, some(callers[text], "and")+verb+text)
	}
	open = append(open, listed(c.once, c.create.name+" alone takes ", ": where the external resource is, or a token of one request")...)
	if len(open) > 0 {
		r.decide("arguments", Undecided, open...)
	} else {
		r.decide("arguments", ByType, "no call leaves any out")
	}
}

// secretsByName returns the parameters that refer to secrets since they are called so: no tag says what they have.
func (r *reader) secretsByName() (all []string) {
	for _, secret := range r.kind.Secrets {
		if last := secret.path[len(secret.path)-1]; !last.from.isTaggedSecret() {
			all = append(all, strings.Join(each(secret.path, func(f *Field) string { return f.Name }), "."))
		}
	}
	return all
}

// decideFields says what types don't tell of the parameters: whose they are, what returns them, which of them creation needs, and how
// they change.
func (r *reader) decideFields(c *calls) {
	var mixed, within, tokens, unseen, named, changed []string
	isTold := len(r.kind.Parameters) == 0 || slices.ContainsFunc(r.sources(r.create), r.isRequired)
	for _, f := range r.kind.Parameters {
		if f.from == nil {
			continue
		}
		isTold = isTold || f.isMarked(markers.ValidationRequired)
		others := r.changes(c, f)
		rank(others, func(m *method) int { return boolInt(!strings.Contains(m.name, r.options.Kind)) })
		if f.isSecret || f.isMarked(markers.Identifier) {
			continue
		}
		if slices.Contains(c.unset[c.delete], f.from.name()) && !f.isUnseen() {
			tokens = append(tokens, f.Name)
		}
		if f.from.inObject || types.Identical(r.create, r.observe) {
			mixed = append(mixed, f.Name)
		} else if r.isOwnStruct(f.from) {
			within = append(within, each(filter(r.sources(f.from.v.Type()), func(s *source) bool { return !r.isOutputOnly(s) }), (*source).name)...)
		}
		isChanged := f.isMarked(markers.Immutable) && len(others) > 0
		if f.isUnseen() && !isChanged && !slices.Contains(c.own.parts, f.from) && counterpart(r.sources(r.create), f.from) != nil {
			unseen = append(unseen, f.Name)
		}
		if of := gotypes.NamedOf(gotypes.Leaf(f.from.v.Type())); of != nil && r.idOf(of) != nil {
			named = append(named, f.Name)
		}
		if isChanged {
			changed = append(changed, f.Name+" by "+some(described(others), "or"))
		}
	}
	unseen = append(unseen, r.kind.unseenInStructs()...)
	var told []string
	if !isTold {
		told = []string{"no tag tells which fields creation needs: mark these +kubebuilder:validation:Required, the others +optional"}
	}
	r.ask("fields", listed(mixed, "the request has the object's own type, so that the API alone may set ", ""),
		listed(within, "the request has a struct of the object, so that the API alone may set ", ""),
		listed(tokens, "deletions take it, too, so that it may be a token of each request: ", ""),
		listed(r.secretsByName(), "taken for secrets by their names alone, so that nothing compares them: ", ""),
		listed(unseen, "nothing returns ", " by name: convert what does, or leave it out if it is a token of the request"),
		listed(r.timesOfOwnForm(), "times whose zone a form of the SDK's own may lose: ", ""),
		listed(named, "the API may take whole objects, and not their IDs alone, as ", ""), listed(r.lacked, "creation may need what the kind lacks: ", ""), told)
	var etag []string
	if c.etag != nil {
		etag = []string{c.etag.sent.name() + " is sent as the answer of " + c.get.name + " has " + c.etag.seen.name() + ", or a parameter"}
	}
	r.ask("updates", etag, listed(each(c.locks, (*source).name), "sent as the object has it, or a parameter: ", ""),
		listed(r.later, "a parameter, or sent as an answer has it: ", ""),
		listed(r.kept, "the API's, or parameters, since updates take the whole object: ", ""))
	if c.update != nil && types.Identical(r.held(r.create), r.held(r.update)) {
		changed = append(changed, c.update.name+" takes the struct that creates: mark fields that it can't change +immutable")
	}
	if c.update == nil {
		isUpdate := func(m *method) bool { return m.isBeside(c.create, updates) }
		changed = append(changed, listed(described(filter(r.all, isUpdate)), "without --update nothing can change, and there is ", "")...)
	}
	r.ask("changes", changed)
}

// unseenInStructs returns the fields in structs of the parameters that the API doesn't return.
func (k *Kind) unseenInStructs() (all []string) {
	for _, s := range k.Structs {
		isUnseen := func(f *Field) bool { return s.at == spec && f.isUnseen() && !f.isSecret }
		all = append(all, each(filter(s.Fields, isUnseen), func(f *Field) string { return s.Name + "." + f.Name })...)
	}
	return all
}

// timesOfOwnForm returns the fields whose types hold a time, and write it to JSON in a form of their own.
func (r *reader) timesOfOwnForm() (all []string) {
	for _, f := range r.kind.fields() {
		if f.from == nil || !gotypes.IsTime(gotypes.Deref(f.from.v.Type())) || gotypes.IsDeclaredIn(gotypes.Deref(f.from.v.Type()), "time", "Time") {
			continue
		}
		named := gotypes.NamedOf(gotypes.Deref(f.from.v.Type()))
		isWriter := func(m *types.Func) bool { return m.Name() == "MarshalJSON" || m.Name() == "MarshalText" }
		if named != nil && slices.ContainsFunc(slices.Collect(named.Methods()), isWriter) {
			all = append(all, f.Name)
		}
	}
	return unique(all)
}

// ask notes a decision that the author has yet to make, if there are candidates.
func (r *reader) ask(name string, candidates ...[]string) {
	if all := slices.Concat(candidates...); len(all) > 0 {
		r.decide(name, Undecided, all...)
	}
}

// listed returns a text with names, none without any.
func listed(names []string, before, after string) []string {
	if len(names) == 0 {
		return nil
	}
	return []string{before + some(names, "or") + after}
}

// changes returns the methods beside the called ones that take a parameter of the kind, together with what tells the object apart, which
// may have another name if they are called as a list or map, as TagResource. Those that create, read and delete other objects take what these have, too,
// unless they are called as the parameter.
func (r *reader) changes(c *calls, f *Field) []*method {
	wanted := filter(r.keysOf(c.get), func(s *source) bool {
		isAnother := r.namedIn(s) != nil && !slices.ContainsFunc(r.sources(r.create), s.isLike) // beside what is around it
		return c.parentOf(s) == nil && (s.isLike(c.own.taken) || isAnother)
	})
	isKey := func(s *source) bool { return slices.ContainsFunc(wanted, s.isLike) } // also by its ARN
	return filter(r.all, func(m *method) bool {
		isCalling := slices.Contains(c.all(), m) || m.takes(r.create)
		isList := m.returnsList() && !m.takes(r.observe) // else it may return what the API does to the object
		isOther := isCalling || isList || !m.shares(c.create) || r.updatesOther(m)
		isElsewhere := strings.HasPrefix(m.name, "List") || slices.ContainsFunc([]role{creates, reads, deletes}, func(of role) bool {
			_, hasVerb := stem(m.name, of)
			return hasVerb
		})
		isCalled := strings.Contains(strings.ToLower(m.name), f.from.singular(f.from.names[0]))
		isSame := m.takes(r.observe) || r.findsSame(m, c.get) && (c.own.taken == nil || slices.ContainsFunc(r.keysOf(m), isKey))
		_, item := itemsOf(f.from.v.Type())
		isOfAny := isCalled && item != nil
		if isOther || isElsewhere && !isCalled {
			return false
		}
		if !isSame && !isOfAny {
			return false
		}
		if _, isRead := stem(m.name, reads); isSame && isCalled && !isRead { // such as AddService, whatever it takes
			return true
		}
		return slices.ContainsFunc(m.params(), func(v *types.Var) bool {
			isField := f.from.isCalled(gotypes.PlainName(v.Name())) && types.Identical(gotypes.Deref(v.Type()), gotypes.Deref(f.from.v.Type()))
			t := gotypes.Deref(v.Type())
			isStruct := gotypes.StructOf(t) != nil && !types.Identical(t, r.observe)
			return isField || isStruct && slices.ContainsFunc(r.sources(t), func(s *source) bool {
				return f.from.isNamed(s) && (isSame || types.Identical(s.v.Type(), f.from.v.Type()))
			})
		})
	})
}

// updatesOther reports whether a method takes and returns the struct of another object.
func (r *reader) updatesOther(m *method) bool {
	return slices.ContainsFunc(m.results(), func(v *types.Var) bool {
		named := gotypes.NamedOf(gotypes.Deref(v.Type()))
		return named != nil && gotypes.StructOf(named) != nil && named != r.observe && m.takes(named)
	})
}

// decideMethods says which methods the controller calls, and which others their signatures leave.
func (r *reader) decideMethods(c *calls) {
	var chosen, open []string
	ground := ByType
	for _, of := range r.candidates {
		chosen = append(chosen, of.all[0].name)
		if of.isGiven {
			ground = ByAuthor
		} else if len(of.all) > 1 {
			open = append(open, string(of.of)+": "+some(described(of.all), "or"))
		}
	}
	if len(open) > 0 {
		r.decide("methods", Undecided, open...)
		return
	}
	r.decide("methods", ground, strings.Join(chosen, ", "))
}

// decideNone says that nothing tells external resources with the same parents apart, unless one of the shared arguments may be a name.
func (r *reader) decideNone(c *calls, shared []*source) {
	none := "none: " + c.get.name + " takes nothing beside what creation takes"
	names := filter(shared, func(s *source) bool { return s.isArgument && strings.HasSuffix(s.names[0], "name") })
	hasName := slices.ContainsFunc(r.sources(r.observe), func(s *source) bool { return s.isCalled("name") && s.isKey() })
	isOfObject := func(t *types.TypeName) bool { return types.Identical(t.Type(), r.observe) }
	switch {
	case slices.ContainsFunc(c.get.receivers, isOfObject):
		r.decide("externalName", Undecided, none, "or the "+r.observe.Obj().Name()+" has it whose method that is")
		return
	case len(names) == 0 || !hasName:
		r.decide("externalName", ByType, none)
		return
	}
	r.decide("externalName", Undecided, none, "or the name is "+some(each(names, (*source).name), "or")+
		": start again with --external-name=user="+names[len(names)-1].name())
}
