package markers

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// space separates words on a line.
const space = " \t\v\f\r\n"

// Parse parses a marker: the text of a comment line that follows the plus sign.
// It returns neither a value nor a problem if mrgen doesn't own the marker.
func Parse(text string) (*Value, *Problem) {
	text = strings.TrimRight(text, space)
	name := text[:nameLength(text)]
	if !isOwned(name, text[len(name):]) {
		// A typo in the prefix, such as +mrgn:sensitive, would otherwise pass in silence.
		if d, written := lookalike(text); d != nil {
			return nil, unknown(text, written, d)
		}
		return nil, nil
	}
	d := find(name)
	if d == nil {
		if d, _ = lookalike(text); d == nil {
			d = nearestDefinition(name)
		}
		return nil, unknown(text, name, d)
	}
	s := &scanner{definition: d, text: text, offset: len(d.Name)}
	arguments, problem := s.arguments()
	if problem != nil {
		return nil, problem
	}
	return &Value{Definition: d, Arguments: arguments}, nil
}

// nameLength returns the number of bytes at the start of a text that can be a marker's name.
func nameLength(text string) int {
	length := strings.IndexFunc(text, func(r rune) bool {
		return !isASCIILetterOrDigit(r) && !strings.ContainsRune(":_-", r)
	})
	if length < 0 {
		return len(text)
	}
	return length
}

// isOwned reports whether a name begins with one of mrgen's prefixes, in upper or lower case, or is a prefix
// alone.
func isOwned(name, rest string) bool {
	name = strings.ToLower(name)
	if strings.HasPrefix(name, prefix) || strings.HasPrefix(name, crossplanePrefix) {
		return true
	}
	alone := rest == "" || rest[0] == '='
	return alone && (name+":" == prefix || name+":" == crossplanePrefix)
}

// find returns the definition with the longest name that the given name begins with, up to its end or a colon.
func find(name string) *Definition {
	for i, d := range slices.Backward(definitions) { // sorted, so that longer names come first
		if rest, found := strings.CutPrefix(name, d.Name); found && (rest == "" || rest[0] == ':') {
			return &definitions[i]
		}
	}
	return nil
}

// unknown reports a text that isn't a marker, but was probably meant to be one.
func unknown(text, name string, meant *Definition) *Problem {
	if meant == nil {
		if p := foreignNamesake(text, name); p != nil {
			return p
		}
		return problemf(Misspelt, 0, "unknown marker +%s: run `mrgen markers` to see those that exist", name)
	}
	p := problemf(Misspelt, 0, "unknown marker +%s: did you mean +%s?", printable(name), meant.Name)
	p.Meant = meant.Name
	// The correction must leave a valid marker.
	if isOwnedMarker(meant.Name + text[len(name):]) {
		p.Correction = &Correction{Length: len(name), Text: meant.Name}
	}
	return p
}

// foreignNamesake reports a marker with mrgen's prefix that another tool defines without it: +mrgen:immutable
// for +immutable. Similar names count, too. It returns nil if no tool has such a name.
func foreignNamesake(text, name string) *Problem {
	isForeign := func(text string) bool {
		m := other(text)
		return m != nil && m.On != 0 || registry().targets(text) != 0
	}
	local, rest := localName(name), text[len(name):]
	near := local
	if !isForeign(local + rest) {
		near, _ = nearestForeign(local)
	}
	if local == name || near == "" || isNamespaced(near) { // the prefix isn't mrgen's, or the suggestion has one of its own
		return nil
	}
	p := problemf(Misspelt, 0, "unknown marker +%s: did you mean +%s?", printable(name), near)
	p.Meant = near
	if isForeign(near + rest) {
		p.Correction = &Correction{Length: len(name), Text: near}
	}
	return p
}

// printable returns a text with unprintable characters escaped.
func printable(text string) string {
	quoted := strconv.Quote(text)
	return strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
}

// A scanner reads the arguments of a marker.
type scanner struct {
	definition *Definition
	text       string
	offset     int
}

func (s *scanner) rest() string { return s.text[s.offset:] }

func (s *scanner) skipSpace() {
	s.offset = len(s.text) - len(strings.TrimLeft(s.rest(), space))
}

// next reports whether the rest of the text begins with a byte.
func (s *scanner) next(b byte) bool { return s.offset < len(s.text) && s.text[s.offset] == b }

func (s *scanner) arguments() ([]ArgumentValue, *Problem) {
	switch d := s.definition; {
	case len(d.Arguments) == 0:
		name := s.text[:nameLength(s.text)]
		if longer := longerDefinition(d, name); longer != nil {
			return nil, unknown(s.text, name, longer)
		}
		if s.next('=') || s.next(':') {
			return nil, problemf(Invalid, s.offset, "marker +%s takes no arguments: write +%s", d.Name, d.Name)
		}
		return nil, s.end()
	case d.hasNamedArguments():
		return s.named()
	default:
		return s.single()
	}
}

// end reports text after the marker.
func (s *scanner) end() *Problem {
	before := s.offset
	s.skipSpace()
	if s.rest() == "" {
		return nil
	}
	return problemf(Invalid, s.offset, "unexpected %q after +%s: a marker stands alone on its line",
		s.rest(), printable(s.text[:before]))
}

