package goenv

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mrgen-io/mrgen/testdata/expect"
)

// ways are ways to change the go command's settings: variables of the environment, and the file of go env -w.
var ways = map[string]struct{ environment, written []string }{
	"nothing":                      {},
	"tags in the environment":      {environment: []string{"GOFLAGS=-tags=a"}},
	"written tags":                 {written: []string{"GOFLAGS=-tags=a"}},
	"the environment wins":         {[]string{"GOFLAGS=-tags=a"}, []string{"GOFLAGS=-tags=b"}},
	"an empty variable is unset":   {[]string{"GOFLAGS="}, []string{"GOFLAGS=-tags=b"}},
	"other flags win, too":         {[]string{"GOFLAGS=-trimpath"}, []string{"GOFLAGS=-tags=b"}},
	"several tags":                 {environment: []string{"GOFLAGS=-tags=a,b"}},
	"two flags":                    {environment: []string{"GOFLAGS=-tags=a -tags=b"}},
	"two flags, one with two":      {environment: []string{"GOFLAGS=--tags=c -trimpath --tags=a,b"}},
	"tags that a later flag drops": {environment: []string{"GOFLAGS=-tags=a -tags="}},
	"spaces":                       {environment: []string{`GOFLAGS="-tags=a b"`}},
	"spaces in other quotes":       {environment: []string{"GOFLAGS='-tags=a b' -trimpath"}},
	"a quoted tag":                 {environment: []string{"GOFLAGS=-tags='a'"}},
	"quoted tags with a comma":     {environment: []string{"GOFLAGS=-tags='a,b'"}},
	"double quotes":                {environment: []string{`GOFLAGS=-tags="a"`}},
	"empty tags":                   {environment: []string{"GOFLAGS=-tags=a,,c,"}},
	"another flag's value":         {environment: []string{"GOFLAGS=-ldflags=-tags=a"}},
	"written twice":                {written: []string{"GOFLAGS=-tags=a", "GOFLAGS=-tags=b"}},
	"written with comments":        {written: []string{"# GOFLAGS=-tags=a", " GOFLAGS=-tags=b", "nothing"}},
	"no written settings":          {[]string{"GOENV=off"}, []string{"GOFLAGS=-tags=a"}},
	"a system":                     {environment: []string{"GOOS=plan9", "GOARCH=386"}},
	"a written system":             {written: []string{"GOOS=windows", "GOARCH=arm64"}},
	"cgo":                          {environment: []string{"CGO_ENABLED=1"}},
	"no cgo":                       {written: []string{"CGO_ENABLED=0"}},
	"an experiment":                {environment: []string{"GOEXPERIMENT=jsonv2"}},
	"another go.mod":               {environment: []string{"GOFLAGS=-tags=a -modfile=other.mod"}},
	"another go.mod with spaces":   {environment: []string{`GOFLAGS="-modfile=with space.mod"`}},
	"an overlay":                   {written: []string{"GOFLAGS=-tags=a --overlay=overlay.json"}},
	"the workspace":                {environment: []string{"GOWORK="}},
	"no workspace":                 {environment: []string{"GOWORK=off"}},
	"no workspace, written":        {written: []string{"GOWORK=off"}},
	"another cache":                {environment: []string{"GOMODCACHE=/elsewhere/mod"}},
	"another cache, written":       {written: []string{"GOMODCACHE=/elsewhere/mod"}},
	"another path":                 {environment: []string{"GOPATH=/elsewhere:/second"}},
	"another path, written":        {written: []string{"GOPATH=/elsewhere"}},
	"a workspace by name":          {written: []string{"GOWORK=/nowhere/go.work"}},
}

// constraints are a file for each tag, for a version of Go, for cgo and for systems.
var constraints = []string{"a", "b", "c", "a && !b", "go1.18", "go1.999", "cgo", "plan9", "windows && arm64", "gc", "goexperiment.jsonv2"}

// TestSettings compares the files that settings select with the files that the go command lists, and settings that are
// read without it with its own.
func TestSettings(t *testing.T) {
	for name, way := range ways {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			write := func(name, content string) {
				expect.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600))
			}
			for _, variable := range []string{"GOFLAGS", "GOWORK", "GOOS", "GOARCH", "CGO_ENABLED", "GOEXPERIMENT", "GOMODCACHE", "GOPATH"} {
				t.Setenv(variable, "")
			}
			t.Setenv("GOENV", filepath.Join(dir, "goenv"))
			for _, variable := range way.environment {
				key, value, _ := strings.Cut(variable, "=")
				t.Setenv(key, value)
			}
			write("goenv", strings.Join(way.written, "\n")+"\n")
			for _, file := range []string{"go.mod", "other.mod", "with space.mod"} {
				write(file, "module example.org/p\n\ngo 1.24\n")
			}
			write("go.work", "go 1.24\n\nuse .\n")
			write("overlay.json", "{}")
			write("p.go", "package p\n")
			write("p_linux.go", "package p\n")
			write("p_test.go", "package p\n")
			for i, constraint := range constraints {
				write("p"+string(rune('a'+i))+".go", "//go:build "+constraint+"\n\npackage p\n")
			}
			write("more.go", "//go:build more\n\npackage p\n")
			if strings.Contains(name, "a workspace by name") || strings.Contains(name, "another go.mod") { // not both, and not there
				checkInputs(t, dir)
				return
			}
			s := expect.Value(Read(context.Background(), dir))(t)
			var want []string
			for _, folder := range ask(t, dir, "env", "GOROOT", "GOMODCACHE") {
				want = append(want, folder+string(filepath.Separator))
			}
			expect.Equal(t, want, slices.Sorted(slices.Values(s.fixed)))
			const files = `{{join .GoFiles " "}} {{join .CgoFiles " "}}`
			expect.Equal(t, ask(t, dir, "list", "-f", files, "."), selected(t, s, dir), "selected")
			s.Build.BuildTags = append(s.Build.BuildTags, "more")
			if got, want := ask(t, dir, "list", s.Tags("more"), "-f", files, "."), selected(t, s, dir); !slices.Equal(want, got) {
				t.Errorf("with %s, the go command lists %v, want %v", s.Tags("more"), got, want)
			}
			checkInputs(t, dir)
		})
	}
}

