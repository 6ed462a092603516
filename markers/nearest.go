package markers

import (
	"regexp"
	"strings"
)

// limit returns how many letters may differ between similar texts.
func limit(a, b string) int { return max(1, max(len(a), len(b))/3) }

// Nearest returns the candidate that is most like a text, and whether any is near it. It ignores case. The
// first of equally near candidates wins.
func Nearest(text string, candidates []string) (string, bool) {
	best, bestDistance := "", -1
	for _, c := range candidates {
		if d, within := distance(text, c, limit(text, c)); within && (bestDistance < 0 || d < bestDistance) {
			best, bestDistance = c, d
		}
	}
	return best, bestDistance >= 0
}

// Remedy says which candidate a text should be if one is near it, and otherwise what else to do.
func Remedy(text string, candidates []string, otherwise string) string {
	if near, found := Nearest(text, candidates); found {
		return "did you mean " + near + "?"
	}
	return otherwise
}

// nearestDefinition returns the definition whose name is most like an unknown one, or nil.
// Prefixes don't count: +mrgen:reference:type finds +crossplane:generate:reference:type.
func nearestDefinition(name string) *Definition {
	local := localName(name)
	var best *Definition
	bestDistance := 0
	for i := range definitions {
		candidate := localName(definitions[i].Name)
		// The unknown text may end in arguments: compare as many segments as the candidate has.
		written := firstSegments(local, strings.Count(candidate, ":")+1)
		most := limit(written, candidate)
		// An unfinished name finds any name that it begins.
		if strings.HasPrefix(candidate, local+":") {
			most = len(candidate)
		}
		if d, within := distance(written, candidate, most); within && (best == nil || d < bestDistance) {
			best, bestDistance = &definitions[i], d
		}
	}
	return best
}

// longerDefinition returns the definition whose name begins with another one's, and goes on most like a text, or nil.
func longerDefinition(d *Definition, text string) *Definition {
	var ends []string
	for _, other := range definitions {
		if end, found := strings.CutPrefix(other.Name, d.Name+":"); found {
			ends = append(ends, end)
		}
	}
	if near, found := Nearest(strings.TrimPrefix(text, d.Name+":"), ends); found {
		return find(d.Name + ":" + near)
	}
	return nil
}

// firstSegments returns the first n segments of a name that colons separate.
func firstSegments(name string, n int) string {
	segments := strings.Split(name, ":")
	return strings.Join(segments[:min(n, len(segments))], ":")
}

var word = regexp.MustCompile("[A-Za-z0-9]+")

// lettersPerSlip is the number of letters in a name that allow one wrong letter.
const lettersPerSlip = 10

// lookalike returns the definition whose name the text begins with, ignoring case and the signs between words,
// and allowing few wrong letters. It also returns the part of the text that it took for the name. For prose it
// returns nil.
func lookalike(text string) (d *Definition, written string) {
	head, _, _ := strings.Cut(text, "=")
	words := word.FindAllStringIndex(head, -1)
	bestSlips := 0
	for i := range definitions {
		name := strings.Split(definitions[i].Name, ":")
		if len(words) < len(name) { // too short to contain the name
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

// distance returns the restricted Damerau-Levenshtein distance of two texts in lower case, and whether it is
// within the limit.
func distance(a, b string, limit int) (edits int, within bool) {
	// Each missing byte is an edit.
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
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] { // two letters swapped count as one edit
				row[j] = min(row[j], twoBack[j-2]+1)
			}
		}
	}
	return row[len(b)], row[len(b)] <= limit
}
