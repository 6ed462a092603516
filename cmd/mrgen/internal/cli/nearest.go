package cli

import "strings"

// nearest returns the candidate that the user most likely meant by name, or ""
// if none is near. The case of letters does not count.
func nearest(name string, candidates []string) string {
	best, fewest := "", len(name)/3+1
	for _, candidate := range candidates {
		n := edits(strings.ToLower(name), strings.ToLower(candidate))
		if n < fewest || n == fewest && best == "" {
			best, fewest = candidate, n
		}
	}
	return best
}

// edits returns how many bytes must be inserted, deleted or replaced to turn a
// into b, the Levenshtein distance.
func edits(a, b string) int {
	// row[j] is the distance between the part of a that was read and b[:j].
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replaced := diagonal
			if a[i] != b[j] {
				replaced++
			}
			diagonal = row[j+1]
			row[j+1] = min(replaced, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
