// Package goenv is the one place that reads the go command's settings, wherever they come from: the environment, go env -w,
// or the defaults of an installation of Go.
package goenv

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/build"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Settings are the settings that are in effect in a folder.
type Settings struct {
	// Build selects files by their names and constraints, as the go command does.
	Build build.Context
	// Overlay is set if GOFLAGS replaces files.
	Overlay bool
	// modFile is the file that GOFLAGS names in place of go.mod, or "".
	modFile string
	// fixed are the folders in which nothing changes.
	fixed []string
}

// IsFixed reports whether nothing at a path changes: it is part of Go or in the module cache.
func (s *Settings) IsFixed(path string) bool {
	return slices.ContainsFunc(s.fixed, func(folder string) bool { return strings.HasPrefix(path, folder) })
}

// ModFile returns the file with the requirements of the module in a folder.
func (s *Settings) ModFile(dir string) string {
	switch {
	case s.modFile == "":
		return filepath.Join(dir, "go.mod")
	case filepath.IsAbs(s.modFile):
		return s.modFile
	default:
		return filepath.Join(dir, s.modFile)
	}
}

// Tags returns the flag for the build tags in effect and one more.
func (s *Settings) Tags(more string) string {
	// No file has a tag with a comma, and the flag would divide it.
	tags := slices.DeleteFunc(slices.Clone(s.Build.BuildTags), func(tag string) bool { return strings.Contains(tag, ",") })
	return "-tags=" + strings.Join(append(tags, more), ",")
}

// buildContext is a template that the go command fills in. It spares mrgen from parsing flags: the last one wins, and
// their values have several forms.
const buildContext = `{{with context}}{{.GOOS}}
{{.GOARCH}}
{{.CgoEnabled}}
{{.Compiler}}
{{join .BuildTags "\x00"}}
{{join .ToolTags "\x00"}}
{{join .ReleaseTags "\x00"}}
{{.GOPATH}}
{{.GOROOT}}{{end}}`

// Read asks the go command for its settings in a folder. It reads the others where the go command does, which takes less
// time than a second call.
func Read(ctx context.Context, dir string) (*Settings, error) {
	out, err := goCommand(ctx, dir, "list", "-f", buildContext, "unsafe")
	if err != nil {
		return nil, err
	}
	lines := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	if len(lines) != 9 {
		return nil, fmt.Errorf("the go command describes builds in another form: %q", out)
	}
	s := &Settings{Build: build.Default}
	b := &s.Build
	b.GOOS, b.GOARCH, b.CgoEnabled, b.Compiler = lines[0], lines[1], lines[2] == "true", lines[3]
	b.BuildTags, b.ToolTags, b.ReleaseTags = split(lines[4]), split(lines[5]), split(lines[6])
	in := ReadInputs(func(name string) []byte {
		content, _ := os.ReadFile(name) // there may be no such file
		return content
	})
	goflags := in.Get("GOFLAGS")
	s.modFile, _ = flagIn(goflags, "modfile")
	_, s.Overlay = flagIn(goflags, "overlay")
	modules := in.Get("GOMODCACHE")
	if first := filepath.SplitList(lines[7]); modules == "" && len(first) > 0 {
		modules = filepath.Join(first[0], "pkg", "mod")
	}
	for _, folder := range []string{lines[8], modules} {
		if folder != "" {
			s.fixed = append(s.fixed, folder+string(filepath.Separator))
		}
	}
	return s, nil
}

// split returns the elements of a list in the output of buildContext.
func split(list string) []string {
	if list == "" {
		return nil
	}
	return strings.Split(list, "\x00")
}

// flagFields matches the fields of GOFLAGS, which may be quoted.
var flagFields = regexp.MustCompile(`"[^"]*"|'[^']*'|\S+`)

// flagIn returns the value of a flag in GOFLAGS, and whether it is set.
func flagIn(goflags, name string) (value string, found bool) {
	for _, field := range flagFields.FindAllString(goflags, -1) {
		if quote := field[0]; quote == '"' || quote == '\'' {
			field = strings.Trim(field, string(quote))
		}
		flag, text, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(field, "-"), "-"), "=")
		if flag == name { // the last one wins
			value, found = text, text != ""
		}
	}
	return value, found
}

// Workspace returns the file of the workspace in effect in a folder, "off", or "" without one.
func Workspace(ctx context.Context, dir string) string {
	out, _ := goCommand(ctx, dir, "env", "GOWORK") // listing packages reports what is wrong
	return strings.TrimSpace(string(out))
}

// goCommand returns the output of the go command in a folder.
func goCommand(ctx context.Context, dir string, args ...string) ([]byte, error) {
	command := exec.CommandContext(ctx, "go", args...)
	command.Dir = dir
	out, err := command.Output()
	if failed := (*exec.ExitError)(nil); errors.As(err, &failed) {
		return nil, errors.New(string(bytes.TrimSpace(failed.Stderr)))
	}
	return out, err
}

// UsesDriver reports whether a driver lists packages in place of the go command: see the
// documentation of golang.org/x/tools/go/packages.
func UsesDriver() bool {
	driver := os.Getenv("GOPACKAGESDRIVER")
	if driver == "" {
		driver, _ = exec.LookPath("gopackagesdriver")
	}
	return driver != "" && driver != "off"
}
