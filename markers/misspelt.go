package markers

import (
	"slices"
	"strings"
	"sync"
)

// namespaces are the beginnings of names that mrgen knows all markers of. What begins
// so and is no marker was meant to be one.
var namespaces = []string{"kubebuilder", "k8s", "crossplane", "mrgen"}

// CheckForeign returns what is wrong with a marker of another tool: the text of a
// comment line that follows the plus sign, and what the comment describes. It returns
// nil if a tool that we know reads the marker, and for what was not meant to be a
// marker, as far as anybody can tell: names without a namespace that are like no other.
func CheckForeign(text string, on Target) *Problem {
	text = strings.TrimRight(text, space)
	if defined := registry().targets(text); defined != 0 {
		return misplaced(text, defined, on)
	}
	if m := other(text); m != nil {
		if m.on != 0 {
			return misplaced(text, m.on, on)
		}
		return nil
	}
	if bare := strings.TrimLeft(text, space); len(bare) < len(text) {
		return spaced(text, bare, on)
	}
	return misspelt(text, on)
}

// IsRead reports whether mrgen or controller-gen reads a text, without its plus sign, as
// a marker where it belongs.
func IsRead(text string) bool {
	text = strings.TrimRight(text, space)
	if m := other(text); m != nil {
		return m.on != 0
	}
	return registry().targets(text) != 0 || isOwnedMarker(text)
}

// misplaced reports a marker that is not defined for what it describes.
func misplaced(text string, defined, on Target) *Problem {
	if defined&on != 0 {
		return nil
	}
	p := problemf(0, "the marker +%s has no effect on %s: move it to %s", nameOf(text), on, defined)
	p.Kind = WithoutEffect
	return p
}

// nameOf returns the name that a marker begins with, for messages. It is that of its
// definition if there is one.
func nameOf(text string) string {
	for _, target := range targets {
		if d := registry().Lookup("+"+text, target.kubernetes); d != nil {
			return d.Name
		}
	}
	if m := other(text); m != nil {
		return m.Name
	}
	return printable(written(text))
}

// written returns the part of a text that is the name of a marker, or was meant to be:
// what precedes the value. An idiom has a colon before the equals sign.
func written(text string) string {
	name, _, _ := strings.Cut(text, "=")
	return strings.TrimRight(name, space+":")
}

// spaced reports a marker with spaces after its plus sign. Of those without a namespace
// the name must be right, and stand alone: other lines are items of lists.
func spaced(text, bare string, on Target) *Problem {
	p, spaces := misspelt(bare, on), len(text)-len(bare)
	isMarker := registry().targets(bare) != 0 || other(bare) != nil || isOwnedMarker(bare)
	switch {
	case isNamespaced(bare) && p == nil && !isMarker, !isNamespaced(bare) && (!isMarker || strings.ContainsAny(bare, space)):
		return nil
	case p != nil && !isMarker:
		p.Offset += spaces
		if c := p.Correction; c != nil {
			p.Correction = &Correction{Length: spaces + c.Offset + c.Length, Text: bare[:c.Offset] + c.Text}
		}
		return p
	}
	p = problemf(0, "+%s is no marker, since a space follows the plus sign: write +%s", printable(text[:spaces])+nameOf(bare), nameOf(bare))
	p.Kind, p.Correction = Misspelt, &Correction{Length: spaces}
	return p
}

// misspelt reports a name that nobody defines, if it has a namespace or is like another.
func misspelt(text string, on Target) *Problem {
	name := written(text)
	if token, rest, found := strings.Cut(name, " "); found {
		// Kubernetes' own generators, unlike controller-gen, read markers with comments.
		if !isNamespaced(token) || registry().targets(token) == 0 {
			return nil
		}
		p := problemf(len(token)+len(rest)-len(strings.TrimLeft(rest, space))+1,
			"unexpected %q after +%s: a marker stands alone on its line", strings.TrimSpace(rest), printable(token))
		p.Kind = Misspelt
		return p
	}
	near, isCertain := nearestForeign(name)
	if !isCertain {
		if p := withoutEquals(text, name, on); p != nil {
			return p
		}
	}
	rest := ""
	if strings.Contains(text, "=") {
		rest = text[len(name):]
	}
	var p *Problem
	switch {
	case isNamespaced(text) && isBeginning(name):
		p = problemf(0, "the name of the marker +%s goes on: run `mrgen markers %s` to see how", printable(name), printable(name))
		isCertain = false
	case near != "":
		p = problemf(0, "unknown marker +%s: did you mean +%s?", printable(name), near)
	case isNamespaced(text):
		p = problemf(0, "unknown marker +%s: run `mrgen markers` to see those that exist", printable(name))
	default:
		return nil
	}
	p.Kind = Misspelt
	if isCertain && isRead(near+rest, on) {
		p.Correction = &Correction{Length: len(text) - len(rest), Text: near}
	}
	return p
}

// isBeginning reports whether markers have names that go on after a name.
func isBeginning(name string) bool {
	return slices.ContainsFunc(candidates(), func(c candidate) bool { return strings.HasPrefix(c.name, name+":") })
}