// single reads the value that follows an equals sign.
func (s *scanner) single() ([]ArgumentValue, *Problem) {
	d := s.definition
	if !s.next('=') {
		return nil, problemf(Invalid, s.offset, "marker +%s needs an equals sign and a value: write %s", d.Name, d.usage())
	}
	s.offset++
	s.skipSpace()
	if s.rest() == "" {
		return nil, problemf(Invalid, s.offset, "marker +%s has no value: write %s", d.Name, d.usage())
	}
	argument, start := &d.Arguments[0], s.offset
	text := s.rest()
	// A call may have spaces between its arguments, and a line has them anyway.
	if argument.Type == Line {
		text = strings.TrimRight(text, space)
	} else if argument.Type != GoCall {
		if i := strings.IndexAny(text, space); i >= 0 {
			text = text[:i]
		}
	}
	if remedy := argument.check(text); remedy != "" {
		return nil, problemf(Invalid, start, "%q is not a value for +%s: %s", text, d.Name, remedy)
	}
	s.offset += len(text)
	return []ArgumentValue{{Text: text}}, s.end()
}

// named reads the arguments that follow a colon, separated by commas.
func (s *scanner) named() ([]ArgumentValue, *Problem) {
	d := s.definition
	if s.next('=') {
		return nil, problemf(Invalid, s.offset, "marker +%s takes named arguments: write %s", d.Name, d.usage())
	}
	if !s.next(':') { // all arguments are optional: CheckPlace knows the places that need one
		return nil, s.end()
	}
	texts := make([]*string, len(d.Arguments))
	name := ""
	for first := true; first || s.next(','); first = false {
		s.offset++
		s.skipSpace()
		start := s.offset
		// The argument's own name is the value: +mrgen:nolint:RULE.
		if d.Arguments[0].AnyName {
			name = s.rest()[:nameLength(s.rest())]
		}
		i, text, problem := s.argument()
		if problem != nil {
			return nil, problem
		}
		if texts[i] != nil {
			return nil, problemf(Invalid, start, "argument %s of +%s is given twice: keep one", d.Arguments[i].Name, d.Name)
		}
		for j := range texts {
			if texts[j] != nil && d.Arguments[i].excludes(&d.Arguments[j]) {
				return nil, problemf(Invalid, start, "arguments %s and %s of +%s exclude each other: keep one",
					d.Arguments[j].Name, d.Arguments[i].Name, d.Name)
			}
		}
		texts[i] = &text
	}
	if problem := s.end(); problem != nil {
		return nil, problem
	}
	var values []ArgumentValue
	for i, text := range texts {
		if text != nil {
			values = append(values, ArgumentValue{Name: cmp.Or(name, d.Arguments[i].Name), Text: *text})
		}
	}
	return values, nil
}

// argument reads a named argument and its value, and returns its index in the
// definition.
func (s *scanner) argument() (i int, text string, problem *Problem) {
	d := s.definition
	start := s.offset
	name := s.rest()[:nameLength(s.rest())]
	if name == "" {
		return 0, "", problemf(Invalid, start, "marker +%s lacks an argument here: write %s", d.Name, d.usage())
	}
	i = d.argument(name)
	if i < 0 {
		return 0, "", s.unknownArgument(name)
	}
	s.offset += len(name)
	argument := &d.Arguments[i]
	if argument.AnyName && s.rest() == "" { // lint reports the missing reason
		return i, "", nil
	}
	if !s.next('=') {
		return 0, "", problemf(Invalid, s.offset, "argument %s of +%s has no value: write %s=%s", name, d.Name, name, argument.Example)
	}
	s.offset++
	valueStart := s.offset
	text, problem = s.value(argument)
	if problem != nil {
		return 0, "", problem
	}
	if remedy := argument.check(text); remedy != "" {
		return 0, "", problemf(Invalid, valueStart, "%q is not valid for %s of +%s: %s", text, name, d.Name, remedy)
	}
	return i, text, nil
}

func (s *scanner) unknownArgument(name string) *Problem {
	d := s.definition
	names := make([]string, len(d.Arguments))
	for i, a := range d.Arguments {
		names[i] = a.Name
	}
	return problemf(Invalid, s.offset, "unknown argument %s of +%s: %s", name, d.Name, Remedy(name, names, "write "+d.usage()))
}

// value reads the value of a named argument: a word, or a string in double quotes or backquotes as in Go.
func (s *scanner) value(argument *Argument) (string, *Problem) {
	if !s.next('"') && !s.next('`') {
		word := s.rest()[:wordLength(s.rest())]
		s.offset += len(word)
		if s.rest() != "" && !s.next(',') {
			return "", problemf(Invalid, s.offset, "unexpected %q in argument %s: put the value in quotes, such as %s=%q",
				s.rest(), argument.Name, argument.Name, unquoted(argument.Example))
		}
		return word, nil
	}
	// Without a prefix in quotes, quoted is empty, which can't be unquoted either.
	quoted, _ := strconv.QuotedPrefix(s.rest())
	text, err := strconv.Unquote(quoted)
	if err != nil {
		return "", problemf(Invalid, s.offset, "the quotes of argument %s are not closed, or hold an escape that Go lacks: write %s=%q",
			argument.Name, argument.Name, unquoted(argument.Example))
	}
	s.offset += len(quoted)
	return text, nil
}

// wordLength returns the number of bytes at the start of a text that need no quotes.
func wordLength(text string) int {
	if i := strings.IndexAny(text, space+",\"`"); i >= 0 {
		return i
	}
	return len(text)
}

// unquoted returns a text without its quotes, if it has them.
func unquoted(text string) string {
	if inner, err := strconv.Unquote(text); err == nil {
		return inner
	}
	return text
}
