package markers

import (
	"slices"
	"strings"
	"sync"
)

// A candidate is a name that an author may have meant: a marker's, or a marker's with one of its arguments.
type candidate struct {
	name     string
	segments []string
}

var candidates = sync.OnceValue(func() []candidate {
	var all []candidate
	add := func(name string) {
		// controller-tools and the table share some names.
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

// nearestForeign returns the candidate that is most like an unknown name, or "" if none is near, and whether
// the author certainly meant it.
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
		// Without the colon after the namespace, the text is likely prose: only the exact words count.
		if !isNear || d.cost > 0 && inNamespace && !isNamespaced(name) {
			continue
		}
		switch {
		case near == "" || d.cost < least.cost:
			near, least = c.name, d
		case d.cost == least.cost:
			least.isSlip = false // two candidates: which one was meant isn't certain
		}
	}
	if m := other(near); m != nil && m.isIneffective() && m.Instead != "" {
		return m.effective(near), false // suggest the marker that works instead
	}
	return near, least.isSlip
}

// A difference is the distance between two names. It is a slip if nobody would write it on purpose: a few wrong
// letters, or a missing word.
type difference struct {
	cost   int
	isSlip bool
}

// A missing or an extra word costs more than one wrong letter, and less than two.
const (
	costOfLetter  = 10
	costOfMissing = 11
	costOfExcess  = 12
)

// lettersPerCertainty is the number of letters in a namespaced name that allow one wrong letter as a slip.
const lettersPerCertainty = 5

// differs compares a candidate with a namespaced name: by the letters of the words between equal ends, or by
// missing and extra words.
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
	case len(ours) == 0 && len(theirs) == 0: // equal words, with other signs between them
		return difference{isSlip: true}, true
	// +kubebuilder:MaxLength lacks a word in the middle. Without the same end, any prefix would match.
	case len(theirs) == 0:
		return difference{len(ours) * costOfMissing, len(ours) == 1}, sameEnd
	case len(ours) == 0: // an extra word isn't a slip
		return difference{cost: len(theirs) * costOfExcess}, sameEnd
	case len(ours) != len(theirs):
		return difference{}, false
	}
	our, their := strings.Join(ours, ":"), strings.Join(theirs, ":")
	letters, isNear := distance(our, their, limit(our, their))
	return difference{letters * costOfLetter, letters <= max(1, len(our)/lettersPerCertainty)}, isNear
}

// leastLetters is the shortest length of candidates for names outside the namespaces: shorter ones are too
// similar to ordinary words.
const leastLetters = 6

// resembles compares a candidate, by letters, with a name outside the namespaces: probably prose, or an unknown
// tool's marker.
func (c candidate) resembles(words []string) (d difference, isNear bool) {
	our, their := strings.Join(c.segments, ""), strings.Join(words, "")
	if len(our) < leastLetters {
		return difference{}, false
	}
	letters, isNear := distance(our, their, max(1, len(our)/lettersPerSlip))
	return difference{letters * costOfLetter, true}, isNear
}
