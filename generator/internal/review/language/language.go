// Package language compares the texts that regular expressions match.
package language

import (
	"fmt"
	"regexp/syntax"
	"slices"
	"unicode"
	"unicode/utf8"
)

// maxStates limits a comparison. Patterns of names and addresses take some hundred states.
const maxStates = 5000

// Difference looks for a shortest text that every expression in all matches, and other doesn't. As in schemas, an
// expression matches a text if it matches any part of it. Difference returns found if there is such a text, and
// decided if it has tried all.
func Difference(all []string, other string) (text string, found, decided bool) {
	var programs []*syntax.Prog
	for _, pattern := range append(slices.Clone(all), other) {
		parsed, err := syntax.Parse(pattern, syntax.Perl)
		if err != nil {
			return "", false, false
		}
		program, err := syntax.Compile(parsed.Simplify())
		if err != nil {
			return "", false, false
		}
		programs = append(programs, program)
	}
	letters := alphabet(programs)
	start := node{before: -1, states: make([]state, len(programs))}
	queue, seen := []node{start}, map[string]bool{start.key(): true}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		if at.isDifference(programs) {
			return at.text, true, true
		}
		for _, letter := range letters {
			next := at.after(programs, letter)
			// With any continuation, other matches the text.
			if next.states[len(next.states)-1].matched {
				continue
			}
			key := next.key()
			if seen[key] {
				continue
			}
			if len(seen) == maxStates {
				return "", false, false
			}
			seen[key] = true
			queue = append(queue, next)
		}
	}
	return "", false, true
}

// A node is what the programs know of a text.
type node struct {
	text string
	// before is the last letter, or -1.
	before rune
	states []state
}

// A state is the state of one program.
type state struct {
	// threads are the instructions that come next.
	threads []uint32
	// matched is set if the program has matched a part of the text already.
	matched bool
}

// key is the same for nodes that the same texts lead on from.
func (n node) key() string {
	isWord := syntax.IsWordChar(n.before)
	return fmt.Sprint(n.before < 0, n.before == '\n', isWord, n.states)
}

// isDifference reports whether every program except the last matches the text.
func (n node) isDifference(programs []*syntax.Prog) bool {
	last := len(programs) - 1
	for i, program := range programs {
		matched, _ := n.states[i].closure(program, n.before, -1)
		if matched == (i == last) {
			return false
		}
	}
	return true
}

// after returns the node for the text with another letter.
func (n node) after(programs []*syntax.Prog, letter rune) node {
	next := node{text: n.text + string(letter), before: letter}
	for i, program := range programs {
		matched, threads := n.states[i].closure(program, n.before, letter)
		s := state{matched: matched}
		for _, pc := range threads {
			if instruction := &program.Inst[pc]; !matched && instruction.MatchRune(letter) {
				s.threads = append(s.threads, instruction.Out)
			}
		}
		slices.Sort(s.threads)
		s.threads = slices.Compact(s.threads)
		next.states = append(next.states, s)
	}
	return next
}

// closure follows the instructions that read no letter, between the letters before and after. It returns the others.
func (s state) closure(program *syntax.Prog, before, after rune) (matched bool, threads []uint32) {
	if s.matched {
		return true, nil
	}
	seen := make([]bool, len(program.Inst))
	var follow func(pc uint32)
	follow = func(pc uint32) {
		if seen[pc] {
			return
		}
		seen[pc] = true
		switch instruction := &program.Inst[pc]; instruction.Op {
		case syntax.InstAlt, syntax.InstAltMatch:
			follow(instruction.Out)
			follow(instruction.Arg)
		case syntax.InstCapture, syntax.InstNop:
			follow(instruction.Out)
		case syntax.InstEmptyWidth:
			if syntax.EmptyOp(instruction.Arg)&^syntax.EmptyOpContext(before, after) == 0 {
				follow(instruction.Out)
			}
		case syntax.InstMatch:
			matched = true
		case syntax.InstFail: // it leads nowhere
		default:
			threads = append(threads, pc)
		}
	}
	for _, pc := range s.threads {
		follow(pc)
	}
	follow(uint32(program.Start)) // a match may begin anywhere
	return matched, threads
}

// plain are the letters that stand for others, if the programs can't tell them apart.
const plain = "a0A-. "

// alphabet returns a letter for each set of letters that no instruction tells apart.
func alphabet(programs []*syntax.Prog) []rune {
	begins := []rune{0, '\n', '\n' + 1, '0', '9' + 1, 'A', 'Z' + 1, '_', '_' + 1, 'a', 'z' + 1}
	for _, program := range programs {
		for _, instruction := range program.Inst {
			if instruction.Op != syntax.InstRune && instruction.Op != syntax.InstRune1 {
				continue
			}
			for i, letter := range instruction.Rune {
				begins = append(begins, letter+rune(i%2))
				if len(instruction.Rune) > 1 {
					continue
				}
				begins = append(begins, letter+1)
				// A single letter may stand for its other cases, too.
				for folded := unicode.SimpleFold(letter); folded != letter; folded = unicode.SimpleFold(folded) {
					begins = append(begins, folded, folded+1)
				}
			}
		}
	}
	slices.Sort(begins)
	begins = slices.Compact(begins)
	var letters []rune
	for i, first := range begins {
		end := rune(unicode.MaxRune + 1)
		if i+1 < len(begins) {
			end = begins[i+1]
		}
		letter := first
		for _, other := range plain {
			if first <= other && other < end {
				letter = other
				break
			}
		}
		if letter <= unicode.MaxRune && utf8.ValidRune(letter) {
			letters = append(letters, letter)
		}
	}
	slices.SortStableFunc(letters, func(a, b rune) int { return rank(a) - rank(b) })
	return letters
}

// rank puts letters that people can read first.
func rank(letter rune) int {
	switch {
	case letter > unicode.MaxASCII:
		return 2
	case !unicode.IsPrint(letter):
		return 1
	default:
		return 0
	}
}
