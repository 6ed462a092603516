// Package testmodule lays out modules for tests, which use the stand-ins in
// testdata/stubs in place of Crossplane and Kubernetes.
package testmodule

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/modfile"
	"golang.org/x/tools/txtar"

	"github.com/mrgen-io/mrgen/testdata/expect"
)

// Update is the flag of tests that compare with files.
var Update = flag.Bool("update", false, "rewrite what tests compare with")

// Path is the import path of the modules that are laid out.
const Path = "example.org/provider"

// Want is the folder of an archive with what is expected.
const Want = "want/"

// root is the root of this repository. It is found before a test works in another folder, and without the positions of
// code, which -trimpath leaves out.
var root, errRoot = findRoot()

// findRoot returns the folder of the module of mrgen around the current one.
func findRoot() (string, error) {
	dir, err := os.Getwd()
	for err == nil {
		content, _ := os.ReadFile(filepath.Join(dir, "go.mod")) // most folders have none
		if modfile.ModulePath(content) == "github.com/mrgen-io/mrgen" {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			err = errors.New("tests of mrgen must run in its repository")
		}
		dir = filepath.Dir(dir)
	}
	return "", err
}

// Repository returns the absolute path of a file in this repository, given by its path with
// slashes below the root.
func Repository(t testing.TB, name string) string {
	t.Helper()
	if errRoot != nil {
		t.Fatal(errRoot)
	}
	return filepath.Join(root, filepath.FromSlash(name))
}

// GoMod returns the go.mod of a module that requires all stand-ins: testdata/stubs/stand-ins.mod, with
// the path of that folder.
func GoMod(t testing.TB) []byte {
	t.Helper()
	stubs := Repository(t, "testdata/stubs")
	return bytes.ReplaceAll(Read(t, filepath.Join(stubs, "stand-ins.mod")), []byte("FOLDER"), []byte(filepath.ToSlash(stubs)))
}

// Require returns lines of a go.mod that require a module in a folder.
func Require(path, version, dir string) string {
	return fmt.Sprintf("\nrequire %s %s\n\nreplace %s => %s\n", path, version, path, filepath.ToSlash(dir))
}

// Write writes a file, and the folders that it lies in.
func Write(t testing.TB, file string, content []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, content, 0o644); err != nil {
		t.Fatal(err)
	}
}

// WriteTree writes files, by their paths with slashes below a folder.
func WriteTree(t testing.TB, dir string, tree map[string][]byte) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(tree)) {
		Write(t, filepath.Join(dir, filepath.FromSlash(name)), tree[name])
	}
}

// Read returns a file with the line breaks of Unix, whatever those of the checkout are.
func Read(t testing.TB, file string) []byte {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.ReplaceAll(content, []byte("\r\n"), []byte("\n"))
}

// ReadTree returns the files below a folder, by their paths with slashes.
func ReadTree(t testing.TB, dir string) map[string][]byte {
	t.Helper()
	tree := map[string][]byte{}
	err := filepath.WalkDir(dir, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, file)
		tree[filepath.ToSlash(name)] = Read(t, file)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// Go has the go command do something to all packages of a module, such as build.
func Go(t testing.TB, root, subcommand string) {
	t.Helper()
	command := exec.Command("go", subcommand, "./...")
	command.Dir = root
	command.Env = append(os.Environ(), "GOFLAGS=-mod=mod -trimpath '-ldflags=-s -w'", "GOWORK=off", "GOPROXY=off")
	if output, err := command.CombinedOutput(); err != nil {
		t.Errorf("go %s fails in the module: %v\n%s", subcommand, err, output)
	}
}

// Glob returns the files that match a pattern, of which there are some.
func Glob(t testing.TB, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob(pattern)
	expect.Must(t, err == nil && len(files) > 0, "no files match %s: %v", pattern, err)
	return files
}

// Run runs a command in a folder, where no workspace counts, and returns what it writes.
func Run(dir, name string, args ...string) ([]byte, error) {
	command := exec.Command(name, args...)
	command.Dir, command.Env = dir, append(os.Environ(), "GOWORK=off")
	return command.CombinedOutput()
}

// Download completes the go.mod of a module, and downloads all that its packages and their tests import: [Go] downloads
// nothing.
func Download(t testing.TB, root string) {
	t.Helper()
	command := exec.Command("go", "list", "-deps", "-test", "./...")
	command.Dir = root
	command.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
	var problems bytes.Buffer
	command.Stderr = &problems
	if err := command.Run(); err != nil {
		t.Fatalf("go list fails in %s: %v\n%s", root, err, &problems)
	}
}

// EachArchive runs a test, in parallel with others, for each archive in a folder of this
// repository.
func EachArchive(t *testing.T, dir string, test func(t *testing.T, file string, archive *txtar.Archive)) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(Repository(t, dir), "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no archives in %s: %v", dir, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			test(t, file, archive)
		})
	}
}

// Extract writes the module of an archive to a folder: a go.mod for the stand-ins, which the
// archive may replace, and its files but those below [Want]. One called kinds stands for the
// kinds of a package, see [WriteKinds]. Files for which special reports true are left to it; it
// may be nil.
func Extract(t testing.TB, archive *txtar.Archive, root string, special func(f txtar.File) bool) {
	t.Helper()
	Write(t, filepath.Join(root, "go.mod"), GoMod(t))
	for _, f := range archive.Files {
		file := filepath.Join(root, filepath.FromSlash(f.Name))
		switch {
		case strings.HasPrefix(f.Name, Want), special != nil && special(f):
		case filepath.Base(file) == "kinds":
			WriteKinds(t, filepath.Dir(file), string(f.Data))
		default:
			Write(t, file, f.Data)
		}
	}
}

// Wanted returns the files below [Want] in an archive, by their paths below it.
func Wanted(archive *txtar.Archive) map[string]string {
	want := map[string]string{}
	for _, f := range archive.Files {
		if name, isWant := strings.CutPrefix(f.Name, Want); isWant {
			want[name] = string(f.Data)
		}
	}
	return want
}

// Compare fails a test if it got something else than an archive wants, or rewrites the archive with the flag for that.
func Compare(t testing.TB, file string, archive *txtar.Archive, got map[string]string) {
	t.Helper()
	if *Update {
		Rewrite(t, file, archive, got)
		return
	}
	expect.Equal(t, Wanted(archive), got)
}

// CompareText is [Compare] for an archive with one text that it wants, in the file "want".
func CompareText(t testing.TB, file string, archive *txtar.Archive, got string) {
	t.Helper()
	want := ""
	archive.Files = slices.DeleteFunc(archive.Files, func(f txtar.File) bool {
		if f.Name == "want" {
			want = string(f.Data)
		}
		return f.Name == "want"
	})
	if *Update {
		archive.Files = append(archive.Files, txtar.File{Name: "want", Data: []byte(got)})
		Write(t, file, txtar.Format(archive))
		return
	}
	expect.Equal(t, want, got)
}

// Rewrite writes an archive with other files below [Want].
func Rewrite(t testing.TB, file string, archive *txtar.Archive, got map[string]string) {
	t.Helper()
	archive.Files = slices.DeleteFunc(archive.Files, func(f txtar.File) bool { return strings.HasPrefix(f.Name, Want) })
	for _, name := range slices.Sorted(maps.Keys(got)) {
		archive.Files = append(archive.Files, txtar.File{Name: Want + name, Data: []byte(got[name])})
	}
	Write(t, file, txtar.Format(archive))
}
