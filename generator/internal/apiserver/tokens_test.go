package apiserver

import (
	"regexp"
	"slices"
	"testing"
)

// FuzzReadTokens compares tokens with what regular expressions find, which take many
// times as long.
func FuzzReadTokens(f *testing.F) {
	var (
		allowed = map[bool]*regexp.Regexp{
			false: regexp.MustCompile(`^(?:\s|\(|\)|!=?|==|&&|\|\||\b(?:has|in|size|0(?:\.0)?)\b|'[^'\\]*'|\b(?:self|oldSelf)(?:\.\w+)*\b)*$`),
			true:  regexp.MustCompile(`^(?:\s|\(|\)|!=?|==|[<>]=?|&&|\|\||\b(?:has|in|size|0(?:\.0)?)\b|'[^'\\]*'|\b(?:self|oldSelf)(?:\.\w+)*\b)*$`),
		}
		// unknown are operators that an expression takes for two.
		unknown = regexp.MustCompile(`[!<>]==`)
		texts   = regexp.MustCompile(`'[^'\\]*'`)
		calls   = regexp.MustCompile(`(\w+)\s*\(`)
		fields  = regexp.MustCompile(`'[^'\\]*'|(\bhas\s*\(\s*)?\b(?:self|oldSelf)((?:\.\w+)*)\b`)
	)
	for _, rule := range []string{
		"", "self", "self.a == oldSelf.a", "!has(oldSelf.a)||has ( self.a.b__dot__c) && (self.a==oldSelf.a)", "has((self.a))",
		"!('*' in self.policies || 'a b' in self.policies)", "'a' in (self.a)", "self.a.isURL()", "isURL (self.a)", "self.a\n(", "self.?a",
		"self.a < 1.5", "self <= oldSelf", "self[0]", "self.a == 'it\\'s'", "self.a == r'a'", "'self.a'self.a'", "selfish", "self.", "has in", "in(self)", "has(self", "'a", "!", "=", "&", "é",
		"size(self.a) == 0", "has(size(self.a))", "self.a == 0.0", "self.a == 0.0a", "0(0", "00 size0",
	} {
		f.Add(rule, true)
		f.Add(rule, false)
	}
	f.Fuzz(func(t *testing.T, rule string, compares bool) {
		if unknown.MatchString(rule) {
			t.Skip()
		}
		want := allowed[compares].MatchString(rule)
		for _, call := range calls.FindAllStringSubmatch(texts.ReplaceAllString(rule, "''"), -1) {
			want = want && (slices.Contains([]string{"has", "in", "size", "0"}, call[1]))
		}
		got, ok := readTokens(rule, compares)
		if ok != want {
			t.Fatalf("%q: got %t, want %t", rule, ok, want)
		}
		if !ok {
			return
		}
		var expected []fieldToken
		for _, m := range fields.FindAllStringSubmatchIndex(rule, -1) {
			if m[4] >= 0 {
				expected = append(expected, fieldToken{m[4], m[5], m[2] >= 0})
			}
		}
		if !slices.Equal(got, expected) {
			t.Fatalf("%q: got %v, want %v", rule, got, expected)
		}
	})
}
