package markers

import "strings"

func joinPlaces(places []Place) string {
	words := make([]string, len(places))
	for i, p := range places {
		words[i] = p.String()
	}
	return joinOr(words)
}

// joinOr joins words with commas, and the last two with "or".
func joinOr(words []string) string {
	last := len(words) - 1
	if last <= 0 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// wrap breaks a text at its spaces into lines of at most width bytes.
func wrap(text string, width int) []string {
	var lines []string
	for word := range strings.FieldsSeq(text) {
		if last := len(lines) - 1; last >= 0 && len(lines[last])+1+len(word) <= width {
			lines[last] += " " + word
		} else {
			lines = append(lines, word)
		}
	}
	return lines
}
