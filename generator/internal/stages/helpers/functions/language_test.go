package functions

import (
	"os/exec"
	"testing"

	"github.com/mrgen-io/mrgen/testdata/expect"
)

// TestLanguage holds that the functions compile in a module whose go.mod names an old version of Go: see
// docs/compatibility.md.
func TestLanguage(t *testing.T) {
	out, err := exec.Command("go", "build", "-gcflags=-lang=go1.18", ".").CombinedOutput()
	expect.True(t, err == nil, "%v\n%s", err, out)
}
