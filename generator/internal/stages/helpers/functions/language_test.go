package functions

import (
	"os/exec"
	"testing"
)

// TestLanguage holds that the functions compile in a module whose go.mod names an old version of Go: see
// docs/compatibility.md.
func TestLanguage(t *testing.T) {
	if out, err := exec.Command("go", "build", "-gcflags=-lang=go1.18", ".").CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
