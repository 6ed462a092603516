package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/rogpeppe/go-internal/txtar"
	"golang.org/x/mod/modfile"
	"golang.org/x/term"

	"github.com/mrgen-io/mrgen/cmd/mrgen/internal/cli"
	"github.com/mrgen-io/mrgen/testdata/expect"
	"github.com/mrgen-io/mrgen/testdata/testmodule"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"mrgen": func() {
		cli.TuneMemory()
		var stderr io.Writer = os.Stderr
		if !term.IsTerminal(int(os.Stderr.Fd())) {
			stderr = withoutProgress{os.Stderr}
		}
		os.Exit(cli.Run(os.Args[1:], os.Stdin, os.Stdout, stderr))
	}})
}

// withoutProgress leaves out the lines about slow steps, which depend on the machine.
type withoutProgress struct{ io.Writer }

func (w withoutProgress) Write(text []byte) (int, error) {
	if bytes.HasPrefix(text, []byte("still working: ")) {
		return len(text), nil
	}
	return w.Writer.Write(text)
}

// repository is the folder of the repository. Names of pages and files in them are relative to it.
var repository = absolute(filepath.Join("..", ".."))

// testdata is the folder with scripts and provider modules.
var testdata = filepath.Join(repository, "testdata")

func absolute(dir string) string {
	path, err := filepath.Abs(dir)
	if err != nil {
		panic(err)
	}
	return path
}

// TestScripts runs the scripts in testdata/script. Each has a folder of its own,
// which is a Go module that requires the stand-ins in testdata/stubs unless the script
// brings a go.mod. A script that has an empty file "dependencies" gets those of
// testdata/provider-example in place of these: it takes ten times as long. It needs them
// where what is generated is compiled, or compared as a whole.
//
// A file "fixtures" names archives in testdata/script/fixtures, whose files the script has, too. Go files that name
// a package in [usualImports], and don't import it, get the import in the line of their package clause.
//
// Beside testscript's commands there is
//
//	status N PROGRAM [ARGUMENT...]
//
// which runs a program, and mrgen in the tests' own process, and fails unless it exits with status N,
//
//	quiet PROGRAM [ARGUMENT...]
//
// which fails unless it exits with status 0 and has no messages, and
//
//	commit
//
// which commits all files to git, with a new repository if there is none;
//
//	restore
//
// which has all files of the current folder as they were committed;
//
//	stand-ins FOLDER [MODULE]
//
// which has the module in a folder, or a new one, require the modules in testdata/stubs alone;
//
//	says MESSAGE
//
// which fails unless the last command wrote this line to standard error, and no other;
//
//	fails PROGRAM [ARGUMENT...] MESSAGE
//
// which fails unless the program exits with status 2, and writes this line to standard error, and nothing else but
// which help there is;
//
//	write FILE LINE...
//
// which writes a file with these lines;
//
//	kind FOLDER NAME[,NAME...] [GENERATION] [observed] [registered] [group=GROUP] [+MARKER...]
//
// which declares a [testmodule.Kind] in a package, with what the package lacks of it, see
// [testmodule.Kind.WriteMissing] and [testmodule.GroupOf]; several folders are FOLDER/{NAME,NAME...};
//
//	sed ARGUMENT... FILE...
//
// which has sed edit files in place;
//
//	follow [FILE OR FOLDER...]
//
// which edits Go files as messages say, in the current folder unless others are named: lines of theirs that begin with
// a minus are there up to then, and lines that begin with a plus from then on, or, where a number stands before that,
// from the second or third such edit of the file on; and there are the
// conditions [permissions], which is false where permissions of files bind nobody,
// as for the superuser, and [large], for what make check alone does. REPOSITORY is the folder of the
// repository.
func TestScripts(t *testing.T) {
	setEnvironment := environment(t)
	goMod, goSum := moduleFiles(t)
	standIns := standInsGoMod(t)
	permissions, isLarge := permissionsBind(t), hasLargeBudget() // while the environment is no script's
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join(testdata, "script"),
		UpdateScripts:       *testmodule.Update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			setEnvironment(env)
			if err := addFixtures(env.WorkDir); err != nil {
				return err
			}
			edits, err := splitEdits(env.WorkDir)
			if err != nil {
				return err
			}
			env.Values[editsKey{}] = edits
			name := strings.TrimPrefix(filepath.Base(env.WorkDir), "script-")
			names, err := variables(env, filepath.Join(testdata, "script", name+".txtar"))
			if err != nil {
				return err
			}
			env.Values[variablesKey{}] = names
			if _, err := os.Stat(filepath.Join(env.WorkDir, "go.mod")); err == nil {
				return nil
			}
			goMod, goSum := goMod, goSum
			if os.Remove(filepath.Join(env.WorkDir, "dependencies")) != nil {
				goMod, goSum = standIns, nil
			}
			return errors.Join(os.WriteFile(filepath.Join(env.WorkDir, "go.mod"), goMod, 0o644), os.WriteFile(filepath.Join(env.WorkDir, "go.sum"), goSum, 0o644))
		},
		Condition: func(condition string) (bool, error) {
			switch condition {
			case "permissions":
				return permissions, nil
			case "large":
				return isLarge, nil
			}
			return false, fmt.Errorf("unknown condition %s", condition)
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"status": status, "quiet": quiet, "says": says, "fails": fails, "write": write, "commit": commit, "restore": restore, "kind": kind, "follow": follow, "sed": sed,
			"stand-ins": func(ts *testscript.TestScript, neg bool, args []string) { requireStandIns(ts, neg, args, standIns) },
		},
	})
}

