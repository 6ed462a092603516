package fromsdk

import (
	"go/types"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
	"github.com/mrgen-io/mrgen/markers"
)

// Conversions are those between the kind and the SDK, as an interface declares them.
type Conversions struct {
	Observe, Create, Update Conversion
}

// A Conversion is one of them.
type Conversion struct {
	// Signature is the function's signature, and Markers stand above it.
	Signature string
	Markers   []string
	// Arguments are those beside the parameters, each after a comma, and TakesOwn is set if the own key is one. Secrets are those that
	// its request has, and SetSecrets are the statements that set their values there.
	Arguments  string
	TakesOwn   bool
	Secrets    []Secret
	SetSecrets []string

	// name is the function's name, and status is set while fields of the observation are compared that no parameter has.
	name   string
	status bool
	// seen are the structs that have been compared.
	seen map[[2]*types.TypeName]bool
}

// leaveOut marks a field that the conversion leaves out. The marker is at the field, so that it goes and is
// renamed with that.
func (c *Conversion) leaveOut(f *Field, reason string) {
	f.mark(markers.ConvertIgnore + "=" + c.name + `,reason="` + reason + `"`)
}

// open notes the envelope of the SDK's struct, if it has one.
func (c *Conversion) open(envelope *types.Var) {
	if envelope != nil {
		c.Markers = append(c.Markers, "+"+markers.ConvertIn+"="+envelope.Name())
	}
}

// declareConversions writes the methods of the interface that declares the conversions. VERSION stands for the name of the
// kind's package.
func (r *reader) declareConversions(c *calls) {
	k := r.kind
	kind := r.options.Kind
	// A value may not fit, now or after an edit.
	k.Conversions.Observe.Signature = "(*" + r.text(r.observe) + ") (VERSION." + kind + "Observation, error)"
	k.Conversions.Observe.open(r.envelope(r.observe))
	send := func(conversion *Conversion, m *method, t *types.Named, creates bool) {
		parameters := []string{"p VERSION." + kind + "Parameters"}
		conversion.open(r.envelope(t))
		if own := r.ownIn(c, t, creates); own != nil {
			own = r.setAgain(c, own, t, creates)
			name, typ := ownName, "string"
			if c.own.isNumber() {
				name, typ = ownNumber, "int64"
			}
			parameters = append(parameters, name+" "+typ)
			if own.names[0] != gotypes.PlainName(name) || len(own.path) > 0 {
				conversion.Markers = append(conversion.Markers, "+"+markers.ConvertField+"="+name+"="+own.way())
			}
			conversion.TakesOwn, conversion.Arguments = true, ", "+name
			if c.own.parent != nil && !creates {
				conversion.Arguments = ", " + r.fullName(c)
			}
		}
		for _, lock := range c.locks {
			if creates {
				break
			}
			parameters = append(parameters, camel(lock.name())+" "+r.text(lock.v.Type()))
			conversion.Arguments += ", " + r.asObserved(lock)
		}
		for _, secret := range k.Secrets {
			switch fields := secret.fieldsIn(r, t); {
			case fields == nil:
			case !r.takesSecret(fields[len(fields)-1].v.Type()):
				r.leave(secret.Path(), t.Obj().Name()+" takes something else of this name")
			default:
				conversion.Secrets = append(conversion.Secrets, secret)
				conversion.SetSecrets = append(conversion.SetSecrets, r.assign(secret, fields)...)
			}
		}
		v := first(m.params(), func(v *types.Var) bool { return types.Identical(gotypes.Deref(v.Type()), t) })
		conversion.Signature = "(" + strings.Join(parameters, ", ") + ") (" + r.text(v.Type()) + ", error)"
	}
	send(&k.Conversions.Create, c.create, r.create, true)
	if c.update != nil {
		send(&k.Conversions.Update, c.update, r.update, false)
	}
	if len(k.Conversions.Update.Secrets) == 0 {
		return
	}
	versions := NewField("SentVersions", "map[string]string", "sentVersions,omitempty", []string{
		"SentVersions are the versions of the secrets that were sent last, by the fields that refer to them.",
	})
	k.Conversions.Observe.leaveOut(versions, "the controller notes them")
	k.Observation = append(k.Observation, versions)
}

// setAgain has a call set the own key in all fields of that name but the one in an envelope, which the conversion makes. It returns that.
func (r *reader) setAgain(c *calls, own *source, t *types.Named, creates bool) *source {
	call := r.kind.Update
	if creates {
		call = r.kind.Create
	}
	for _, again := range filter(r.sources(t), func(s *source) bool { return s != own && s.isKey() && s.isNamed(own) }) {
		if len(again.path) > len(own.path) {
			own, again = again, own
		}
		call.Sets = append(call.Sets, request+"."+again.way()+" = "+r.ownVariable(c, again.v.Type()))
	}
	return own
}

// ownIn returns the field of the request of a method that has the own key which the controller knows before it sends that.
func (r *reader) ownIn(c *calls, t *types.Named, creates bool) *source {
	fields := r.sources(t)
	isParameter := c.own.named && c.own.created == nil && c.own.taken != nil &&
		counterpart(r.sources(r.create), c.own.taken) != nil // creation has the name as an argument, too
	switch {
	case c.own.taken == nil, isParameter, c.own.created == nil && creates:
		return nil
	case creates:
		return counterpart(fields, c.own.created)
	}
	s := first(fields, func(s *source) bool { return s.isLike(c.own.taken) && s.isKey() })
	for _, known := range []*source{c.own.created, c.own.observed} {
		if s == nil && known != nil {
			s = counterpart(fields, known)
		}
	}
	isPassed := slices.ContainsFunc(r.keysOf(c.update), func(s *source) bool { return s.isArgument && s.isLike(c.own.taken) })
	switch {
	case s == nil, isPassed && (!c.own.named || r.isOutputOnly(s)): // some APIs refuse it beside the path
		return nil
	case isInteger(s.v.Type()) != c.own.isNumber():
		c.unset[c.update] = append(c.unset[c.update], s.v.Name())
		return nil
	}
	return s
}
