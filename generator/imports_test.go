package generator_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/mrgen-io/mrgen/"

// directions are the imports that the architecture allows within the module: a
// package may import what its row lists, and below; "generator" stands for that package alone. All may
// import those in everywhere, and all below generator markers, which has their names.
var directions = map[string][]string{
	"cmd":     {"cmd", "generator/...", "markers"},
	"markers": {},
	"generator": {
		"generator/internal/apiserver", "generator/internal/artifact", "generator/internal/provenance", "generator/internal/pipeline", "generator/internal/schema",
		"generator/internal/source/modules", "generator/internal/driver",
	},
	"generator/adopt": {
		"generator", "generator/internal/artifact", "generator/internal/workshop/othertools", "generator/internal/engine", "generator/internal/pipeline",
		"generator/internal/source/apitypes", "generator/internal/source/modules", "generator/internal/stages/resolvers", "generator/internal/driver", "generator/internal/versions",
	},
	"generator/breaking": {
		"generator", "generator/internal/apiserver", "generator/internal/artifact", "generator/internal/engine", "generator/internal/external/definitions",
		"generator/internal/incremental", "generator/internal/pipeline", "generator/internal/review/compare", "generator/internal/schema", "generator/internal/source/readlog",
		"generator/internal/stages/mrd", "generator/internal/driver",
	},
	"generator/fix": {
		"generator", "generator/internal/artifact", "generator/internal/workshop/fixes", "generator/internal/workshop/worktree", "generator/internal/model",
		"generator/internal/review/explain", "generator/internal/review/linter", "generator/internal/review/lintrules", "generator/internal/source/apitypes",
		"generator/internal/source/load", "generator/internal/driver", "generator/lint",
	},
	"generator/lint": {
		"generator", "generator/internal/artifact", "generator/internal/memory", "generator/internal/pipeline", "generator/internal/review/controllers", "generator/internal/review/linter",
		"generator/internal/review/lintrules", "generator/internal/source/readlog", "generator/internal/source/modules", "generator/internal/driver",
	},
	"generator/mrd": {
		"generator/internal/apiserver", "generator/internal/external/activation", "generator/internal/external/convert",
	},
	"generator/report": {
		"generator", "generator/internal/artifact", "generator/internal/mirroring", "generator/internal/external/definitions", "generator/internal/model",
		"generator/internal/pipeline", "generator/internal/review/controllers", "generator/internal/review/docs", "generator/internal/review/examples", "generator/internal/review/explain",
		"generator/internal/sdk", "generator/internal/size", "generator/internal/source/modules", "generator/internal/driver",
	},
	"generator/scaffold": {
		"generator", "generator/internal/artifact", "generator/internal/workshop/fromsdk", "generator/internal/workshop/openapi", "generator/internal/workshop/scaffolding", "generator/internal/workshop/addscope", "generator/internal/workshop/worktree",
		"generator/internal/pipeline", "generator/internal/source/scopecopies", "generator/internal/source/load", "generator/internal/driver",
	},
	"generator/xpkg": {
		"generator", "generator/internal/apiserver", "generator/internal/apiserver/verdicts", "generator/internal/artifact", "generator/internal/engine",
		"generator/internal/external/xpkg", "generator/internal/source/program", "generator/internal/crdvalidation",
	},
	"generator/diag":                         {},
	"generator/run":                          {},
	"generator/stage":                        {},
	"generator/settings":                     {"generator/breaking", "generator/lint", "markers"},
	"generator/internal/gosyntax":            {},
	"generator/internal/gotypes":             {"generator/internal/flavor"},
	"generator/internal/parallel":            {},
	"generator/internal/yamlnode":            {},
	"generator/internal/budget":              {},
	"generator/internal/cel":                 {},
	"generator/internal/git":                 {},
	"generator/internal/flavor":              {},
	"generator/internal/workshop/goedit":     {},
	"generator/internal/model":               {"generator/internal/flavor"},
	"generator/internal/artifact":            {},
	"generator/internal/external/activation": {},
	"generator/internal/schema":              {"generator/internal/model"},
	"generator/internal/provenance":          {"generator/internal/schema"},
	"generator/internal/crdvalidation":       {"generator/internal/schema"},
	"generator/internal/apiserver":           {"generator/internal/schema", "generator/internal/crdvalidation", "generator/internal/size"},
	"generator/internal/apiserver/verdicts":  {"generator/internal/apiserver", "generator/internal/cel", "generator/internal/schema", "generator/internal/crdvalidation"},
	"generator/internal/testprovider":        {"generator", "generator/internal/budget", "generator/internal/testmodule", "generator/settings"},
	"generator/internal/testmodule":          {},
	"generator/internal/source/readlog":      {},
	"generator/internal/source/modules":      {"generator/internal/artifact"},
	"generator/internal/source/scopecopies": {
		"generator/internal/artifact", "generator/internal/flavor", "generator/internal/gotypes", "generator/internal/source/readlog", "generator/internal/source/load", "generator/internal/source/modules",
	},
	"generator/internal/source/load": {
		"generator/internal/artifact", "generator/internal/flavor", "generator/internal/model", "generator/internal/source/readlog", "generator/internal/source/modules",
	},
	"generator/internal/source/apitypes": {
		"generator/internal/constraint", "generator/internal/flavor", "generator/internal/model",
		"generator/internal/source/readlog", "generator/internal/source/load", "generator/internal/source/modules",
	},
	"generator/internal/memory": {
		"generator/internal/artifact", "generator/internal/flavor", "generator/internal/importgraph", "generator/internal/source/readlog", "generator/internal/source/load", "generator/internal/source/modules",
	},
	"generator/internal/driver": {
		"generator/internal/artifact", "generator/internal/engine", "generator/internal/external/providerpackage", "generator/internal/incremental",
		"generator/internal/pipeline", "generator/internal/review/docs", "generator/internal/sdk", "generator/internal/source/apitypes", "generator/internal/source/modules", "generator/internal/stages",
		"generator/internal/versions",
	},
	"generator/internal/engine": {
		"generator/internal/apiserver", "generator/internal/apiserver/verdicts", "generator/internal/artifact", "generator/internal/compile", "generator/internal/source/readlog", "generator/internal/source/apitypes", "generator/internal/source/scopecopies", "generator/internal/source/load", "generator/internal/source/modules",
		"generator/internal/importgraph", "generator/internal/pipeline", "generator/internal/render/gosrc", "generator/internal/size", "generator/internal/sdk",
	},
	"generator/internal/incremental": {
		"generator/internal/memory", "generator/internal/compile", "generator/internal/engine", "generator/internal/source/readlog", "generator/internal/source/apitypes", "generator/internal/source/modules",
		"generator/internal/importgraph", "generator/internal/model", "generator/internal/pipeline",
	},
	"generator/internal/compile":          {"generator/internal/source/load"},
	"generator/internal/connection":       {"generator/internal/model"},
	"generator/internal/external/convert": {"generator/internal/apiserver", "generator/internal/connection", "generator/internal/schema", "generator/internal/crdvalidation"},
	"generator/internal/review/explain": {
		"generator/internal/cel", "generator/internal/provenance", "generator/internal/mirroring", "generator/internal/model", "generator/internal/pipeline",
		"generator/internal/rules", "generator/internal/schema", "generator/internal/fieldmarkers", "generator/internal/versions", "markers",
	},
	"generator/internal/review/docs": {
		"generator/internal/artifact", "generator/internal/connection", "generator/internal/provenance", "generator/internal/model", "generator/internal/pipeline",
		"generator/internal/review/examples", "generator/internal/review/explain", "generator/internal/rules", "generator/internal/schema",
		"generator/internal/versions", "markers",
	},
	"generator/internal/review/compare": {
		"generator/internal/apiserver", "generator/internal/cel", "generator/internal/pattern", "generator/internal/rules", "generator/internal/validobject", "generator/internal/schema",
	},
	"generator/internal/review/examples": {
		"generator/internal/apiserver", "generator/internal/model", "generator/internal/pipeline", "generator/internal/render",
		"generator/internal/rules", "generator/internal/validobject", "generator/internal/schema",
	},
	"generator/internal/validobject":  {"generator/internal/apiserver", "generator/internal/cel", "generator/internal/model", "generator/internal/pipeline", "generator/internal/rules", "generator/internal/schema"},
	"generator/internal/sdk":          {"generator/internal/compile", "generator/internal/mirroring", "generator/internal/flavor", "generator/internal/gotypes", "generator/internal/render/gosrc", "generator/internal/source/load"},
	"generator/internal/constraint":   {},
	"generator/internal/lateinit":     {"generator/internal/cel", "generator/internal/constraint", "generator/internal/gotypes", "generator/internal/mapping", "generator/internal/model", "generator/internal/render/gosrc", "generator/internal/rules", "generator/internal/fieldmarkers"},
	"generator/internal/mapping":      {"generator/internal/model"},
	"generator/internal/fieldmarkers": {"generator/internal/model", "markers"},
	"generator/internal/mirroring":    {"generator/internal/model"},
	"generator/internal/workshop/fixes": {
		"generator/internal/artifact", "generator/internal/cel", "generator/internal/provenance", "generator/internal/workshop/goedit", "generator/internal/source/apitypes", "generator/internal/model",
		"generator/internal/pipeline", "generator/internal/review/linter", "generator/internal/rules", "generator/internal/schema", "generator/internal/stages/resolvers",
	},
	"generator/internal/review/controllers": {
		"generator/diag", "generator/internal/compile", "generator/internal/gotypes", "generator/internal/source/load", "generator/internal/source/modules",
	},
	"generator/internal/review/linter": {
		"generator/internal/review/controllers", "generator/internal/artifact", "generator/internal/mirroring", "generator/internal/model", "generator/internal/pipeline", "generator/internal/schema",
	},
	"generator/internal/review/lintrules": {"generator/internal/review/controllers", "generator/internal/pipeline", "generator/internal/review/linter"},
	"generator/internal/review/lintrules": {
		"generator/internal/review/controllers", "generator/internal/apiserver", "generator/internal/mirroring", "generator/internal/model", "generator/internal/review/linter", "generator/internal/schema", "generator/internal/crdvalidation",
	},
	"generator/internal/importgraph": {"generator/internal/model"},
	"generator/internal/pipeline": {
		"generator/internal/artifact", "generator/internal/connection", "generator/internal/provenance", "generator/internal/source/apitypes", "generator/internal/source/modules", "generator/internal/importgraph", "generator/internal/model", "generator/internal/flavor",
		"generator/internal/render/gosrc", "generator/internal/schema", "generator/internal/sdk", "generator/internal/size", "generator/internal/crdvalidation",
	},
	"generator/internal/rules": {
		"generator/internal/cel", "generator/internal/provenance", "generator/internal/flavor", "generator/internal/model", "generator/internal/schema", "generator/internal/crdvalidation",
	},
	"generator/internal/roundtrip": {
		"generator/internal/apiserver", "generator/internal/model", "generator/internal/rules", "generator/internal/schema",
	},
	"generator/internal/external/providerpackage": {},
	"generator/internal/external/definitions":     {"generator/internal/connection", "generator/internal/external/xpkg", "generator/internal/git"},
	"generator/internal/external/xpkg":            {"generator/internal/crdvalidation"},
	"generator/internal/source/program":           {},
	"generator/internal/render":                   {"generator/internal/artifact", "generator/internal/flavor", "generator/internal/render"},
	"generator/internal/workshop/othertools":      {"generator/internal/artifact", "generator/internal/workshop/goedit", "generator/internal/source/modules"},
	"generator/internal/workshop/addscope": {
		"generator/internal/artifact", "generator/internal/workshop/goedit", "generator/internal/workshop/layout",
		"generator/internal/flavor", "generator/internal/source/scopecopies", "generator/internal/source/modules",
	},
	"generator/internal/workshop/worktree": {"generator/internal/git"},
	"generator/internal/workshop/fromsdk": {
		"generator/internal/mirroring", "generator/internal/gotypes", "generator/internal/model", "generator/internal/source/load", "generator/internal/review/lintrules", "markers",
	},
	"generator/internal/workshop/openapi": {
		"generator/internal/workshop/fromsdk", "generator/internal/model", "generator/internal/validobject", "generator/internal/schema", "markers",
	},
	"generator/internal/workshop/layout": {"generator/internal/workshop/goedit", "generator/internal/flavor", "generator/internal/source/scopecopies", "generator/internal/source/modules"},
	"generator/internal/workshop/scaffolding": {
		"generator/internal/artifact", "generator/internal/workshop/fromsdk", "generator/internal/workshop/goedit", "generator/internal/workshop/layout",
		"generator/internal/flavor", "generator/internal/model", "generator/internal/source/scopecopies", "generator/internal/source/modules", "generator/internal/versions",
		"testdata/simulated", // which new providers get
	},
	"generator/internal/stages": {
		"generator/internal/artifact", "generator/internal/cel", "generator/internal/connection", "generator/internal/constraint", "generator/internal/lateinit", "generator/internal/mirroring",
		"generator/internal/flavor", "generator/internal/importgraph", "generator/internal/model", "generator/internal/pipeline", "generator/internal/render", "generator/internal/rules", "generator/internal/fieldmarkers",
	},
	"generator/internal/stages/conversion": {
		"generator/internal/mirroring", "generator/internal/flavor", "generator/internal/gotypes", "generator/internal/importgraph", "generator/internal/mapping", "generator/internal/model", "generator/internal/pipeline",
		"generator/internal/render/gosrc", "generator/internal/versions",
	},
	"generator/internal/stages/crd": {
		"generator/internal/apiserver", "generator/internal/cel", "generator/internal/connection", "generator/internal/provenance", "generator/internal/model", "generator/internal/pipeline",
		"generator/internal/render", "generator/internal/roundtrip", "generator/internal/rules", "generator/internal/validobject",
		"generator/internal/schema", "generator/internal/size", "generator/internal/stages/crd/flatten", "generator/internal/crdvalidation", "generator/internal/versions",
	},
	"generator/internal/stages/crd/flatten": {"generator/internal/schema"},
	"generator/internal/versions":           {"generator/internal/schema"},
	"generator/internal/pattern":            {},
	"generator/internal/size":               {"generator/internal/schema"},
}

