package compare

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
)

// A versionSchema is the schema of a version, as it was or as it is.
type versionSchema struct {
	schema    *props
	validator *apiserver.ObjectValidator
}

func newVersionSchema(s *props, isOld bool) (versionSchema, error) {
	validator, err := apiserver.NewObjectValidator(s)
	return versionSchema{resource(s, isOld), validator}, err
}

// A search looks for objects that worked with the old schema of a version, and fare worse
// with the new one.
type search struct {
	old, new versionSchema
	// head are the fields that say what kind of an object it is, and its name.
	head map[string]any
	// hasStatus tells that a status is no part of what users write.
	hasStatus bool
	// isConverted is set if a webhook makes the objects from those of another version.
	isConverted bool
	ratchets    bool
	// differences are those between the two.
	differences []*difference
	// full is an object with all fields, if isFull is set and the old definition accepts one.
	full   map[string]any
	isFull bool
}

// An effect is what becomes of an object.
type effect struct {
	class   Class
	happens string
	// field is what it happens to, in the words of the API server, and rule is the rule
	// that refuses it, if it is one.
	field, rule string
	says        string
	// update is what takes the place of the object, if it is refused as that.
	update map[string]any
}

// accepts reports whether the old definition accepted an object.
func (s *search) accepts(ctx context.Context, object map[string]any) bool {
	return len(s.old.validator.Refusals(ctx, object)) == 0
}

// What happens to objects.
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

// isStatus reports whether a path leads to the status, or below.
func isStatus(path schema.Path) bool { return path.HasPrefix(schema.Properties("status")) }

// effects returns what becomes of an object that the old definition accepts, the worst
// first. What happens to updates is looked up for a place.
func (s *search) effects(ctx context.Context, object map[string]any, place schema.Path) []effect {
	var found []effect
	stored, _ := s.old.validator.Read(object)
	read, dropped := s.new.validator.Read(stored)
	for _, field := range dropped {
		class, happens := s.dropped()
		found = append(found, effect{class: class, happens: happens, field: field, says: field + " is dropped"})
	}
	// A field that is new is no change to those who didn't know it.
	for _, d := range apiserver.Differences(stored, s.old.validator.Known(read)) {
		if !slices.Contains(dropped, d.Field) {
			found = append(found, effect{class: Stored, happens: isReadElse, field: d.Field, says: fmt.Sprintf("%s is read as %s, and was %s", d.Field, text(d.Is), text(d.Was))})
		}
	}
	manifest := object
	if s.hasStatus {
		manifest = maps.Clone(object)
		delete(manifest, "status")
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
		if !slices.ContainsFunc(found, func(e effect) bool { return e.happens == isBlocked }) {
			found = append(found, s.blocked(ctx, stored, read, place)...)
		}
		for _, r := range refusals {
			found = append(found, refused(Manifest, isRefused, r))
		}
	}
	was, _ := s.old.validator.Read(manifest)
	is, _ := s.new.validator.Read(manifest)
	for _, d := range apiserver.Differences(was, s.old.validator.Known(is)) {
		if !slices.Contains(dropped, d.Field) {
			found = append(found, effect{class: Manifest, happens: isMeantElse, field: d.Field, says: fmt.Sprintf("%s is %s, and was %s", d.Field, text(d.Is), text(d.Was))})
		}
	}
	return found
}

// dropped returns what becomes of values that a version no longer knows. Of a version that is
// converted from the one that is stored, that one still has them.
func (s *search) dropped() (Class, string) {
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

// blocked returns why a stored object would be refused when a neighbour of a place changes,
// which the old definition has nothing against.
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

// smallest returns an object without the fields that the worst effect of a difference doesn't depend on.
func (s *search) smallest(ctx context.Context, object map[string]any, d *difference) (map[string]any, effect) {
	e, _ := s.worst(ctx, object, d)
	if e.update != nil {
		return object, e // both would have to shrink
	}
	var shrink func(at map[string]any, top bool)
	shrink = func(at map[string]any, top bool) {
		for _, name := range slices.Sorted(maps.Keys(at)) {
			if _, isHead := s.head[name]; top && isHead {
				continue
			}
			value := at[name]
			delete(at, name)
			if s.accepts(ctx, object) {
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

// isAbout reports whether a field, in the words of the API server, is at a path of either schema or below.
func (s *search) isAbout(field string, path schema.Path) bool {
	return s.locate(field).HasPrefix(path) || schema.Cursor{Schema: s.new.schema}.Locate(field).Path.HasPrefix(path)
}

// locate returns the place in the old schema that a field of the API server's words is at.
func (s *search) locate(field string) schema.Path {
	return schema.Cursor{Schema: s.old.schema}.Locate(field).Path
}

// text returns a value as it is shown.
func text(value any) string {
	if value == nil {
		return "not there"
	}
	encoded := schema.JSON(value)
	if len(encoded) > 200 {
		return "another value"
	}
	return encoded
}
