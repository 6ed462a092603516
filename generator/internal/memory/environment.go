package memory

import (
	"bytes"
	"crypto/sha256"
	"debug/elf"
	"encoding/hex"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/mrgen-io/mrgen/generator/internal/source/load"
	"github.com/mrgen-io/mrgen/generator/internal/source/modules"
	"github.com/mrgen-io/mrgen/generator/internal/source/readlog"
)

// Environment returns the key of what a run depends on besides its packages and settings:
// mrgen itself, the go command and its configuration, and the versions of modules. It
// reports false if a run depends on something that can't be read.
func Environment(log *readlog.Log, sc *modules.Scope) (string, bool) {
	settings := goSettings(log)
	flags := os.Getenv("GOFLAGS") + settings
	if strings.Contains(flags, "-modfile") || strings.Contains(flags, "-overlay") || load.UsesDriver() {
		return "", false
	}
	program, ok := Program()
	if !ok {
		return "", false
	}
	parts := []string{program, runtime.GOOS, runtime.GOARCH, goVersion(), settings}
	for _, variable := range os.Environ() {
		name, _, _ := strings.Cut(variable, "=")
		if (strings.HasPrefix(name, "GO") || strings.HasPrefix(name, "CGO_") || name == "CC") && !slices.Contains(withoutEffect, name) {
			parts = append(parts, variable)
		}
	}
	// Without a C compiler, the go command ignores files that use cgo.
	for _, compiler := range []string{"gcc", "clang"} {
		_, err := exec.LookPath(compiler)
		parts = append(parts, strconv.FormatBool(err == nil))
	}
	w := &workspace{log: log, places: portable(sc.Root()), goWork: goSetting(settings, "GOWORK")}
	w.isBound = w.goWork != "" && w.goWork != "off"
	for _, m := range sc.Modules {
		if !w.add(sc.Abs(m.Dir)) {
			return "", false
		}
	}
	if w.isBound {
		parts = append(parts, sc.Abs("."))
	}
	slices.Sort(parts)
	return readlog.Hash([]byte(strings.Join(append(parts, w.parts...), "\x00"))), true
}

// withoutEffect are variables that say where the go command keeps what doesn't change, and how fast
// programs run: no output depends on them.
var withoutEffect = []string{"GOBIN", "GOCACHE", "GOMODCACHE", "GOPATH", "GOTMPDIR", "GOTELEMETRYDIR", "GOMAXPROCS", "GOMEMLIMIT", "GOGC"}

// A workspace collects the files that decide on the versions of modules.
type workspace struct {
	log *readlog.Log
	// places names files as seen from the root, so that another checkout has the same key.
	places portable
	// goWork is the go command's setting GOWORK.
	goWork string
	// parts are the names of the files, each with the hash of its content.
	parts []string
	// isBound is set if a folder is named by an absolute path, so that a checkout elsewhere would
	// find other folders beside it.
	isBound bool
}

// add adds the files that decide on the versions for the module in a folder. It reports
// false if one can't be parsed.
func (w *workspace) add(dir string) bool {
	work, ok := w.find(dir)
	if !ok || work == "" {
		w.addVendored(dir)
		return ok && w.addModule(dir)
	}
	content, ok := w.read(work)
	if !ok {
		return false
	}
	file, err := modfile.ParseWork(work, content, nil)
	if err != nil {
		return false
	}
	home := filepath.Dir(work)
	w.addVendored(home)
	w.read(work + ".sum")
	w.addReplacements(home, file.Replace)
	for _, use := range file.Use {
		if !w.addModule(w.resolve(home, use.Path)) {
			return false
		}
	}
	return true
}

// find returns the go.work file that is in effect in a folder, or "".
func (w *workspace) find(dir string) (string, bool) {
	switch w.goWork {
	case "off":
		return "", true
	case "":
	default:
		return w.goWork, filepath.IsAbs(w.goWork)
	}
	for ; ; dir = filepath.Dir(dir) {
		// One that isn't there has no name in the key: a checkout elsewhere is in other folders.
		work := filepath.Join(dir, "go.work")
		if _, _, err := w.log.ReadFile(work); err == nil {
			return work, true
		}
		if dir == filepath.Dir(dir) {
			return "", true
		}
	}
}

