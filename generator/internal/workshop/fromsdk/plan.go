package fromsdk

import (
	"go/types"
	"regexp"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
	"github.com/mrgen-io/mrgen/markers"
)

// makeFields makes the fields of the kind of those of the SDK.
func (r *reader) makeFields(c *calls) {
	requests, objects := r.sources(r.create), r.sources(r.observe)
	var updates []*source
	if r.update != nil {
		updates = r.sources(r.update)
	}
	k, kind := r.kind, r.options.Kind
	if r.update != nil && types.Identical(r.create, r.update) {
		k.Checks = append(k.Checks, "creation and updates take the same type: mark the fields that can't be changed +"+markers.Immutable)
	}
	all := &k.Conversions
	for does, c := range map[string]*Conversion{"observe": &all.Observe, "create": &all.Create, "update": &all.Update} {
		c.name, c.seen = does+kind, map[[2]*types.TypeName]bool{}
	}
	for _, s := range requests {
		isChosen := s == c.own.observed && !c.own.named                       // by the API, where the request is the object
		isID := !c.own.named && c.own.observed.isNamed(s) && !r.isRequired(s) // which the API chooses
		isElsewhere := s == c.own.created || isChosen || c.isArgument(s)
		if isID && !isElsewhere {
			r.leave(s.v.Name(), "only the API seems to set it")
			continue
		}
		if !isElsewhere && !r.isDropped(r.create, s) {
			r.parameter(c, s)
		}
	}
	for _, s := range updates {
		isOwn := c.own.taken.isNamed(s) || c.own.observed.isNamed(s)
		if counterpart(requests, s) == nil && !isOwn && !r.isDropped(r.update, s) && !c.isArgument(s) {
			k.HasLater = r.parameter(c, s) != nil || k.HasLater
		}
	}
	for _, t := range r.requests() {
		r.leaveHidden(t, "", spec)
	}
	r.leaveHidden(r.observe, "", status)
	r.addParents(c, objects)
	r.findInputs(c, k.Parameters, nil)
	for _, f := range k.Parameters {
		if f.from != nil {
			r.comparePart(f, requests, updates, objects)
		}
	}
	r.observation(objects)
	if len(r.tooLarge) > 0 {
		k.Left = append(k.Left, listed(r.tooLarge)+", since "+isTooLarge)
	}
}

// isDropped reports whether a field of a request is none of the external resource: it tells requests apart,
// or only objects that were read have it.
func (r *reader) isDropped(request *types.Named, s *source) bool {
	name := s.names[0]
	byName := func(why string) bool {
		r.leave(s.v.Name(), why)
		return true
	}
	isSame := types.Identical(request, r.observe) || s.inObject
	switch {
	case r.isOutputOnly(s), s.isContext(): // which the call sets
		return true
	case r.isDeprecated(s):
		r.decide("left out as deprecated", s.v.Name(), Documented, inTypes)
		return true
	case isSame && r.isState(s) && len(constantsOf(s.v.Type())) > 0:
		return byName("it seems to be a state")
	case isSame && strings.HasPrefix(s.tag.Get("json"), "_"), // such as _links of HAL
		gotypes.IsTime(gotypes.Deref(s.v.Type())) && namesChange.MatchString(s.v.Name()):
		return byName("only the API seems to set it")
	case isSame && (slices.Contains([]string{"id", "nodeid", "createdat", "updatedat", "created", "updated", "etag", "selfreference"}, name) ||
		strings.HasSuffix(name, "url") && len(name) > 3):
		return byName("only the API seems to set it")
	case strings.HasPrefix(s.tag.Get("jsonapi"), "primary"): // the type of the object, or the ID that the API chooses
		return byName("JSON:API identifies objects by it")
	case r.isToken(s):
		return byName("it seems to tell requests apart")
	}
	return false
}

// namesChange matches the names of times that the API notes, unlike CreatedBefore of a filter.
var namesChange = regexp.MustCompile(`^(Created|Updated|Modified|Deleted)(At|On|Time|Date|Timestamp)?(UTC)?$`)

// tokens are the names of fields that tell requests apart.
var tokens = []string{"clientrequesttoken", "clienttoken", "idempotencytoken", "idempotencykey", "creatorrequestid", "callerreference", "dryrun"}

// saysToken matches comments of such fields.
var saysToken = regexp.MustCompile(`(?i)\bidempoten|uniquely identifies (a|the) request|unique( [a-z-]+)? identifier (for|of) the request`)

// isToken reports whether a field tells requests apart, by its name or its comment.
func (r *reader) isToken(s *source) bool {
	isAnswered := counterpart(r.sources(r.observe), s) != nil // as a name that makes creation idempotent
	return slices.Contains(tokens, s.names[0]) || !isAnswered && saysToken.MatchString(r.doc(s.v))
}

