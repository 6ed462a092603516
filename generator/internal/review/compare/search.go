package compare

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/review/validobject"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
)

// A versionSchema is the schema of a version, before or after the change.
type versionSchema struct {
	schema    *props
	validator *apiserver.ObjectValidator
}

func newVersionSchema(s *props, isOld bool) (versionSchema, error) {
	validator, err := apiserver.NewObjectValidator(s)
	return versionSchema{resource(s, isOld), validator}, err
}

// A search looks for objects of a version that worked with the old schema and fare worse with the new one.
type search struct {
	old, new versionSchema
	// head are the fields that identify an object.
	head map[string]any
	// hasStatus is set if users don't write the status.
	hasStatus bool
	// isConverted is set if a webhook converts the objects from another version.
	isConverted bool
	ratchets    bool
	// root leads to the Go types of the new schema, if they are known.
	root schema.Cursor
	// differences are the differences between the two schemas.
	differences []*difference
	// full is an object with all fields, if isFull is set and the old definition accepts one.
	full   map[string]any
	isFull bool
}

// An effect is what happens to an object.
type effect struct {
	class   Class
	happens string
	// field is the affected field, in the words of the API server, and rule the rule that refuses it, if one
	// does.
	field, rule string
	says        string
	// update is the object's replacement, if that is refused rather than the object.
	update map[string]any
}

// accepts reports whether the old definition accepted an object.
func (s *search) accepts(ctx context.Context, object map[string]any) bool {
	return len(s.old.validator.Refusals(ctx, object)) == 0
}

// The effects on objects.
const (
	isPruned     = "the stored value would be dropped"
	isLost       = "the value in a manifest would be dropped"
	isReadElse   = "the stored value would be read differently"
	isBlocked    = "the next update of a stored object would be refused"
	isRefused    = "an accepted manifest would be refused"
	isFixed      = "an accepted update would be refused"
	isMeantElse  = "a manifest without it would mean something else"
	isMissed     = "compositions and programs that read it would miss it"
	isMergedElse = "server-side apply would merge the stored value differently"
	isUnreadable = "the stored value has another type than clients expect"
)

// isStatus reports whether a path is the status or below it.
func isStatus(path schema.Path) bool { return path.HasPrefix(schema.Properties("status")) }

// effects returns the effects on an object that the old definition accepts, the worst first. Updates are tried
// around a place.
func (s *search) effects(ctx context.Context, object map[string]any, place schema.Path) []effect {
	var found []effect
	stored, _ := s.old.validator.Read(object)
	read, dropped := s.new.validator.Read(stored)
	for _, field := range dropped {
		class, happens := s.dropped()
		found = append(found, effect{class: class, happens: happens, field: field, says: field + " is dropped"})
	}
	// Clients of the old schema don't notice a new field.
	for _, d := range valueChanges("", stored, s.old.validator.Known(read)) {
		if !slices.Contains(dropped, d.field) && !s.isOmitted(d) {
			found = append(found, effect{
				class:   Stored,
				happens: isReadElse,
				field:   d.field,
				says:    fmt.Sprintf("%s is read as %s, and was %s", d.field, text(d.is), text(d.was)),
			})
		}
	}
	manifest := object
	if s.hasStatus {
		manifest = maps.Clone(object)
		delete(manifest, "status")
		// Providers write the status, so clients miss it rather than get refused.
		if isStatus(place) {
			for _, r := range s.new.validator.Refusals(ctx, object) {
				found = append(found, refused(Client, isMissed, r))
			}
		}
	}
	for _, r := range s.new.validator.UpdateRefusals(ctx, read, read, s.ratchets) {
		found = append(found, refused(Stored, isBlocked, r))
	}
	refusals := s.new.validator.Refusals(ctx, manifest)
	if len(refusals) > 0 {
		// Ratcheting lets the unchanged object pass, but an edit nearby may not.
		if !slices.ContainsFunc(found, func(e effect) bool { return e.happens == isBlocked }) {
			found = append(found, s.blocked(ctx, stored, read, place)...)
		}
		for _, r := range refusals {
			found = append(found, refused(Manifest, isRefused, r))
		}
	}
	was, _ := s.old.validator.Read(manifest)
	is, _ := s.new.validator.Read(manifest)
	for _, d := range valueChanges("", was, s.old.validator.Known(is)) {
		if !slices.Contains(dropped, d.field) && !s.isOmitted(d) {
			found = append(found, effect{
				class:   Manifest,
				happens: isMeantElse,
				field:   d.field,
				says:    fmt.Sprintf("%s is %s, and was %s", d.field, text(d.is), text(d.was)),
			})
		}
	}
	return found
}

