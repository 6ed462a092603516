package markers

import (
	"cmp"
	"strings"
	"unicode"
)

// bareMarker returns the marker without arguments that something follows in a text, or nil.
func bareMarker(text string) *ForeignMarker {
	var found *ForeignMarker
	for i, all := 0, foreign(); i < len(all); i++ {
		rest, begins := strings.CutPrefix(text, all[i].Name)
		// The longest name wins: a name may continue another one after a colon.
		if begins && strings.IndexFunc(rest, isInName) != 0 && (found == nil || len(found.Name) < len(all[i].Name)) {
			found = &all[i]
		}
	}
	switch {
	case found == nil, found.Family, len(found.Arguments) > 0: // takes arguments, or a tail that belongs to its name
		return nil
	case len(found.Name) == len(text), text[len(found.Name)] == '(': // alone, or a call such as +rule(…), checked elsewhere
		return nil
	}
	if rest := text[len(found.Name):]; !strings.ContainsRune("=:"+space, rune(rest[0])) && !strings.ContainsFunc(rest, isInName) {
		return nil // a longer name, one letter too many: reported as a typo
	}
	return found
}

// isInName reports whether a marker's name can contain the character.
func isInName(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_' }

// excess reports text after a marker that takes no arguments. controller-gen fails on +optional=true and
// ignores +optional followed by words. Nothing reads +immutable=true.
func (m *ForeignMarker) excess(text string) *Problem {
	rest := text[len(m.Name):]
	words := strings.TrimLeft(rest, space)
	// Kubernetes' own tools allow comments after their markers.
	if isComment := strings.HasPrefix(words, "#") || strings.HasPrefix(words, "//"); m.Tool != conventionTool && m.On == 0 && isComment {
		if m.isIneffective() {
			return m.ineffective(m.Name)
		}
		return nil
	}
	var p *Problem
	switch value := strings.TrimLeft(rest, ":="); {
	case !strings.ContainsRune("=:", rune(rest[0])):
		p = problemf(Misspelt, len(text)-len(words), "unexpected %q after +%s: a marker stands alone on its line", words, m.Name)
		p.Words = true
	case value == "false": // the author wants it off: =false doesn't do that
		p = problemf(Misspelt, len(m.Name), "marker +%s takes no arguments: remove the marker", m.Name)
	case rest[0] == ':' && value != "" && value != "true": // it may mean anything
		p = problemf(Misspelt, 0, "no tool reads +%s, since +%s has no parts: remove it", text, m.Name)
	default:
		instead := m.Name
		if m.isIneffective() {
			instead = cmp.Or(m.effective(m.Name), m.Name)
		}
		p = problemf(Misspelt, len(m.Name), "marker +%s takes no arguments: write +%s", m.Name, instead)
		// The intention is clear, so mrgen fix markers may correct it.
		if !m.isIneffective() && (value == "" || value == "true") {
			p.Correction = &Correction{Offset: len(m.Name), Length: len(rest)}
		}
	}
	p.Meant = m.Name
	if registry().targets(text) != 0 {
		p.Kind = Invalid // for controller-gen, too
	}
	return p
}
