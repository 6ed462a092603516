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

	"github.com/mrgen-io/mrgen/testdata/expect"
)

const module = "github.com/mrgen-io/mrgen/"

// never are the imports that the architecture forbids within the module, from the packages that a pattern matches to
// those that another one matches: see docs/architecture.md. A pattern is a part of the program, a folder with
// everything below it, or a list of these.
var never = []struct{ from, imports, because string }{
	{"core", "extensions", "it knows no scopes, no conversions and no SDKs: they are handed to it"},
	{"core", "review workshop", "a run is complete without judgements and edits"},
	{"extensions", "review workshop", "before and after a run, nothing is judged or edited"},
	{"review", "extensions", "the caller prepares the options of a run: see package provider"},
	{"review", "workshop", "a judgement edits nothing: its edits are plain data"},
	{"workshop", "review", "an edit doesn't depend on an opinion"},
	{"core extensions review workshop", "callers", "the command line is only one caller"},
	{"generator/internal", "public", "the public packages are made of the internal ones"},
	{"plain", "generator/internal generator/run generator/settings", "plain data and small tools depend on nothing"},
	{"generator/internal/model", "generator/internal/source generator/internal/stage generator/internal/stages generator/internal/artifact", "the model is plain data"},
	{"generator/internal/source", "generator/internal/stage generator/internal/stages", "loading knows nothing of what is generated"},
	{"generator/internal/stages", "generator/internal/source generator/internal/stagerunner generator/internal/command", "stages see the model, not the disk"},
	{"generator/internal/stage", "generator/internal/stages generator/internal/stagerunner", "a stage's type knows no product"},
	{"generator/internal/stagerunner", "generator/internal/stages generator/internal/command", "what runs stages knows none of them"},
}

// parts are the packages of the parts around the core, and other sets that the rules name.
var parts = map[string][]string{
	"extensions": {"generator/internal/extensions", "generator/scopepair", "generator/provider", "generator/coverage"},
	"review":     {"generator/internal/review", "generator/breaking", "generator/lint", "generator/mrdfiles", "generator/report"},
	"workshop":   {"generator/internal/workshop", "generator/adopt", "generator/fix", "generator/scaffold"},
	"plain":      {"markers", "generator/diag", "generator/scopepair", "generator/internal/flavor", "generator/internal/gosyntax", "generator/internal/parallel"},
	"callers":    {"cmd", "generator/settings"},
	"public": {
		"generator/adopt", "generator/breaking", "generator/coverage", "generator/fix", "generator/lint", "generator/mrdfiles",
		"generator/provider", "generator/report", "generator/scaffold", "generator/settings",
	},
}

// isIn reports whether a pattern of a rule matches a package of the module.
func isIn(dir, pattern string) bool {
	for name := range strings.FieldsSeq(pattern) {
		switch {
		case parts[name] != nil:
			if within(dir, parts[name]) {
				return true
			}
		case name == "core": // everything else
			if within(dir, []string{"generator/...", "markers"}) && !isIn(dir, "extensions review workshop callers") {
				return true
			}
		case within(dir, []string{name}):
			return true
		}
	}
	return false
}

// controllerTools says which rooms may import which packages of controller-tools. An upgrade that changes bytes
// concerns the rooms of the first line.
var controllerTools = []struct{ packages, rooms, because string }{
	{"crd crd/markers deepcopy genall", "generator/internal/controllertools markers", "only they know which markers there are, and how schemas are made of them"},
	{"loader markers", "generator/internal/source/load generator/internal/source/apitypes generator/internal/controllertools generator/internal/stages/deepcopy markers",
		"packages and parsed comments are its plain data, which only rooms that read source take"},
}

// TestImports holds the direction of imports: see docs/architecture.md.
func TestImports(t *testing.T) {
	eachFile(t, func(file, from string, parsed *ast.File) {
		for _, spec := range parsed.Imports {
			imported := expect.Value(strconv.Unquote(spec.Path.Value))(t)
			if of, ok := strings.CutPrefix(imported, "sigs.k8s.io/controller-tools/pkg/"); ok {
				i := slices.IndexFunc(controllerTools, func(r struct{ packages, rooms, because string }) bool {
					return slices.Contains(strings.Fields(r.packages), of)
				})
				expect.True(t, i >= 0 && isIn(from, controllerTools[i].rooms), "%s imports %s: %s", file, imported, controllerTools[max(i, 0)].because)
			}
			local, isOurs := strings.CutPrefix(imported, module)
			if !isOurs || isIn(from, "callers") && isIn(local, "core extensions review workshop callers") {
				continue
			}
			for _, rule := range never {
				expect.True(t, !isIn(from, rule.from) || !isIn(local, rule.imports), "%s imports %s: %s", file, local, rule.because)
			}
			// A stage knows no other stage.
			stage, other := stageOf(from), stageOf(local)
			expect.True(t, stage == "" || other == "" || stage == other, "%s imports the stage %s: stages exchange results by type, see package stage", file, other)
		}
	})
}

