package lintrules

import (
	"path"
	"regexp"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
)

var life = &linter.Rule{
	Name:     "life",
	Doc:      "If a controller has a test that lives the life of its kind, all have, and none skips it.",
	Source:   linter.Source{Name: "mrgen, The life of a managed resource", URL: "https://github.com/mrgen-io/mrgen/blob/main/docs/guide/lives.md"},
	Why:      "Without it, nothing runs the controller, and its mistakes show in the cluster.",
	Severity: linter.Warning,
	Run:      checkLife,
}

// lives matches a call that lives a life, and skipped one that leaves a test out in any case.
var (
	lives   = regexp.MustCompile(`\blife\.Live\(`)
	skipped = regexp.MustCompile(`(?m)^\t\w+\.Skip(?:f|Now)?\(`)
	aTest   = regexp.MustCompile(`(?ms)^func Test.*?^}`)
)

func checkLife(p *linter.Pass) {
	var without []*linter.Kind
	hasAny := false
	for _, k := range p.Managed() {
		folders := map[string]bool{}
		for name, content := range p.Controllers(k) {
			if !artifact.Owned(content) {
				folders[path.Dir(name)] = true
			}
		}
		isLived := false
		for folder := range folders {
			isLived = isLived || livesIn(p, folder)
		}
		hasAny = hasAny || isLived
		if len(folders) > 0 && !isLived {
			without = append(without, k)
		}
	}
	for _, k := range without {
		if hasAny {
			p.Kind(k, schema.Properties("kind"), nil, "no test lives the life of %[1]s, as those of other kinds do: run mrgen add life %[1]s", k.Object.Name)
		}
	}
}

// livesIn reports whether a test in a folder lives a life. It reports those that are skipped.
func livesIn(p *linter.Pass, folder string) bool {
	isLived := false
	for name, content := range p.Matching(path.Join(folder, "*_test.go")) {
		for _, at := range aTest.FindAllStringIndex(content, -1) {
			test := content[at[0]:at[1]]
			if !lives.MatchString(test) {
				continue
			}
			isLived = true
			if skip := skipped.FindStringIndex(test); skip != nil {
				p.File(diag.Position{File: name, Line: linter.LineAt(content, at[0]+skip[0])}, "Skip", nil,
					"no life is lived: remove this line, and say in Without of life.Kind which steps are left out, and why")
			}
		}
	}
	return isLived
}