// everywhere are the packages that all others may import: the data that users meet, and small tools.
var everywhere = []string{"generator/diag", "generator/run", "generator/stage", "generator/internal/gosyntax", "generator/internal/parallel", "generator/internal/yamlnode"}

// controllerTools are the packages that may import controller-tools.
var controllerTools = []string{"markers", "generator/internal/source/load", "generator/internal/source/apitypes", "generator/internal/stages/crd", "generator/internal/stages/deepcopy"}

// TestImports holds the direction of imports: see docs/architecture.md.
func TestImports(t *testing.T) {
	eachFile(t, func(file, from string, parsed *ast.File) {
		for _, spec := range parsed.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			if !allowed(from, imported) {
				t.Errorf("%s imports %s", file, imported)
			}
		}
	})
}

// goroutines are the packages that may start a goroutine: the one that exists for it, and
// the command line, whose line of progress holds nothing that a panic could leave behind.
var goroutines = []string{"generator/internal/parallel", "cmd/mrgen/internal/cli"}

// TestGoroutines holds that a panic at the side reaches the caller: see the package
// generator/internal/parallel.
func TestGoroutines(t *testing.T) {
	eachFile(t, func(file, from string, parsed *ast.File) {
		if within(from, goroutines) {
			return
		}
		for _, spec := range parsed.Imports {
			if spec.Path.Value == `"golang.org/x/sync/errgroup"` {
				t.Errorf("%s imports errgroup: use generator/internal/parallel", file)
			}
		}
		ast.Inspect(parsed, func(node ast.Node) bool {
			selector, _ := node.(*ast.SelectorExpr)
			_, isGo := node.(*ast.GoStmt)
			if isGo || selector != nil && (selector.Sel.Name == "WaitGroup" || selector.Sel.Name == "AfterFunc") {
				t.Errorf("%s starts a goroutine: use generator/internal/parallel", file)
			}
			return true
		})
	})
}

