package artifact

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/mrgen-io/mrgen/generator/run"
	"github.com/mrgen-io/mrgen/testdata/budget"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

func TestApply(t *testing.T) {
	root := t.TempDir()
	writeTree(t, root, map[string]string{
		"apis/same.go": "same", "apis/changed.go": "a longer text than the one that replaces it", "apis/stale.go": ownedGoFile,
		"apis/author.go": "package v1\n", "crds/stale.yaml": ownedYAML("apis"), "crds/foreign.yaml": "kind: A\n",
	})
	set := newSet(t, map[string]string{"apis/same.go": "same", "apis/changed.go": "new", "apis/created.go": "new", "deep/er/still/x.txt": "new", "root.txt": "new"})
	options := PlanOptions{Candidates: []string{"apis/stale.go", "apis/author.go"}, DocumentFolders: []string{"crds"}, InScope: everything, RemoveDefinitions: true}
	long := time.Now().Add(-time.Hour)
	same := filepath.Join(root, "apis/same.go")
	expect.NoError(t, os.Chtimes(same, long, long))
	before := expect.Value(os.Stat(same))(t)

	mustApply(t, mustPlan(t, root, set, options))

	want := map[string]string{
		"apis": folderInTree, "apis/same.go": "same", "apis/changed.go": "new", "apis/created.go": "new", "apis/author.go": "package v1\n",
		"crds": folderInTree, "crds/foreign.yaml": "kind: A\n", "deep": folderInTree, "deep/er": folderInTree, "deep/er/still": folderInTree,
		"deep/er/still/x.txt": "new", "root.txt": "new",
	}
	expect.Equal(t, want, readTree(t, root))
	after := expect.Value(os.Stat(same))(t)
	expect.True(t, after.ModTime().Equal(before.ModTime()) && os.SameFile(before, after), "the unchanged file was written")
}

func TestApplyMode(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows keeps permissions elsewhere than in the file mode")
	}
	root := t.TempDir()
	writeTree(t, root, map[string]string{"script": "old", "private": "old"})
	chmod(t, filepath.Join(root, "script"), 0o755)
	chmod(t, filepath.Join(root, "private"), 0o600)
	set := newSet(t, map[string]string{"script": "new", "private": "new"})
	mustApply(t, mustPlan(t, root, set, PlanOptions{}))
	for name, want := range map[string]fs.FileMode{"script": 0o755, "private": 0o600} {
		info := expect.Value(os.Stat(filepath.Join(root, name)))(t)
		expect.Equal(t, want, info.Mode(), "%s has mode", name)
	}
}

// longName is the name of a folder that no common file system can hold.
var longName = strings.Repeat("x", 300)

// TestApplyWritesNothingIfRefused has problems that show up in Apply alone.
func TestApplyWritesNothingIfRefused(t *testing.T) {
	const isFile = "this is a file where mrgen needs a folder; remove or rename it, or choose another output folder"
	root := t.TempDir()
	writeTree(t, root, map[string]string{"a.go": "old", "file": "", "stale.go": ownedGoFile})
	before := readTree(t, root)
	fine := []run.Change{
		{Path: "a.go", Action: run.Update, Old: []byte("old"), New: []byte("new")},
		{Path: "new/folder/b.go", Action: run.Create, New: []byte("new")},
		{Path: "stale.go", Action: run.Delete, Old: []byte(ownedGoFile)},
	}
	tests := []struct {
		name    string
		changes []run.Change
		want    []string
	}{
		{
			"folders became files",
			[]run.Change{{Path: "file/c.go", Action: run.Create}, {Path: "file/d.go", Action: run.Delete}, {Path: "../e.go", Action: run.Create}},
			[]string{"../e.go: the path is not inside the module; give a path relative to the module root that stays below it", "file: " + isFile},
		},
		{
			"folders cannot be made", []run.Change{{Path: "new/" + longName + "/c.go", Action: run.Create}, {Path: "new/" + longName + "/d.go", Action: run.Create}},
			[]string{"new/" + longName + ": mrgen cannot write to this folder: file name too long; make it writable, or choose another output folder"},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if runtime.GOOS == "windows" {
				t.Skip("Windows has other words for these errors")
			}
			plan := &Plan{Plan: run.Plan{Root: root, Changes: append(fine[:len(fine):len(fine)], test.changes...)}}
			problems, err := plan.Apply(t.Context())
			expect.True(t, err == nil, "%v", err)
			expect.Equal(t, test.want, expect.Strings(problems))
			expect.Equal(t, before, readTree(t, root), "the tree has changed")
		})
	}
}