// saysOutputOnly matches comments of fields that only answers have, and tagsOutputOnly the tags.
var (
	saysOutputOnly = regexp.MustCompile(`(?im)(?:(^|[.;:]\s+)|\[|\()\s*(output[\s-]+only|read[\s-]?only)` +
		`(\s+(field|attribute|property|value))?\s*[\].;:)]`)
	tagsOutputOnly = regexp.MustCompile(`(?i)read_?only:"true"|,read_?only\b`)
)

func (r *reader) isOutputOnly(s *source) bool {
	return saysOutputOnly.MatchString(r.doc(s.v)) || tagsOutputOnly.MatchString(string(s.tag))
}

func (r *reader) isDeprecated(s *source) bool {
	return strings.Contains(strings.ToLower(r.doc(s.v)), "deprecated")
}

// isArgument reports whether an argument has the value of a field, too.
func (c *calls) isArgument(s *source) bool {
	p := c.parentOf(s)
	return p != nil && p.isArgument
}

// parameter adds a parameter for a field of a request, or says why there is none.
func (r *reader) parameter(c *calls, s *source) *Field {
	k := r.kind
	f, why := r.fieldOrReference(s, r.options.Kind, spec, false)
	if why != "" {
		r.leave(s.v.Name(), why)
		return nil
	}
	if !r.charge(s, spec) && slices.Contains(f.Markers, "+optional") {
		r.leave(s.v.Name(), isTooLarge)
		return nil
	}
	k.Parameters = append(k.Parameters, f)
	if f.isSecret {
		return f
	}
	for _, p := range c.parents {
		if !p.isArgument && s.isCalled(p.names[0]) {
			f.identify()
			if p.field = f; !saysRequired.MatchString(r.doc(p.v)) {
				r.askField(f, "every request needs it")
			}
			k.Parameters = append(k.Parameters, r.refer(f)...)
		}
	}
	return f
}

// comparePart decides how a parameter is sent and observed, as conversions will have it.
func (r *reader) comparePart(f *Field, requests, updates, objects []*source) {
	conversions := &r.kind.Conversions
	created := counterpart(requests, f.from)
	if created != nil && !f.isSecret {
		r.compare(&conversions.Create, f.from.v.Type(), created.v.Type(), false)
	}
	updated := counterpart(updates, f.from)
	switch {
	case updated == nil:
		f.mark(markers.Immutable)
	case !f.isSecret && !r.compare(&conversions.Update, f.from.v.Type(), updated.v.Type(), false):
		conversions.Update.leaveOut(f, "updates take something else of this name")
		f.mark(markers.Immutable)
		f.Checks = append(f.Checks, "updates take something else of this name, and don't send it")
	case f.isOverwritten(created, updated):
		f.Checks = append(f.Checks, "updates send a zero where it is unset, which overwrites the value that the API chose")
	}
	if f.isSecret {
		if updated == nil {
			f.Checks = append(f.Checks, "no change of its value is sent")
		}
		return
	}
	observed := counterpart(objects, f.from)
	if observed == nil || !r.compare(&conversions.Observe, f.from.v.Type(), observed.v.Type(), false) {
		f.unseen()
		r.askTwice(f, append(objects[:len(objects):len(objects)], requests...))
	}
}

// askTwice asks about fields of a struct that the API doesn't return: those of the object that are called so would be sent twice.
func (r *reader) askTwice(f *Field, others []*source) {
	isTwice := func(s *source) bool { return counterpartNamed(others, s.names[0]) != nil }
	twice := filter(r.sources(gotypes.Leaf(f.from.v.Type())), isTwice)
	if names := each(twice, (*source).name); len(names) > 0 {
		f.Checks = append(f.Checks, "the kind has "+diag.And(names)+" elsewhere, too: delete what means the same")
	}
}

// isOverwritten reports whether updates send a zero for an unset parameter, for which creation leaves the choice to the API.
func (f *Field) isOverwritten(created, updated *source) bool {
	isChosen := created == nil || !created.isAlwaysSent()
	return isChosen && updated.isAlwaysSent() && gotypes.BasicOf(updated.v.Type()) != nil && slices.Contains(f.Markers, "+optional")
}

// unseen notes that the API doesn't return a field, so that it can't be compared.
func (f *Field) unseen() {
	f.Markers = slices.DeleteFunc(f.Markers, func(m string) bool { return strings.HasPrefix(m, "+"+markers.Diff+"=") })
	f.mark(markers.Mirror + "=false")
	if !slices.Contains(f.Markers, "+"+markers.Immutable) {
		f.Checks = append(f.Checks, "the API doesn't return it, so that a change of it alone is not seen")
	}
}

