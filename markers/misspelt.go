package markers

import (
	"go/token"
	"slices"
	"strings"
)

// namespaces are the first words of names that mrgen knows completely: any other name that begins with one of
// them is misspelt.
var namespaces = []string{"kubebuilder", "k8s", "crossplane", "mrgen"}

// CheckForeign checks a marker of another tool: the text of a comment line after the plus sign, and the thing
// that the comment describes. It returns nil if a known tool reads the marker. It also returns nil for text
// that is probably not a marker: outside the namespaces and unlike any marker.
func CheckForeign(text string, on Target) *Problem {
	text = strings.TrimRight(text, space)
	bare := bareMarker(text)
	defined := registry().targets(text)
	if bare != nil && (defined != 0 || text[len(bare.Name)] != ':') {
		return bare.excess(text)
	}
	if defined != 0 {
		if repeated := repeatedArgument(text); repeated != "" {
			return problemf(WithoutEffect, 0, "%s has no effect, since the marker has another argument of this name: write a marker for each", repeated[:min(len(repeated), 60)])
		}
		return misplaced(text, defined, on)
	}
	if m := other(text); m != nil {
		switch {
		case m.Name == K8sEnumExclude: // defined on constants, which no Target covers
			return problemf(WithoutEffect, 0, "the marker +%s describes nothing here: put it in the comment right above a constant", m.Name)
		case m.isIneffective():
			return m.ineffective(text)
		// Such as controller-gen's webhook markers, which the registry leaves out.
		case m.On != 0:
			return misplaced(text, m.On, on)
		}
		return nil // read by a tool whose targets mrgen doesn't check
	}
	// "+ optional" is a list item to controller-gen.
	if unspaced := strings.TrimLeft(text, space); len(unspaced) < len(text) {
		return spaced(text, unspaced, on)
	}
	if bare != nil {
		// The colon may belong to a longer name that is misspelt.
		if near, _ := nearestForeign(written(text)); near == "" || near == bare.Name {
			return bare.excess(text)
		}
	}
	return misspelt(text, on)
}

// isIneffective reports whether a marker constrains values, though neither controller-gen nor mrgen reads it.
func (m *ForeignMarker) isIneffective() bool {
	isOfValues := m.Tool == validationTool && m.Name != K8sEnumExclude && !strings.HasPrefix(m.Name, "k8s:validation-gen")
	return isOfValues || m.Instead != "" && !m.Deprecated
}

func isIneffective(text string) bool {
	m := other(text)
	return m != nil && m.isIneffective()
}

// ineffective reports a marker that only other tools read, and names one that works, if there is one.
func (m *ForeignMarker) ineffective(text string) *Problem {
	remedy := "remove it"
	if instead := m.effective(text); instead != "" {
		remedy = "write +" + instead
	}
	p := problemf(WithoutEffect, 0, "marker +%s has no effect on CRDs: %s", m.Name, remedy)
	p.Like = "%d markers +" + m.Name + ", such as here, have no effect on CRDs: " + remedy
	return p
}

// effective returns the marker that works in place of an ineffective one.
func (m *ForeignMarker) effective(text string) string {
	rest := strings.TrimPrefix(text, m.Name)
	_, value, hasValue := strings.Cut(rest, "=")
	last, isOfItems := "", m.Instead == ItemsXValidation
	switch {
	case m.Family: // in the rest of the name: +k8s:validation:maxLength
		last = strings.TrimPrefix(written(rest), ":")
	case hasValue && strings.HasPrefix(value, "+k8s:"): // in the value: +k8s:eachVal=+k8s:maxLength=5
		last = strings.TrimPrefix(written(value), "+k8s:")
	}
	for _, known := range registry().markers {
		name, prefix := known.Name, ValidationPrefix
		if isOfItems {
			prefix = ItemsValidationPrefix
		}
		if last != "" && strings.EqualFold(name, prefix+last) {
			return name
		}
	}
	return m.Instead
}

// IsRead reports whether the text, without its plus sign, is a marker that mrgen or
// controller-gen reads at some place.
func IsRead(text string) bool {
	text = strings.TrimRight(text, space)
	if m := other(text); m != nil {
		return m.On != 0
	}
	return registry().targets(text) != 0 || isOwnedMarker(text)
}

// IsExclusion reports whether the text is +k8s:enumExclude. A comment may follow, as Kubernetes' tools allow.
func IsExclusion(text string) bool {
	name, _, _ := strings.Cut(text, " ")
	return name == K8sEnumExclude
}

// misplaced reports a marker at a place that it isn't defined for.
func misplaced(text string, defined, on Target) *Problem {
	if defined&on != 0 {
		return nil
	}
	return problemf(WithoutEffect, 0, "the marker +%s has no effect on %s: move it to %s", nameOf(text), on, defined)
}

// nameOf returns the name of a marker for messages, from its definition if there is one.
func nameOf(text string) string {
	for _, target := range targets {
		if d := registry().Lookup("+"+text, target.describes); d != nil {
			return d.Name
		}
	}
	if m := other(text); m != nil {
		return m.Name
	}
	return printable(written(text))
}

