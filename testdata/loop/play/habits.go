package play

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/mrgen-io/loop/kinds"
	"github.com/mrgen-io/mrgen/testdata/simulated"
)

// A habit of the API of a history.
type habit struct {
	name string
	simulated.Habit
	// impossible is the path of a field at which the API may never be as it is desired, "" if there is
	// none.
	impossible string
}

// system is a tag that only the API writes.
var system = simulated.Document{"system": "yes"}

// habits returns the habits of a random API, with few that make something impossible.
func (p *player) habits() []habit {
	var all []habit
	add := func(name string, h simulated.Habit, impossible string) {
		all = append(all, habit{name, h, impossible})
	}
	p.each(p.kind.Fields, "", kinds.Exact, func(f *kinds.Field, path, diff string) {
		if f.Shape == kinds.Map || f.Shape == kinds.Structs {
			if diff == kinds.Subset {
				add("shares "+path, simulated.Shares(path), "")
			} else {
				add("replaces "+path, simulated.Replaces(path), "")
			}
		}
		impossible := ""
		if diff == kinds.Exact || diff == kinds.Unordered {
			impossible = path
		}
		often := func() bool { return p.r.OneIn(2) }
		if impossible != "" {
			often = func() bool { return p.r.OneIn(12) }
		}
		switch f.Shape {
		case kinds.Text:
			switch {
			case f.Identifier, f.Reference, f.Bounded && f.Required: // spec would not accept a name in lower case
			case often():
				add("writes "+path+" in lower case", simulated.Rewrites(path, func(v any) any { return strings.ToLower(v.(string)) }), impossible)
			case p.r.OneIn(4):
				add("has a default for "+path, simulated.Defaults(path, "default"), "")
			}
		case kinds.Number:
			if p.r.OneIn(4) {
				add("has a default for "+path, simulated.Defaults(path, 7), "")
			}
		case kinds.Bool:
			if p.r.OneIn(4) {
				add("has a default for "+path, simulated.Defaults(path, true), "")
			}
		case kinds.Quantity:
			if p.r.OneIn(2) {
				add("writes "+path+" in another form", simulated.Rewrites(path, otherForm), "")
			}
		case kinds.List, kinds.Set, kinds.Items, kinds.Keyed:
			inOrder := f.Shape != kinds.Set && f.Shape != kinds.Keyed && (diff == kinds.Exact || diff == kinds.Subset)
			switch {
			case !inOrder && p.r.OneIn(2):
				add("shows "+path+" in another order", simulated.Reorders(path), "")
			case (f.Shape == kinds.List || f.Shape == kinds.Set) && often():
				add("adds an item to "+path, simulated.AddsItem(path, "system"), impossible)
			case p.r.OneIn(4):
				add("shows no "+path+" as an empty list", simulated.Shows(path, []any{}), "")
			}
			if f.Fields != nil && p.r.OneIn(3) {
				add("has a default for "+path+".label", simulated.Defaults(path+".label", "default"), "")
			}
		case kinds.Map:
			if often() {
				add("adds an entry to "+path, simulated.AddsEntries(path, system), impossible)
			}
		case kinds.Structs:
			if often() {
				add("adds an entry to "+path, simulated.AddsEntries(path, simulated.Document{"system": simulated.Document{"size": 1}}), impossible)
			}
		case kinds.Struct:
			if p.r.OneIn(2) {
				add("shows no "+path+" as an empty struct", simulated.Shows(path, simulated.Document{}), "")
			}
		}
	})
	if p.r.OneIn(4) {
		add("leaves out what is empty", simulated.OmitsEmpty(), "")
	}
	if p.r.OneIn(4) {
		add("is one answer late", simulated.Lags(), "")
		p.lags = true
	}
	if p.r.OneIn(4) {
		every := 3 + p.r.IntN(3)
		add(fmt.Sprintf("refuses every %dth request", every), simulated.Refuses(every), "")
	}
	return all
}

// each calls a function for the fields that are not in lists, with their paths, and how they are
// compared.
func (p *player) each(fields []*kinds.Field, prefix, inherited string, do func(f *kinds.Field, path, diff string)) {
	for _, f := range fields {
		diff := compared(f, inherited)
		do(f, prefix+f.JSON, diff)
		if f.Shape == kinds.Struct {
			p.each(f.Fields, prefix+f.JSON+".", diff, do)
		}
	}
}

// compared returns how a field is compared in a struct that is compared in some way.
func compared(f *kinds.Field, inherited string) string {
	if f.Diff == "" && inherited == kinds.Off {
		return kinds.Off
	}
	return f.Compared()
}

// otherForm returns a quantity without a suffix, as an API may.
func otherForm(value any) any {
	quantity, err := resource.ParseQuantity(fmt.Sprint(value))
	if err != nil {
		return value
	}
	return quantity.AsDec().String()
}
