package validobject

import (
	"regexp"
	"testing"

	"github.com/mrgen-io/mrgen/testdata/expect"
)

func TestTextsMatchPatterns(t *testing.T) {
	for _, tt := range []struct {
		pattern string
		atLeast int
		variant int
		want    string // the first text
	}{
		{pattern: `^[a-z]{2}-[0-9]{7}$`, want: "aa-1111111"},
		{pattern: `^[a-z]{2}-[0-9]{7}$`, variant: 1, want: "bb-2222222"},
		{pattern: `^arn:aws:iam::\d{12}:role/.+$`, want: "arn:aws:iam::111111111111:role/a"},
		{pattern: `^(blue|green)-\w+$`, want: "blue-a"},
		{pattern: `(?i)^HOT$`, want: "HOT"},
		{pattern: `^[^a-z]+$`, want: "1"},
		{pattern: `^[^\s]+@[^\s]+\.[^\s]+$`, want: "a@a.a"},
		{pattern: `^\p{Greek}+$`, want: "Ͱ"},
		{pattern: `^x?y*$`, want: ""},
		{pattern: `foo\b.bar`, want: ""},
		{pattern: `^a$b`, want: ""},
		{pattern: `[`, want: ""},
		{pattern: `^(([a-z]+\.)+[a-z]+|localhost)$`, want: "a.a"},
		{pattern: `\A[[:xdigit:]]{4}\z`, want: "aaaa"},
		{pattern: `^(?:([a-z]{3}){2}){1,5}$`, want: "aaaaaa"},
		{pattern: `^(|\$\{.*\})$`, want: ""},
	} {
		texts := Matching(tt.pattern, tt.atLeast, tt.variant)
		got := ""
		if len(texts) > 0 {
			got = texts[0]
		}
		expect.Equal(t, tt.want, got, "%s", tt.pattern)
	}
}

// FuzzTextsMatchPatterns holds that patterns lead neither to texts that don't match nor to
// texts without end.
func FuzzTextsMatchPatterns(f *testing.F) {
	for _, pattern := range []string{`^[a-z]{2}-[0-9]{7}$`, `((()*)*)*`, `((a{9}){9}){9}`, `(a|b|)+?$`, `\bé\B`, `(?s)..`, `[^\x00-\x{10FFFF}]`} {
		f.Add(pattern, 0, 0)
		f.Add(pattern, 1000, 30)
	}
	f.Fuzz(func(t *testing.T, pattern string, atLeast, variant int) {
		if atLeast < 0 || atLeast > 1000 || variant < 0 || len(pattern) > 1000 {
			return
		}
		for _, text := range Matching(pattern, atLeast, variant) {
			expect.True(t, regexp.MustCompile(pattern).MatchString(text), "%q does not match %q", text, pattern)
			expect.True(t, len(text) <= maxText+1000*len(pattern), "a text of %d bytes for %q", len(text), pattern)
		}
	})
}
