package breaking

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/artifact"
)

// parts are the parts of a managed resource that mirror each other. The first one is the source of the others.
var parts = []string{"spec.forProvider", "spec.initProvider", "status.atProvider"}

// A place identifies changes that may be copies of each other: of one field in any of the parts, in kinds with
// the same name.
type place struct{ kind, version, field, what string }

// fold moves changes of copies to the change of their source, since an edit of one field is one change. A copy
// that breaks something worse stays. root is the module's root.
func fold(found []Change, root string) []Change {
	owned := map[string]bool{}
	for _, c := range found {
		if _, known := owned[c.Pos.File]; !known {
			content, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(c.Pos.File)))
			owned[c.Pos.File] = err == nil && artifact.Owned(content)
		}
	}
	copied := func(c Change) bool { return owned[c.Pos.File] }
	originals := map[place][]int{}
	for i, c := range found {
		if at, isCopy := placeOf(c); !isCopy {
			originals[at] = append(originals[at], i)
		}
	}
	copies := map[int]bool{}
	for i, c := range found {
		at, isCopy := placeOf(c)
		of := slices.IndexFunc(originals[at], func(o int) bool { return found[o].Kind == c.Kind && (isCopy || !copied(c)) })
		isOfCopy := of >= 0 && copied(found[originals[at][of]]) // made of the parameters of the other scope's kind
		isOfOther := of < 0 && !isCopy && copied(c)             // these parameters themselves
		// mrgen copied the field's whole kind, so the author edits the other scope.
		if isOfCopy || isOfOther {
			isOriginal := func(o int) bool { return !copied(found[o]) && areScopes(found[o].Kind, c.Kind) }
			if other := slices.IndexFunc(originals[at], isOriginal); other >= 0 {
				of = other
			}
		}
		if of < 0 || originals[at][of] == i {
			continue
		}
		original := &found[originals[at][of]]
		if slices.Index(Classes(), c.Class) < slices.Index(Classes(), original.Class) {
			continue
		}
		subject := c.Subject()
		if c.Kind == original.Kind {
			subject = c.Path
		}
		original.Copies, copies[i] = append(original.Copies, subject), true
	}
	var folded []Change
	for i, c := range found {
		if copies[i] {
			continue
		}
		first := slices.IndexFunc(folded, c.hasCauseOf)
		if first < 0 {
			folded = append(folded, c)
			continue
		}
		subject := c.Subject()
		if c.Kind == folded[first].Kind && c.Version == folded[first].Version {
			subject = c.Path
		}
		folded[first].Copies = append(append(folded[first].Copies, subject), c.Copies...)
	}
	return folded
}

// hasCauseOf reports whether two changes are probably one to the author: of a field in several versions, of one struct
// in several kinds, or of several fields in one object, such as those of an embedded struct.
func (c Change) hasCauseOf(other Change) bool {
	isProven := func(c Change) bool { return c.Counterexample != nil }
	if c.What != other.What || c.Class != other.Class || isProven(c) != isProven(other) {
		return false
	}
	if c.IsAdopted {
		return true // of the tool
	}
	if c.Kind != other.Kind {
		_, part := c.parameter()
		isOneStruct := part < 0 || c.Pos == other.Pos && c.Pos.Line > 1
		return c.Path == other.Path && c.Path != "" && isOneStruct
	}
	return c.Path == other.Path || c.Version == other.Version && around(c.Path) == around(other.Path)
}

// around returns the path of the object that a field is in.
func around(path string) string { return path[:max(strings.LastIndexByte(path, '.'), 0)] }

// areScopes reports whether two kinds may be the same kind in two scopes: one group has one more label than the
// other.
func areScopes(a, b string) bool {
	long, short := strings.Split(a, "."), strings.Split(b, ".")
	if len(long) < len(short) {
		long, short = short, long
	}
	for i := range long {
		if slices.Equal(slices.Delete(slices.Clone(long), i, i+1), short) {
			return true
		}
	}
	return false
}

// placeOf returns the place of a change, and whether it is in a part that mirrors another.
func placeOf(c Change) (place, bool) {
	kind, _, _ := strings.Cut(c.Kind, ".")
	field, part := c.parameter()
	return place{kind, c.Version, field, c.What}, part > 0
}

// parameter returns the path of a change in the part that mirrors others, and the part's index, or the whole path and
// -1.
func (c Change) parameter() (field string, part int) {
	for i, part := range parts {
		if field, found := strings.CutPrefix(c.Path, part+"."); found {
			return field, i
		}
	}
	return c.Path, -1
}
