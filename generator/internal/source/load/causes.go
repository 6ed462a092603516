package load

import (
	"context"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/source/goenv"
	"github.com/mrgen-io/mrgen/generator/internal/source/modules"
)

// A cause is a known reason for an error of the go command, with the remedy.
type cause struct {
	// says matches the message of the go command.
	says *regexp.Regexp
	code diag.Code
	// file is to blame, beside go.mod, and text is the format of the diagnostic, for what the expression matched.
	file, text string
}

// causes are errors that users meet and whose messages are long, name folders of the machine, or suggest no remedy.
var causes = []cause{
	{
		regexp.MustCompile(`exec: "go": executable file not found`), codeLoad, "",
		"there is no go command on PATH, which mrgen reads source with: install Go from https://go.dev/dl, or add its folder to PATH",
	},
	{
		// With an overlay, the go command takes the root of the file system for the folder, and
		// complains about what lies below.
		regexp.MustCompile(`module cache not found|GOMODCACHE \(\)`), codeLoad, "",
		"the go command has no folder for modules, since neither HOME nor GOPATH nor GOMODCACHE is set: set one of them",
	},
	{
		regexp.MustCompile(`(?s)inconsistent vendoring in [^\n]*:\n?\s*(\S+?)@.*run:\s+(go (?:mod|work) vendor)`), codeLoad, "vendor",
		"this folder doesn't have the modules that are required, such as %s: run %s, or remove it",
	},
	{
		regexp.MustCompile(`cannot load module (\S+) listed in go\.work file`), codeLoad, goWork,
		"this workspace uses %s, which has no go.mod: remove it from use, or set GOWORK=off",
	},
	{
		regexp.MustCompile(`modules listed in go\.work|workspace modules|current workspace`), codeLoad, goWork,
		"this workspace leaves out the module that mrgen is to read: run go work use ./%s beside it, or set GOWORK=off",
	},
	{
		regexp.MustCompile(`(\S+)@\S+: replacement directory (\S+) does not exist`), codeLoad, "go.mod",
		"the folder %[2]s, which replaces %[1]s, isn't there: correct the path, or remove the replacement",
	},
	{
		regexp.MustCompile(`updates to go\.mod needed`), codeLoad, "go.mod", "the required modules require others than this file does: run go mod tidy",
	},
	{
		// the go command's remedy is for one module, and there may be many
		regexp.MustCompile(missingSum), codeLoad, "go.sum", "this file lacks modules that go.mod requires: run go mod tidy",
	},
	{
		regexp.MustCompile(`^no Go files in (.+)`), codePattern, ".",
		"there are no Go files in this folder: name one with the API types, such as ./apis/...",
	},
	{
		regexp.MustCompile(`requires go >= (\S+) \(running go (\S+?);`), codeLoad, "go.mod",
		"this module needs Go %s, and the go command on PATH is %s: install that version, or set GOTOOLCHAIN=auto",
	},
}

// goWork is the workspace, which may be in a folder above.
const goWork = "go.work"

// clauses matches the message of the go command about a folder with two packages.
var clauses = regexp.MustCompile(`^found packages (\S+) \((\S+)\) and (\S+) \((\S+)\) in (\S+)$`)

// causeOf returns the diagnostic for a message of the go command, about the module in a folder, whose cause is known.
func (l *Listing) causeOf(home, message string) (diag.Diagnostic, bool) {
	if match := clauses.FindStringSubmatch(message); match != nil {
		return l.otherClause(match), true
	}
	for _, c := range causes {
		match := c.says.FindStringSubmatch(message)
		if match == nil {
			continue
		}
		file := path.Join(home, c.file)
		var args []any
		for _, matched := range match[1:] {
			args = append(args, matched)
		}
		switch c.file {
		case "":
			file = ""
		case ".":
			file, args = l.Files.Relative(match[1]), nil
		case goWork:
			var use string
			if file, use = l.workspace(home); len(args) == 0 { // the module isn't in the message
				args = append(args, use)
			}
		}
		return diag.Errorf(diag.Position{File: file}, c.code, c.text, args...), true
	}
	return diag.Diagnostic{}, false
}

// otherClause reports the file whose package clause differs from the name of its folder, or else the second of two.
func (l *Listing) otherClause(match []string) diag.Diagnostic {
	name, file, other := match[3], match[4], match[1]
	if name == filepath.Base(match[5]) {
		name, file, other = match[1], match[2], match[3]
	}
	file = l.Files.Relative(filepath.Join(match[5], file))
	if c := l.Scope.Options.Copies[file]; c != nil { // its source has the clause
		file = c.Source
	}
	return diag.Errorf(diag.Position{File: file}, codeLoad,
		"this file is of package %s, and others in the folder of package %s: correct the package clause", name, other)
}

// workspace returns the go.work file of the module in a folder, and the path of the folder from there.
func (l *Listing) workspace(home string) (file, use string) {
	dir := l.Scope.Abs(home)
	work := goenv.Workspace(context.Background(), dir)
	at, err := filepath.Rel(l.Scope.Root(), work)
	use, useErr := filepath.Rel(filepath.Dir(work), dir)
	if err != nil || useErr != nil { // such as on another volume
		at, use = work, dir
	}
	return filepath.ToSlash(at), filepath.ToSlash(use)
}

// missingSum is the go command's message if go.sum lacks a module that go.mod requires. Its advice, to get the importing
// package, doesn't help.
const missingSum = "missing go.sum entry"

// majorVersion matches the element of an import path for the major version of a module.
var majorVersion = regexp.MustCompile(`/v[0-9]+\b`)

// adviceToGet is the go command's advice for an import that no requirement covers.
var adviceToGet = regexp.MustCompile(`;? to add(?: it)?:\s*go get (\S+)`)

// importProblem returns the reason why a package of a module, in the folder home, can't import another, with a remedy.
func (p *Program) importProblem(home, message string) string {
	text := p.Files.RelativeText(message)
	if match := adviceToGet.FindStringSubmatch(text); match != nil {
		module, _ := p.Module(".")
		if module != "" && strings.HasPrefix(match[1], module+"/") {
			return "this module has no such package: correct the path"
		}
		if p.endsInOwnFolder(match[1]) { // go.mod has a new name, or the import an old one
			return fmt.Sprintf("go.mod calls this module %s: correct that name if it is wrong, or else the imports; if it is another module's, run go get %s", module, match[1])
		}
		withoutMajor := majorVersion.ReplaceAllString(match[1], "")
		for _, known := range slices.Sorted(maps.Keys(p.byPath())) {
			if known != match[1] && majorVersion.ReplaceAllString(known, "") == withoutMajor {
				return "go.mod requires another major version of its module: import " + known
			}
		}
		if home != "." {
			return fmt.Sprintf("%s/go.mod requires no module that has it: run go mod tidy in %s, or remove that go.mod", home, home)
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
