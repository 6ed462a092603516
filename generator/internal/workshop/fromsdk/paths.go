package fromsdk

import (
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/gobuffalo/flect"

	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
)

// parentName is what a request, or an argument, calls what is around the object, in the fixed form of Google's APIs (AIP-133).
const parentName = "parent"

// findPath notes what creation takes in place of the key if that is a path: a parent, and a name called as the end of the object's, as
// the TestId of a ConnectivityTest. It reports whether creation does, unless the author says who chooses the key.
func (r *reader) findPath(c *calls, wanted, created []*source) bool {
	if who, _ := r.givenName(); who != "" {
		return false
	}
	beside := append(filter(created, func(s *source) bool { return s.isArgument }),
		filter(r.sources(r.create), func(s *source) bool { return !s.inObject && s.isKey() })...)
	around := first(beside, func(s *source) bool { return s.isCalled(parentName) && gotypes.IsString(s.v.Type()) })
	name := first(beside, func(s *source) bool { return r.isOwnID(s.names[0]) && gotypes.IsString(s.v.Type()) })
	if around == nil || name == nil || slices.ContainsFunc(wanted, around.isLike) {
		return false
	}
	c.own.parent, c.own.created = around, name
	return true
}

// isOwnID reports whether a plain name is that of an ID of the object, by the end of the object's name: none while that is looked for.
func (r *reader) isOwnID(name string) bool {
	end, isID := strings.CutSuffix(name, "id")
	return isID && end != "" && r.observe != nil && strings.HasSuffix(gotypes.PlainName(r.observe.Obj().Name()), end)
}

// sentAs returns what the arguments of a creation have as a key.
func (r *reader) sentAs(c *calls, key *source) string {
	if key.isArgument {
		return "arguments[" + strconv.Quote(key.name()) + "].(" + r.text(key.v.Type()) + ")"
	}
	v := first(c.create.params(), func(v *types.Var) bool { return types.Identical(gotypes.Deref(v.Type()), r.create) })
	return "arguments[" + strconv.Quote(v.Name()) + "].(" + r.text(v.Type()) + ")." + key.way()
}

// setPath returns the statement with which an API in memory makes the key of an object, "" if none makes a path.
func (r *reader) setPath(c *calls) string {
	if c.own.parent == nil {
		return ""
	}
	made := "fullName(" + r.sentAs(c, c.own.parent) + ", " + r.sentAs(c, c.own.created) + ")"
	return "object.(*" + r.kind.Object + ")." + c.own.observed.way() + " = " + made
}

// fullName returns the path by which calls after creation know the external resource.
func (r *reader) fullName(c *calls) string {
	collection := flect.Pluralize(camel(r.observe.Obj().Name()))
	r.declare("// fullName returns the path that the API makes of a parent and an external name. Undecided: externalName.\n" +
		"func fullName(parent, name string) string { return parent + " + strconv.Quote("/"+collection+"/") + " + name }")
	return "fullName(" + parameters + "." + c.parentOf(c.own.parent).field.Name + ", " + ownName + ")"
}

// Read returns the statement for the own key of a managed resource, which returns a zero value with an error.
func (k Key) Read(zero string) string {
	if k.Number {
		return "id, err := identifier(cr)\nif err != nil {\nreturn " + zero + ", err\n}"
	}
	return "name := meta.GetExternalName(cr)"
}

// givenName returns who chooses the external name, and the key with it, as far as the author says so.
func (r *reader) givenName() (who, key string) {
	who, key, _ = strings.Cut(r.options.ExternalName, "=")
	return who, key
}