// TestReads holds that source is read where that is logged: see the option Inputs of
// package build.
func TestReads(t *testing.T) {
	eachFile(t, func(file, from string, parsed *ast.File) {
		isRead := within(from, []string{"generator/internal/source/load", "generator/internal/source/apitypes"})
		if !isRead || filepath.Base(file) == "reads.go" {
			return
		}
		ast.Inspect(parsed, func(node ast.Node) bool {
			call, _ := node.(*ast.CallExpr)
			if call == nil {
				return true
			}
			selector, _ := call.Fun.(*ast.SelectorExpr)
			if selector == nil {
				return true
			}
			qualifier, _ := selector.X.(*ast.Ident)
			switch {
			case qualifier == nil:
			case qualifier.Name == "os" && (selector.Sel.Name == "ReadFile" || selector.Sel.Name == "Open" || selector.Sel.Name == "ReadDir"),
				qualifier.Name == "parser" && selector.Sel.Name == "ParseFile" && isNil(call.Args[2]):
				t.Errorf("%s reads a file by itself: call Listing.ReadFile", file)
			}
			return true
		})
	})
}

func isNil(expr ast.Expr) bool {
	name, ok := expr.(*ast.Ident)
	return ok && name.Name == "nil"
}

// TestMarkerNames holds that markers are called by their constants: a name that is wrong
// does not compile.
func TestMarkerNames(t *testing.T) {
	name := regexp.MustCompile(`^"\+?(mrgen|crossplane|kubebuilder|k8s):[\w:-]+=?"$`)
	eachFile(t, func(file, from string, parsed *ast.File) {
		if from == "markers" {
			return
		}
		ast.Inspect(parsed, func(node ast.Node) bool {
			if text, _ := node.(*ast.BasicLit); text != nil && name.MatchString(text.Value) {
				t.Errorf("%s has the name of a marker in %s: use the constant of package markers", file, text.Value)
			}
			return true
		})
	})
}

