package language

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/mrgen-io/mrgen/testdata/expect"
)

// parts are parts of patterns. Random patterns consist of them.
var parts = []string{"a", "b", "[ab]", "[a-c]", ".", "a*", "(ab)+", "b?", "[^a]", "(a|bc)", "x{1,3}", `\b`, `\w`, "^", "$", "(?i:a)", `\n`}

// TestDifference holds that the package regexp confirms each text found, and that it tells no short text apart where
// none is found.
func TestDifference(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	pattern := func() string {
		var b strings.Builder
		for range 1 + r.IntN(4) {
			b.WriteString(parts[r.IntN(len(parts))])
		}
		if r.IntN(2) == 0 {
			return "^" + b.String() + "$"
		}
		return b.String()
	}
	var texts []string
	for _, letters := range []string{"ab", "abcx", "aA0\n"} {
		level := []string{""}
		for range 4 {
			var longer []string
			for _, text := range level {
				for _, letter := range letters {
					longer = append(longer, text+string(letter))
				}
			}
			texts, level = append(texts, level...), longer
		}
	}
	differences, inclusions := 0, 0
	for range 1500 {
		all, other := []string{pattern(), pattern()}, pattern()
		is := fmt.Sprint(all, other)
		first, second, third := regexp.MustCompile(all[0]), regexp.MustCompile(all[1]), regexp.MustCompile(other)
		differs := func(text string) bool {
			return first.MatchString(text) && second.MatchString(text) && !third.MatchString(text)
		}
		text, found, decided := Difference(all, other)
		switch {
		case !decided:
			t.Errorf("%s: not decided", is)
		case found && !differs(text):
			t.Errorf("%s: %q is no difference", is, text)
		case found:
			differences++
		default:
			inclusions++
			for _, text := range texts {
				expect.True(t, !differs(text), "%s: %q was not found", is, text)
			}
		}
	}
	expect.True(t, differences >= 100 && inclusions >= 100, "only %d differences and %d inclusions", differences, inclusions)
}

// TestPatternsOfSchemas holds some decisions about patterns as schemas have them, and that a comparison ends.
func TestPatternsOfSchemas(t *testing.T) {
	const label = `^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`
	for _, c := range []struct {
		all            []string
		other          string
		found, decided bool
	}{
		{[]string{label}, `^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`, false, true},
		{[]string{`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`}, label, true, true},
		{[]string{label, "^(?s:.{1,63})$"}, `^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$`, false, true},
		{[]string{label}, `^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$`, true, true},
		{[]string{"(a|b)*a(a|b){30}c"}, "(a|b)*a(a|b){29}[ab]c", false, false},
		{[]string{"("}, "a", false, false},
	} {
		_, found, decided := Difference(c.all, c.other)
		expect.True(t, found == c.found && decided == c.decided, "%q, %q: found %v, decided %v", c.all, c.other, found, decided)
	}
}