// selected returns the files in a folder that settings select.
func selected(t *testing.T, s *Settings, dir string) []string {
	entries := expect.Value(os.ReadDir(dir))(t)
	var names []string
	for _, e := range entries {
		if match, err := s.Build.MatchFile(dir, e.Name()); err != nil {
			t.Fatal(err)
		} else if match && !strings.HasSuffix(e.Name(), "_test.go") {
			names = append(names, e.Name())
		}
	}
	return names
}

// ask returns the words of the go command's answer, sorted.
func ask(t *testing.T, dir string, args ...string) []string {
	t.Helper()
	out := expect.Value(goCommand(context.Background(), dir, args...))(t)
	return slices.Sorted(strings.FieldsSeq(string(out)))
}

// checkInputs compares what is known without the go command with its answers.
func checkInputs(t *testing.T, dir string) {
	t.Helper()
	in := ReadInputs(func(name string) []byte {
		content, _ := os.ReadFile(name)
		return content
	})
	out := expect.Value(goCommand(context.Background(), dir, "env", "GOFLAGS"))(t)
	flags := strings.TrimSuffix(string(out), "\n")
	expect.Equal(t, flags, in.Get("GOFLAGS"), "GOFLAGS")
	expect.Equal(t, strings.Contains(flags, "modfile") || strings.Contains(flags, "overlay"), in.ReadMore(), "other files are read")
	work, inEffect := in.Get("GOWORK"), Workspace(context.Background(), dir)
	found := filepath.Join(dir, "go.work")
	expect.True(t, (work != "" || inEffect == found) && (work == "" || inEffect == work), "GOWORK is %q, the go command says %q", work, inEffect)
}

// TestModFile reads the requirements from another file, and has an overlay.
func TestModFile(t *testing.T) {
	dir := t.TempDir()
	for _, test := range []struct {
		goflags, want string
		overlay       bool
	}{
		{"", filepath.Join(dir, "go.mod"), false},
		{"-modfile=other.mod", filepath.Join(dir, "other.mod"), false},
		{"-modfile=a.mod --modfile=" + filepath.Join(dir, "other.mod"), filepath.Join(dir, "other.mod"), false},
		{"-overlay=overlay.json", filepath.Join(dir, "go.mod"), true},
	} {
		for name, content := range map[string]string{"go.mod": "module example.org/p\n", "other.mod": "module example.org/q\n", "overlay.json": "{}"} {
			expect.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600))
		}
		t.Setenv("GOFLAGS", test.goflags)
		t.Setenv("GOWORK", "off")
		s := expect.Value(Read(context.Background(), dir))(t)
		if s.ModFile(dir) != test.want || s.Overlay != test.overlay {
			t.Errorf("%q: %s, an overlay: %v", test.goflags, s.ModFile(dir), s.Overlay)
		}
		// The judge: the go command's name for the main module.
		want := map[bool]string{true: "example.org/q", false: "example.org/p"}[strings.Contains(test.want, "other.mod")]
		got := ask(t, dir, "list", "-m")
		expect.True(t, slices.Equal(got, []string{want}), "%q: the main module is %v, want %s", test.goflags, got, want)
		expect.True(t, s.IsFixed(filepath.Join(s.fixed[0], "src", "fmt")) && !s.IsFixed(dir), "%q: %v are fixed", test.goflags, s.fixed)
	}
}

// TestFailure has settings that the go command refuses, and no go command.
func TestFailure(t *testing.T) {
	t.Setenv("GOFLAGS", "-nothing=a")
	_, err := Read(context.Background(), t.TempDir())
	expect.True(t, err != nil && strings.Contains(err.Error(), "unknown flag -nothing"), "got %v", err)
	t.Setenv("PATH", "")
	_, err = Read(context.Background(), t.TempDir())
	expect.True(t, isNotFound(err), "got %v", err)
}

func isNotFound(err error) bool {
	return err != nil && strings.Contains(err.Error(), exec.ErrNotFound.Error())
}