// environment returns a function that tells a script, which starts with an empty environment, where the
// go command has modules and built packages, and where this repository is. As the modules of a user do, scripts share a cache.
func environment(t *testing.T) func(env *testscript.Env) {
	t.Helper()
	out, err := exec.Command("go", "env", "-json",
		"GOCACHE", "GOMODCACHE", "GOPROXY", "GOSUMDB", "GOPRIVATE", "GONOPROXY", "GONOSUMDB", "GOTOOLCHAIN", "CGO_ENABLED").Output()
	expect.NoError(t, err)
	var settings map[string]string
	expect.NoError(t, json.Unmarshal(out, &settings))
	if percent, set := os.LookupEnv("GOGC"); set {
		settings["GOGC"] = percent // as for the tests: a third of what a short command takes is garbage collection
	}
	settings["PATH"] = os.Getenv("PATH") // not that of a script which has the process when another one begins
	cache := t.TempDir()
	return func(env *testscript.Env) {
		for name, value := range settings {
			env.Setenv(name, value)
		}
		env.Setenv("XDG_CACHE_HOME", cache)
		env.Setenv("REPOSITORY", repository)
		// Without -trimpath, each new folder is built again. Programs link in three fifths of the time without tables for debuggers.
		env.Setenv("GOFLAGS", "-trimpath '-ldflags=-s -w'")
	}
}

// hasLargeBudget reports whether tests may take long: see testdata/budget.
func hasLargeBudget() bool { return os.Getenv("MRGEN_TEST_BUDGET") != "" }

// permissionsBind reports whether a folder without permissions can't be read.
func permissionsBind(t *testing.T) bool {
	t.Helper()
	closed := filepath.Join(t.TempDir(), "closed")
	expect.NoError(t, os.Mkdir(closed, 0))
	_, err := os.ReadDir(closed)
	return err != nil
}

// moduleFiles returns go.mod and go.sum for scripts.
func moduleFiles(t *testing.T) (goMod, goSum []byte) {
	t.Helper()
	goMod, err := os.ReadFile(filepath.Join(testdata, "provider-example", "go.mod"))
	expect.NoError(t, err)
	parsed, err := modfile.Parse("go.mod", goMod, nil)
	expect.NoError(t, err)
	expect.NoError(t, parsed.AddModuleStmt("example.org/provider"))
	if goMod, err = parsed.Format(); err != nil {
		t.Fatal(err)
	}
	if goSum, err = os.ReadFile(filepath.Join(testdata, "provider-example", "go.sum")); err != nil {
		t.Fatal(err)
	}
	return goMod, goSum
}

// requireStandIns is the command stand-ins of scripts.
func requireStandIns(ts *testscript.TestScript, neg bool, args []string, standIns []byte) {
	if neg || len(args) < 1 || len(args) > 2 {
		ts.Fatalf("usage: stand-ins folder [module]")
	}
	file, module := ts.MkAbs(filepath.Join(args[0], "go.mod")), ""
	if len(args) == 2 {
		module = args[1]
	} else {
		module = modfile.ModulePath([]byte(ts.ReadFile(file)))
	}
	parsed, err := modfile.Parse("go.mod", standIns, nil)
	ts.Check(err)
	ts.Check(parsed.AddModuleStmt(module))
	content, err := parsed.Format()
	ts.Check(err)
	ts.Check(os.WriteFile(file, content, 0o644))
}

