package load

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/source/goenv"
	"github.com/mrgen-io/mrgen/generator/internal/source/modules"
)

// A cause is a known reason for an error of the go command, with the remedy.
type cause struct {
	// says matches the message of the go command.
	says *regexp.Regexp
	// report returns the diagnostic, for the folder of a module and what the expression matched.
	report func(l *Listing, home string, match []string) diag.Diagnostic
}

// causes are errors that users meet and whose messages are long, name folders of the machine, or suggest no remedy.
var causes = []cause{
	{
		regexp.MustCompile(`exec: "go": executable file not found`),
		func(*Listing, string, []string) diag.Diagnostic {
			return diag.Errorf(diag.Position{}, codeLoad,
				"there is no go command on PATH, which mrgen reads source with: install Go from https://go.dev/dl, or add its folder to PATH")
		},
	},
	{
		regexp.MustCompile(`module cache not found|GOMODCACHE \(\)`),
		// With an overlay, the go command takes the root of the file system for the folder, and
		// complains about what lies below.
		func(*Listing, string, []string) diag.Diagnostic {
			return diag.Errorf(diag.Position{}, codeLoad,
				"the go command has no folder for modules, since neither HOME nor GOPATH nor GOMODCACHE is set: set one of them")
		},
	},
	{
		regexp.MustCompile(`(?s)inconsistent vendoring in [^\n]*:\n?\s*(\S+?)@.*run:\s+(go (?:mod|work) vendor)`),
		func(_ *Listing, home string, match []string) diag.Diagnostic {
			return diag.Errorf(diag.Position{File: path.Join(home, "vendor")}, codeLoad,
				"this folder doesn't have the modules that are required, such as %s: run %s, or remove it", match[1], match[2])
		},
	},
	{
		regexp.MustCompile(`modules listed in go\.work|workspace modules|current workspace`),
		func(l *Listing, home string, _ []string) diag.Diagnostic {
			dir := l.Scope.Abs(home)
			work := goenv.Workspace(context.Background(), dir)
			at, err := filepath.Rel(l.Scope.Root(), work)
			use, useErr := filepath.Rel(filepath.Dir(work), dir)
			if err != nil || useErr != nil { // such as on another volume
				at, use = work, dir
			}
			return diag.Errorf(diag.Position{File: filepath.ToSlash(at)}, codeLoad,
				"this workspace leaves out the module that mrgen is to read: run go work use ./%s beside it, or set GOWORK=off", filepath.ToSlash(use))
		},
	},
	{
		regexp.MustCompile(missingSum), // the go command's remedy is for one module, and there may be many
		func(_ *Listing, home string, _ []string) diag.Diagnostic {
			return diag.Errorf(diag.Position{File: path.Join(home, "go.sum")}, codeLoad,
				"this file lacks modules that go.mod requires: run go mod tidy")
		},
	},
	{
		regexp.MustCompile(`^no Go files in `),
		func(_ *Listing, home string, _ []string) diag.Diagnostic {
			return diag.Errorf(diag.Position{File: home}, codePattern,
				"there are no Go files in this folder: name one with the API types, such as ./apis/...")
		},
	},
	{
		regexp.MustCompile(`requires go >= (\S+) \(running go (\S+?);`),
		func(_ *Listing, home string, match []string) diag.Diagnostic {
			return diag.Errorf(diag.Position{File: path.Join(home, "go.mod")}, codeLoad,
				"this module needs Go %s, and the go command on PATH is %s: install that version, or set GOTOOLCHAIN=auto", match[1], match[2])
		},
	},
}

// causeOf returns the diagnostic for a message of the go command whose cause is known.
func (l *Listing) causeOf(home, message string) (diag.Diagnostic, bool) {
	for _, c := range causes {
		if match := c.says.FindStringSubmatch(message); match != nil {
			return c.report(l, home, match), true
		}
	}
	return diag.Diagnostic{}, false
}

// missingSum is the go command's message if go.sum lacks a module that go.mod requires. Its advice, to get the importing
// package, doesn't help.
const missingSum = "missing go.sum entry"

// adviceToGet is the go command's advice for an import that no requirement covers.
var adviceToGet = regexp.MustCompile(`;? to add(?: it)?:\s*go get (\S+)`)

// importProblem returns the reason why a package can't be imported, with a remedy.
func (p *Program) importProblem(message string) string {
	text := p.Files.RelativeText(message)
	if strings.Contains(message, missingSum) { // one go mod tidy fixes all
		return "go.sum lacks modules that go.mod requires: run go mod tidy"
	}
	if match := adviceToGet.FindStringSubmatch(text); match != nil {
		if module, _ := p.Module("."); module != "" && strings.HasPrefix(match[1], module+"/") {
			return "this module has no such package: correct the path"
		}
		if module, _ := p.Module("."); p.endsInOwnFolder(match[1]) { // go.mod has a new name, or the import an old one
			return fmt.Sprintf("go.mod calls this module %s: correct the imports, or run go get %s", module, match[1])
		}
		return "no module that go.mod requires has it: run go get " + match[1]
	}
	if strings.HasPrefix(text, "build constraints exclude all Go files in ") {
		return "all its files are generated, or left out by build constraints: write the source of that package, or correct the import"
	}
	return text
}

// endsInOwnFolder reports whether the last elements of an import path, at least two, are a folder of the module with Go files.
func (p *Program) endsInOwnFolder(importPath string) bool {
	for _, folder, found := strings.Cut(importPath, "/"); found && strings.Contains(folder, "/"); _, folder, found = strings.Cut(folder, "/") {
		if files, err := modules.GoFiles(p.Scope.Root(), folder); err == nil && len(files) > 0 {
			return true
		}
	}
	return false
}
