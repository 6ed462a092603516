package markers

import "strings"

// JoinPlaces joins places with commas, and the last two with "or".
func JoinPlaces(places []Place) string {
	words := make([]string, len(places))
	for i, p := range places {
		words[i] = p.String()
	}
	return Or(words)
}

// Or joins words with commas, and the last two with "or".
func Or(words []string) string {
	last := len(words) - 1
	if last <= 0 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}