// standInsGoMod returns go.mod for scripts that do with the modules in testdata/stubs.
func standInsGoMod(t *testing.T) []byte {
	t.Helper()
	stubs := filepath.Join(testdata, "stubs")
	content := expect.Value(os.ReadFile(filepath.Join(stubs, "stand-ins.mod")))(t)
	return bytes.ReplaceAll(content, []byte("FOLDER"), []byte(filepath.ToSlash(stubs)))
}

// status is the command of scripts that asserts an exit status.
func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N PROGRAM [ARGUMENT...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	if got, _, _ := run(ts, args[1:]); got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}

// quiet is the command of scripts that asserts success without messages.
func quiet(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: quiet PROGRAM [ARGUMENT...]")
	}
	status, _, messages := run(ts, args)
	if status != 0 {
		ts.Fatalf("exit status %d, want 0", status)
	}
	if messages != "" {
		ts.Fatalf("unexpected messages")
	}
}

// says is the command of scripts that asserts the only message of the last command.
func says(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: says MESSAGE")
	}
	if got := ts.ReadFile("stderr"); got != args[0]+"\n" {
		ts.Fatalf("the last command says %q, want %q", got, args[0]+"\n")
	}
}

// usage is the end of messages about arguments.
var usage = regexp.MustCompile(`\nRun 'mrgen .*--help' for usage\.\n$`)

// fails is the command of scripts that asserts a failure with one message.
func fails(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: fails PROGRAM [ARGUMENT...] MESSAGE")
	}
	last := len(args) - 1
	status, output, messages := run(ts, args[:last])
	messages = usage.ReplaceAllString(messages, "\n")
	if status != 2 || output != "" || messages != args[last]+"\n" {
		ts.Fatalf("exit status %d, output %q, messages %q, want 2, none and %q", status, output, messages, args[last]+"\n")
	}
}

// write is the command of scripts that writes a short file.
func write(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: write FILE LINE...")
	}
	content := addImports([]byte(strings.Join(args[1:], "\n") + "\n"))
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), content, 0o644))
}

// run runs a program, and returns its exit status and what it wrote to standard output and standard error.
func run(ts *testscript.TestScript, args []string) (int, string, string) {
	readsInput := args[len(args)-1] == "-"
	if args[0] == "mrgen" && !readsInput {
		return runHere(ts, args[1:])
	}
	err := ts.Exec(args[0], args[1:]...)
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode(), ts.ReadFile("stdout"), ts.ReadFile("stderr")
	}
	ts.Check(err)
	return 0, ts.ReadFile("stdout"), ts.ReadFile("stderr")
}

// process is locked by the script that has the folder and the environment of the tests' process.
var process sync.Mutex

// runHere is run for mrgen, in the tests' process: most commands take less time than a program takes to start.
func runHere(ts *testscript.TestScript, args []string) (int, string, string) {
	var stdout, stderr bytes.Buffer
	process.Lock()
	defer process.Unlock()
	before, dir := os.Environ(), ts.MkAbs(".")
	defer replaceEnviron(before)
	environ := []string{"PWD=" + dir}
	for _, name := range ts.Value(variablesKey{}).([]string) {
		environ = append(environ, name+"="+ts.Getenv(name))
	}
	replaceEnviron(environ)
	ts.Check(os.Chdir(dir))
	status := cli.Run(args, strings.NewReader(""), &stdout, withoutProgress{&stderr})
	ts.Check(os.Chdir(filepath.Join(repository, "cmd", "mrgen")))
	ts.Stdout().Write(stdout.Bytes())
	ts.Stderr().Write(stderr.Bytes())
	return status, stdout.String(), stderr.String()
}

// replaceEnviron replaces the environment of the process.
func replaceEnviron(environ []string) {
	os.Clearenv()
	for _, variable := range environ {
		if name, value, _ := strings.Cut(variable, "="); name != "" && value != "" {
			os.Setenv(name, value)
		}
	}
}

// variablesKey has the names of a script's variables among its values.
type variablesKey struct{}

// assignment is a line of a script that sets a variable.
var assignment = regexp.MustCompile(`(?m)^(?:\[\S+\] )?env (\w+)=`)

