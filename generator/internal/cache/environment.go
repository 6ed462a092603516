package cache

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
)

// Environment returns what a run depends on apart from its modules, which are in the
// given folders below a root, and its settings: mrgen itself, the go command, and what
// configures that. It reports false if source or settings elsewhere would have to be
// watched, too: with workspaces, vendored packages, and modules that folders elsewhere
// replace.
func Environment(root string, modules []string) (string, bool) {
	flags := os.Getenv("GOFLAGS") + goSettings()
	if usesWorkspace(root) || strings.Contains(flags, "-modfile") || strings.Contains(flags, "-overlay") {
		return "", false
	}
	for _, dir := range modules {
		if replacesElsewhere(root, dir) || exists(filepath.Join(root, dir, "vendor")) {
			return "", false
		}
	}
	program, ok := program()
	if !ok {
		return "", false
	}
	parts := []string{program, runtime.GOOS, runtime.GOARCH, goVersion()}
	for _, variable := range os.Environ() {
		if strings.HasPrefix(variable, "GO") || strings.HasPrefix(variable, "CGO_") {
			parts = append(parts, variable)
		}
	}
	slices.Sort(parts[1:])
	parts = append(parts, goSettings())
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

// replacesElsewhere reports whether the module in a folder replaces another one by a
// folder that is not below the root.
func replacesElsewhere(root, dir string) bool {
	content, err := os.ReadFile(filepath.Join(root, dir, "go.mod"))
	if err != nil {
		return true
	}
	file, err := modfile.ParseLax("go.mod", content, nil)
	if err != nil {
		return true
	}
	return slices.ContainsFunc(file.Replace, func(r *modfile.Replace) bool {
		return r.New.Version == "" && (filepath.IsAbs(r.New.Path) || !filepath.IsLocal(filepath.Join(dir, r.New.Path)))
	})
}

// program returns what identifies mrgen: the version that it was built from, or else
// its content.
func program() (string, bool) {
	if info, ok := debug.ReadBuildInfo(); ok && strings.HasPrefix(info.Main.Version, "v") && !strings.Contains(info.Main.Version, "+dirty") {
		return info.String(), true
	}
	name, err := os.Executable()
	if err != nil {
		return "", false
	}
	file, err := os.Open(name)
	if err != nil {
		return "", false
	}
	defer file.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, file); err != nil {
		return "", false
	}
	return hex.EncodeToString(sum.Sum(nil)), true
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