// observation adds the fields of the object that no parameter stands for.
func (r *reader) observation(objects []*source) {
	k := r.kind
	k.Conversions.Observe.status = true
	for _, s := range objects {
		if slices.ContainsFunc(k.Parameters, func(f *Field) bool {
			return f.from != nil && counterpart(objects, f.from) == s || f.from == nil && gotypes.PlainName(f.Name) == s.names[0]
		}) {
			continue
		}
		f, why := r.field(s, r.options.Kind, status, false)
		switch {
		case r.isDeprecated(s):
		case why != "":
			if why == isOneof || why == isTooLarge {
				r.leave(s.v.Name(), why)
			}
		case slices.ContainsFunc(slices.Concat(k.Parameters, k.Observation),
			func(p *Field) bool { return p.json == f.json || strings.EqualFold(p.Name, f.Name) }):
		case r.isSecret(f) && f.Type == "*string":
			k.Details = append(k.Details, Detail{
				Key: f.json, Field: gosyntax.Exported(f.json), Value: r.value("object."+s.way(), s.v.Type()),
				Description: gosyntax.Exported(strings.Join(words(f.Name), " ")) + " that the API returned.",
			})
		case r.isSecret(f):
			r.leave(s.v.Name(), isHidden)
		case !r.charge(s, status):
			r.leave(s.v.Name(), isTooLarge)
		case !r.compare(&k.Conversions.Observe, s.v.Type(), s.v.Type(), false):
		default:
			k.Observation = append(k.Observation, f)
		}
	}
}

// compare reports whether conversions can make one value of another: of a field that has been made of one of
// the SDK's types, and another of these. It notes the fields of structs that they must leave out.
func (r *reader) compare(c *Conversion, of, other types.Type, inList bool) bool {
	a, b := types.Unalias(gotypes.Deref(of)), types.Unalias(gotypes.Deref(other))
	switch {
	case r.textOf(a) != nil:
		return types.Identical(a, b) || gotypes.IsString(b)
	case r.idOf(a) != nil:
		return types.Identical(a, b)
	case gotypes.IsTime(a):
		return gotypes.IsTime(b) || gotypes.IsString(b)
	}
	if of, item := itemsOf(a); item != nil {
		held, other := itemsOf(b)
		return of == held && r.compare(c, item, other, true)
	}
	switch ua := a.Underlying().(type) {
	case *types.Basic:
		ub, ok := b.Underlying().(*types.Basic)
		return ok && areAlike(ua, ub)
	case *types.Slice:
		return gotypes.IsBytes(a) && gotypes.IsBytes(b)
	case *types.Struct:
		_, ok := b.Underlying().(*types.Struct)
		return ok && r.compareStructs(c, a, b, inList)
	}
	return false
}

// areAlike reports whether conversions make one basic value of another.
func areAlike(a, b *types.Basic) bool {
	if a.Info()&types.IsFloat != 0 { // which is a text in the kind
		return b.Info()&(types.IsNumeric|types.IsString) != 0
	}
	return a.Info()&b.Info()&(types.IsInteger|types.IsString|types.IsBoolean) != 0
}

func (r *reader) compareStructs(c *Conversion, a, b types.Type, inList bool) bool {
	named, ok := a.(*types.Named)
	other, isNamed := b.(*types.Named)
	if !ok || !isNamed {
		return false
	}
	at := spec
	if hasOwn := r.structs[structKey{named.Obj(), status}] != nil; hasOwn && (c.status || r.structs[structKey{named.Obj(), spec}] == nil) {
		at = status
	}
	s := r.structs[structKey{named.Obj(), at}]
	if s == nil {
		return false
	}
	key := [2]*types.TypeName{named.Obj(), other.Obj()}
	if c.seen[key] {
		return true
	}
	c.seen[key] = true
	fields, found, observes := r.sources(b), false, c == &r.kind.Conversions.Observe
	for _, f := range s.Fields {
		match := counterpart(fields, f.from)
		if f.isSecret {
			found = found || match != nil && !observes
			continue
		}
		if match != nil && r.compare(c, f.from.v.Type(), match.v.Type(), inList) {
			found = true
			continue
		}
		switch {
		case observes && at == spec:
			f.unseen()
		case observes:
			c.leaveOut(f, "the API doesn't return it")
		case c == &r.kind.Conversions.Update && !inList:
			if match != nil {
				c.leaveOut(f, "this request takes something else of this name")
			}
			f.mark(markers.Immutable)
			f.unseen() // the tests of conversions know fixed fields of the parameters alone
		default:
			c.leaveOut(f, "this request doesn't take it")
			f.unseen()
		}
	}
	return found
}