// written returns the part of a text before the value, which should be the name of a marker. Some authors write
// a colon before the equals sign.
func written(text string) string {
	name, _, _ := strings.Cut(text, "=")
	return strings.TrimRight(name, space+":")
}

// spaced reports a marker with spaces after its plus sign. Outside the namespaces, only a line that would be a
// marker without the spaces counts: others are list items.
func spaced(text, bare string, on Target) *Problem {
	if m := other(bare); m != nil && m.isIneffective() {
		return m.ineffective(bare)
	}
	p, spaces := misspelt(bare, on), len(text)-len(bare)
	isMarker := registry().parses(bare, registry().targets(bare)) || other(bare) != nil || isOwnedMarker(bare)
	switch {
	// Prose: an unknown word, or a sentence that begins with a marker's name.
	case isNamespaced(bare) && p == nil && !isMarker, !isNamespaced(bare) && (!isMarker || strings.ContainsAny(bare, space)):
		return nil
	// A slip in the name as well: one correction fixes both.
	case p != nil && !isMarker:
		p.Offset += spaces
		if c := p.Correction; c != nil {
			p.Correction = &Correction{Length: spaces + c.Offset + c.Length, Text: bare[:c.Offset] + c.Text}
		}
		return p
	}
	p = problemf(Misspelt, 0, "+%s is not a marker, since a space follows the plus sign: write +%s", printable(text[:spaces])+nameOf(bare), nameOf(bare))
	p.Correction = &Correction{Length: spaces}
	return p
}

// begunBy returns the names that an unfinished one could become, unless there are many.
func begunBy(name string) []string {
	const fewest, most = 2, 5                                  // letters of the last word, and names
	if len(name)-strings.LastIndexByte(name, ':')-1 < fewest { // one letter begins too many names
		return nil
	}
	all := slices.DeleteFunc(Names(), func(known string) bool {
		rest, found := strings.CutPrefix(known, name)
		return !found || rest == "" || strings.Contains(rest, ":") || isIneffective(known)
	})
	if len(all) > most {
		return nil
	}
	return all
}

// misspelt reports an undefined name if it is in a namespace, or similar to a defined one.
func misspelt(text string, on Target) *Problem {
	name := written(text)
	if token, rest, found := strings.Cut(name, " "); found {
		// Kubernetes' own generators, unlike controller-gen, read markers with comments.
		bare := strings.TrimRight(token, ":")
		// "+ list item" style prose, or an unknown word: not a marker.
		if registry().targets(bare) == 0 {
			return brokenName(text, name, on)
		}
		words, remedy := strings.TrimSpace(rest), "a marker stands alone on its line"
		if registry().takesValue(bare) {
			remedy = "write +" + bare + "=VALUE"
		}
		p := problemf(Misspelt, len(name)-len(strings.TrimLeft(rest, space)), "unexpected %q after +%s: %s", words, printable(bare), remedy)
		p.Words = true
		return p
	}
	near, isCertain := nearestName(name)
	if !isCertain {
		// A colon in place of the equals sign explains more than an uncertain name.
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
	case near == name && registry().targets(text) == 0 && !registry().takesValue(name) && text[len(name):] == ":":
		p = problemf(Misspelt, len(name), "nothing follows +%s and its colon: write all arguments on this line", name)
	case near == name && name != "": // the name is right, and a colon precedes the equals sign
		p = problemf(Misspelt, len(name), "unexpected %q after +%s: write +%s=VALUE", text[len(name):], name, name)
	case registry().targets(strings.Replace(text, "=", ":", 1)) != 0: // such as +kubebuilder:subresource=status
		p = problemf(Misspelt, 0, "unknown marker +%s: did you mean +%s?", printable(text), strings.Replace(text, "=", ":", 1))
		isCertain = false
	case isNamespaced(text) && isBeginning(name): // such as +kubebuilder:validation
		p = problemf(Misspelt, 0, "the name of the marker +%s goes on: run `mrgen markers %s` to see how", printable(name), printable(name))
		isCertain = false
	case near != "" && isIneffective(near): // don't suggest a marker without effect
		p = problemf(Misspelt, 0, "unknown marker +%s: remove it, since +%s has no effect on CRDs either", printable(name), near)
		isCertain = false
	case near != "":
		p = problemf(Misspelt, 0, "unknown marker +%s: did you mean +%s?", printable(name), near)
	case isNamespaced(text) && len(begunBy(name)) > 0:
		names := strings.Join(begunBy(name), orName)
		p = problemf(Misspelt, 0, "unknown marker +%s: did you mean +%s?", printable(name), names)
		p.Suggestions = names
	case isNamespaced(text):
		p = problemf(Misspelt, 0, "unknown marker +%s: run `mrgen markers` to see those that exist", printable(name))
	default: // prose
		return nil
	}
	// Only a correction that parses is safe to apply.
	if isCertain && isRead(near+rest, on) {
		p.Correction = &Correction{Length: len(text) - len(rest), Text: near}
	}
	return p
}