func TestApplyRefusesReadOnlyFolders(t *testing.T) {
	needPermissions(t)
	root := t.TempDir()
	writeTree(t, root, map[string]string{"a.go": "old", "crds/b.yaml": "old", "mrds/stale.yaml": ownedYAML("apis"), "same/c.yaml": "same"})
	for _, folder := range []string{"crds", "mrds", "same"} {
		chmod(t, filepath.Join(root, folder), 0o555)
	}
	before := readTree(t, root)
	set := newSet(t, map[string]string{"a.go": "new", "crds/b.yaml": "new", "crds/nested/c.yaml": "new", "same/c.yaml": "same", "new/d.go": "new"})
	plan := mustPlan(t, root, set, PlanOptions{DocumentFolders: []string{"mrds"}, InScope: everything})
	problems, err := plan.Apply(t.Context())
	expect.True(t, err == nil, "%v", err)
	want := []string{
		"crds: mrgen cannot write to this folder: permission denied; make it writable, or choose another output folder",
		"crds/nested: mrgen cannot write to this folder: permission denied; make it writable, or choose another output folder",
		"mrds: mrgen cannot write to this folder: permission denied; make it writable, or choose another output folder",
	}
	expect.Equal(t, want, expect.Strings(problems))
	expect.Equal(t, before, readTree(t, root), "the tree has changed")
}

func TestApplyRefusesMissingRoot(t *testing.T) {
	plan := &Plan{Plan: run.Plan{Root: filepath.Join(t.TempDir(), "missing")}}
	problems, err := plan.Apply(t.Context())
	expect.True(t, problems.HasErrors() && err == nil, "got %v, %v, want a diagnostic", problems, err)
}

// TestApplyReportsFailedCommit has a target that turns into a folder between
// the checks and the rename, which no check can see.
func TestApplyReportsFailedCommit(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has other words for these errors")
	}
	directory := t.TempDir()
	w := newApplier(t, directory)
	for _, name := range []string{"a.go", "b.go", "c.go"} {
		problems, err := w.prepareAll(t.Context(), []target{{Change: run.Change{Path: name, New: []byte("new")}, location: name}})
		expect.Must(t, problems == nil && err == nil, "%v", problems)
	}
	stale := target{Change: run.Change{Path: "stale", Action: run.Delete}, location: "stale"}
	problems, err := w.prepareAll(t.Context(), []target{stale})
	expect.Must(t, problems == nil && err == nil, "%v", problems)
	writeTree(t, directory, map[string]string{"b.go/README": "", "stale/README": ""})
	want := []string{"b.go: the file cannot be replaced: file exists; remove the cause and run mrgen again, since some files are written and others are not"}
	expect.Equal(t, want, expect.Strings(w.commit()))
	w.cleanUp()
	wantTree := map[string]string{"a.go": "new", "b.go": folderInTree, "b.go/README": "", "stale": folderInTree, "stale/README": ""}
	expect.Equal(t, wantTree, readTree(t, directory))

	w = newApplier(t, directory)
	problems, err = w.prepareAll(t.Context(), []target{stale})
	expect.Must(t, problems == nil && err == nil, "%v", problems)
	want = []string{"stale: the stale file cannot be removed: directory not empty; remove it by hand"}
	expect.Equal(t, want, expect.Strings(w.commit()))
}

func newApplier(t *testing.T, directory string) *applier {
	t.Helper()
	root := expect.Value(os.OpenRoot(directory))(t)
	t.Cleanup(func() { _ = root.Close() })
	return &applier{root: root}
}

// TestRenameWritesLostFilesAgain is the case of a run that takes the temporary
// file of another machine for a leftover, or its new folder for an empty one.
func TestRenameWritesLostFilesAgain(t *testing.T) {
	directory := t.TempDir()
	w := newApplier(t, directory)
	problems, err := w.prepareAll(t.Context(), []target{{Change: run.Change{Path: "new/a.go", New: []byte("new")}, location: filepath.Join("new", "a.go")}})
	expect.Must(t, problems == nil && err == nil, "%v", problems)
	expect.NoError(t, os.RemoveAll(filepath.Join(directory, "new")))
	if problems := w.commit(); problems != nil {
		t.Fatal(problems)
	}
	w.cleanUp()
	expect.Equal(t, map[string]string{"new": folderInTree, "new/a.go": "new"}, readTree(t, directory))
}

