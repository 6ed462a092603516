package fixes

import (
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/stage"
	"github.com/mrgen-io/mrgen/markers"
)

// Edit replaces the rules whose fields the definitions make immutable, and reports the changes for users. It
// returns the edited files, or none if the [ImmutableSelection] only lists rules.
func (f *Immutability) Edit(definitions []stage.Definition) (*artifact.Set, diag.List, error) {
	versions := map[*model.Object]version{}
	for _, d := range definitions {
		for i, o := range d.Objects {
			if i < len(d.Decisions) {
				versions[o] = version{d.Root(i), d.Decisions[i]}
			}
		}
	}
	marked := map[diag.Position]bool{}
	for _, r := range f.rules {
		var changes []string
		if r.stays == nil {
			changes, r.stays = f.changes(r, versions)
		}
		if r.stays != nil {
			f.diags = append(f.diags,
				diag.Warningf(r.marker.Pos, CodeImmutable, "the rule stays: %s", r.stays.text).As("%%d rules stay: %s", r.stays.kind))
			continue
		}
		f.replace(r, marked)
		spots := f.fieldSpots[r.target.Pos]
		what := strings.Join(changes, "; ")
		f.diags = append(f.diags, diag.Warningf(r.marker.Pos, CodeImmutable,
			"+immutable %s the place of the rule about %s: %s", f.verb("takes", "can take"), spots[0].name(), what).
			As("+immutable %s the place of %%d rules of %s: %s", f.verb("takes", "can take"), kindsOf(spots), what))
	}
	for _, s := range f.selectors {
		f.unmark(s, versions)
	}
	edited, diags, err := f.set()
	if f.which.Lists() {
		edited = &artifact.Set{}
	}
	return edited, diags, err
}

// verb returns the verb for the fix, or for its possibility if the fix only lists rules.
func (f *Immutability) verb(done, possible string) string {
	if f.which.Lists() {
		return possible
	}
	return done
}

// unmark removes the marker from a selector if it has no effect.
func (f *Immutability) unmark(s *selector, versions map[*model.Object]version) {
	hasEffect := func(at spot) bool {
		decisions := versions[at.object].below(at.Path)
		return len(decisions) != 1 || decisions[0].Rule != nil
	}
	if slices.ContainsFunc(f.fieldSpots[s.field.Pos], func(at spot) bool { return at.isDesired() && hasEffect(at) }) {
		return
	}
	for _, m := range s.markers {
		if m.Text == markers.Immutable {
			f.edit(m, "")
		}
	}
	f.diags = append(f.diags, diag.Warningf(s.field.Pos, CodeImmutable,
		"+immutable has no effect on %s, which is a selector: the marker %s", s.field.JSONName, f.verb("goes", "can go")).
		As("+immutable has no effect on %%d selectors: the markers %s", f.verb("go", "can go")))
}

// kindsOf returns the names of the kinds that have the spots.
func kindsOf(spots []spot) string {
	var names []string
	for _, s := range spots {
		names = append(names, s.object.Name)
	}
	slices.Sort(names)
	return diag.And(slices.Compact(names))
}

// replace removes a rule, and marks its field unless that is marked or immutable already.
func (f *Immutability) replace(r *changeRule, marked map[diag.Position]bool) {
	isFrozen := !slices.ContainsFunc(f.fieldSpots[r.target.Pos], func(s spot) bool { return !s.frozen })
	isMarked := marked[r.target.Pos] || isFrozen
	marked[r.target.Pos] = true
	switch {
	case isMarked:
		f.edit(r.marker, "")
	case r.target == r.on:
		f.edit(r.marker, "+"+markers.Immutable)
	default:
		f.edit(r.marker, "")
		if d := f.field(r.target.Pos, r.target.Name); d != nil {
			d.InsertBefore("// +" + markers.Immutable)
		}
	}
}

// edit replaces a marker, or removes its line if the text is empty.
func (e *editor) edit(m model.Marker, text string) {
	f := e.open(m.Pos.File)
	if f == nil {
		return
	}
	if !f.ReplaceComment(m.Pos.Line, m.Pos.Column, "+"+m.Text, text) {
		e.errorf(m.Pos, "the marker cannot be edited, since it is not at this place: remove the line directives of the file")
	}
}
