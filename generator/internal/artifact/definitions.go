package artifact

import (
	"bytes"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
	"github.com/mrgen-io/mrgen/generator/run"
)

// kindOf matches the kind in a definition that mrgen wrote.
var kindOf = regexp.MustCompile(`(?m)^  names:\n(?:    .*\n)*?    kind: (\S+)$`)

// nameOf matches the name of a definition that mrgen wrote.
var nameOf = regexp.MustCompile(`(?m)^metadata:\n(?:  .*\n)*?  name: \S+$`)

// DefinedKind returns the kind of a definition that mrgen wrote, or "".
func DefinedKind(content []byte) string {
	if m := kindOf.FindSubmatch(UnixLineBreaks(content)); m != nil {
		return string(m[1])
	}
	return ""
}

// whyStale returns the reason why a run lacks a definition with these source folders.
func (p *planner) whyStale(name string, content []byte, sources []string) string {
	kind, defined := DefinedKind(content), nameOf.Find(UnixLineBreaks(content))
	folders := strings.Join(sources, " and ")
	if folders == "." {
		folders = "the module root"
	}
	for other, made := range p.set.Files() {
		from, _ := ParseHeader(made)
		switch {
		case !IsDocument(other):
		case path.Base(other) == path.Base(name):
			return "the settings leave it out, and keep " + other
		case path.Dir(other) == path.Dir(name) && defined != nil && bytes.Equal(nameOf.Find(made), defined):
			return "mrgen names this definition " + path.Base(other)
		case kind != "" && p.changes[other].Action == run.Create && DefinedKind(made) == kind && slices.Equal(from, sources):
			return fmt.Sprintf("%s in %s now leads to %s: correct its group or plural if that isn't meant", kind, folders, path.Base(other))
		}
	}
	isThere := false
	for _, source := range sources {
		files, _ := filepath.Glob(filepath.Join(p.tree.root, filepath.FromSlash(source), "*.go"))
		for _, file := range files {
			isTest := strings.HasSuffix(file, "_test.go")
			isThere = isThere || !isTest
			if constraint, found := declaration(file, kind); found {
				at := path.Join(source, filepath.Base(file))
				switch {
				case isTest:
					return fmt.Sprintf("%s declares %s, but is a test", at, kind)
				case constraint != "":
					return fmt.Sprintf("%s declares %s, but has the build constraint %s", at, kind, constraint)
				}
				return fmt.Sprintf("the settings, or the markers of %s in %s, leave it out", kind, at)
			}
		}
	}
	switch {
	case !isThere:
		return folders + " has no Go files"
	case kind == "":
		return "no kind in " + folders + " leads to it"
	default:
		return fmt.Sprintf("no file in %s declares %s", folders, kind)
	}
}

// declaration reports whether a Go file declares a type, and returns its build constraint, or "".
func declaration(file, name string) (constraint string, found bool) {
	content, err := os.ReadFile(file)
	if err != nil {
		return "", false
	}
	parsed, _ := parser.ParseFile(token.NewFileSet(), "", content, parser.SkipObjectResolution)
	if parsed == nil {
		return "", false
	}
	for _, declared := range gosyntax.Types(parsed) {
		found = found || declared.Name.Name == name
	}
	head, _, _ := strings.Cut("\n"+string(content), "\npackage ")
	_, constraint, _ = strings.Cut(head, "\n//go:build ")
	constraint, _, _ = strings.Cut(constraint, "\n")
	return strings.TrimSpace(constraint), found
}

// checkRemoved reports a run that would delete more than half of the definitions on disk: patterns or build tags that
// leave packages out are more likely than an author who removes so much. A new definition makes up for a deleted one,
// since its kind may have had another name or group.
func (p *planner) checkRemoved() {
	var removed []run.Change
	kept, created := p.left, 0
	for _, change := range p.changes {
		switch {
		case IsDocument(change.Path) && change.Reason != "":
			removed = append(removed, change)
		case IsDocument(change.Path) && change.Action == run.Create:
			created++
		case IsDocument(change.Path) && change.Old != nil:
			kept++
		}
	}
	if len(removed)-created <= kept {
		return
	}
	slices.SortFunc(removed, func(a, b run.Change) int { return strings.Compare(a.Path, b.Path) })
	p.report(diag.Errorf(diag.Position{File: path.Dir(removed[0].Path)}, CodeStale,
		"this would delete %d of %d definitions: cover their packages and build tags, or pass --remove-definitions to generate",
		len(removed), len(removed)+kept))
	for _, change := range removed {
		p.report(diag.Warningf(diag.Position{File: change.Path}, CodeStale, "stale: %s", change.Reason))
	}
}
