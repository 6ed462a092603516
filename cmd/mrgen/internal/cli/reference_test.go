package cli

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestReference checks that docs/commands.md is up to date.
func TestReference(t *testing.T) {
	const file = "../../../../docs/commands.md"
	data, err := os.ReadFile(file)
	page := strings.ReplaceAll(string(data), "\r\n", "\n")
	if want := string(reference(newRootCommand())); err != nil || page != want {
		t.Errorf("docs/commands.md is out of date (%v): run make generate\n%s", err, cmp.Diff(page, want))
	}
}
