package combinations_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// A cell is a marker, a type and a place: a field of a kind. Several cells share a kind if none of them changes what is
// valid elsewhere in it.
type cell struct {
	number  int
	goType  *goType
	place   *place
	marking marking
}

func (c *cell) String() string {
	return fmt.Sprintf("%s at %s: %s", c.goType.name, c.place.name, strings.Join(c.marking.lines, " "))
}

// prefix begins the names of the types that the cell declares, and is the name of its file in upper case.
func (c *cell) prefix() string { return fmt.Sprintf("C%05d", c.number) }

// names returns the JSON names of the field and, if its struct is one of the cell, of the field that has the struct.
func (c *cell) names() (field, around string) {
	if c.place.owner == "KX" && c.place.name != "embedded" {
		return "f", fmt.Sprintf("x%05d", c.number)
	}
	return fmt.Sprintf("f%05d", c.number), ""
}

// top is the JSON name of the cell's field in a struct of the kind.
func (c *cell) top() string {
	field, around := c.names()
	return cmp.Or(around, field)
}

// isAlone reports whether the cell needs a kind of its own.
func (c *cell) isAlone() bool {
	_, around := c.names()
	expr, options := c.goType.options()
	isRequired := !strings.Contains(options, "omit")
	for _, word := range []string{"default", "equired", "mrgen:", "crossplane:", "kubebuilder:object", "skip"} {
		isRequired = isRequired || strings.Contains(c.marking.name, word)
	}
	return c.place.on == onKind || isRequired && around == "" || strings.HasPrefix(expr, "metav1.")
}

// isPossible reports whether Go has the type at the place.
func isPossible(t *goType, p *place) bool {
	switch {
	case p.expr == "map[D]string" && t.class != text:
		return false // encoding/json takes texts and numbers as keys, and D is a text in objects
	case p.on == onType:
		expr, options := t.options()
		return options == "omitempty" && !strings.HasPrefix(expr, "unsafe.")
	}
	return true
}

// bases returns the cells without a marker: each type at each place.
func bases() []*cell {
	var all []*cell
	for _, p := range placesOn(onField, onType) {
		for i := range goTypes {
			if isPossible(&goTypes[i], p) {
				all = append(all, &cell{goType: &goTypes[i], place: p})
			}
		}
	}
	return all
}

// marked returns the cells with markers: each value of a marker with each type that it fits and one type of the other
// classes, at one place, and each value at each place with one type.
func marked(random *rand.Rand, three bool) []*cell {
	var all []*cell
	add := func(t *goType, p *place, m marking) {
		if isPossible(t, p) {
			all = append(all, &cell{goType: t, place: p, marking: m})
		}
	}
	table := allMarkers()
	for _, m := range table {
		on := m.on
		if on == nil {
			on = []string{onField}
		}
		possible := placesOn(on...)
		if slices.Contains(on, onType) {
			possible = append(possible, placesOn(onKind)...)
		}
		other := map[class]bool{}
		for _, i := range random.Perm(len(goTypes)) {
			t := &goTypes[i]
			if !m.fits(t) && other[t.class] {
				continue
			}
			other[t.class] = true
			for _, value := range m.markings(t) {
				add(t, possible[random.IntN(len(possible))], value)
			}
		}
		for i := range places {
			t := fittingType(random, &m)
			for _, value := range m.markings(t) {
				add(t, &places[i], value)
			}
		}
	}
	pairs := pairs(random, table)
	if all = append(all, pairs...); three {
		for _, c := range pairs {
			m := table[random.IntN(len(table))]
			if m.fits(c.goType) {
				add(c.goType, c.place, both(random, []marking{c.marking}, m.markings(c.goType)))
			}
		}
	}
	return all
}

// fittingType returns a type that a marker fits, if there is one.
func fittingType(random *rand.Rand, m *marker) *goType {
	var found []*goType
	for i := range goTypes {
		if m.fits(&goTypes[i]) {
			found = append(found, &goTypes[i])
		}
	}
	if len(found) == 0 {
		return &goTypes[4]
	}
	return found[random.IntN(len(found))]
}

// pairs returns cells with two markers that fit one type.
func pairs(random *rand.Rand, table []marker) []*cell {
	var all []*cell
	for i, a := range table {
		for _, b := range table[i+1:] {
			t := fittingType(random, &a)
			if !a.fits(t) || !b.fits(t) {
				continue
			}
			var possible []*place
			for _, p := range placesOn(onField, onType) {
				isMeant := func(m marker) bool { return m.on == nil || slices.Contains(m.on, p.on) }
				if isMeant(a) && isMeant(b) && isPossible(t, p) {
					possible = append(possible, p)
				}
			}
			if len(possible) == 0 {
				continue
			}
			all = append(all, &cell{goType: t, place: possible[random.IntN(len(possible))], marking: both(random, a.markings(t), b.markings(t))})
		}
	}
	return all
}

// both returns two of the markings as one.
func both(random *rand.Rand, some, others []marking) marking {
	a, b := some[random.IntN(len(some))], others[random.IntN(len(others))]
	return marking{name: a.name + " and " + b.name, sort: a.sort + " and " + b.sort, lines: slices.Concat(a.lines, b.lines)}
}

// A group is a kind with cells at one place.
type group struct {
	name  string
	place *place
	cells []*cell
}

// mostTogether is the number of cells that share a kind.
const mostTogether = 20

// grouped returns the kinds of cells.
func grouped(cells []*cell) []*group {
	var all []*group
	open := map[*place]*group{}
	for _, c := range cells {
		g := open[c.place]
		if g == nil || c.isAlone() || len(g.cells) == mostTogether {
			g = &group{place: c.place, name: fmt.Sprintf("G%05d", c.number)}
			all = append(all, g)
			if !c.isAlone() {
				open[c.place] = g
			}
		}
		g.cells = append(g.cells, c)
	}
	return all
}