// variables returns the names of the variables that a script starts with, or sets.
func variables(env *testscript.Env, script string) ([]string, error) {
	content, err := os.ReadFile(script)
	var names []string
	for _, variable := range env.Vars {
		name, _, _ := strings.Cut(variable, "=")
		names = append(names, name)
	}
	for _, match := range assignment.FindAllSubmatch(content, -1) {
		names = append(names, string(match[1]))
	}
	return names, err
}

// sed is the command of scripts that edits files.
func sed(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: sed ARGUMENT... FILE...")
	}
	const backup = ".bak" // which not every sed does without
	ts.Check(ts.Exec("sed", append([]string{"-i" + backup}, args...)...))
	for _, arg := range args {
		if err := os.Remove(ts.MkAbs(arg + backup)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			ts.Check(err)
		}
	}
}

// alternatives matches the folders of the command kind.
var alternatives = regexp.MustCompile(`^(.*)\{(.*)\}(.*)$`)

// kind is the command of scripts that declares managed resources.
func kind(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: kind FOLDER NAME[,NAME...] [GENERATION] [observed] [registered] [group=GROUP] [+MARKER...]")
	}
	folders := []string{args[0]}
	if parts := alternatives.FindStringSubmatch(args[0]); parts != nil {
		folders = nil
		for part := range strings.SplitSeq(parts[2], ",") {
			folders = append(folders, parts[1]+part+parts[3])
		}
	}
	for _, folder := range folders {
		for name := range strings.SplitSeq(args[1], ",") {
			declare(ts, slices.Concat([]string{folder, name}, args[2:]))
		}
	}
}

// declare declares a managed resource.
func declare(ts *testscript.TestScript, args []string) {
	folder := ts.MkAbs(args[0])
	ts.Check(os.MkdirAll(folder, 0o777))
	k := testmodule.Kind{Package: packageIn(ts, folder), Name: args[1]}
	group := testmodule.GroupOf(args[0])
	for _, arg := range args[2:] {
		name, isGroup := strings.CutPrefix(arg, "group=")
		switch {
		case strings.HasPrefix(arg, "+"):
			k.Markers = append(k.Markers, arg)
		case isGroup:
			group = name
		case arg == "observed":
			k.IsObserved = true
		case arg == "registered":
			k.IsRegistered = true
		default:
			k.Generation = arg
		}
	}
	if k.Generation != "object" {
		k.Markers = append(k.Markers, "+kubebuilder:subresource:status")
	}
	scope := "Cluster"
	if k.Generation == "" || strings.HasSuffix(k.Generation, "-namespaced") {
		scope = "Namespaced"
	}
	isScoped := func(marker string) bool { return strings.HasPrefix(marker, "+kubebuilder:resource:") }
	if k.Generation != "object" && !slices.ContainsFunc(k.Markers, isScoped) {
		k.Markers = append(k.Markers, "+kubebuilder:resource:scope="+scope)
	}
	ts.Check(k.WriteMissing(folder, group))
	ts.Check(k.Write(folder))
}

// packageIn returns the name of the package in a folder, which is the folder's unless Go files say another.
func packageIn(ts *testscript.TestScript, folder string) string {
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	ts.Check(err)
	if len(files) == 0 {
		return filepath.Base(folder)
	}
	pkg, err := parser.ParseFile(token.NewFileSet(), files[0], nil, parser.PackageClauseOnly)
	ts.Check(err)
	return pkg.Name.Name
}

// commit is the command of scripts that commits all files.
func commit(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) > 0 {
		ts.Fatalf("usage: commit")
	}
	if _, err := os.Stat(ts.MkAbs(".git")); err != nil {
		ts.Check(ts.Exec("git", "init", "-q"))
	}
	ts.Check(ts.Exec("git", "add", "--all", "--force", "."))
	ts.Check(ts.Exec("git", "-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-q", "--allow-empty", "-m", "all"))
}

// restore is the command of scripts that takes all back which isn't committed.
func restore(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) > 0 {
		ts.Fatalf("usage: restore")
	}
	ts.Check(ts.Exec("git", "checkout", "-q", "."))
	ts.Check(ts.Exec("git", "clean", "-fdq"))
}