// writers are what may write files by itself: package artifact, which keeps to the module; what is
// remembered in the user's cache folder; a new provider, which becomes a module; what a revision had; what the go command reads
// in place of files; and profiles.
var writers = []string{
	"generator/internal/artifact", "generator/internal/memory", "generator/internal/workshop/worktree", "generator/internal/testmodule",
	"generator/scaffold/init.go", "generator/report/coverage.go", "generator/internal/source/load/overlay.go", "cmd/mrgen/internal/cli/progress.go",
}

// TestWrites holds that output is written where it is written as a whole, and within the module.
func TestWrites(t *testing.T) {
	eachFile(t, func(file, from string, parsed *ast.File) {
		if within(from, writers) || slices.Contains(writers, path.Join(from, filepath.Base(file))) {
			return
		}
		ast.Inspect(parsed, func(node ast.Node) bool {
			selector, _ := node.(*ast.SelectorExpr)
			if selector == nil {
				return true
			}
			qualifier, _ := selector.X.(*ast.Ident)
			if qualifier != nil && qualifier.Name == "os" && slices.Contains([]string{"WriteFile", "Create", "CreateTemp", "OpenFile", "Rename"}, selector.Sel.Name) {
				t.Errorf("%s writes a file by itself: have a plan of package artifact do it", file)
			}
			return true
		})
	})
}

