package markers

import (
	"slices"
	"strings"
	"sync"
)

// A candidate is a name that an author may have meant: that of a marker, or of a marker and one
// of its arguments.
type candidate struct {
	name     string
	segments []string
}

var candidates = sync.OnceValue(func() []candidate {
	var all []candidate
	add := func(name string) {
		if !slices.ContainsFunc(all, func(c candidate) bool { return c.name == name }) {
			all = append(all, candidate{name, segments(name)})
		}
	}
	for _, m := range foreign() {
		add(m.Name)
		for _, a := range m.Arguments {
			if a.Name != "" {
				add(m.Name + ":" + a.Name)
			}
		}
	}
	for _, d := range definitions {
		add(d.Name)
	}
	return all
})

// segments splits a name into its words, in lower case.
func segments(name string) []string {
	return strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return !isASCIILetterOrDigit(r) && r != '-' && r != '_' })
}

// nearestForeign returns the candidate that is most like an unknown name, or "" if none is
// near, and whether it is certain that the author meant it.
func nearestForeign(name string) (near string, isCertain bool) {
	words := segments(name)
	if len(words) == 0 {
		return "", false
	}
	inNamespace := slices.Contains(namespaces, words[0])
	var least difference
	for _, c := range candidates() {
		var d difference
		var isNear bool
		if inNamespace {
			d, isNear = c.differs(words)
		} else {
			d, isNear = c.resembles(words)
		}
		// Without the colon after the namespace, only the exact words count.
		if !isNear || d.cost > 0 && inNamespace && !isNamespaced(name) {
			continue
		}
		switch {
		case near == "" || d.cost < least.cost:
			near, least = c.name, d
		case d.cost == least.cost:
			least.isSlip = false
		}
	}
	if m := other(near); m != nil && m.isIneffective() && m.Instead != "" {
		return m.effective(near), false
	}
	return near, least.isSlip
}

// A difference tells how unlike two names are. It is a slip if nobody makes it on purpose: a
// few wrong letters, or a missing word.
type difference struct {
	cost   int
	isSlip bool
}

// A missing or an additional word costs more than one wrong letter, and less than two.
const (
	costOfLetter  = 10
	costOfMissing = 11
	costOfExcess  = 12
)

// lettersPerCertainty is how many letters of a name in a namespace allow for one wrong letter
// that is a slip.
const lettersPerCertainty = 5

// differs compares a candidate with a name in a namespace: by letters in the words between
// those that are equal, or by missing and additional words.
func (c candidate) differs(words []string) (d difference, isNear bool) {
	ours, theirs := c.segments, words
	for len(ours) > 0 && len(theirs) > 0 && ours[0] == theirs[0] {
		ours, theirs = ours[1:], theirs[1:]
	}
	sameEnd := false
	for len(ours) > 0 && len(theirs) > 0 && ours[len(ours)-1] == theirs[len(theirs)-1] {
		ours, theirs, sameEnd = ours[:len(ours)-1], theirs[:len(theirs)-1], true
	}
	switch {
	case len(ours) == 0 && len(theirs) == 0:
		return difference{isSlip: true}, true
	case len(theirs) == 0:
		return difference{len(ours) * costOfMissing, len(ours) == 1}, sameEnd
	case len(ours) == 0:
		return difference{cost: len(theirs) * costOfExcess}, sameEnd
	case len(ours) != len(theirs):
		return difference{}, false
	}
	our, their := strings.Join(ours, ":"), strings.Join(theirs, ":")
	letters, isNear := distance(our, their, limit(our, their))
	return difference{letters * costOfLetter, letters <= max(1, len(our)/lettersPerCertainty)}, isNear
}

// leastLetters is the least length of candidates for names outside of the namespaces: shorter
// ones are too similar to ordinary words.
const leastLetters = 6

// resembles compares a candidate, by letters, with a name outside of the namespaces, which is
// probably the name of an unknown tool's marker, or prose.
func (c candidate) resembles(words []string) (d difference, isNear bool) {
	our, their := strings.Join(c.segments, ""), strings.Join(words, "")
	if len(our) < leastLetters {
		return difference{}, false
	}
	letters, isNear := distance(our, their, max(1, len(our)/lettersPerSlip))
	return difference{letters * costOfLetter, true}, isNear
}
