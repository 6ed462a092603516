package compile

import (
	"go/ast"
	"go/types"
	"go/version"
	"path"
	"regexp"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
)

// needsGo matches the type checker's messages about features that are newer than the module's language version.
var needsGo = regexp.MustCompile(`requires (go1\.\d+) or later`)

// A need is the highest language version that generated code of a module needs, and the function that needs it.
type need struct{ version, by string }

// needOf returns the language version that the problems ask for, or an empty need.
func (u *Universe) needOf(p *Package, problems []types.Error) need {
	var highest need
	for _, problem := range problems {
		m := needsGo.FindStringSubmatch(problem.Msg)
		if m == nil || version.Compare(m[1], highest.version) <= 0 {
			continue
		}
		file, around := p.around(u.program.Files.Fset, problem.Pos)
		highest = need{m[1], file.base()}
		for _, node := range around {
			if f, isFunction := node.(*ast.FuncDecl); isFunction {
				highest.by = strings.TrimPrefix(gosyntax.Receiver(f)+"."+f.Name.Name, ".")
			}
		}
	}
	return highest
}

// tooOld returns the error for a module whose language version is older than a need.
func (u *Universe) tooOld(n need) diag.Diagnostic {
	number := strings.TrimPrefix(n.version, "go")
	return diag.Errorf(diag.Position{File: path.Join(u.dir, "go.mod")}, codeCompile,
		"go.mod says go %s, and %s needs %s: run go mod edit -go=%s and go mod tidy", strings.TrimPrefix(u.goVersion, "go"), n.by, number, number)
}
