// Package pattern compares regular expressions by the texts that they match. The API server
// matches a schema's pattern with package regexp, anywhere in a text
// (https://kubernetes.io/docs/reference/kubernetes-api/extend-resources/custom-resource-definition-v1/).
package pattern

import (
	"encoding/binary"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
)

// An Answer is what is known of the texts that one pattern matches, and another one doesn't.
type Answer uint8

const (
	// Unknown: a pattern doesn't compile, or there is too much to look through.
	Unknown Answer = iota
	// None: there is no such text.
	None
	// Some: there is such a text.
	Some
)

const (
	// maxStates bounds what is looked through, and maxLength the length that texts must have.
	maxStates = 20_000
	maxLength = 256
)

// Outside returns the shortest text that the pattern was matches and the pattern is doesn't, of
// least to most characters; most is negative if there is no bound. An empty pattern matches
// everything.
func Outside(was, is string, least, most int) (string, Answer) {
	if was == is {
		return "", None
	}
	a, errWas := compile(was)
	b, errIs := compile(is)
	if errWas != nil || errIs != nil || least > maxLength {
		return "", Unknown
	}
	alphabet := alphabetOf(a.prog, b.prog)
	first := state{a: a.start(), b: b.start(), before: -1}
	seen := map[string]bool{first.key(least): true}
	for queue := []*state{&first}; len(queue) > 0; queue = queue[1:] {
		s := queue[0]
		if s.length >= least && a.ends(s.a, s.before) && !b.ends(s.b, s.before) {
			return s.text(), Some
		}
		if s.length == most {
			continue
		}
		for _, r := range alphabet {
			next := &state{a: a.step(s.a, s.before, r), b: b.step(s.b, s.before, r), before: r, length: s.length + 1, from: s}
			if next.b.matched {
				continue // so are all texts that begin like this
			}
			if key := next.key(least); !seen[key] {
				if seen[key] = true; len(seen) > maxStates {
					return "", Unknown
				}
				queue = append(queue, next)
			}
		}
	}
	return "", None
}

// A state is where both machines are after a text.
type state struct {
	a, b threads
	// before is the last character, or -1.
	before rune
	length int
	// from is the state after all but the last character.
	from *state
}

// key tells states apart of which different texts may follow.
func (s *state) key(least int) string {
	context := byte(0)
	switch {
	case s.before < 0:
	case s.before == '\n':
		context = 1
	case syntax.IsWordChar(s.before):
		context = 2
	default:
		context = 3
	}
	key := binary.AppendUvarint([]byte{context}, uint64(min(s.length, least)))
	return string(s.b.appendTo(s.a.appendTo(key)))
}

func (s *state) text() string {
	var runes []rune
	for ; s.from != nil; s = s.from {
		runes = append(runes, s.before)
	}
	slices.Reverse(runes)
	return string(runes)
}

// A machine runs the program of a pattern for all ways to match at once.
type machine struct{ prog *syntax.Prog }

func compile(pattern string) (machine, error) {
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return machine{}, err
	}
	prog, err := syntax.Compile(parsed.Simplify())
	return machine{prog}, err
}

// threads are the instructions that are to be followed.
type threads struct {
	matched bool
	at      []uint32
}

func (t threads) appendTo(key []byte) []byte {
	if t.matched {
		return append(key, 1)
	}
	key = binary.AppendUvarint(append(key, 0), uint64(len(t.at)))
	for _, pc := range t.at {
		key = binary.AppendUvarint(key, uint64(pc))
	}
	return key
}

func (m machine) start() threads { return threads{at: []uint32{uint32(m.prog.Start)}} }

// step returns the threads after one more character.
func (m machine) step(t threads, before, r rune) threads {
	waiting, matched := m.follow(t, before, r)
	if matched {
		return threads{matched: true}
	}
	next := m.start() // a match may begin anywhere
	for _, pc := range waiting {
		if inst := &m.prog.Inst[pc]; inst.MatchRune(r) {
			next.at = append(next.at, inst.Out)
		}
	}
	slices.Sort(next.at)
	next.at = slices.Compact(next.at)
	return next
}

// ends reports whether a text that ends here is matched.
func (m machine) ends(t threads, before rune) bool {
	_, matched := m.follow(t, before, -1)
	return matched
}

// follow follows threads to the instructions that wait for a character, between two characters, or
// -1 for none. It also reports whether the pattern has matched.
func (m machine) follow(t threads, before, after rune) (waiting []uint32, matched bool) {
	if t.matched {
		return nil, true
	}
	context := syntax.EmptyOpContext(before, after)
	seen := make([]bool, len(m.prog.Inst))
	for todo := slices.Clone(t.at); len(todo) > 0; {
		pc := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[pc] {
			continue
		}
		seen[pc] = true
		switch inst := &m.prog.Inst[pc]; inst.Op {
		case syntax.InstMatch:
			return nil, true
		case syntax.InstAlt, syntax.InstAltMatch:
			todo = append(todo, inst.Out, inst.Arg)
		case syntax.InstCapture, syntax.InstNop:
			todo = append(todo, inst.Out)
		case syntax.InstEmptyWidth:
			if syntax.EmptyOp(inst.Arg)&^context == 0 {
				todo = append(todo, inst.Out)
			}
		case syntax.InstFail:
		default:
			waiting = append(waiting, pc)
		}
	}
	return waiting, false
}

// alphabetOf returns a character for each set of characters that programs can't tell apart, those
// that are easy to read first.
func alphabetOf(progs ...*syntax.Prog) []rune {
	// A set begins at each of these.
	begins := []rune{0, '\n', '\n' + 1, '0', '9' + 1, 'A', 'Z' + 1, '_', '_' + 1, 'a', 'z' + 1, firstSurrogate, lastSurrogate + 1}
	for _, prog := range progs {
		for _, inst := range prog.Inst {
			if len(inst.Rune) == 1 {
				for r, first := inst.Rune[0], true; first || r != inst.Rune[0]; r, first = unicode.SimpleFold(r), false {
					begins = append(begins, r, r+1)
				}
				continue
			}
			for i := 0; i+1 < len(inst.Rune); i += 2 {
				begins = append(begins, inst.Rune[i], inst.Rune[i+1]+1)
			}
		}
	}
	slices.Sort(begins)
	begins = slices.Compact(begins)
	var runes []rune
	for i, begin := range begins {
		end := rune(unicode.MaxRune)
		if i+1 < len(begins) {
			end = begins[i+1] - 1
		}
		if begin <= unicode.MaxRune && begin != firstSurrogate {
			runes = append(runes, readable(begin, end))
		}
	}
	slices.SortFunc(runes, func(a, b rune) int { return rank(a) - rank(b) })
	return runes
}

// Surrogates are no characters of a text.
const (
	firstSurrogate = 0xD800
	lastSurrogate  = 0xDFFF
)

// easy are the characters that are easy to read, the easiest first.
const easy = "aA0-_./: "

// rank orders characters by how easy they are to read.
func rank(r rune) int {
	if i := strings.IndexRune(easy, r); i >= 0 {
		return i
	}
	if r > ' ' && r < unicode.MaxASCII {
		return len(easy) + int(r)
	}
	if unicode.IsGraphic(r) {
		return 1<<8 + int(r)
	}
	return 1<<24 + int(r)
}

// readable returns the character from first to last that is the easiest to read, of those that are
// near to the first.
func readable(first, last rune) rune {
	best := first
	for r := first; r <= min(last, first+unicode.MaxASCII); r++ {
		if rank(r) < rank(best) {
			best = r
		}
	}
	return best
}