// TestStageMakesRemovedFoldersAgain has another process that removes the folder
// when it is empty, as runs that give up do.
func TestStageMakesRemovedFoldersAgain(t *testing.T) {
	directory := t.TempDir()
	w := newApplier(t, directory)
	for range budget.Of(100, 500) {
		var staged atomic.Bool
		var remover sync.WaitGroup
		remover.Go(func() {
			for removed := 0; removed < attempts/2 && !staged.Load(); {
				if os.Remove(filepath.Join(directory, "new")) == nil {
					removed++
				}
			}
		})
		file := target{Change: run.Change{Path: "new/a.go"}, location: filepath.Join("new", "a.go")}
		err := w.stage(&file)
		staged.Store(true)
		remover.Wait()
		expect.NoError(t, err)
		expect.NoError(t, os.RemoveAll(filepath.Join(directory, "new")))
		name := filepath.ToSlash(file.temporary)
		expect.Must(t, strings.HasPrefix(name, "new/"+temporaryPrefix), "temporary file is %s, want one in the folder of the file", name)
	}
}

// TestApplyTwiceDeleted is the case of two runs that remove one stale file.
func TestApplyTwiceDeleted(t *testing.T) {
	root := t.TempDir()
	writeTree(t, root, map[string]string{"a.go": ownedGoFile})
	plan := mustPlan(t, root, &Set{}, PlanOptions{Candidates: []string{"a.go"}})
	mustApply(t, plan)
	mustApply(t, plan)
	expect.Equal(t, map[string]string{}, readTree(t, root))
}

// cancelLater is done from the second time on that it is asked.
type cancelLater struct {
	context.Context
	asked atomic.Int32
}

func (c *cancelLater) Err() error {
	if c.asked.Add(1) < 2 {
		return nil
	}
	return context.Canceled
}

func TestApplyCancelled(t *testing.T) {
	root := t.TempDir()
	set := newSet(t, map[string]string{"new/a.go": "new", "new/b.go": "new"})
	plan := mustPlan(t, root, set, PlanOptions{})
	problems, err := plan.Apply(&cancelLater{Context: t.Context()})
	expect.True(t, problems == nil && errors.Is(err, context.Canceled), "got %v, %v, want the error of the context", problems, err)
	expect.Equal(t, map[string]string{}, readTree(t, root), "the tree has changed")
}

// TestApplyStaysInside has a folder that becomes a link out of the module after
// the path was looked up.
func TestApplyStaysInside(t *testing.T) {
	parent := t.TempDir()
	writeTree(t, parent, map[string]string{"module/README": "", "outside/README": ""})
	w := newApplier(t, filepath.Join(parent, "module"))
	symlink(t, "../outside", filepath.Join(parent, "module/crds"))
	problems := expect.Value(w.prepareAll(t.Context(), []target{{Change: run.Change{Path: "crds/a.yaml", New: []byte("new")}, location: filepath.Join("crds", "a.yaml")}}))(t)
	want := []string{"crds: mrgen cannot write to this folder: path escapes from parent; make it writable, or choose another output folder"}
	expect.Equal(t, want, expect.Strings(problems))
	expect.Equal(t, map[string]string{"README": ""}, readTree(t, filepath.Join(parent, "outside")))
}

const (
	concurrentRuns  = 20
	concurrentFiles = 12
)

// concurrentSet is a set whose files are long enough to be seen half written.
func concurrentSet(t *testing.T, letter byte) *Set {
	t.Helper()
	files := map[string]string{}
	for i := range concurrentFiles {
		files[fmt.Sprintf("out/%d/f%02d.yaml", i%3, i)] = strings.Repeat(string(letter), 64<<10)
	}
	return newSet(t, files)
}

// checkWhole fails the test unless each file below root repeats one letter to
// the full length.
func checkWhole(t *testing.T, tree map[string]string, length int) {
	t.Helper()
	for name, content := range tree {
		expect.True(t, content == folderInTree || len(content) == length && strings.Count(content, content[:1]) == length, "%s has %d bytes and is not whole", name, len(content))
	}
}

func TestApplyConcurrentlyTheSamePlan(t *testing.T) {
	root := t.TempDir()
	plan := mustPlan(t, root, concurrentSet(t, 'a'), PlanOptions{})
	var runs sync.WaitGroup
	for range concurrentRuns {
		runs.Go(func() {
			mine := *plan // what it created is its own
			problems, err := mine.Apply(t.Context())
			expect.True(t, problems == nil && err == nil, "Apply: %v, %v", problems, err)
		})
	}
	runs.Wait()
	tree := readTree(t, root)
	checkWhole(t, tree, 64<<10)
	want := concurrentFiles + 4
	expect.True(t, len(tree) == want, "%d files and folders, want %d", len(tree), want)
}

