package cli

import (
	"strings"
	"testing"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/report"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

// TestExplanationsOfBothScopes holds that what is said of both scopes of a kind is said once, and what
// differs twice.
func TestExplanationsOfBothScopes(t *testing.T) {
	of := func(group, folder, fact string) report.Explanation {
		return report.Explanation{
			Group: group, Version: "v1", Kind: "Bucket", Field: ".spec.forProvider.size", Pos: diag.Position{File: folder + "/types.go", Line: 3, Column: 2},
			Facts: []string{fact, "has the author's rule of .spec at " + folder + "/types.go:9:4: self.size > 0"},
		}
	}
	text, err := explanationsAsText([]report.Explanation{
		of("example.org", "apis/cluster", "is optional"), of("m.example.org", "apis/namespaced", "is optional"), of("other.org", "apis/other", "is required"),
	})
	expect.NoError(t, err)
	const want = `example.org/v1 Bucket .spec.forProvider.size
m.example.org/v1 Bucket .spec.forProvider.size
  is declared at apis/cluster/types.go:3:2
  is declared at apis/namespaced/types.go:3:2
  is optional
  has the author's rule of .spec at apis/cluster/types.go:9:4: self.size > 0

other.org/v1 Bucket .spec.forProvider.size
  is declared at apis/other/types.go:3:2
  is required
  has the author's rule of .spec at apis/other/types.go:9:4: self.size > 0
`
	expect.True(t, string(text) == want, "got\n%s\nwant\n%s", text, want)
}

// TestWrap holds that no line is wider than text may be, and that nothing but line breaks is added.
func TestWrap(t *testing.T) {
	text := strings.TrimSpace(strings.Repeat("has(self.size) || ", 30)) + " " + strings.Repeat("x", 2*textWidth)
	wrapped := wrap(text, "    ")
	for line := range strings.Lines(wrapped) {
		n := len(strings.TrimSuffix(line, "\n"))
		expect.True(t, (n <= textWidth || !strings.ContainsAny(strings.TrimSpace(line), " ")) && strings.HasPrefix(line, "    "), "a line has %d columns: %q", n, line)
	}
	expect.Equal(t, text, strings.Join(strings.Fields(wrapped), " "), "the text is another one")
}
