package generator_test

import (
	"strings"
	"testing"

	"github.com/mrgen-io/mrgen/generator/internal/command"
	"github.com/mrgen-io/mrgen/generator/internal/stage"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

// TestStages checks the list of stages: names, documentation, and that each file comes from one stage,
// and that definitions are made before they are read.
func TestStages(t *testing.T) {
	names, files := map[string]bool{}, map[string]string{}
	for _, s := range command.Stages {
		switch {
		case s.Name == "" || s.Name != strings.ToLower(s.Name):
			t.Errorf("stage %q: the name must be in lower case", s.Name)
		case names[s.Name]:
			t.Errorf("stage %s is listed twice", s.Name)
		case !strings.HasSuffix(s.Doc, "."):
			t.Errorf("stage %s: the documentation must be a sentence", s.Name)
		case s.Run == nil:
			t.Errorf("stage %s has no Run function", s.Name)
		}
		names[s.Name] = true
		for _, file := range stage.GoFiles([]stage.Stage{s}) {
			other := files[file]
			expect.True(t, other == "", "stages %s and %s both write %s", other, s.Name, file)
			files[file] = s.Name
		}
		expect.True(t, !s.ReadsDefinitions || names["crd"], "stage %s reads definitions, which no stage before it makes", s.Name)
	}
}
