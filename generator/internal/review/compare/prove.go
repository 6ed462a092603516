package compare

import (
	"context"
	"iter"
	"reflect"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/mrgen-io/mrgen/generator/internal/cel"
	"github.com/mrgen-io/mrgen/generator/internal/review/rulesearch"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
)

// A proof is the worst effect of a difference on any object tried.
type proof struct {
	found  bool
	object map[string]any
	effect effect
	// accepted is set if the old definition accepted an object with the difference.
	accepted bool
}

// An edit puts a value into an object, or removes one.
type edit struct {
	path   schema.Path
	value  any
	remove bool
}

// prove looks for the smallest object that fares worse because of a difference.
func (s *search) prove(ctx context.Context, d *difference) proof {
	var p proof
	isAboutUpdates := slices.ContainsFunc(d.rules(), isTransition) && !isStatus(d.path)
	edits := s.edits(ctx, d)
	for base := range s.bases(ctx, d.path) {
		// Any object shows how elements merge: no effect to search for.
		if d.has(merging...) {
			says := "server-side apply merges this value differently: " + d.says()
			return proof{found: true, object: base, effect: effect{class: Stored, happens: isMergedElse, field: d.path.String(), says: says}}
		}
		objects, updates := []map[string]any{base}, []map[string]any{base}
		updated := map[string]int{}
		for _, e := range edits {
			object := s.edited(ctx, base, e)
			if object == nil {
				continue
			}
			objects = append(objects, object)
			// Each pair of objects is an update to judge, so keep them few.
			if at := e.path.String(); updated[at] < maxUpdates {
				updated[at]++
				updates = append(updates, object)
			}
		}
		p.accepted = p.accepted || len(objects) > 1 || len(edits) == 0
		for _, object := range objects {
			e, ok := s.worst(ctx, object, d)
			if ok && (!p.found || worse(e.class, p.effect.class) < 0) {
				p.found = true
				p.object, p.effect = s.smallest(ctx, object, d)
			}
			if p.found && p.effect.class == Stored { // nothing is worse
				return p
			}
		}
		// Transition rules refuse updates only, never a single object.
		if !p.found && isAboutUpdates {
			p.object, p.effect, p.found = s.changed(ctx, updates, d)
		}
		if p.found || ctx.Err() != nil {
			return p
		}
	}
	return p
}

// edits returns the edits that may show a difference.
func (s *search) edits(ctx context.Context, d *difference) []edit {
	var all []edit
	canBeAbsent := len(d.path) > 0 && d.path[len(d.path)-1].Kind != schema.Items
	// Only an object without the field shows a new requirement or default.
	if canBeAbsent && (d.old == nil || d.has(required, "default")) {
		all = append(all, edit{path: d.path, remove: true})
	}
	if d.old == nil {
		return all
	}
	for _, rule := range d.rules() {
		parsed, ok := cel.Parse(rule.Rule)
		if !ok {
			continue
		}
		for _, chain := range parsed.Chains() {
			if len(chain.Names) == 0 {
				continue // the values of d itself are added below
			}
			path := slices.Concat(d.path, schema.Properties(chain.Names...))
			all = append(all, edit{path: path, remove: true})
			// The rule's own literals are the values most likely to break it.
			if at := follow(d.old, chain.Names).Schema; at != nil {
				for _, value := range values(ctx, at, at, parsed.Literals()) {
					all = append(all, edit{path: path, value: value})
				}
			} else if around := follow(d.old, chain.Names[:len(chain.Names)-1]); around.Schema != nil {
				value := any("any") // for an unknown field
				if key := around.Values(); key.Schema != nil {
					value = sampling(nil).Value(ctx, key)
				}
				all = append(all, edit{path: path, value: value})
			}
		}
	}
	for _, value := range values(ctx, d.old, d.new, nil) {
		all = append(all, edit{path: d.path, value: value})
	}
	return all
}

// edited returns a copy of an object after an edit, or nil if the old definition refuses that.
func (s *search) edited(ctx context.Context, base map[string]any, e edit) map[string]any {
	object := runtime.DeepCopyJSON(base)
	if fields, ok := e.value.(map[string]any); ok && len(e.path) == 0 {
		object = s.identify(runtime.DeepCopyJSON(fields))
	} else if len(e.path) == 0 || !put(ctx, s.old.schema, object, e.path, e.value, e.remove) {
		return nil
	}
	switch {
	case s.accepts(ctx, object):
		return object
	// Something may require the removed field: repair the object around it.
	case e.remove:
		return s.repaired(ctx, object, e.path)
	default:
		return nil
	}
}

// changed looks for an update between two objects that the old definition accepts and a new rule refuses.
func (s *search) changed(ctx context.Context, objects []map[string]any, d *difference) (map[string]any, effect, bool) {
	for _, object := range objects {
		was, _ := s.old.validator.Read(object)
		// An update compares with the stored object as the new schema reads it.
		stored, _ := s.new.validator.Read(was)
		for _, update := range objects {
			is, _ := s.old.validator.Read(update)
			if len(s.old.validator.UpdateRefusals(ctx, is, was, s.ratchets)) > 0 {
				continue
			}
			next, _ := s.new.validator.Read(update)
			for _, r := range s.new.validator.UpdateRefusals(ctx, next, stored, s.ratchets) {
				e := refused(Manifest, isFixed, r)
				if e.update = update; s.causes(d, e) {
					return object, e, true
				}
			}
		}
	}
	return nil, effect{}, false
}

