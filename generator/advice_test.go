package generator_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mrgen-io/mrgen/generator/diag"
)

// advice matches the comment of a script above commands that follow the advice of messages with a code, up to a run that
// is quiet or says the next step.
var advice = regexp.MustCompile(`(?m)^# Advice of ([a-z-]+):`)

// TestAdviceIsFollowed holds that a script follows the advice of each code. The codes in testdata/advice.txt lack one:
// new codes don't belong there.
func TestAdviceIsFollowed(t *testing.T) {
	followed := map[string]bool{}
	scripts, err := filepath.Glob("../testdata/script/*.txtar")
	if err != nil || len(scripts) == 0 {
		t.Fatal(err, scripts)
	}
	for _, script := range scripts {
		content, err := os.ReadFile(script)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range advice.FindAllSubmatch(content, -1) {
			followed[string(m[1])] = true
		}
	}
	content, err := os.ReadFile("testdata/advice.txt")
	if err != nil {
		t.Fatal(err)
	}
	lacking := strings.Fields(string(content))
	var known []string
	for _, c := range diag.Codes() {
		code := string(c.Code)
		known = append(known, code)
		switch isListed := slices.Contains(lacking, code); {
		case followed[code] && isListed:
			t.Errorf("a script follows the advice of %s: remove it from testdata/advice.txt", code)
		case !followed[code] && !isListed:
			t.Errorf("no script follows the advice of %s: write one, with the comment \"# Advice of %s: what it says\"", code, code)
		}
	}
	for _, code := range lacking {
		if !slices.Contains(known, code) {
			t.Errorf("testdata/advice.txt lists %s, which isn't a code", code)
		}
	}
	for code := range followed {
		if !slices.Contains(known, code) {
			t.Errorf("a script follows the advice of %s, which isn't a code", code)
		}
	}
}
