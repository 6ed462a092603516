package markers

import (
	"regexp"
	"strings"
)

// limit returns how many letters of texts may differ that are near each other: a third.
func limit(a, b string) int { return max(1, max(len(a), len(b))/3) }

// Nearest returns the candidate that is most like a text, whatever the case, if
// there is one near it. The first of equals wins.
func Nearest(text string, candidates []string) (string, bool) {
	best, bestDistance := "", -1
	for _, c := range candidates {
		if d, within := distance(text, c, limit(text, c)); within && (bestDistance < 0 || d < bestDistance) {
			best, bestDistance = c, d
		}
	}
	return best, bestDistance >= 0
}

// nearestDefinition returns the definition whose name is most like the unknown
// name of a marker, or nil. Prefixes don't count, so that
// +mrgen:reference:type finds +crossplane:generate:reference:type.
func nearestDefinition(name string) *Definition {
	local := localName(name)
	var best *Definition
	bestDistance := 0
	for i := range definitions {
		candidate := localName(definitions[i].Name)
		// What follows the name of a marker may be arguments.
		written := firstSegments(local, strings.Count(candidate, ":")+1)
		most := limit(written, candidate)
		if strings.HasPrefix(candidate, local+":") {
			most = len(candidate)
		}
		if d, within := distance(written, candidate, most); within && (best == nil || d < bestDistance) {
			best, bestDistance = &definitions[i], d
		}
	}
	return best
}

// firstSegments returns the first n segments of a name that colons separate.
func firstSegments(name string, n int) string {
	segments := strings.Split(name, ":")
	return strings.Join(segments[:min(n, len(segments))], ":")
}

var word = regexp.MustCompile("[A-Za-z0-9]+")

// lettersPerSlip is the length of name for which one wrong letter is allowed in
// a text that looks like the name.
const lettersPerSlip = 10

// lookalike returns the definition whose name a text begins with but for the
// signs between its words, the case of its letters and few of these, and the
// part of the text that was taken for the name. It returns nil for a text that
// merely talks about something else.
func lookalike(text string) (d *Definition, written string) {
	head, _, _ := strings.Cut(text, "=")
	words := word.FindAllStringIndex(head, maxWords())
	bestSlips := 0
	for i := range definitions {
		name := strings.Split(definitions[i].Name, ":")
		if len(words) < len(name) {
			continue
		}
		limit := len(definitions[i].Name) / lettersPerSlip
		slips, within := 0, true
		for j := 0; within && j < len(name); j++ {
			var more int
			more, within = distance(head[words[j][0]:words[j][1]], name[j], limit-slips)
			slips += more
		}
		if within && (d == nil || slips < bestSlips) {
			d, written, bestSlips = &definitions[i], head[:words[len(name)-1][1]], slips
		}
	}
	return d, written
}

// maxWords returns the number of words of the longest name.
func maxWords() int {
	most := 0
	for _, d := range definitions {
		most = max(most, strings.Count(d.Name, ":")+1)
	}
	return most
}

// distance returns how many letters must be inserted, removed, replaced or
// swapped with their neighbour to turn one text into the other, whatever the
// case, and whether that is within the limit. (The restricted
// Damerau-Levenshtein distance.)
func distance(a, b string, limit int) (edits int, within bool) {
	if len(a)-len(b) > limit || len(b)-len(a) > limit {
		return 0, false
	}
	a, b = strings.ToLower(a), strings.ToLower(b)
	// The rows are the distances of the first i-2, i-1 and i bytes of a to the
	// first j bytes of b.
	twoBack, previous, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		twoBack, previous, row = previous, row, twoBack
		row[0] = i
		for j := 1; j <= len(b); j++ {
			replace := previous[j-1]
			if a[i-1] != b[j-1] {
				replace++
			}
			row[j] = min(replace, previous[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], twoBack[j-2]+1)
			}
		}
	}
	return row[len(b)], row[len(b)] <= limit
}