// addModule adds the files of the module in a folder. It reports false if its go.mod
// can't be parsed.
func (w *workspace) addModule(dir string) bool {
	name := filepath.Join(dir, "go.mod")
	content, ok := w.read(name)
	if !ok {
		return false
	}
	file, err := modfile.Parse(name, content, nil)
	if err != nil {
		return false
	}
	w.link(dir)
	w.read(filepath.Join(dir, "go.sum"))
	w.addReplacements(dir, file.Replace)
	return true
}

// addReplacements adds what the go command reads in folders that replace modules, whether
// or not it needs their packages.
func (w *workspace) addReplacements(dir string, replacements []*modfile.Replace) {
	for _, r := range replacements {
		if r.New.Version == "" {
			folder := w.resolve(dir, r.New.Path)
			w.link(folder)
			w.read(filepath.Join(folder, "go.mod"))
		}
	}
}

// addVendored adds the list of vendored packages, and whether there is a vendor folder.
func (w *workspace) addVendored(dir string) {
	vendor := filepath.Join(dir, "vendor")
	_, err := w.log.ReadFolder(vendor)
	w.parts = append(w.parts, strconv.FormatBool(err == nil))
	w.read(filepath.Join(vendor, "modules.txt"))
}

// read adds a file, and returns its content if it exists.
func (w *workspace) read(name string) ([]byte, bool) {
	content, hash, err := w.log.ReadFile(name)
	w.parts = append(w.parts, w.places.name(name), hash)
	return content, err == nil
}

// link adds where a folder is, with symbolic links resolved.
func (w *workspace) link(dir string) {
	w.parts = append(w.parts, w.places.name(dir), w.places.name(w.log.ReadLink(dir)))
}

// resolve returns the path of a folder that a file in another folder names.
func (w *workspace) resolve(dir, name string) string {
	if name = filepath.FromSlash(name); filepath.IsAbs(name) {
		w.isBound = true
		return filepath.Clean(name)
	}
	return filepath.Join(dir, name)
}

// Program identifies mrgen: by the version that it was built from, by its build ID, or by
// the hash of the executable.
func Program() (string, bool) {
	if info, ok := debug.ReadBuildInfo(); ok && strings.HasPrefix(info.Main.Version, "v") && !strings.Contains(info.Main.Version, "+dirty") {
		return info.String(), true
	}
	name, err := os.Executable()
	if err != nil {
		return "", false
	}
	if id := buildID(name); id != "" {
		return id, true
	}
	file, err := os.Open(name)
	if err != nil {
		return "", false
	}
	defer func() { _ = file.Close() }()
	sum := sha256.New()
	if _, err := io.Copy(sum, file); err != nil {
		return "", false
	}
	return hex.EncodeToString(sum.Sum(nil)), true
}

// buildID returns the build ID that the go command gave an ELF file, or "". It ends with a
// hash of the file's content, and takes no time to read. See the documentation of
// cmd/internal/buildid.
func buildID(name string) string {
	file, err := elf.Open(name)
	if err != nil {
		return ""
	}
	defer func() { _ = file.Close() }()
	section := file.Section(".note.go.buildid")
	if section == nil {
		return ""
	}
	note, err := section.Data()
	if err != nil || bytes.Count(note, []byte("/")) != 3 {
		return ""
	}
	return string(note)
}

// goVersion identifies the go command in the path, without running it.
func goVersion() string {
	name, err := exec.LookPath("go")
	if err != nil {
		return ""
	}
	if resolved, err := filepath.EvalSymlinks(name); err == nil {
		name = resolved
	}
	root := filepath.Dir(filepath.Dir(name))
	defaults, _ := os.ReadFile(filepath.Join(root, "go.env"))
	version, err := os.ReadFile(filepath.Join(root, "VERSION"))
	if err != nil {
		return name + string(defaults) // Go that was built from source has no version
	}
	return string(version) + string(defaults)
}

// goSettings returns the settings of "go env -w".
func goSettings(log *readlog.Log) string {
	name := os.Getenv("GOENV")
	if name == "" {
		dir, err := os.UserConfigDir()
		if err != nil {
			return ""
		}
		name = filepath.Join(dir, "go", "env")
	}
	content, _, _ := log.ReadFile(name) // nothing is set if there is none
	return string(content)
}

// goSetting returns the value of a variable of the go command, from the environment or
// from the settings of "go env -w".
func goSetting(settings, name string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	for line := range strings.Lines(settings) {
		if value, found := strings.CutPrefix(strings.TrimSpace(line), name+"="); found {
			return value
		}
	}
	return ""
}
