package markers

import "strings"

// joinPlaces returns places in words, separated by commas and "or".
func joinPlaces(places []Place) string {
	words := make([]string, len(places))
	for i, p := range places {
		words[i] = p.String()
	}
	return joinOr(words)
}

// joinOr joins words by commas, the last two by "or".
func joinOr(words []string) string {
	last := len(words) - 1
	if last <= 0 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// quote returns words in backquotes.
func quote(words []string) []string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = "`" + w + "`"
	}
	return quoted
}

// wrap breaks a text into lines of at most width bytes where it has spaces.
func wrap(text string, width int) []string {
	var lines []string
	line := ""
	for _, w := range strings.Fields(text) {
		switch {
		case line == "":
			line = w
		case len(line)+1+len(w) <= width:
			line += " " + w
		default:
			lines = append(lines, line)
			line = w
		}
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}