// maxUpdates limits the edits of one field that are tried as updates of each other.
const maxUpdates = 3

// worst returns the worst effect of a difference on an object.
func (s *search) worst(ctx context.Context, object map[string]any, d *difference) (effect, bool) {
	for _, e := range s.effects(ctx, object, d.path) {
		if s.causes(d, e) {
			return e, true
		}
	}
	return effect{}, false
}

// causes reports whether an effect comes from a difference: from one of its rules or, without a rule, from the
// innermost difference around the field.
func (s *search) causes(d *difference, e effect) bool {
	// A client misses only a removed or retyped field.
	if e.class == Client && !d.isGone() {
		return false
	}
	if !s.isAbout(e.field, d.path) {
		// A removed field may also be one too few for its parent, or a default one too many.
		explains := func(other *difference) bool { return s.isAbout(e.field, other.path) }
		return e.rule == "" && d.has("nullable", "default", removed) && d.path.HasPrefix(s.locate(e.field)) &&
			!slices.ContainsFunc(s.differences, explains)
	}
	if e.rule != "" {
		return slices.ContainsFunc(d.rules(), func(r apiextensionsv1.ValidationRule) bool { return r.Rule == e.rule })
	}
	return !slices.ContainsFunc(s.differences, func(other *difference) bool {
		return len(other.path) > len(d.path) && other.path.HasPrefix(d.path) && s.isAbout(e.field, other.path)
	}) && len(d.rules()) < len(d.changes)
}

// bases yields accepted objects with a value at a path, the smallest first.
func (s *search) bases(ctx context.Context, path schema.Path) iter.Seq[map[string]any] {
	return func(yield func(map[string]any) bool) {
		var tried []map[string]any
		for _, base := range []func() map[string]any{
			func() map[string]any { return s.accepted(ctx, s.object(ctx, s.old.schema, path)) },
			// The API server evaluates rules only on objects that the rest of the schema accepts.
			func() map[string]any { return s.accepted(ctx, s.object(ctx, s.new.schema, path)) },
			func() map[string]any { return s.everything(ctx) },
		} {
			object := base()
			isKnown := func(other map[string]any) bool { return reflect.DeepEqual(object, other) }
			if object == nil || slices.ContainsFunc(tried, isKnown) {
				continue
			}
			tried = append(tried, object)
			other := runtime.DeepCopyJSON(object)
			// Unknown fields make the API server ratchet less, so try each object with some.
			if !yield(object) || s.open(other, s.old.schema) && s.accepts(ctx, other) && !yield(other) {
				return
			}
		}
	}
}

// everything returns an object with every field, if the old definition accepts one, or nil.
func (s *search) everything(ctx context.Context) map[string]any {
	if !s.isFull {
		s.full, s.isFull = s.accepted(ctx, s.identify(valueOf(ctx, everything(), s.old.schema))), true
	}
	return s.full
}

// accepted returns an accepted object similar to the given one, or nil.
func (s *search) accepted(ctx context.Context, object map[string]any) map[string]any {
	if s.accepts(ctx, object) {
		return object
	}
	return s.repaired(ctx, object, nil)
}

// repaired returns an accepted object similar to one that the old definition refuses, or nil. It never adds the
// value at the path without.
func (s *search) repaired(ctx context.Context, object map[string]any, without schema.Path) map[string]any {
	root := s.old.schema
	if last := len(without) - 1; last >= 0 {
		if other := s.alternative(ctx, object, without); other != nil {
			return other
		}
		root = bare(root)
		// Sample from a schema that lacks the field, or the repair would add it again.
		schema.Edit(root, without[:last], func(around *props) { delete(around.Properties, without[last].Name) })
	}
	look := rulesearch.Search{
		Root:      schema.Cursor{Schema: root},
		Sampler:   sampling(nil),
		Validator: s.old.validator,
		Policies:  len(without) > 0,
	}
	object, refusals := look.Admitted(ctx, object)
	if len(refusals) > 0 {
		return nil
	}
	return object
}

// alternative returns an object with another member of a union in place of the value at a path, or nil if the
// schema has no alternatives.
func (s *search) alternative(ctx context.Context, object map[string]any, path schema.Path) map[string]any {
	last := len(path) - 1
	around := schema.Cursor{Schema: s.old.schema}.Follow(path[:last])
	if around.Schema == nil {
		return nil
	}
	for _, branch := range slices.Concat(around.Schema.OneOf, around.Schema.AnyOf) {
		if slices.Contains(branch.Required, path[last].Name) {
			continue // this alternative needs the field
		}
		other := runtime.DeepCopyJSON(object)
		for _, name := range branch.Required {
			if at := around.Property(name); at.Schema != nil {
				put(ctx, s.old.schema, other, at.Path, sampling(nil).Value(ctx, at), false)
			}
		}
		if s.accepts(ctx, other) {
			return other
		}
	}
	return nil
}
