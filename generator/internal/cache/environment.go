package cache

import (
	"bytes"
	"crypto/sha256"
	"debug/elf"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/mrgen-io/mrgen/generator/internal/load"
)

// Environment returns what a run depends on apart from its modules, which are in the
// given folders below a root, and its settings: mrgen itself, the go command, and what
// configures that, and modules in folders elsewhere that replace others. It reports
// false if more than that decides on a run: with workspaces and vendored packages.
func Environment(root string, modules []string) (string, bool) {
	settings := goSettings()
	flags := os.Getenv("GOFLAGS") + settings
	if usesWorkspace(root) || strings.Contains(flags, "-modfile") || strings.Contains(flags, "-overlay") {
		return "", false
	}
	program, ok := program()
	if !ok {
		return "", false
	}
	parts := []string{program, runtime.GOOS, runtime.GOARCH, goVersion()}
	for _, dir := range modules {
		replacements, err := replacedElsewhere(root, dir)
		if err != nil || exists(filepath.Join(root, dir, "vendor")) {
			return "", false
		}
		for _, replacement := range replacements {
			key, err := moduleKey(replacement)
			if err != nil {
				return "", false
			}
			parts = append(parts, replacement, key)
		}
	}
	for _, variable := range os.Environ() {
		if strings.HasPrefix(variable, "GO") || strings.HasPrefix(variable, "CGO_") {
			parts = append(parts, variable)
		}
	}
	slices.Sort(parts)
	parts = append(parts, settings)
	return Hash([]byte(strings.Join(parts, "\x00"))), true
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// usesWorkspace reports whether the go command would find a workspace.
func usesWorkspace(root string) bool {
	switch os.Getenv("GOWORK") {
	case "off":
		return false
	case "":
		for dir := root; ; dir = filepath.Dir(dir) {
			if exists(filepath.Join(dir, "go.work")) {
				return true
			}
			if dir == filepath.Dir(dir) {
				return false
			}
		}
	default:
		return true
	}
}

// replacedElsewhere returns the folders, none of them below the root, that replace
// modules for the one in a folder.
func replacedElsewhere(root, dir string) ([]string, error) {
	content, err := os.ReadFile(filepath.Join(root, dir, "go.mod"))
	if err != nil {
		return nil, err
	}
	file, err := modfile.Parse("go.mod", content, nil)
	if err != nil {
		return nil, err
	}
	var folders []string
	for _, r := range file.Replace {
		switch folder := filepath.FromSlash(r.New.Path); {
		case r.New.Version != "":
		case filepath.IsAbs(folder):
			folders = append(folders, folder)
		case !filepath.IsLocal(filepath.Join(dir, folder)):
			folders = append(folders, filepath.Join(root, dir, folder))
		}
	}
	return folders, nil
}

// moduleKey returns the key of the source of the module in a folder.
func moduleKey(dir string) (string, error) {
	sum := sha256.New()
	err := filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && name != dir && load.IsIgnored(entry.Name()):
			return fs.SkipDir
		case entry.IsDir() || filepath.Ext(name) != ".go" && entry.Name() != "go.mod":
			return nil
		}
		content, err := os.ReadFile(name)
		fmt.Fprintf(sum, "%q %s\n", name, Hash(content))
		return err
	})
	return hex.EncodeToString(sum.Sum(nil)), err
}

// program returns what identifies mrgen: the version that it was built from, or else
// what the linker calls it, or its content.
func program() (string, bool) {
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

// buildID returns the note with the build ID of an ELF file, or an empty string if it is
// none, or has an ID that the go command didn't make. That one ends with a hash of the
// file's content, and is read in no time. See the documentation of cmd/internal/buildid.
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

// goVersion returns what the go command in the path says of its version, without
// running it.
func goVersion() string {
	name, err := exec.LookPath("go")
	if err != nil {
		return ""
	}
	if resolved, err := filepath.EvalSymlinks(name); err == nil {
		name = resolved
	}
	version, err := os.ReadFile(filepath.Join(filepath.Dir(filepath.Dir(name)), "VERSION"))
	if err != nil {
		return name
	}
	return name + string(version)
}

// goSettings returns what "go env -w" has set.
func goSettings() string {
	name := os.Getenv("GOENV")
	if name == "" {
		dir, err := os.UserConfigDir()
		if err != nil {
			return ""
		}
		name = filepath.Join(dir, "go", "env")
	}
	content, _ := os.ReadFile(name)
	return string(content)
}
