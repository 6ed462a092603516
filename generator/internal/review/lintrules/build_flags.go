package lintrules

import (
	"go/version"
	"regexp"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
)

var buildFlags = &linter.Rule{
	Name:     "build-flags",
	Doc:      "A variable that -ldflags=-X sets is in a package of the module, and images and jobs have the version of Go that go.mod asks for.",
	Source:   linter.Source{Name: "Go, cmd/link", URL: "https://pkg.go.dev/cmd/link"},
	Why:      "The linker ignores other names, such as after the module was renamed: the program then has no version. With an older Go, nothing is built.",
	Severity: linter.Warning,
	Run:      checkBuildFlags,
}

// buildFiles are the files that build a provider, as patterns.
var buildFiles = []string{"Makefile", "*.mk", "**/Dockerfile", "**/Dockerfile.*", "**/*.Dockerfile", ".goreleaser.y*ml", ".ko.yaml", ".github/workflows/*.y*ml", ".gitlab-ci.yml", "hack/*.sh"}

// setVariable matches the path of a package and a variable that the linker sets. A path that a variable begins isn't known.
var setVariable = regexp.MustCompile(`-X[ =]+['"]?([\w.-]+(?:/[\w.-]+)+)\.(\w+)=`)

// ofImage matches an image of Go, or a setting of a job, with its version, and asked the version that a module asks for.
var (
	ofImage = regexp.MustCompile(`(?mi)^(?:FROM .*|[ \t]*image:[ \t]*['"]?(?:[\w./-]+/)?)\bgolang:(\d+\.\d+(?:\.\d+)?)\b|^[ \t-]*go[-_]version:[ \t]*['"]?(\d+\.\d+(?:\.\d+)?)\b`)
	asked   = regexp.MustCompile(`(?m)^go (\d+\.\d+(?:\.\d+)?)`)
)

// isOlder reports whether a version of Go is older than the one that a module asks for. One without a patch is the newest of its release.
func isOlder(has, wanted string) bool {
	if strings.Count(has, ".") == 1 {
		wanted = strings.TrimPrefix(version.Lang("go"+wanted), "go")
	}
	return version.Compare("go"+has, "go"+wanted) < 0
}

func checkBuildFlags(p *linter.Pass) {
	wanted := asked.FindStringSubmatch(p.Text("go.mod"))
	for name, content := range p.Matching(buildFiles...) {
		for _, m := range ofImage.FindAllStringSubmatchIndex(content, -1) {
			isSetting := m[2] < 0
			if isSetting {
				m = slices.Delete(m, 2, 4)
			}
			has, at := content[m[2]:m[3]], diag.Position{File: name, Line: linter.LineAt(content, m[2])}
			switch {
			case wanted == nil || !isOlder(has, wanted[1]):
			case isSetting:
				p.File(at, "go-version "+has, nil, "go.mod asks for Go %s, and this job has %s: write go-version-file: go.mod, or that version", wanted[1], has)
			default:
				p.File(at, "golang:"+has, nil, "go.mod asks for Go %s, so that the image of Go %s can't build the program: take that version", wanted[1], has)
			}
		}
		for _, m := range setVariable.FindAllStringSubmatchIndex(content, -1) {
			importPath := content[m[2]:m[3]]
			if !p.DeclaresVariable(importPath, content[m[4]:m[5]]) {
				at := diag.Position{File: name, Line: linter.LineAt(content, m[2])}
				p.File(at, importPath, nil, "no package %s of this module has the variable %s, so the linker ignores it: correct it", importPath, content[m[4]:m[5]])
			}
		}
	}
}
