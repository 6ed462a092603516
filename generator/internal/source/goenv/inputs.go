package goenv

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Inputs are everything that the settings depend on. A run that has nothing to do reads them without calling the go
// command.
type Inputs struct {
	// Key identifies the inputs.
	Key []string
	// set are the settings of go env -w and of the installation, by name.
	set map[string]string
}

// withoutEffect are variables for where the go command stores files that don't change, and for how fast programs run:
// the output doesn't depend on them.
var withoutEffect = []string{"GOBIN", "GOCACHE", "GOMODCACHE", "GOPATH", "GOTMPDIR", "GOTELEMETRYDIR", "GOMAXPROCS", "GOMEMLIMIT", "GOGC"}

// ReadInputs reads the inputs. It reads the file of go env -w with a function.
func ReadInputs(read func(name string) []byte) Inputs {
	in := Inputs{set: map[string]string{}}
	in.addInstallation()
	if file := os.Getenv("GOENV"); file != "off" {
		if file == "" {
			if dir, err := os.UserConfigDir(); err == nil {
				file = filepath.Join(dir, "go", "env")
			}
		}
		in.add(read(file))
	}
	for _, variable := range os.Environ() {
		name, _, _ := strings.Cut(variable, "=")
		if (strings.HasPrefix(name, "GO") || strings.HasPrefix(name, "CGO_") || name == "CC") && !slices.Contains(withoutEffect, name) {
			in.Key = append(in.Key, variable)
		}
	}
	// Without a C compiler, the go command ignores files that use cgo.
	for _, compiler := range []string{"gcc", "clang"} {
		_, err := exec.LookPath(compiler)
		in.Key = append(in.Key, strconv.FormatBool(err == nil))
	}
	return in
}

// addInstallation adds the version of the go command on the path, and its defaults.
func (in *Inputs) addInstallation() {
	name, err := exec.LookPath("go")
	if err != nil {
		return
	}
	if resolved, err := filepath.EvalSymlinks(name); err == nil {
		name = resolved
	}
	root := filepath.Dir(filepath.Dir(name))
	defaults, _ := os.ReadFile(filepath.Join(root, "go.env")) // not every installation has some
	in.add(defaults)
	version, err := os.ReadFile(filepath.Join(root, "VERSION"))
	if err != nil {
		version = []byte(name) // Go that was built from source has no version
	}
	in.Key = append(in.Key, string(version))
}

// add adds a file of settings, which win over earlier ones.
func (in *Inputs) add(content []byte) {
	in.Key = append(in.Key, string(content))
	for line := range strings.Lines(string(content)) {
		if name, value, found := strings.Cut(strings.TrimRight(line, "\r\n"), "="); found {
			in.set[name] = value
		}
	}
}

// Get returns the value of a setting, or "" if the go command computes its default.
func (in Inputs) Get(name string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return in.set[name]
}

// ReadMore reports whether the go command reads files that only GOFLAGS names, or a driver takes its place.
func (in Inputs) ReadMore() bool {
	_, replacesModFile := flagIn(in.Get("GOFLAGS"), "modfile")
	_, replacesFiles := flagIn(in.Get("GOFLAGS"), "overlay")
	return replacesModFile || replacesFiles || UsesDriver()
}
