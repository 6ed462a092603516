package versionconversion

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/version"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/mapping"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/markers"
)

// noOther is the path in a marker that says that the field is new and was never renamed.
const noOther = "-"

// A newcomer is a field that older versions lack beside the same fields.
type newcomer struct {
	*model.Field
	version string
	// gone are the fields of these versions that may be the same.
	gone []versionField
}

// suggest warns about pairs of fields that look like a rename without a marker. The newer field gets the
// marker.
func (p *planner) suggest(asked *markedFields, planned []*spoke) {
	var all []*newcomer
	for _, s := range planned {
		newer := side(version.CompareKubeAwareVersionStrings(s.version(hubSide), s.version(spokeSide)) > 0)
		s.eachPair(func(pair *mapping.Pair) {
			if convertsItself(pair) { // the author's methods decide
				return
			}
			gone := s.unnamed(asked, pick(!newer, pair.TargetOnly, pair.SourceOnly))
			for _, f := range s.unnamed(asked, pick(newer, pair.TargetOnly, pair.SourceOnly)) {
				for _, old := range gone {
					if alike(f.Type, old.Type, 0) {
						all = addNewcomer(all, f, s.version(newer), versionField{old, s.version(!newer)})
					}
				}
			}
		})
	}
	p.explained = map[*model.Field]bool{}
	for _, f := range all {
		p.explained[f.Field] = true
		for _, old := range f.gone {
			p.explained[old.Field] = true
		}
		p.diags = append(p.diags, diag.Warningf(f.Pos, codeConversion, "%s", f.says()))
	}
}

// addNewcomer adds an old name that a field may have had.
func addNewcomer(all []*newcomer, f *model.Field, version string, old versionField) []*newcomer {
	i := slices.IndexFunc(all, func(known *newcomer) bool { return known.Field == f })
	if i < 0 {
		i = len(all)
		all = append(all, &newcomer{Field: f, version: version})
	}
	if !slices.ContainsFunc(all[i].gone, func(known versionField) bool { return known.Field == old.Field }) {
		all[i].gone = append(all[i].gone, old)
	}
	return all
}

// unnamed returns the fields that the other version lacks and no marker explains.
func (s *spoke) unnamed(asked *markedFields, among []model.Access) []*model.Field {
	var fields []*model.Field
	for _, a := range among {
		f := a.Field()
		isMarked := slices.ContainsFunc(asked.all, func(r *markedField) bool { return r.field == f && r.isAbout(s) })
		isDecided := isMarked || s.isMoved(f) || s.mirrors[f] != nil
		if !isDecided && !isTypeMeta(f.JSONName) && !f.Pos.IsOutside() {
			fields = append(fields, f)
		}
	}
	return fields
}

// says returns the warning about a field.
func (n *newcomer) says() string {
	var names, paths []string
	for _, old := range n.gone {
		names = append(names, old.JSONName+" ("+old.version+")")
		paths = append(paths, old.version+":"+old.JSONName)
	}
	first := n.gone[0]
	isOther := func(old versionField) bool { return old.JSONName != first.JSONName }
	if len(n.gone) > 1 && !slices.ContainsFunc(n.gone, isOther) {
		paths = []string{first.JSONName} // in several versions
	}
	marker := "+" + markers.RenamedFrom + "="
	gone := " is gone"
	if len(names) > 1 {
		gone = " are gone"
	}
	return n.JSONName + " is new in " + n.version + ", where " + diag.And(names) + gone + ": mark it " +
		marker + strings.Join(paths, ", or "+marker) +
		", if it is the same field, or else " + marker + noOther
}

// alike reports whether two types have the same shape, apart from pointers and names.
func alike(a, b *model.Type, depth int) bool {
	a, b = a.Deref(), b.Deref()
	switch {
	case mapping.SameType(a, b):
		return true
	// MarshalJSON hides the shape.
	case a.Kind != b.Kind, a.Array != b.Array, a.Marshals, b.Marshals:
		return false
	case depth > 8: // recursive types
		return false
	case a.Kind == model.Basic:
		return a.Basic == b.Basic
	case a.Kind == model.Slice || a.Kind == model.Map:
		return alike(a.Elem, b.Elem, depth+1)
	case a.Kind != model.Struct:
		return false
	}
	names := func(t *model.Type) []string { return slices.Sorted(slices.Values(t.JSONNames())) }
	return a.Name == b.Name || slices.Equal(names(a), names(b))
}
