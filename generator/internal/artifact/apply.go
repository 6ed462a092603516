package artifact

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/parallel"
	"github.com/mrgen-io/mrgen/generator/run"
)

// Apply writes the plan's changes to disk. Several runs may apply plans to a module at the same time.
//
// It writes all new content to temporary files, then renames these, and removes stale files last. So it finds problems
// with folders, which it returns as diagnostics, before it changes a file, and a killed run leaves every file complete,
// old or new.
//
// The error is the context's, if it is done before the first file changes.
func (p *Plan) Apply(ctx context.Context) (diag.List, error) {
	t, problems := openTree(p.Root)
	if problems.HasErrors() {
		return problems, nil
	}
	targets, problems := p.locate(t)
	if problems.HasErrors() {
		return problems.Sorted(), nil
	}
	// The root keeps every write inside the module, even if a folder becomes a symbolic link now.
	root, err := os.OpenRoot(t.root)
	if err != nil {
		return diag.List{cannotWrite(".", err)}, nil
	}
	defer func() { _ = root.Close() }()
	for _, folder := range p.sweptFolders(t, targets) {
		removeLeftovers(root, folder)
	}

	a := applier{root: root}
	defer a.cleanUp()
	problems, err = a.prepareAll(ctx, targets)
	if err != nil {
		return nil, err
	}
	if problems.HasErrors() {
		return problems.Sorted(), nil
	}
	problems = a.commit()
	removeEmpty(root, targets)
	slices.Sort(a.created)
	p.Created = slices.Compact(a.created)
	return problems, nil
}

// removeEmpty removes the folders that have lost their last file.
func removeEmpty(root *os.Root, targets []target) {
	for _, t := range targets {
		if t.Action != run.Delete {
			continue
		}
		for dir := filepath.Dir(t.location); dir != "." && root.Remove(dir) == nil; dir = filepath.Dir(dir) { // fails unless it is empty
		}
	}
}

type target struct {
	run.Change
	location string
	// temporary is the file with the new content, until that is in place.
	temporary string
}

// locate finds the files of the plan again.
func (p *Plan) locate(t *tree) ([]target, diag.List) {
	// Links may have changed since the plan was made.
	var targets []target
	var problems diag.List
	for _, change := range p.Changes {
		find := t.file
		if change.Action == run.Delete {
			find = t.entry // if the file has become a link since, the link's target stays
		}
		location, found := find(change.Path)
		targets = append(targets, target{Change: change, location: location})
		problems = append(problems, found...)
	}
	return targets, problems
}

// sweptFolders returns the locations of the folders that may have temporary files: the folders of the plan, and of the
// files that symbolic links point to.
func (p *Plan) sweptFolders(t *tree, targets []target) []string {
	folders := map[string]bool{}
	for _, target := range targets {
		folders[filepath.Dir(target.location)] = true
	}
	for _, name := range p.Folders {
		if location, problems := t.folder(name); !problems.HasErrors() {
			folders[location] = true
		}
	}
	return slices.Sorted(maps.Keys(folders))
}

// attempts is how often an applier repeats a step that another run has undone. Each run undoes a step
// at most once.
const attempts = 100

type applier struct {
	root *os.Root
	// targets are the prepared files.
	targets []target
	// created are the folders that did not exist before, possibly more than once.
	created  []string
	creating sync.Mutex
}

// prepareAll prepares the changes, of several folders at the same time.
func (a *applier) prepareAll(ctx context.Context, targets []target) (diag.List, error) {
	problems := make([]error, len(targets))
	err := eachByFolder(targets, func(i int) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		if targets[i].Action != run.Unchanged {
			problems[i] = a.prepare(&targets[i])
		}
		return nil
	})
	// Also after an error, so that cleanUp removes their temporary files.
	a.targets = append(a.targets, targets...)
	return unprepared(targets, problems), err
}

// eachByFolder calls a function with the index of each file until it returns an error. It runs in parallel for several
// folders, but not for the files of one.
func eachByFolder(targets []target, do func(i int) error) error {
	folders := map[string][]int{}
	for i, t := range targets {
		// The system locks a folder for changes, so files of one folder would only wait for each other.
		folder := filepath.Dir(t.location)
		folders[folder] = append(folders[folder], i)
	}
	// The one with the most files comes first, or one processor would write it when all others are done.
	names := slices.SortedFunc(maps.Keys(folders), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(folders[b]), len(folders[a])), cmp.Compare(a, b))
	})
	return parallel.Each(context.Background(), len(names), func(ctx context.Context, n int) error {
		for _, i := range folders[names[n]] {
			if ctx.Err() != nil {
				return nil // another folder has failed
			}
			if err := do(i); err != nil {
				return err
			}
		}
		return nil
	})
}

