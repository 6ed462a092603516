package pattern

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestOutside(t *testing.T) {
	for _, test := range []struct {
		was, is     string
		least, most int
		text        string
		answer      Answer
	}{
		{"^[A-Z]+$", "^[A-Z]+( [A-Z]+)*$", 0, -1, "", None},
		{"^[A-Z]+( [A-Z]+)*$", "^[A-Z]+$", 0, -1, "A A", Some},
		{"^[A-Z_ ]+$", "^([A-Z0-9_ ]+|[A-Z_ ]+ [(]`[^`]+`(, `[^`]+`)*[)])$", 0, -1, "", None},
		{"", "^[a-z]*$", 0, -1, "A", Some},
		{"", "^[a-z]+$", 0, -1, "", Some},
		{"", ".*", 0, -1, "", None},
		{"", "^.*$", 0, -1, "\n", Some}, // the dot doesn't match a new line
		{"", "(?s)^.*$", 0, -1, "", None},
		{"^[0-9]+$", "^[0-9]{1,3}$", 0, 3, "", None},
		{"^[0-9]+$", "^[0-9]{1,3}$", 0, 4, "0000", Some},
		{"^a+$", "^aaa+$", 3, -1, "", None},
		{"^a+$", "^aaaa+$", 3, -1, "aaa", Some},
		{"(?i)^straße$", "^straße$", 0, -1, "Straße", Some},
		{`\bfoo\b`, "foo", 0, -1, "", None},
		{"foo", `\bfoo\b`, 0, -1, "afoo", Some},
		{"^a$", "^(a|b)$", 0, -1, "", None},
		{"(", "a", 0, -1, "", Unknown},
		{"a", "a(", 0, -1, "", Unknown},
		{"^[a-z]{1000}$", "^[a-z]{1,1000}$", 300, -1, "", Unknown},
	} {
		if text, answer := Outside(test.was, test.is, test.least, test.most); answer != test.answer || answer == Some && !matches(t, text, test.was, test.is) || len(text) != len(test.text) {
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
	answers := map[Answer]int{}
	r := rand.New(rand.NewPCG(1, 2))
	for range 400 {
		was, is := random(r, 3), random(r, 3)
		if r.IntN(2) == 0 {
			is = strings.NewReplacer("a", "[a0]", "+", "*", "^", "").Replace(was)
		}
		check(t, was, is, r.IntN(3), r.IntN(8)-1, texts, answers)
	}
	if answers[Some] < 50 || answers[None] < 50 {
		t.Errorf("the answers are too much alike: %v", answers)
	}
}

func check(t *testing.T, was, is string, least, most int, texts []string, answers map[Answer]int) {
	t.Helper()
	text, answer := Outside(was, is, least, most)
	answers[answer]++
	if answer == Unknown {
		return
	}
	length := utf8.RuneCountInString(text)
	if answer == Some && (!matches(t, text, was, is) || length < least || most >= 0 && length > most) {
		t.Errorf("Outside(%q, %q, %d, %d) = %q", was, is, least, most, text)
	}
	old, now := regexp.MustCompile(was), regexp.MustCompile(is)
	for _, other := range texts {
		n := utf8.RuneCountInString(other)
		if n >= least && (most < 0 || n <= most) && (answer == None || n < length) && old.MatchString(other) && !now.MatchString(other) {
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
		check(t, was, is, least, most, []string{"", "a", "A", "0", "a-", "\n", "a b", "é", "K"}, map[Answer]int{})
	})
}