// TestRooms holds that the drawing in docs/architecture.md has each package once, and that
// imports point downwards in it.
func TestRooms(t *testing.T) {
	content, err := os.ReadFile("../docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	_, drawing, _ := strings.Cut(string(content), "\n## The rooms\n")
	_, drawing, _ = strings.Cut(drawing, "```text\n")
	drawing, _, found := strings.Cut(drawing, "```")
	if !found {
		t.Fatal("there is no drawing")
	}
	drawn, floors, floor := map[string]int{}, map[string]int{}, 0
	for line := range strings.Lines(drawing) {
		if strings.TrimSpace(line) == "▼" {
			floor++
		}
		names, _, _ := strings.Cut(strings.TrimLeft(line, " │├▼─"), "   ")
		for name := range strings.SplitSeq(strings.TrimSpace(names), ", ") {
			if name = strings.TrimSuffix(name, "/"); !strings.HasPrefix(name, "generator/") {
				name = path.Base(name)
			}
			drawn[name]++
			floors[name] = floor
		}
	}
	// in returns the name that the drawing has for a room.
	in := func(room string) string {
		if drawn[room] > 0 {
			return room
		}
		return path.Base(room)
	}
	rooms := map[string]bool{}
	eachFile(t, func(file, from string, parsed *ast.File) {
		rooms[from] = true
		if isRule(from) {
			return
		}
		for _, spec := range parsed.Imports {
			imported, isOurs := strings.CutPrefix(strings.Trim(spec.Path.Value, `"`), module)
			if isOurs && !isRule(imported) && floors[in(imported)] < floors[in(from)] {
				t.Errorf("%s imports %s, which is drawn above it", file, imported)
			}
		}
	})
	for room := range rooms {
		if isRule(room) {
			continue
		}
		if n := drawn[in(room)]; n != 1 {
			t.Errorf("docs/architecture.md draws %s %d times, want once", room, n)
		}
	}
}

// isRule reports whether a package is a rule of lint, which the drawing leaves to the catalog.
func isRule(room string) bool { return path.Dir(room) == "generator/internal/review/lintrules" }

// longFiles are those of more than 400 lines, with the reason.
var longFiles = map[string]string{}

// TestFileLength holds that files can be read in one go.
func TestFileLength(t *testing.T) {
	eachFile(t, func(file, _ string, _ *ast.File) {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if n := bytes.Count(content, []byte("\n")); n > 400 && longFiles[filepath.ToSlash(file)] == "" {
			t.Errorf("%s has %d lines, more than 400: divide it by its reasons to change, or give one in longFiles", file, n)
		}
	})
}

// eachFile calls visit for each Go file of the module that is no test, with its folder,
// slash-separated and relative to the module root.
func eachFile(t *testing.T, visit func(file, from string, parsed *ast.File)) {
	t.Helper()
	seen := 0
	err := filepath.WalkDir("..", func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && (entry.Name() == "testdata" || entry.Name() == "bin" || strings.HasPrefix(entry.Name(), ".") && entry.Name() != "..") {
			return fs.SkipDir
		}
		if !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		seen++
		rel, err := filepath.Rel("..", filepath.Dir(file))
		if err != nil {
			return err
		}
		visit(file, filepath.ToSlash(rel), parsed)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if seen < 20 {
		t.Fatalf("found only %d files: is the test in the wrong folder?", seen)
	}
}

func allowed(from, imported string) bool {
	if strings.HasPrefix(imported, "sigs.k8s.io/controller-tools/") {
		return within(from, controllerTools)
	}
	local, ok := strings.CutPrefix(imported, module)
	if !ok || slices.Contains(everywhere, local) || local == "markers" && within(from, []string{"generator/internal"}) {
		return true
	}
	for dir := from; dir != "."; dir = path.Dir(dir) {
		if targets, ok := directions[dir]; ok {
			return within(local, targets)
		}
	}
	return false
}

func within(dir string, parents []string) bool {
	for _, parent := range parents {
		parent, all := strings.CutSuffix(parent, "/...")
		if dir == parent || (all || parent != "generator") && strings.HasPrefix(dir, parent+"/") {
			return true
		}
	}
	return false
}
