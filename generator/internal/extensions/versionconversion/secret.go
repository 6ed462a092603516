package versionconversion

import (
	"fmt"

	"github.com/mrgen-io/mrgen/generator/internal/mapping"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/markers"
)

// secrets are the fields of all versions of a kind that may hold a secret, each with the field that declares
// it: a value that is secret in one version is secret in all.
type secrets map[*model.Field]versionField

// A versionField is a field of a version.
type versionField struct {
	*model.Field
	version string
}

// findSecrets finds the secrets of a kind.
func (p *planner) findSecrets(planned []*spoke) {
	p.known = secrets{}
	var found []versionField
	same := map[*model.Field][]*model.Field{}
	relate := func(a, b *model.Field) { same[a], same[b] = append(same[a], b), append(same[b], a) }
	for _, s := range planned {
		s.eachBoth(func(f *mapping.Field) {
			target, source := f.Target.Field(), f.Source.Field()
			for _, f := range []versionField{{target, s.version(hubSide)}, {source, s.version(spokeSide)}} {
				// A field shared by several versions is counted once; secrets below it are fields of their own.
				if same[f.Field] == nil && p.secretIn(f.Field) == f.Field {
					found = append(found, f)
				}
			}
			relate(target, source)
		})
		for mirror, mirrored := range s.mirrors {
			relate(mirror, mirrored)
		}
	}
	for _, secret := range found {
		p.known[secret.Field] = secret
	}
	// After all declared secrets are known, so that none is blamed on another.
	for _, secret := range found {
		p.known.spread(secret.Field, same)
	}
}

// spread marks every field that pairs with a secret as secret, too.
func (s secrets) spread(from *model.Field, same map[*model.Field][]*model.Field) {
	for _, f := range same[from] {
		if _, isKnown := s[f]; !isKnown {
			s[f] = s[from]
			s.spread(f, same)
		}
	}
}

// secretIn returns f or the first field below it that may hold a secret, or nil.
func (p *planner) secretIn(f *model.Field) *model.Field {
	return p.secrets.SecretIn(f, func(f *model.Field) bool { return p.known[f].Field != nil })
}

// enter puts the analyzer into the value of a field until leave is called. Everything in a secret is secret.
func (t *lossAnalyzer) enter(f *model.Field) (leave func()) {
	outer := t.within
	switch {
	case t.secretIn(f) == f:
		t.within = f
	case t.secrets.HoldsNoSecret(f): // +mrgen:mirror=true: the author vouches for it
		t.within = nil
	}
	return func() { t.within = outer }
}

// secret returns the field that makes f secret: one in f, or the enclosing one.
func (t *lossAnalyzer) secret(f *model.Field) *model.Field {
	if t.within != nil && !t.secrets.HoldsNoSecret(f) {
		return t.within
	}
	return t.secretIn(f)
}

// whySecret says why a field may hold a secret, and what to do if it doesn't. The secret may be another field.
func (t *lossAnalyzer) whySecret(f, secret *model.Field) (why, remedy string) {
	marked, it := secret, "this one"
	why = "is, or is named like, a secret"
	// Another version declares it: name that field, which needs the marker.
	if known := t.known[secret]; known.Field != nil && known.Field != secret {
		marked, it = known.Field, "that one"
		why = fmt.Sprintf("may hold a secret (%s in %s, %s)", known.JSONName, known.version, known.Pos)
	}
	remedy = fmt.Sprintf("mark %s +%s=true if it holds no secret", it, markers.Mirror)
	if marked.OwnMarker(markers.Sensitive) != nil {
		remedy = fmt.Sprintf("remove +%s if it holds no secret", markers.Sensitive)
	}
	switch {
	case secret == f:
		return why, remedy
	case secret == t.within:
		return "is part of " + secret.JSONName + ", which " + why, remedy
	default:
		return "has a field " + secret.JSONName + " that " + why, remedy
	}
}

// guard adds the secrets in a struct to its lossy fields, so that the kept struct leaves them out.
func (t *lossAnalyzer) guard(at *lossyField, f *model.Field) {
	defer t.enter(f)()
	for _, a := range model.JSONFields(f.Type.Deref()) {
		below := a.Field()
		switch known := at.fields[below.JSONName]; {
		case t.secret(below) == nil:
		case known == nil: // secret, and not lossy itself: leave it out when the struct is kept
			at.fields[below.JSONName] = t.custom(below)
		case known.fields != nil:
			t.guard(known, below)
		}
	}
}

// lostSecret reports a field that may hold a secret and that the other version lacks.
func (t *lossAnalyzer) lostSecret(holder *model.Type, f, secret *model.Field, why string) {
	at := f.Pos
	// The marker belongs at the secret itself, unless it is outside the module.
	if secret.Pos.IsValid() && secret != t.within {
		at = secret.Pos
	}
	holds, remedy := t.whySecret(f, secret)
	// A mirror inherits its secret: only forProvider's field can be marked.
	if mirrored := t.spoke.mirrors[f]; mirrored != nil && t.known[f].Field != nil {
		at = mirrored.Pos
		if mirrored.OwnMarker(markers.Sensitive) == nil {
			remedy = "mark " + mirrored.JSONName + " +" + markers.Sensitive + " here, too"
		}
	}
	t.errorf(at, "%s of %s %s, and %s, which is not kept in an annotation: give both versions the field, or %s", f.JSONName, holder.Name, why,
		holds, remedy)
}