// addFixtures writes the files that a script shares with others.
func addFixtures(dir string) error {
	names, err := os.ReadFile(filepath.Join(dir, "fixtures"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for name := range strings.FieldsSeq(string(names)) {
		archive, parsed := txtar.ParseFile(filepath.Join(testdata, "script", "fixtures", name+".txtar"))
		if parsed != nil {
			return parsed
		}
		err = errors.Join(err, txtar.Write(archive, dir))
	}
	return errors.Join(err, os.Remove(filepath.Join(dir, "fixtures")))
}

// editsKey has the edits of a script's Go files among its values.
type editsKey struct{}

// editMark is what a line of a Go file begins with that isn't always there: see the command follow.
var editMark = regexp.MustCompile(`^(\d?)([+-])`)

// stages returns the contents of a Go file at first, and after each command follow.
func stages(content []byte) [][]byte {
	var all [][]byte
	for last := 0; len(all) <= last; {
		var stage []byte
		for line := range bytes.Lines(content) {
			from, to := 0, math.MaxInt
			for mark := editMark.FindSubmatch(line); mark != nil; mark = editMark.FindSubmatch(line) {
				line = line[len(mark[0]):]
				at, err := strconv.Atoi(string(mark[1]))
				if err != nil {
					at = 1
				}
				last = max(last, at)
				if string(mark[2]) == "+" {
					from = at
				} else {
					to = at
				}
			}
			if from <= len(all) && len(all) < to {
				stage = append(stage, line...)
			}
		}
		all = append(all, addImports(stage))
	}
	return all
}

// usualImports are the imports that scripts needn't write.
var usualImports = [][2]string{
	{"context", "context"}, {"fmt", "fmt"}, {"strings", "strings"}, {"time", "time"},
	{"apiextensionsv1", "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"},
	{"corev1", "k8s.io/api/core/v1"},
	{"ctrl", "sigs.k8s.io/controller-runtime"},
	{"intstr", "k8s.io/apimachinery/pkg/util/intstr"},
	{"metav1", "k8s.io/apimachinery/pkg/apis/meta/v1"},
	{"reference", "github.com/crossplane/crossplane-runtime/v2/pkg/reference"},
	{"runtime", "k8s.io/apimachinery/pkg/runtime"},
	{"schema", "k8s.io/apimachinery/pkg/runtime/schema"},
	{"scheme", "sigs.k8s.io/controller-runtime/pkg/scheme"},
	{"xpv2", "github.com/crossplane/crossplane/apis/v2/core/v2"},
}

// packageClause is the line of a Go file with its package clause alone.
var packageClause = regexp.MustCompile(`(?m)^package \w+$`)

// addImports returns a Go file with the usual imports that it lacks. No line of it moves, so that positions are those of the
// script.
func addImports(content []byte) []byte {
	clause := packageClause.FindIndex(content)
	if clause == nil {
		return content
	}
	added := ""
	for _, usual := range usualImports {
		isNamed := regexp.MustCompile(`[^\w."/=]` + usual[0] + `\.[A-Z]`).Match(content)
		isImported := regexp.MustCompile(`[\s/"]` + usual[0] + `( "|"\n)`).Match(content)
		if isNamed && !isImported {
			added += fmt.Sprintf("; import %s %q", usual[0], usual[1])
		}
	}
	return slices.Insert(content, clause[1], []byte(added)...)
}

// splitEdits writes the Go files of a script as they are at first, and returns the stages of those that are edited.
func splitEdits(root string) (map[string][][]byte, error) {
	edits := map[string][][]byte{}
	return edits, filepath.WalkDir(root, func(file string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(file) != ".go" {
			return err
		}
		content, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		all := stages(content)
		if len(all) > 1 {
			edits[file] = all
		}
		return os.WriteFile(file, all[0], 0o644)
	})
}

// follow is the command of scripts that edits Go files as messages say.
func follow(ts *testscript.TestScript, neg bool, args []string) {
	if neg {
		ts.Fatalf("usage: follow [file or folder...]")
	}
	edits := ts.Value(editsKey{}).(map[string][][]byte)
	if len(args) == 0 {
		args = []string{"."}
	}
	for _, arg := range args {
		root, isEdited := ts.MkAbs(arg), false
		for _, file := range slices.Sorted(maps.Keys(edits)) {
			if file != root && !strings.HasPrefix(file, root+string(filepath.Separator)) {
				continue
			}
			isEdited = true
			content, err := os.ReadFile(file)
			ts.Check(err)
			stage := slices.IndexFunc(edits[file], func(stage []byte) bool { return bytes.Equal(content, stage) })
			if stage < 0 || stage == len(edits[file])-1 {
				ts.Fatalf("%s isn't as the script has it before the edit", file)
			}
			ts.Check(os.WriteFile(file, edits[file][stage+1], 0o644))
		}
		if !isEdited {
			ts.Fatalf("%s has no lines to edit", arg)
		}
	}
}