// isOmitted reports whether a change is between unset and a zero value that Go leaves out anyway. A pointer keeps it.
func (s *search) isOmitted(d valueChange) bool {
	if !d.isZero() || s.root.Schema == nil {
		return d.isZero()
	}
	at := validobject.Locate(s.root, d.field).Field
	return at == nil || at.Zero() != model.Written
}

// dropped returns the effect on values of removed fields.
func (s *search) dropped() (Class, string) {
	// The stored version still has the value: only manifests lose it.
	if s.isConverted {
		return Manifest, isLost
	}
	return Stored, isPruned
}

func refused(class Class, happens string, r apiserver.Refusal) effect {
	says := r.Reason
	if r.Field != "" {
		says = r.Field + ": " + says
	}
	return effect{class: class, happens: happens, field: r.Field, rule: r.Rule, says: says}
}

// blocked returns the refusals of updates of a stored object that change a neighbour of a place, and that the
// old definition accepts.
func (s *search) blocked(ctx context.Context, stored, read map[string]any, place schema.Path) []effect {
	for update := range s.neighbours(ctx, stored, place) {
		if len(s.old.validator.UpdateRefusals(ctx, update, stored, s.ratchets)) > 0 {
			continue
		}
		next, _ := s.new.validator.Read(update)
		var found []effect
		for _, r := range s.new.validator.UpdateRefusals(ctx, next, read, s.ratchets) {
			if s.isAbout(r.Field, place) {
				e := refused(Stored, isBlocked, r)
				e.update = update
				found = append(found, e)
			}
		}
		if len(found) > 0 {
			return found
		}
	}
	return nil
}

// smallest drops every field that isn't needed to reproduce d's worst effect.
func (s *search) smallest(ctx context.Context, object map[string]any, d *difference) (map[string]any, effect) {
	e, _ := s.worst(ctx, object, d)
	if e.update != nil {
		return object, e // both would have to shrink
	}
	var shrink func(at map[string]any, top bool)
	shrink = func(at map[string]any, top bool) {
		for _, name := range slices.Sorted(maps.Keys(at)) {
			if _, isHead := s.head[name]; top && isHead { // an object needs its identity
				continue
			}
			value := at[name]
			delete(at, name)
			if s.accepts(ctx, object) {
				// Dropping a field must not turn the proof into another one.
				if smaller, ok := s.worst(ctx, object, d); ok && smaller.class == e.class && smaller.update == nil {
					e = smaller
					continue
				}
			}
			at[name] = value
			if below, ok := value.(map[string]any); ok {
				shrink(below, false)
			}
		}
	}
	object = runtime.DeepCopyJSON(object)
	shrink(object, true)
	return object, e
}

// isAbout reports whether a field, in the words of the API server, is at or below a path in either schema.
func (s *search) isAbout(field string, path schema.Path) bool {
	return s.locate(field).HasPrefix(path) || validobject.Locate(schema.Cursor{Schema: s.new.schema}, field).Path.HasPrefix(path)
}

// locate returns the path in the old schema of a field in the words of the API server.
func (s *search) locate(field string) schema.Path {
	return validobject.Locate(schema.Cursor{Schema: s.old.schema}, field).Path
}

// text returns a value for messages.
func text(value any) string {
	if value == nil {
		return "not there"
	}
	encoded := schema.JSON(value)
	if len(encoded) > 200 { // too long for a message
		return "another value"
	}
	return encoded
}
