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
	// isProgram is set if it is part of a program with controllers, and serves if it serves conversions of all kinds.
	isProgram, serves bool
	// names are the names in a file that may serve conversions of some kinds.
	names []string
}

// servesKind reports whether it serves conversions of a kind.
func (f webhookFile) servesKind(kind string) bool { return f.serves || slices.Contains(f.names, kind) }

const controllerRuntime = "sigs.k8s.io/controller-runtime"

// serving are controller-runtime's function for conversions and the path that it serves them at, builders are functions
// that begin to build webhooks, and admitting are methods of builders for webhooks that admit objects. With one of these, a builder
// serves conversions only if its own kind has some.
var (
	serving   = []string{"NewWebhookHandler", `"/convert"`}
	builders  = []string{"NewWebhookManagedBy", "WebhookManagedBy"}
	admitting = []string{"WithValidator", "WithDefaulter", "WithCustomValidator", "WithCustomDefaulter"}
)

// scanWebhooks describes a Go file with some imports.
func scanWebhooks(content []byte, imports []string) (f webhookFile) {
	if !slices.ContainsFunc(imports, func(path string) bool { return strings.HasPrefix(path, controllerRuntime) }) {
		return f
	}
	before, builds, admits := token.ILLEGAL, false, false
	for t := range gosyntax.Tokens(content, 0) {
		f.isProgram = f.isProgram || before == token.PACKAGE && t.Text == "main"
		f.serves = f.serves || slices.Contains(serving, t.Text)
		builds, admits = builds || slices.Contains(builders, t.Text), admits || slices.Contains(admitting, t.Text)
		if before = t.Kind; t.Kind == token.IDENT {
			f.names = append(f.names, t.Text)
		}
	}
	if f.serves = f.serves || builds && !admits; !builds {
		f.names = nil
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

// LacksWebhook reports whether there is a program with controllers below the module root, and none serves conversions of a
// kind. Without a program, it may be in another module.
func (p *Program) LacksWebhook(kind string) bool {
	files := p.listing.webhookFiles()
	return slices.ContainsFunc(files, func(f webhookFile) bool { return f.isProgram }) &&
		!slices.ContainsFunc(files, func(f webhookFile) bool { return f.servesKind(kind) })
}

// webhookFiles reads all Go files below the module root, except tests. One that can't be read serves nothing.
func webhookFiles(sc *modules.Scope, log *readlog.Log) []webhookFile {
	files := modules.Files(sc.Root(), func(name string) bool {
		return strings.HasSuffix(name, ".go") && readlog.IsSource(name) && !readlog.IsTest(name)
	})
	found := make([]webhookFile, len(files))
	parallel.Do(len(files), func(i int) {
		if name := sc.Abs(files[i]); !sc.Hides(name) {
			_ = log.Look(name, func(content []byte, _ string) { found[i] = scanWebhooks(content, Imports(content)) })
		}
	})
	return found
}
