package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"
	"github.com/spf13/cobra"

	"github.com/mrgen-io/mrgen/generator"
	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/run"
	"github.com/mrgen-io/mrgen/generator/settings"
)

func newWatchCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "watch [packages]",
		Short: "Generate whenever a file is saved",
		Long: `watch generates once, and then whenever a Go file of the module, go.mod or mrgen.yaml changes. For
each run it prints the time and the files that it wrote. If any output would be invalid, it lists
every problem, writes nothing, and goes on. Ctrl-C stops it, with exit status 0.`,
		Example: `  mrgen watch ./apis/...`,
		RunE:    watch,
	}
	addFlags(cmd.Flags())
	addCacheFlag(cmd.Flags())
	return cmd
}

// settle is how long nothing must change before a run: editors write a file in several steps, and
// git many files.
const settle = 50 * time.Millisecond

func watch(cmd *cobra.Command, args []string) error {
	dir, err := os.Getwd()
	if err != nil {
		return diagnose(cmd, diag.List{unusable(diag.Position{}, "cannot find the current folder: %v", err)})
	}
	root, diags := generator.FindModule(dir)
	if diags.HasErrors() {
		return diagnose(cmd, diags)
	}
	watcher, err := fsnotify.NewWatcher()
	if err != nil {
		return diagnose(cmd, diag.List{unusable(diag.Position{File: root}, "the system can't watch files: %v", err)})
	}
	defer func() { _ = watcher.Close() }()
	w := moduleWatcher{watcher, root}
	if err := w.watch(); err != nil {
		return diagnose(cmd, diag.List{unusable(diag.Position{}, "cannot watch the folders of the module: %v: on Linux, raise fs.inotify.max_user_watches", diag.Cause(err))})
	}
	say(cmd, "watching the Go files, go.mod and %s in %s of %s: Ctrl-C stops", settings.FileName, count(len(w.WatchList()), "folder"), root)
	cause := "start"
	for {
		if err := watchOnce(cmd, args, cause); err != nil {
			return err
		}
		changed := w.nextChange(cmd.Context())
		if len(changed) == 0 {
			return nil // interrupted, which is how it ends
		}
		if cause = strings.Join(changed, ", "); len(changed) > few {
			cause = count(len(changed), "file")
		}
	}
}

// few is how many files are named in a line.
const few = 3

// watchOnce generates, and prints a line with the time and the cause. Problems are printed, and do not
// end it.
func watchOnce(cmd *cobra.Command, args []string, cause string) error {
	begin := time.Now()
	cause = begin.Format(time.TimeOnly) + " " + cause
	// The lock of a module is held until a command ends, and this one must let others in.
	ctx, unlock := withLocks(cmd.Context())
	defer unlock()
	outer := cmd.Context()
	cmd.SetContext(ctx)
	defer cmd.SetContext(outer)
	_, result, err := evaluate(cmd, args, func(ctx context.Context, s settings.Settings) (generator.Result, error) {
		result, err := generator.Generate(ctx, s.Options)
		return strictly(cmd, s, result), err
	})
	if outer.Err() != nil {
		return nil
	}
	if err != nil {
		return err
	}
	printDiagnostics(cmd, result.Diagnostics)
	if result.Diagnostics.HasErrors() {
		say(cmd, "%s: %s, nothing is written", cause, count(len(result.Diagnostics), "problem"))
		return nil
	}
	changes := result.Changes()
	if err := commit(cmd, result); err != nil {
		if outer.Err() != nil || errors.Is(err, errReported) {
			return nil
		}
		return err
	}
	what := "nothing changes"
	if len(changes) > 0 {
		what = nameChanges(changes)
	}
	return tell(cmd, fmt.Appendf(nil, "%s: %s, in %s\n", cause, what, time.Since(begin).Round(10*time.Millisecond)))
}