// nearestName returns the name that is most like an undefined one, has its end, or its words in another order, or "".
func nearestName(name string) (near string, isCertain bool) {
	if near, isCertain = nearestForeign(name); near != "" {
		return near, isCertain
	}
	// A wrong beginning, such as +kube:validation:MinLength, is far from the right name.
	if _, last, found := strings.Cut(name, "validation:"); found && registry().targets(ValidationPrefix+last) != 0 {
		return ValidationPrefix + last, isCertain
	}
	words := slices.Sorted(slices.Values(segments(name)))
	for _, c := range candidates() {
		if slices.Equal(slices.Sorted(slices.Values(segments(c.name))), words) {
			return c.name, isCertain
		}
	}
	return "", isCertain
}

// brokenName reports a marker with blanks in its name, as +kubebuilder: default=1, or with a colon in place of the equals sign of an
// argument whose value has blanks. Other texts pass for prose.
func brokenName(text, name string, on Target) *Problem {
	if !isNamespaced(text) {
		return nil
	}
	bare := strings.ReplaceAll(name, " ", "")
	if isRead(bare+text[len(name):], on) {
		p := problemf(Misspelt, 0, "+%s is not a marker, since its name has blanks: write +%s", printable(name), bare)
		p.Correction = &Correction{Length: len(name), Text: bare}
		return p
	}
	parts := strings.Split(name, ":")
	for i := len(parts) - 1; i > 0; i-- {
		if known := strings.Join(parts[:i], ":"); registry().targets(known) != 0 {
			form := known
			if argument := strings.TrimSpace(parts[i]); token.IsIdentifier(argument) {
				form += ":" + argument
			}
			return problemf(Misspelt, len(known)+1, "unexpected %q after +%s: write +%s=VALUE", parts[i]+":", known, form)
		}
	}
	return nil
}

// isBeginning reports whether the name is the beginning of longer ones.
func isBeginning(name string) bool {
	return slices.ContainsFunc(candidates(), func(c candidate) bool { return strings.HasPrefix(c.name, name+":") })
}

// withoutEquals reports a marker whose value follows a colon: +kubebuilder:default:port.
func withoutEquals(text, name string, on Target) *Problem {
	colon := strings.LastIndexByte(name, ':')
	if colon < 0 || strings.Contains(text, "=") || !registry().takesValue(name[:colon]) {
		return nil
	}
	p := problemf(Misspelt, colon, "unknown marker +%s: did you mean +%s=%s?", printable(name), name[:colon], printable(name[colon+1:]))
	if registry().parses(name[:colon]+"="+name[colon+1:], on) {
		p.Correction = &Correction{Offset: colon, Length: 1, Text: "="}
	}
	return p
}

// isNamespaced reports whether a text begins with one of the namespaces, in upper or lower case.
func isNamespaced(text string) bool {
	return slices.ContainsFunc(namespaces, func(namespace string) bool {
		return len(text) > len(namespace) && text[len(namespace)] == ':' && strings.EqualFold(text[:len(namespace)], namespace)
	})
}

func isOwnedMarker(text string) bool {
	value, problem := Parse(text)
	return value != nil && problem == nil
}

// isRead reports whether a tool reads the marker at its place, with its arguments.
func isRead(text string, on Target) bool {
	if m := other(text); m != nil {
		// A zero Target means that the tool reads the marker anywhere.
		return m.On == 0 && !m.isIneffective() || m.On&on != 0
	}
	return isOwnedMarker(text) || registry().parses(text, on)
}

// CheckUnmarked reports a line of a comment that would be a marker if it had a plus sign. It takes the trimmed
// line. Lines outside the namespaces pass for prose.
func CheckUnmarked(text string, on Target) *Problem {
	begun := len(text)
	text = strings.TrimLeft(strings.TrimPrefix(text, "/ "), "@-#$/!+") // other languages mark with some of them, and authors slip
	begun -= len(text)
	if !isNamespaced(text) || hasBareSpace(text) { // a sentence
		return nil
	}
	name, correction := text, &Correction{Text: "+"}
	if !isRead(text, on) {
		p := CheckForeign(text, on)
		near, _ := nearestForeign(written(text))
		isNamed := strings.Contains(text, "=") && strings.EqualFold(near, written(text))
		switch {
		case p != nil && p.Correction != nil:
			name = p.Correction.Apply(text)
			correction = &Correction{Length: p.Correction.Offset + p.Correction.Length, Text: "+" + text[:p.Correction.Offset] + p.Correction.Text}
		case isNamed && (p == nil || p.Kind == Misspelt): // only its value is wrong
			name, correction = near, nil
		default: // more likely prose
			return nil
		}
	}
	p := problemf(Misspelt, 0, "%s is not a marker without a plus sign: write +%s", printable(written(text)), nameOf(name))
	if correction != nil {
		correction.Length += begun
	}
	p.Correction = correction
	return p
}

// hasBareSpace reports whether the text has a space outside quotes, as sentences have.
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
