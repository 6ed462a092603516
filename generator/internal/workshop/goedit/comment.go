package goedit

import "strings"

// Comment returns the lines of a comment with the text.
func Comment(text string) []string {
	const width = 80
	lines := []string{"//"}
	for word := range strings.FieldsSeq(text) {
		if last := lines[len(lines)-1]; last != "//" && len(last)+1+len(word) > width {
			lines = append(lines, "//")
		}
		lines[len(lines)-1] += " " + word
	}
	return lines
}
