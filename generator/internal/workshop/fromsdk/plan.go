package fromsdk

import (
	"go/types"
	"regexp"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
	"github.com/mrgen-io/mrgen/markers"
)

// makeFields makes the fields of the kind from the SDK's.
func (r *reader) makeFields(c *calls) {
	requests, objects := r.sources(r.create), r.sources(r.observe)
	var updates []*source
	if r.update != nil {
		updates = r.sources(r.update)
		r.mask = first(updates, func(s *source) bool {
			return gotypes.IsDeclaredIn(gotypes.Deref(s.v.Type()), wellKnown+"fieldmaskpb", "FieldMask")
		})
		if v := first(c.update.params(), isMask); v != nil {
			r.mask = &source{v: v, names: []string{gotypes.PlainName(v.Name())}, isArgument: true}
		}
	}
	k, kind := r.kind, r.options.Kind
	all := &k.Conversions
	for does, c := range map[string]*Conversion{"observe": &all.Observe, "create": &all.Create, "update": &all.Update} {
		c.name, c.seen = does+kind, map[[2]*types.TypeName]bool{}
	}
	r.allot(append(slices.Clone(requests), filter(updates, func(s *source) bool { return counterpart(requests, s) == nil })...), spec)
	for _, s := range requests {
		isPassed := c.isArgument(s) && !s.isKey() // others are sent as well
		if !r.isOwn(c, s) && !isPassed && !r.isDropped(s) {
			r.parameter(c, s)
		}
	}
	for _, s := range updates {
		isOwn := c.own.taken.isLike(s) || c.own.observed.isNamed(s)
		isElsewhere := s == r.mask || c.isETag(s) || c.isArgument(s)
		if !isOwn && !isElsewhere && counterpart(requests, s) == nil && !r.isDropped(s) {
			r.addLater(c, s, counterpart(objects, s))
		}
	}
	for _, t := range r.requests() {
		r.leaveHidden(t, "", spec)
	}
	r.leaveHidden(r.observe, "", status)
	r.addParents(c, objects)
	r.findSecrets(k.Parameters, nil)
	r.addOneOfs()
	for _, f := range k.Parameters {
		if f.from != nil {
			r.comparePart(f, requests, updates, objects)
		}
	}
	r.observation(objects)
	if len(r.budget.lacked) > 0 {
		k.Left = append(k.Left, strings.Join(unique(r.budget.lacked), ", ")+", since "+isTooLarge)
	}
}

// isOwn reports whether a field of the creating request has the external name, or what is around the external resource under that name.
func (r *reader) isOwn(c *calls, s *source) bool {
	switch {
	case s == c.own.created, c.around != nil && s == c.around.source:
		return true
	case c.own.parent != nil: // of which the API makes the name
		return c.own.observed.isNamed(s)
	case c.own.named:
		return false
	}
	isChosen := c.own.observed.isNamed(s) && !r.isRequired(s)
	return s == c.own.observed || isChosen // by the API
}

// addLater adds a field that only updates take: a parameter, or what the object has if requests always send it or deletions take it, too,
// such as a version that each update counts. What updates take since they take the object is the API's. The author decides.
func (r *reader) addLater(c *calls, s, observed *source) {
	isDeleted := slices.ContainsFunc(c.delete.params(), func(v *types.Var) bool { return slices.ContainsFunc(r.sources(v.Type()), s.isNamed) })
	isSent := isDeleted || r.isRequired(s) || s.isAlwaysSent()
	isLock := isSent && observed != nil && s.isKey() &&
		r.converted("value", types.TypeString(types.Unalias(observed.v.Type()), nil), s.v.Type()) != ""
	switch isOfObject := s.inObject || types.Identical(r.update, r.observe); {
	case isLock:
		c.locks = append(c.locks, s)
	case isOfObject: // as a link to it
		r.kept = append(r.kept, s.name())
	default:
		if f := r.parameter(c, s); f != nil {
			r.kind.Later = append(r.kind.Later, f.json)
		}
		r.later = append(r.later, s.name())
	}
}

// isDropped reports whether a field of a request is none of the external resource, as a fixed form or a tag says.
func (r *reader) isDropped(s *source) bool {
	switch {
	case r.isOutputOnly(s):
		return true
	case r.isDeprecated(s):
		r.leave(s.v.Name(), "it is deprecated")
		return true
	case strings.HasPrefix(s.tag.Get("jsonapi"), "primary"): // the type of the object, or the ID that the API chooses
		r.leave(s.v.Name(), "JSON:API identifies objects by it")
		return true
	}
	return false
}