// TestApplyConcurrentlyDifferentPlans has runs that write different content,
// runs that remove the files, and runs that are refused and so remove the
// folders that they made.
func TestApplyConcurrentlyDifferentPlans(t *testing.T) {
	root := t.TempDir()
	var candidates []string
	for name := range concurrentSet(t, 'a').Files() {
		candidates = append(candidates, name)
	}
	var writers, watcher sync.WaitGroup
	for i := range concurrentRuns {
		set := concurrentSet(t, byte('a'+i))
		writers.Go(func() {
			for range 5 {
				plan, problems := NewPlan(root, set, PlanOptions{})
				if problems != nil {
					t.Errorf("NewPlan: %v", problems)
					return
				}
				refused := i%4 == 3
				switch {
				case refused:
					plan.Changes = append(plan.Changes, run.Change{Path: "out/0/" + longName + "/x.yaml", Action: run.Create})
				case i%4 == 2:
					plan.Changes = nil
					for _, name := range candidates {
						plan.Changes = append(plan.Changes, run.Change{Path: name, Action: run.Delete})
					}
				}
				problems, err := plan.Apply(t.Context())
				expect.True(t, problems.HasErrors() == refused && err == nil, "run %d: Apply: %v, %v", i, problems, err)
			}
		})
	}
	done := make(chan struct{})
	watcher.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
			}
			for _, name := range candidates {
				content, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
				if err == nil {
					checkWhole(t, map[string]string{name: string(content)}, 64<<10)
				}
			}
		}
	})
	writers.Wait()
	close(done)
	watcher.Wait()
	checkWhole(t, readTree(t, root), 64<<10)
	mustApply(t, mustPlan(t, root, concurrentSet(t, 'z'), PlanOptions{}))
	tree := readTree(t, root)
	want := concurrentFiles + 4
	expect.True(t, len(tree) == want, "%d files and folders, want %d", len(tree), want)
}

const (
	crashRounds = 25
	crashLength = 32 << 10
)

// crashState returns one of two states of a tree. Each has a file that is stale
// in the other.
func crashState(number int) (*Set, PlanOptions) {
	letter := byte('a' + number)
	content := bytes.Repeat([]byte{letter}, crashLength)
	set := &Set{}
	names := []string{fmt.Sprintf("crds/only_%c.yaml", letter)}
	for i := range 40 {
		names = append(names, fmt.Sprintf("crds/f%02d.yaml", i))
	}
	for _, name := range names {
		if err := set.Add(name, append([]byte(YAMLHeader([]string{"apis"})+"\n"), content...)); err != nil {
			panic(err)
		}
	}
	return set, PlanOptions{DocumentFolders: []string{"crds"}, InScope: everything}
}

// TestApplyKilled kills a process that applies plans, over and over again.
func TestApplyKilled(t *testing.T) {
	root := t.TempDir()
	wholes := map[string]bool{}
	wantTree := map[string]string{"crds": folderInTree}
	for number := range 2 {
		set, _ := crashState(number)
		for name, content := range set.Files() {
			wholes[string(content)] = true
			if number == 0 {
				wantTree[name] = string(content)
			}
		}
	}
	leftovers := 0
	for range crashRounds {
		helper := startHelper(t, helperApply, root)
		time.Sleep(rand.N(20 * time.Millisecond))
		helper.kill(t)

		for name, content := range readTree(t, root) {
			if strings.HasPrefix(filepath.Base(name), temporaryPrefix) {
				leftovers++
			} else if content != folderInTree && !wholes[content] {
				t.Errorf("%s has %d bytes and is neither old nor new", name, len(content))
			}
		}
		set, options := crashState(0)
		mustApply(t, mustPlan(t, root, set, options))
		if got := readTree(t, root); !maps.Equal(wantTree, got) {
			for name, content := range got {
				expect.True(t, wantTree[name] == content, "%s has %d bytes, want %d", name, len(content), len(wantTree[name]))
			}
			t.Fatalf("%d files after the next run, want %d", len(got), len(wantTree))
		}
	}
	expect.True(t, leftovers != 0, "none of %d killed runs left a temporary file: the test kills at the wrong moments", crashRounds)
}

// TestFullDisk holds that a full disk is one cause, whichever files it concerns.
func TestFullDisk(t *testing.T) {
	full := &fs.PathError{Op: "write", Path: "x", Err: syscall.ENOSPC}
	targets := []target{{Change: run.Change{Path: "apis/v1/a.go"}}, {Change: run.Change{Path: "crds/b.yaml"}}, {Change: run.Change{Path: "mrds/c.yaml"}}}
	for _, problems := range [][]error{{nil, full, full}, {fs.ErrPermission, errors.Join(full, fs.ErrClosed), nil}} {
		got := unprepared(targets, problems)
		want := "crds: there is no space left, on the disk or in your quota, and nothing is changed: free some, and run mrgen again"
		expect.True(t, len(got) == 1 && got[0].String() == want, "got %v, want %s", got, want)
	}
	got := unprepared(targets, []error{fs.ErrPermission, nil, fs.ErrPermission})
	expect.True(t, len(got) == 2, "got %v, want one for each folder", got)
}
