package load

import (
	"go/parser"
	"go/token"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
	"github.com/mrgen-io/mrgen/generator/internal/parallel"
	"github.com/mrgen-io/mrgen/generator/internal/source/modules"
	"github.com/mrgen-io/mrgen/generator/internal/source/readlog"
)

// A webhookFile says what a Go file has to do with conversion webhooks.
type webhookFile struct {
	// isProgram is set if it is part of a program with controllers, and serves if it serves conversions.
	isProgram, serves bool
}

const controllerRuntime = "sigs.k8s.io/controller-runtime"

// serving are the functions of controller-runtime that serve conversions, and the path that it serves them at. Its
// builder serves the conversions of all kinds.
var serving = []string{"NewWebhookHandler", "NewWebhookManagedBy", "WebhookManagedBy", `"/convert"`}

// scanWebhooks describes a Go file with some imports.
func scanWebhooks(content []byte, imports []string) (f webhookFile) {
	if !slices.ContainsFunc(imports, func(path string) bool { return strings.HasPrefix(path, controllerRuntime) }) {
		return f
	}
	before := token.ILLEGAL
	for t := range gosyntax.Tokens(content, 0) {
		f.isProgram = f.isProgram || before == token.PACKAGE && t.Text == "main"
		f.serves = f.serves || slices.Contains(serving, t.Text)
		before = t.Kind
	}
	return f
}

// Imports returns the paths that a Go file imports, sorted.
func Imports(content []byte) []string {
	file, err := parser.ParseFile(token.NewFileSet(), "", content, parser.ImportsOnly|parser.SkipObjectResolution)
	if file == nil || err != nil { // the run reports the syntax error
		return nil
	}
	return gosyntax.ImportPaths(file)
}

// LacksWebhook reports whether there is a program with controllers below the module root, and none serves conversions.
// Without a program, it may be in another module.
func (p *Program) LacksWebhook() bool { return p.listing.lacksWebhook() }

// lacksWebhook reads all Go files below the module root, except tests. One that can't be read serves nothing.
func lacksWebhook(sc *modules.Scope, log *readlog.Log) bool {
	files := modules.Files(sc.Root(), func(name string) bool {
		return strings.HasSuffix(name, ".go") && readlog.IsSource(name) && !readlog.IsTest(name)
	})
	found := make([]webhookFile, len(files))
	parallel.Do(len(files), func(i int) {
		if name := sc.Abs(files[i]); !sc.Hides(name) {
			_ = log.Look(name, func(content []byte, _ string) { found[i] = scanWebhooks(content, Imports(content)) })
		}
	})
	return slices.ContainsFunc(found, func(f webhookFile) bool { return f.isProgram }) &&
		!slices.ContainsFunc(found, func(f webhookFile) bool { return f.serves })
}