// saysOutputOnly matches comments of fields that only answers have, as generators of SDKs write them, some with the field's name
// before them, and tagsOutputOnly the tags.
var (
	saysOutputOnly = regexp.MustCompile(`(?m)^\s*(?:\w+: )?(Output only\.|OUTPUT_ONLY\b|READ-ONLY;|\[Output Only\])`)
	tagsOutputOnly = regexp.MustCompile(`(?i)read_?only:"true"|,read_?only\b`)
	saysDeprecated = regexp.MustCompile(`(?m)^Deprecated: `)
)

// isOutputOnly reports whether only answers have a field, or each field of its struct.
func (r *reader) isOutputOnly(s *source) bool {
	if saysOutputOnly.MatchString(r.doc(s.v)) || tagsOutputOnly.MatchString(string(s.tag)) {
		return true
	}
	of := r.structOf(s)
	if of == nil || len(r.sources(of)) == 0 {
		return false
	}
	return !slices.ContainsFunc(r.sources(of), func(s *source) bool {
		return !saysOutputOnly.MatchString(r.doc(s.v)) && !tagsOutputOnly.MatchString(string(s.tag))
	})
}

func (r *reader) isDeprecated(s *source) bool { return saysDeprecated.MatchString(r.doc(s.v)) }

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
		r.lack(s.v.Name(), why)
		return nil
	}
	if !r.budget.fields[s] && f.isMarked("optional") {
		r.lack(s.v.Name(), isTooLarge)
		return nil
	}
	k.Parameters = append(k.Parameters, f)
	if f.isSecret {
		return f
	}
	for _, p := range c.parents {
		if s.isCalled(p.names[0]) {
			f.identify()
			p.field = f
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
	}
	if f.isSecret {
		return
	}
	observed := counterpart(objects, f.from)
	if observed == nil || !r.compare(&conversions.Observe, f.from.v.Type(), observed.v.Type(), false) {
		f.unseen()
	}
}

// unseen notes that the API doesn't return a field, so that it can't be compared.
func (f *Field) unseen() {
	f.mark(markers.Mirror + "=false")
}

// isMarked reports whether a field has a marker.
func (f *Field) isMarked(marker string) bool { return slices.Contains(f.Markers, "+"+marker) }

// isUnseen reports whether the API doesn't return a field.
func (f *Field) isUnseen() bool { return f.isMarked(markers.Mirror + "=false") }

// observation adds the fields of the object that no parameter stands for.
func (r *reader) observation(objects []*source) {
	k := r.kind
	k.Conversions.Observe.status = true
	own := func(s *source) *Field {
		return first(k.Parameters, func(f *Field) bool {
			return f.from != nil && counterpart(objects, f.from) == s || f.from == nil && gotypes.PlainName(f.Name) == s.names[0]
		})
	}
	r.allot(filter(objects, func(s *source) bool { return own(s) == nil }), status)
	for _, s := range objects {
		if parameter := own(s); parameter != nil {
			if parameter.isSecret && s.oneof == nil && gotypes.IsString(gotypes.Deref(s.v.Type())) { // which the API may make where none is sent
				r.addDetail(s)
			}
			if f := r.shown(parameter, s); f != nil {
				k.Observation = append(k.Observation, f)
			}
			continue
		}
		f, why := r.field(s, r.options.Kind, status, false)
		switch {
		case r.isDeprecated(s):
		case why != "":
			if why == isTooLarge {
				r.leave(s.v.Name(), why)
			}
		case slices.ContainsFunc(slices.Concat(k.Parameters, k.Observation),
			func(p *Field) bool { return p.json == f.json || strings.EqualFold(p.Name, f.Name) }):
		case r.isSecret(f) && f.Type == "*string" && s.oneof == nil:
			r.addDetail(s)
		case r.isSecret(f):
			r.leave(s.v.Name(), isHidden)
		case !r.budget.fields[s]:
			r.leave(s.v.Name(), isTooLarge)
		case !r.compare(&k.Conversions.Observe, s.v.Type(), s.v.Type(), false):
		default:
			k.Observation = append(k.Observation, f)
		}
	}
}

// addDetail adds a connection detail for a field of the object.
func (r *reader) addDetail(s *source) {
	r.kind.Details = append(r.kind.Details, Detail{
		Key: jsonName(s), Field: gosyntax.Exported(jsonName(s)), Value: r.value("object."+s.way(), s.v.Type()),
		Description: gosyntax.Exported(strings.Join(words(s.name()), " ")) + " that the API returned.",
	})
}

// compare reports whether conversions can make one value of another: of a field that has been made of one of
// the SDK's types, and another of these. It notes the fields of structs that they must leave out.
func (r *reader) compare(c *Conversion, of, other types.Type, inList bool) bool {
	a, b := types.Unalias(gotypes.Deref(of)), types.Unalias(gotypes.Deref(other))
	switch {
	case textOf(a) != nil:
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
		default:
			c.leaveOut(f, "this request doesn't take it")
			f.unseen()
		}
	}
	return found
}