// prepare writes the temporary file of a change.
func (a *applier) prepare(t *target) error {
	err := a.stage(t)
	if err != nil || t.Action != run.Delete {
		return err
	}
	// A stale file needs no new content. That the temporary file could be written shows that the folder is writable.
	temporary := t.temporary
	t.temporary = ""
	if err := a.root.Remove(temporary); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// stage writes the new content of a file to a temporary file in the same folder, and so on the same file system.
func (a *applier) stage(t *target) error {
	folder := filepath.Dir(t.location)
	var existing fs.FileInfo
	if t.Action == run.Update {
		existing, _ = a.root.Stat(t.location) // or else the file is a new one again
	}
	temporary := filepath.Join(folder, temporaryName())
	err := a.write(temporary, t.New, existing)
	// The folder may be missing. A failing run may also remove it while this one creates it.
	for range attempts {
		if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrExist) {
			break
		}
		if err = a.createFolder(folder); err == nil {
			err = a.write(temporary, t.New, existing)
		}
	}
	if err == nil {
		t.temporary = temporary
	}
	return err
}

func (a *applier) createFolder(folder string) error {
	a.creating.Lock()
	defer a.creating.Unlock()
	for missing := folder; missing != "."; missing = filepath.Dir(missing) {
		if _, err := a.root.Lstat(missing); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		a.created = append(a.created, missing)
	}
	return a.root.MkdirAll(folder, 0o777) // less the umask
}

// write writes a new file with the mode of an existing one, or else with the mode of the umask.
func (a *applier) write(name string, content []byte, existing fs.FileInfo) error {
	mode := fs.FileMode(0o666)
	if existing != nil {
		mode = 0o600 // until it has its own
	}
	file, err := a.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	// There is no fsync: only a power failure can lose the file, and then the next run generates it again.
	_, err = file.Write(content)
	if existing != nil {
		err = errors.Join(err, file.Chmod(existing.Mode().Perm()))
	}
	err = errors.Join(err, file.Close())
	if err != nil {
		_ = a.root.Remove(name)
	}
	return err
}

// commit renames the temporary files into place and removes the stale files.
func (a *applier) commit() diag.List {
	failures := make([]error, len(a.targets))
	err := eachByFolder(a.targets, func(i int) error {
		if a.targets[i].temporary != "" {
			failures[i] = a.rename(&a.targets[i])
		}
		return failures[i]
	})
	var problems diag.List
	for i, failure := range failures {
		if failure != nil && diag.IsFull(failure) { // one message says it for all files
			return diag.List{diag.Errorf(diag.Position{File: a.targets[i].Path}, CodeWrite,
				"there is no space left, on the disk or in your quota, and some files are written and others are not: free some, and run mrgen again")}
		}
		if failure != nil {
			problems = append(problems, diag.Errorf(diag.Position{File: a.targets[i].Path}, CodeWrite,
				"the file cannot be replaced: %v; remove the cause and run mrgen again, since some files are written and others are not",
				diag.Cause(failure)))
		}
	}
	if err != nil { // stale files go last, once everything else is in place
		return problems.Sorted()
	}
	for _, t := range a.targets {
		if t.Action != run.Delete {
			continue
		}
		if err := a.root.Remove(t.location); err != nil && !errors.Is(err, fs.ErrNotExist) {
			problems = append(problems, diag.Errorf(diag.Position{File: t.Path}, CodeStale,
				"the stale file cannot be removed: %v; remove it by hand", diag.Cause(err)))
		}
	}
	return problems.Sorted()
}

// rename moves a temporary file into place.
func (a *applier) rename(file *target) error {
	var err error
	for range attempts {
		err = a.root.Rename(file.temporary, file.location)
		switch {
		case err == nil:
			file.temporary = ""
			return nil
		case errors.Is(err, fs.ErrNotExist):
			// A run that can't see this process has removed the file as a leftover.
			if err = a.stage(file); err != nil {
				return err
			}
		case runtime.GOOS == "windows":
			// Windows can't replace a file while another run or a virus scanner has it open.
			time.Sleep(10 * time.Millisecond)
		default:
			return err
		}
	}
	return err
}

// cleanUp removes the temporary files that were not renamed, and created folders that are empty.
func (a *applier) cleanUp() {
	for _, file := range a.targets {
		if file.temporary != "" {
			_ = a.root.Remove(file.temporary)
		}
	}
	slices.Sort(a.created)
	for _, folder := range slices.Backward(slices.Compact(a.created)) {
		_ = a.root.Remove(folder)
	}
}

// unprepared returns the diagnostics for files that can't be written.
func unprepared(targets []target, problems []error) diag.List {
	var diags diag.List
	for i, err := range problems {
		switch {
		case diag.IsFull(err): // a full disk is one cause for any number of files
			return diag.List{diag.Errorf(diag.Position{File: path.Dir(targets[i].Path)}, CodeWrite, "%s", diag.Full)}
		case err != nil:
			diags = append(diags, cannotWrite(path.Dir(targets[i].Path), err))
		}
	}
	return diags
}

func cannotWrite(folder string, err error) diag.Diagnostic {
	return diag.Errorf(diag.Position{File: folder}, CodeWrite,
		"mrgen cannot write to this folder: %v; make it writable, or choose another output folder", diag.Cause(err))
}