// TestPublic holds that nothing public takes, returns or has an internal type: callers outside couldn't name it.
func TestPublic(t *testing.T) {
	eachFile(t, func(file, from string, parsed *ast.File) {
		if strings.Contains(from, "internal") || !isIn(from, "core public") {
			return
		}
		internal := map[string]bool{}
		for _, spec := range parsed.Imports {
			imported, _ := strconv.Unquote(spec.Path.Value)
			name := path.Base(imported)
			if spec.Name != nil {
				name = spec.Name.Name
			}
			internal[name] = strings.HasPrefix(imported, module) && strings.Contains(imported, "/internal/")
		}
		check := func(name string, typ ast.Node) {
			ast.Inspect(typ, func(node ast.Node) bool {
				switch node := node.(type) {
				case *ast.Field: // an unexported field of a struct is nobody's business
					return len(node.Names) == 0 || slices.ContainsFunc(node.Names, (*ast.Ident).IsExported) || !isStructField(typ, node)
				case *ast.SelectorExpr:
					if x, ok := node.X.(*ast.Ident); ok && internal[x.Name] {
						t.Errorf("%s: %s shows the internal type %s.%s", file, name, x.Name, node.Sel.Name)
					}
				}
				return true
			})
		}
		for _, decl := range parsed.Decls {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				if decl.Name.IsExported() {
					check(decl.Name.Name, decl.Type)
				}
			case *ast.GenDecl:
				for _, spec := range decl.Specs {
					if spec, ok := spec.(*ast.TypeSpec); ok && spec.Name.IsExported() {
						check(spec.Name.Name, spec.Type)
					}
				}
			}
		}
	})
}

// isStructField reports whether a field belongs to a struct in a type, and isn't a parameter of a function.
func isStructField(typ ast.Node, f *ast.Field) bool {
	found := false
	ast.Inspect(typ, func(node ast.Node) bool {
		if s, ok := node.(*ast.StructType); ok {
			found = found || slices.Contains(s.Fields.List, f)
		}
		return !found
	})
	return found
}

// goroutines are the packages that may start a goroutine: the one that exists for it, and
// the command line, whose wait for a lock holds nothing that a panic could leave behind.
var goroutines = []string{"generator/internal/parallel", "cmd/mrgen/internal/cli"}

// TestGoroutines holds that a panic at the side reaches the caller: see the package
// generator/internal/parallel.
func TestGoroutines(t *testing.T) {
	eachFile(t, func(file, from string, parsed *ast.File) {
		if within(from, goroutines) {
			return
		}
		for _, spec := range parsed.Imports {
			expect.True(t, spec.Path.Value != `"golang.org/x/sync/errgroup"`, "%s imports errgroup: use generator/internal/parallel", file)
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
	"generator/internal/artifact", "generator/internal/memory", "generator/fix/worktree.go",
	"generator/scaffold/init.go", "generator/coverage/coverage.go", "generator/internal/source/load/overlay.go", "cmd/mrgen/internal/cli/progress.go",
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
	content := expect.Value(os.ReadFile("../docs/architecture.md"))(t)
	_, drawing, _ := strings.Cut(string(content), "\n## The rooms\n")
	_, drawing, _ = strings.Cut(drawing, "```text\n")
	drawing, _, found := strings.Cut(drawing, "```")
	expect.Must(t, found, "there is no drawing")
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
		for _, spec := range parsed.Imports {
			imported, isOurs := strings.CutPrefix(strings.Trim(spec.Path.Value, `"`), module)
			expect.True(t, !isOurs || floors[in(imported)] >= floors[in(from)], "%s imports %s, which is drawn above it", file, imported)
		}
	})
	for room := range rooms {
		n := drawn[in(room)]
		expect.True(t, n == 1, "docs/architecture.md draws %s %d times, want once", room, n)
	}
}

// longFiles are those of more than 400 lines, with the reason.
var longFiles = map[string]string{}

// TestFileLength holds that files can be read in one go.
func TestFileLength(t *testing.T) {
	eachFile(t, func(file, _ string, _ *ast.File) {
		content := expect.Value(os.ReadFile(file))(t)
		n := bytes.Count(content, []byte("\n"))
		expect.True(t, n <= 400 || longFiles[filepath.ToSlash(file)] != "", "%s has %d lines, more than 400: divide it by its reasons to change, or give one in longFiles", file, n)
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
	expect.NoError(t, err)
	expect.Must(t, seen >= 20, "found only %d files: is the test in the wrong folder?", seen)
}

// stageOf returns the stage that a package belongs to, or "".
func stageOf(dir string) string {
	rest, ok := strings.CutPrefix(dir, "generator/internal/stages/")
	if !ok {
		return ""
	}
	stage, _, _ := strings.Cut(rest, "/")
	return stage
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
