package pattern_test

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/mrgen-io/mrgen/generator/internal/pattern"
)

func TestOutside(t *testing.T) {
	for _, test := range []struct {
		was, is     string
		least, most int
		text        string
		answer      pattern.Answer
	}{
		{"^[A-Z]+$", "^[A-Z]+( [A-Z]+)*$", 0, -1, "", pattern.None},
		{"^[A-Z]+( [A-Z]+)*$", "^[A-Z]+$", 0, -1, "A A", pattern.Some},
		{"^[A-Z_ ]+$", "^([A-Z0-9_ ]+|[A-Z_ ]+ [(]`[^`]+`(, `[^`]+`)*[)])$", 0, -1, "", pattern.None},
		{"", "^[a-z]*$", 0, -1, "A", pattern.Some},
		{"", "^[a-z]+$", 0, -1, "", pattern.Some},
		{"", ".*", 0, -1, "", pattern.None},
		{"", "^.*$", 0, -1, "\n", pattern.Some}, // the dot doesn't match a new line
		{"", "(?s)^.*$", 0, -1, "", pattern.None},
		{"^[0-9]+$", "^[0-9]{1,3}$", 0, 3, "", pattern.None},
		{"^[0-9]+$", "^[0-9]{1,3}$", 0, 4, "0000", pattern.Some},
		{"^a+$", "^aaa+$", 3, -1, "", pattern.None},
		{"^a+$", "^aaaa+$", 3, -1, "aaa", pattern.Some},
		{"(?i)^straße$", "^straße$", 0, -1, "Straße", pattern.Some},
		{`\bfoo\b`, "foo", 0, -1, "", pattern.None},
		{"foo", `\bfoo\b`, 0, -1, "afoo", pattern.Some},
		{"^a$", "^(a|b)$", 0, -1, "", pattern.None},
		{"(", "a", 0, -1, "", pattern.Unknown},
		{"a", "a(", 0, -1, "", pattern.Unknown},
		{"^[a-z]{1000}$", "^[a-z]{1,1000}$", 300, -1, "", pattern.Unknown},
	} {
		if text, answer := pattern.Outside(test.was, test.is, test.least, test.most); answer != test.answer || answer == pattern.Some && !matches(t, text, test.was, test.is) || len(text) != len(test.text) {
			t.Errorf("Outside(%q, %q, %d, %d) = %q, %d, not %q, %d", test.was, test.is, test.least, test.most, text, answer, test.text, test.answer)
		}
	}
}

// matches reports whether a text is what one pattern matches, and the other one doesn't.
func matches(t testing.TB, text, was, is string) bool {
	t.Helper()
	return regexp.MustCompile(was).MatchString(text) && !regexp.MustCompile(is).MatchString(text)
}

// TestOutsideIsExact holds, for random patterns, that a text that is returned is matched by
// the one and not by the other, that there is no shorter one, and that there is none where
// none is said to be: package regexp judges all texts up to a length.
func TestOutsideIsExact(t *testing.T) {
	texts := []string{""}
	for i := 0; len(texts) < 3000; i++ {
		for _, r := range "aB0 \n" {
			texts = append(texts, texts[i]+string(r))
		}
	}
	answers := map[pattern.Answer]int{}
	r := rand.New(rand.NewPCG(1, 2))
	for range 400 {
		was, is := random(r, 3), random(r, 3)
		if r.IntN(2) == 0 {
			is = strings.NewReplacer("a", "[a0]", "+", "*", "^", "").Replace(was)
		}
		check(t, was, is, r.IntN(3), r.IntN(8)-1, texts, answers)
	}
	if answers[pattern.Some] < 50 || answers[pattern.None] < 50 {
		t.Errorf("the answers are too much alike: %v", answers)
	}
}

func check(t *testing.T, was, is string, least, most int, texts []string, answers map[pattern.Answer]int) {
	t.Helper()
	text, answer := pattern.Outside(was, is, least, most)
	answers[answer]++
	if answer == pattern.Unknown {
		return
	}
	length := utf8.RuneCountInString(text)
	if answer == pattern.Some && (!matches(t, text, was, is) || length < least || most >= 0 && length > most) {
		t.Errorf("Outside(%q, %q, %d, %d) = %q", was, is, least, most, text)
	}
	old, now := regexp.MustCompile(was), regexp.MustCompile(is)
	for _, other := range texts {
		n := utf8.RuneCountInString(other)
		if n >= least && (most < 0 || n <= most) && (answer == pattern.None || n < length) && old.MatchString(other) && !now.MatchString(other) {
			t.Errorf("Outside(%q, %q, %d, %d) = %q, %d, but there is %q", was, is, least, most, text, answer, other)
			return
		}
	}
}

// random returns a random pattern.
func random(r *rand.Rand, depth int) string {
	leaves := []string{"a", "B", "[a-z]", "[^a]", ".", `\s`, `\w`, `\b`, "^", "$", "(?i:b)", "(?m:^)", `\d`, "0", ""}
	if depth == 0 {
		return leaves[r.IntN(len(leaves))]
	}
	switch below := func() string { return random(r, depth-1) }; r.IntN(6) {
	case 0:
		return "(" + below() + "|" + below() + ")"
	case 1:
		return "(" + below() + ")*"
	case 2:
		return "(" + below() + ")+"
	case 3:
		return "^" + below() + "$"
	default:
		return below() + below()
	}
}

func FuzzOutside(f *testing.F) {
	f.Add("^[A-Z]+$", "^[A-Z]+( [A-Z]+)*$", 1, 9)
	f.Add("(?i)k", `\bk\B`, 0, -1)
	f.Fuzz(func(t *testing.T, was, is string, least, most int) {
		if len(was) > 60 || len(is) > 60 || least < 0 {
			return
		}
		check(t, was, is, least, most, []string{"", "a", "A", "0", "a-", "\n", "a b", "é", "K"}, map[pattern.Answer]int{})
	})
}