// nameChanges names a few changes, or else counts them.
func nameChanges(changes []run.Change) string {
	if len(changes) > few {
		return summary(changes)
	}
	var names []string
	for _, change := range changes {
		names = append(names, verb(change)+" "+change.Path)
	}
	return strings.Join(names, ", ")
}

// A moduleWatcher watches the folders of a module.
type moduleWatcher struct {
	*fsnotify.Watcher
	root string
}

// nextChange waits until source or settings have changed, and then until nothing changes any more. It
// returns what has changed, sorted, and nothing if the context is done.
func (w moduleWatcher) nextChange(ctx context.Context) []string {
	folders := w.WatchList()
	changed, appeared := map[string]bool{}, map[string]bool{}
	var quiet <-chan time.Time
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-quiet:
			_ = w.watch() // as far as that goes: the others are watched
			for folder := range appeared {
				if hasSource(folder) {
					changed[w.name(folder)] = true
				}
			}
			if len(changed) > 0 {
				return slices.Sorted(maps.Keys(changed))
			}
			folders, appeared, quiet = w.WatchList(), map[string]bool{}, nil
		case event, ok := <-w.Events:
			if !ok {
				return nil
			}
			info, err := os.Stat(event.Name)
			switch {
			case slices.Contains(folders, event.Name) || event.Op != fsnotify.Chmod && isSource(event.Name):
				quiet = time.After(settle)
				changed[w.name(event.Name)] = true
			case err == nil && info.IsDir() && !hasNoSource(filepath.Base(event.Name)):
				quiet = time.After(settle)
				appeared[event.Name] = true // mrgen itself makes some
			}
		case _, ok := <-w.Errors:
			if !ok {
				return nil
			}
			quiet = time.After(settle)
			changed["unknown files"] = true // events have been lost
		}
	}
}

// name returns the name of a file relative to the module.
func (w moduleWatcher) name(file string) string {
	name, err := filepath.Rel(w.root, file)
	if err != nil {
		return file
	}
	return filepath.ToSlash(name)
}

// isSource reports whether a change of a file may matter: of a Go file that mrgen doesn't write, or of one
// that decides on settings and modules.
func isSource(file string) bool {
	name := filepath.Base(file)
	if slices.Contains([]string{"go.mod", "go.sum", settings.FileName}, name) {
		return true
	}
	return filepath.Ext(name) == ".go" && !strings.HasPrefix(name, ".") && !isOwn(file)
}

// hasSource reports whether there is such a file in a folder, or below.
func hasSource(folder string) bool {
	found := false
	_ = filepath.WalkDir(folder, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil: // gone, or unreadable, which a run reports
			return nil
		case entry.IsDir() && name != folder && hasNoSource(entry.Name()):
			return fs.SkipDir
		case !entry.IsDir() && isSource(name):
			found = true
			return fs.SkipAll
		}
		return nil
	})
	return found
}

// isOwn reports whether mrgen wrote a file. One that is gone has no header any more, so that its name
// has to do.
func isOwn(file string) bool {
	if !strings.HasPrefix(filepath.Base(file), "zz_generated.") {
		return false
	}
	content, err := os.ReadFile(file)
	return err != nil || generator.IsOwn(content)
}

// watch watches the folders of the module, but for those that have no source. A folder that has moved
// is watched where it is now, and not where it was: the system tells of the folder itself, and goes on
// telling of those in it by their old names.
func (w moduleWatcher) watch() error {
	for _, name := range w.WatchList() {
		if _, err := os.Lstat(name); err != nil {
			_ = w.Remove(name) // fails if the system has already
		}
	}
	return filepath.WalkDir(w.root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return nil // gone, or unreadable, which a run reports
		}
		if name != w.root && hasNoSource(entry.Name()) {
			return fs.SkipDir
		}
		return w.Add(name)
	})
}

// hasNoSource reports whether a folder is none of the module's packages, by its name.
func hasNoSource(folder string) bool {
	return strings.HasPrefix(folder, ".") || folder == "vendor" || folder == "node_modules" || folder == "testdata"
}
