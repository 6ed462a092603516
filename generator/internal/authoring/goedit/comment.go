package goedit

import "strings"

// Comment breaks a text into the lines of a comment.
func Comment(text string) []string {
	const width = 80
	var lines []string
	line := "//"
	for word := range strings.FieldsSeq(text) {
		if line != "//" && len(line)+1+len(word) > width {
			lines, line = append(lines, line), "//"
		}
		line += " " + word
	}
	return append(lines, line)
}
