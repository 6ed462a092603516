package memory

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/mrgen-io/mrgen/generator/internal/source/goenv"
	"github.com/mrgen-io/mrgen/generator/internal/source/modules"
	"github.com/mrgen-io/mrgen/generator/internal/source/readlog"
)

// Environment returns a key for everything besides files that a run depends on: mrgen itself, the go command and its
// configuration, and the setting GOWORK. It returns false if a run depends on something that can't be read.
func Environment(log *readlog.Log) (key, goWork string, ok bool) {
	inputs := goenv.ReadInputs(func(name string) []byte {
		content, _, _ := log.ReadFile(name) // without the file, nothing is set
		return content
	})
	if inputs.ReadMore() { // the log doesn't know these files
		return "", "", false
	}
	program, ok := program()
	if !ok {
		return "", "", false
	}
	parts := append(inputs.Key, program, runtime.GOOS, runtime.GOARCH)
	slices.Sort(parts)
	return readlog.Hash([]byte(strings.Join(parts, "\x00"))), inputs.Get("GOWORK"), true
}

// A workspace logs the files that determine the versions of modules.
type workspace struct {
	log *readlog.Log
	// goWork is the go command's setting GOWORK.
	goWork string
}

// readModules logs the files that determine the versions of modules below a folder.
func readModules(log *readlog.Log, goWork, root string, all []modules.Module) {
	w := &workspace{log, goWork}
	for _, m := range all {
		w.module(filepath.Join(root, filepath.FromSlash(m.Dir)))
	}
}

// module logs the files for the module in a folder.
func (w *workspace) module(dir string) {
	work := w.find(dir)
	if work == "" || work == "off" { // without a workspace, go.mod alone counts
		w.vendored(dir)
		w.goMod(dir)
		return
	}
	file, home := parse(w.log, work, modfile.ParseWork), filepath.Dir(work)
	w.vendored(home)
	w.log.ReadFile(work + ".sum") //nolint:errcheck // the log records that it doesn't exist
	w.replacements(home, file.Replace)
	for _, use := range file.Use {
		w.goMod(resolve(home, use.Path))
	}
}

// find returns the file of the workspace in effect in a folder, "off", or "" without one. It logs where one may appear.
func (w *workspace) find(dir string) string {
	if w.goWork != "" {
		return w.goWork
	}
	for ; ; dir = filepath.Dir(dir) {
		work := filepath.Join(dir, "go.work")
		if _, _, err := w.log.ReadFile(work); err == nil {
			return work
		}
		if dir == filepath.Dir(dir) { // the root of the file system may have one, too
			return ""
		}
	}
}

// goMod logs the files of the module in a folder.
func (w *workspace) goMod(dir string) {
	file := parse(w.log, filepath.Join(dir, "go.mod"), modfile.Parse)
	w.log.ReadLink(dir)
	w.log.ReadFile(filepath.Join(dir, "go.sum")) //nolint:errcheck // the log records that it doesn't exist
	w.replacements(dir, file.Replace)
}

// parse logs and parses a file. The log is unreliable if that fails, since the file names others to log.
func parse[T any](log *readlog.Log, name string, parser func(string, []byte, modfile.VersionFixer) (*T, error)) *T {
	if content, _, err := log.ReadFile(name); err == nil {
		if file, err := parser(name, content, nil); err == nil {
			return file
		}
	}
	log.MarkUnreliable()
	return new(T)
}

// replacements reads the go.mod files in folders that replace modules.
func (w *workspace) replacements(dir string, replacements []*modfile.Replace) {
	// The go command reads them even if it needs none of their packages.
	for _, r := range replacements {
		if r.New.Version == "" { // not a version in the module cache
			folder := resolve(dir, r.New.Path)
			w.log.ReadLink(folder)
			w.log.ReadFile(filepath.Join(folder, "go.mod")) //nolint:errcheck // the log records that it doesn't exist
		}
	}
}

// vendored reads the list of vendored packages.
func (w *workspace) vendored(dir string) {
	vendor := filepath.Join(dir, "vendor")
	w.log.ReadFolder(vendor)                             //nolint:errcheck // the log records that it doesn't exist
	w.log.ReadFile(filepath.Join(vendor, "modules.txt")) //nolint:errcheck // the log records that it doesn't exist
}

// resolve returns the path of a folder that a file in another folder names.
func resolve(dir, name string) string {
	if name = filepath.FromSlash(name); filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(dir, name)
}

// program identifies mrgen: by its version, or by the time and the size of the executable.
func program() (string, bool) {
	if info, ok := debug.ReadBuildInfo(); ok && strings.HasPrefix(info.Main.Version, "v") && !strings.Contains(info.Main.Version, "+dirty") {
		// a build of uncommitted changes has the version of the commit
		return info.String(), true
	}
	name, err := os.Executable()
	if err != nil {
		return "", false
	}
	info, err := os.Stat(name)
	if err != nil {
		return "", false
	}
	return fmt.Sprintln(name, info.Size(), info.ModTime().UnixNano()), true
}