// withoutEquals reports a marker whose value follows a colon: +kubebuilder:default:port.
func withoutEquals(text, name string, on Target) *Problem {
	colon := strings.LastIndexByte(name, ':')
	if colon < 0 || strings.Contains(text, "=") || !registry().takesValue(name[:colon]) {
		return nil
	}
	p := problemf(colon, "unknown marker +%s: did you mean +%s=%s?", printable(name), name[:colon], printable(name[colon+1:]))
	p.Kind = Misspelt
	if registry().parses(name[:colon]+"="+name[colon+1:], on) {
		p.Correction = &Correction{Offset: colon, Length: 1, Text: "="}
	}
	return p
}

// isNamespaced reports whether a text has a name in one of our namespaces.
func isNamespaced(text string) bool {
	return slices.ContainsFunc(namespaces, func(namespace string) bool {
		return len(text) > len(namespace) && text[len(namespace)] == ':' && strings.EqualFold(text[:len(namespace)], namespace)
	})
}

func isOwnedMarker(text string) bool {
	value, problem := Parse(text)
	return value != nil && problem == nil
}

// isRead reports whether a marker is read where it stands, with its arguments.
func isRead(text string, on Target) bool {
	if m := other(text); m != nil {
		return m.on == 0 || m.on&on != 0
	}
	return isOwnedMarker(text) || registry().parses(text, on)
}

// CheckUnmarked returns what is wrong with a line of a comment that has no plus sign,
// if it is a marker but for that: the text without what surrounds it. Only markers in
// our namespaces are told from prose.
func CheckUnmarked(text string, on Target) *Problem {
	if !isNamespaced(text) || hasBareSpace(text) {
		return nil
	}
	name, correction := text, &Correction{Text: "+"}
	if !isRead(text, on) {
		p := CheckForeign(text, on)
		if p == nil || p.Correction == nil {
			return nil
		}
		fixed := p.Correction.Apply(text)
		name, correction = fixed, &Correction{Length: p.Correction.Offset + p.Correction.Length,
			Text: "+" + text[:p.Correction.Offset] + p.Correction.Text}
	}
	p := problemf(0, "%s is no marker without a plus sign: write +%s", printable(written(text)), nameOf(name))
	p.Kind, p.Correction = Misspelt, correction
	return p
}

// hasBareSpace reports whether a text has a space outside of quotes, as sentences do.
func hasBareSpace(text string) bool {
	var quote byte
	for i := range len(text) {
		switch c := text[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case strings.IndexByte("\"`'", c) >= 0:
			quote = c
		case strings.IndexByte(space, c) >= 0:
			return true
		}
	}
	return false
}

// A candidate is a name that a misspelt one may stand for: that of a marker, with that
// of an argument if it has some.
type candidate struct {
	name     string
	segments []string
}

var candidates = sync.OnceValue(func() []candidate {
	var all []candidate
	add := func(name string) {
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

// segments returns the words of a name in lower case, whatever separates them.
func segments(name string) []string {
	return strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return !isASCIILetterOrDigit(r) && r != '-' && r != '_' })
}

// nearestForeign returns the name of a marker that is most like an unknown one, "" if
// none is, and whether there can be no doubt that it was meant.
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
		// A text that merely has the words of a name is none.
		if !isNear || d.cost > 0 && inNamespace && !isNamespaced(name) {
			continue
		}
		switch {
		case near == "" || d.cost < least.cost:
			near, least = c.name, d
		case d.cost == least.cost:
			least.isSlip = false
		}
	}
	return near, least.isSlip
}

// A difference tells how unlike two names are. Slips are those that nobody makes on
// purpose: few letters, or a word that is left out.
type difference struct {
	cost   int
	isSlip bool
}

// What a name may lack, or have too much of, weighs more than one wrong letter, and less
// than two.
const (
	costOfLetter  = 10
	costOfMissing = 11
	costOfExcess  = 12
)

// lettersPerCertainty is the length of a word for which one wrong letter is a slip in a
// name that begins with one of our namespaces.
const lettersPerCertainty = 5

// differs returns how much a candidate differs from a name in one of our namespaces: in
// letters between words that are equal, or in words that are missing or too much.
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
	case len(ours) == 0 && len(theirs) == 0:
		return difference{isSlip: true}, true
	case len(theirs) == 0:
		return difference{len(ours) * costOfMissing, len(ours) == 1}, sameEnd
	case len(ours) == 0:
		return difference{cost: len(theirs) * costOfExcess}, sameEnd
	case len(ours) != len(theirs):
		return difference{}, false
	}
	our, their := strings.Join(ours, ":"), strings.Join(theirs, ":")
	letters, isNear := distance(our, their, limit(our, their))
	return difference{letters * costOfLetter, letters <= max(1, len(our)/lettersPerCertainty)}, isNear
}

// leastLetters is the length of the shortest name without a namespace that is told from
// words with a wrong letter.
const leastLetters = 6

// resembles returns how much a candidate differs, in letters, from a name in no namespace
// of ours, which is most likely that of another tool, or no marker at all.
func (c candidate) resembles(words []string) (d difference, isNear bool) {
	our, their := strings.Join(c.segments, ""), strings.Join(words, "")
	if len(our) < leastLetters {
		return difference{}, false
	}
	letters, isNear := distance(our, their, max(1, len(our)/lettersPerSlip))
	return difference{letters * costOfLetter, true}, isNear
}
