package load

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
	"github.com/mrgen-io/mrgen/generator/internal/parallel"
	"github.com/mrgen-io/mrgen/generator/internal/source/modules"
	"github.com/mrgen-io/mrgen/generator/internal/source/readlog"
)

// Webhooks are the conversion webhooks that the programs of a module serve, as far as the text of its Go files shows.
type Webhooks struct {
	// Program is set if there is a program with controllers.
	Program bool
	// All is set if a file serves conversions of all kinds, and Kinds are the names of the kinds that other files serve.
	All   bool
	Kinds []string
}

// Serve reports whether conversions of a kind are served.
func (w Webhooks) Serve(kind string) bool {
	return !w.Program || w.All || slices.Contains(w.Kinds, kind) // without a program, it may be in another module
}

// Add adds the webhooks of another file.
func (w *Webhooks) Add(other Webhooks) {
	w.Program, w.All = w.Program || other.Program, w.All || other.All
	w.Kinds = append(w.Kinds, other.Kinds...)
	slices.Sort(w.Kinds)
	w.Kinds = slices.Compact(w.Kinds)
}

const controllerRuntime = "sigs.k8s.io/controller-runtime"

// conversionPath is where controller-runtime serves conversions.
const conversionPath = `"/convert"`

// scanWebhooks returns the webhooks that a Go file serves, given its imports.
func scanWebhooks(content []byte, imports []string) Webhooks {
	if !slices.ContainsFunc(imports, func(path string) bool { return strings.HasPrefix(path, controllerRuntime) }) {
		// a file without controller-runtime serves nothing
		return Webhooks{}
	}
	calls := bytes.Contains(content, []byte("WebhookManagedBy")) || bytes.Contains(content, []byte("NewWebhookHandler")) ||
		bytes.Contains(content, []byte(conversionPath))
	if !calls && !bytes.Contains(content, []byte("package main")) { // parsing takes long: most files don't serve webhooks
		return Webhooks{}
	}
	mode := parser.SkipObjectResolution
	if !calls {
		mode |= parser.ImportsOnly
	}
	file, _ := parser.ParseFile(token.NewFileSet(), "", content, mode)
	if file == nil {
		return Webhooks{}
	}
	w := Webhooks{Program: file.Name.Name == "main"}
	builders := map[*ast.CallExpr]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		switch name := calledName(call); {
		case name == "NewWebhookHandler", name == "Register" && len(call.Args) > 0 && isConversionPath(call.Args[0]):
			w.All = true
		default:
			w.Add(builtBy(call, builders))
		}
		return true
	})
	return w
}

// Imports returns the paths that a Go file imports, sorted.
func Imports(content []byte) []string {
	file, err := parser.ParseFile(token.NewFileSet(), "", content, parser.ImportsOnly|parser.SkipObjectResolution)
	if file == nil || err != nil { // the run reports the syntax error
		return nil
	}
	return gosyntax.ImportPaths(file)
}

func calledName(call *ast.CallExpr) string {
	switch f := ast.Unparen(call.Fun).(type) {
	case *ast.SelectorExpr:
		return f.Sel.Name
	case *ast.IndexExpr: // a generic call, such as NewWebhookManagedBy[T]
		if s, ok := f.X.(*ast.SelectorExpr); ok {
			return s.Sel.Name
		}
	}
	return ""
}

func isConversionPath(x ast.Expr) bool {
	literal, ok := x.(*ast.BasicLit)
	return ok && literal.Value == conversionPath
}

// builtBy returns the webhooks that a chain of calls serves if it begins with controller-runtime's builder of webhooks,
// such as
//
//	ctrl.NewWebhookManagedBy(mgr).For(&v1.Bucket{}).Complete()
//
// It serves the conversions of all kinds, unless it is about something else. It adds the calls of the chain to done.
func builtBy(call *ast.CallExpr, done map[*ast.CallExpr]bool) Webhooks {
	if done[call] {
		return Webhooks{}
	}
	var kinds []string
	forAll := true
	for {
		done[call] = true
		name := calledName(call)
		switch name {
		case "For", "NewWebhookManagedBy", "WebhookManagedBy":
			for _, arg := range call.Args {
				kinds = append(kinds, literalKind(arg)...)
			}
		// With a validator or a defaulter, the builder serves conversions only if its own kind has some.
		case "WithValidator", "WithDefaulter", "WithCustomValidator", "WithCustomDefaulter":
			forAll = false
		}
		if name == "NewWebhookManagedBy" || name == "WebhookManagedBy" {
			return Webhooks{All: forAll || len(kinds) == 0, Kinds: kinds}
		}
		selector, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			return Webhooks{}
		}
		if call, ok = ast.Unparen(selector.X).(*ast.CallExpr); !ok {
			return Webhooks{}
		}
	}
}

// literalKind returns the name of the type in an expression such as &v1.Bucket{}.
func literalKind(x ast.Expr) []string {
	address, ok := x.(*ast.UnaryExpr)
	if !ok {
		return nil
	}
	literal, ok := address.X.(*ast.CompositeLit)
	if !ok {
		return nil
	}
	switch t := literal.Type.(type) {
	case *ast.SelectorExpr:
		return []string{t.Sel.Name}
	case *ast.Ident:
		return []string{t.Name}
	default:
		return nil
	}
}

// Webhooks returns which conversion webhooks the programs below the module root serve.
func (p *Program) Webhooks() Webhooks { return p.listing.webhooks() }

// findWebhooks reads all Go files below the module root, except tests. One that can't be read serves nothing.
func findWebhooks(sc *modules.Scope, log *readlog.Log) Webhooks {
	files := modules.Files(sc.Root(), func(name string) bool {
		return strings.HasSuffix(name, ".go") && readlog.IsSource(name) && !readlog.IsTest(name)
	})
	found := make([]Webhooks, len(files))
	parallel.Do(len(files), func(i int) {
		if name := sc.Abs(files[i]); !sc.Hides(name) {
			_ = log.Look(name, func(content []byte, _ string) { found[i] = scanWebhooks(content, Imports(content)) })
		}
	})
	var all Webhooks
	for _, w := range found {
		all.Add(w)
	}
	return all
}
