package memory

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/mrgen-io/mrgen/generator/internal/source/modules"
	"github.com/mrgen-io/mrgen/generator/internal/source/readlog"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

// TestEnvironment changes one thing at a time that a run depends on besides its packages, and says
// whether the key does.
func TestEnvironment(t *testing.T) {
	// A go command that does nothing, and no C compiler.
	tools := func(t *testing.T) string {
		bin := filepath.Join(t.TempDir(), "go", "bin")
		executable(t, filepath.Join(bin, "go"))
		put(t, filepath.Join(bin, "..", "VERSION"), "go1.26")
		put(t, filepath.Join(bin, "..", "go.env"), "GOPROXY=a")
		t.Setenv("PATH", bin)
		return filepath.Dir(bin)
	}
	const work = "go 1.26\n\nuse ./module\n\nreplace example.org/r => ./replaced\n"
	for name, test := range map[string]struct {
		// before is done first, and then edit, with the module, the folder around it, and Go's own.
		before, edit func(t *testing.T, module, around, goroot string)
		want         change
	}{
		"nothing":               {nil, func(*testing.T, string, string, string) {}, same},
		"GOFLAGS":               {nil, setenv("GOFLAGS", "-tags=a"), other},
		"GOOS":                  {nil, setenv("GOOS", "plan9"), other},
		"GOEXPERIMENT":          {nil, setenv("GOEXPERIMENT", "a"), other},
		"CGO_ENABLED":           {nil, setenv("CGO_ENABLED", "1"), other},
		"CC":                    {nil, setenv("CC", "tcc"), other},
		"CCACHE":                {nil, setenv("CCACHE", "a"), same},
		"PAGER":                 {nil, setenv("PAGER", "a"), same},
		"GOPATH":                {nil, setenv("GOPATH", "/a"), same},
		"GOBIN":                 {nil, setenv("GOBIN", "/a"), same},
		"GOCACHE":               {nil, setenv("GOCACHE", "/a"), same},
		"GOMODCACHE":            {nil, setenv("GOMODCACHE", "/a"), same},
		"GOTMPDIR":              {nil, setenv("GOTMPDIR", "/a"), same},
		"GOTELEMETRYDIR":        {nil, setenv("GOTELEMETRYDIR", "/a"), same},
		"GOMAXPROCS":            {nil, setenv("GOMAXPROCS", "1"), same},
		"GOMEMLIMIT":            {nil, setenv("GOMEMLIMIT", "1GiB"), same},
		"GOGC":                  {nil, setenv("GOGC", "50"), same},
		"-modfile":              {nil, setenv("GOFLAGS", "-modfile=a.mod"), none},
		"-overlay":              {nil, setenv("GOFLAGS", "-overlay=a.json"), none},
		"a driver":              {nil, setenv("GOPACKAGESDRIVER", "/a"), none},
		"the go command":        {nil, func(t *testing.T, _, _, goroot string) { put(t, goroot+"/VERSION", "go1.27") }, other},
		"its defaults":          {nil, func(t *testing.T, _, _, goroot string) { put(t, goroot+"/go.env", "GOPROXY=b") }, other},
		"Go without a version":  {nil, func(t *testing.T, _, _, goroot string) { gone(t, goroot+"/VERSION") }, other},
		"no go command":         {nil, setenv("PATH", ""), other},
		"gcc":                   {nil, func(t *testing.T, _, _, goroot string) { executable(t, goroot+"/bin/gcc") }, other},
		"clang":                 {nil, func(t *testing.T, _, _, goroot string) { executable(t, goroot+"/bin/clang") }, other},
		"go env -w":             {nil, func(t *testing.T, _, around, _ string) { put(t, around+"/goenv", "GOPROXY=off\n") }, other},
		"go env -w, -modfile":   {nil, func(t *testing.T, _, around, _ string) { put(t, around+"/goenv", "GOFLAGS=-modfile=a.mod\n") }, none},
		"go.mod":                {nil, func(t *testing.T, module, _, _ string) { put(t, module+"/go.mod", "module example.org/q\n") }, other},
		"go.mod of no module":   {nil, func(t *testing.T, module, _, _ string) { put(t, module+"/go.mod", "modul") }, none},
		"go.mod with a mistake": {nil, func(t *testing.T, module, _, _ string) { put(t, module+"/go.mod", "module example.org/p\n\nrequire\n") }, none},
		"go.sum":                {nil, func(t *testing.T, module, _, _ string) { put(t, module+"/go.sum", "a") }, other},
		"a vendor folder":       {nil, func(t *testing.T, module, _, _ string) { put(t, module+"/vendor/a", "") }, other},
		"vendored modules":      {func(t *testing.T, module, _, _ string) { put(t, module+"/vendor/modules.txt", "a") }, func(t *testing.T, module, _, _ string) { put(t, module+"/vendor/modules.txt", "b") }, other},
		"what replaces a module": {replacing("../replaced"), func(t *testing.T, _, around, _ string) {
			put(t, around+"/replaced/go.mod", "module example.org/r // So.\n")
		}, other},
		"a lost replacement":    {replacing("../replaced"), func(t *testing.T, _, around, _ string) { gone(t, around+"/replaced/go.mod") }, other},
		"a link to another one": {replacing("../link"), func(t *testing.T, _, around, _ string) { link(t, "elsewhere", around+"/link") }, other},
		"a version that replaces": {
			func(t *testing.T, module, _, _ string) {
				put(t, module+"/go.mod", "module example.org/p\n\nreplace example.org/r => example.org/replaced v1.0.0\n")
			}, func(t *testing.T, module, _, _ string) { put(t, module+"/example.org/replaced/go.mod", "module a\n") }, same,
		},
		"a workspace":              {nil, func(t *testing.T, _, around, _ string) { put(t, around+"/go.work", work) }, other},
		"another workspace":        {inWorkspace(work), func(t *testing.T, _, around, _ string) { put(t, around+"/go.work", work+"// So.\n") }, other},
		"a workspace of no module": {inWorkspace(work), func(t *testing.T, _, around, _ string) { put(t, around+"/go.work", "use") }, none},
		"a workspace without one":  {nil, func(t *testing.T, _, around, _ string) { put(t, around+"/go.work", "go 1.26\n\nuse ./nothing\n") }, none},
		"go.work.sum":              {inWorkspace(work), func(t *testing.T, _, around, _ string) { put(t, around+"/go.work.sum", "a") }, other},
		"a workspace's vendor":     {inWorkspace(work), func(t *testing.T, _, around, _ string) { put(t, around+"/vendor/modules.txt", "a") }, other},
		"what a workspace replaces": {inWorkspace(work), func(t *testing.T, _, around, _ string) {
			put(t, around+"/replaced/go.mod", "module example.org/r // So.\n")
		}, other},
		"another module of a workspace": {inWorkspace(work + "use ./elsewhere\n"), func(t *testing.T, _, around, _ string) {
			put(t, around+"/elsewhere/go.sum", "a")
		}, other},
		"no workspace":            {inWorkspace(work), setenv("GOWORK", "off"), other},
		"a workspace that is off": {setenv("GOWORK", "off"), func(t *testing.T, _, around, _ string) { put(t, around+"/go.work", work) }, same},
		"a workspace by its name": {func(t *testing.T, _, around, _ string) {
			put(t, around+"/a.work", work)
			t.Setenv("GOWORK", around+"/a.work")
		}, func(t *testing.T, _, around, _ string) { put(t, around+"/a.work", work+"// So.\n") }, other},
		"a workspace that isn't there": {nil, setenv("GOWORK", "/nowhere/go.work"), none},
		"a relative workspace":         {nil, setenv("GOWORK", "go.work"), none},
		"a workspace by go env -w": {func(t *testing.T, _, around, _ string) { put(t, around+"/go.work", work) }, func(t *testing.T, _, around, _ string) {
			put(t, around+"/goenv", "GOWORK=off\n")
		}, other},
	} {
		t.Run(name, func(t *testing.T) {
			for _, variable := range os.Environ() {
				if name, value, _ := strings.Cut(variable, "="); strings.HasPrefix(name, "GO") || strings.HasPrefix(name, "CGO_") {
					t.Setenv(name, value) // so that it comes back
					_ = os.Unsetenv(name)
				}
			}
			goroot, around := tools(t), t.TempDir()
			module := filepath.Join(around, "module")
			put(t, module+"/go.mod", "module example.org/p\n")
			put(t, around+"/replaced/go.mod", "module example.org/r\n")
			put(t, around+"/elsewhere/go.mod", "module example.org/r\n")
			link(t, "replaced", around+"/link")
			put(t, around+"/goenv", "GOSUMDB=off\n")
			t.Setenv("GOENV", around+"/goenv")
			if test.before != nil {
				test.before(t, module, around, goroot)
			}
			before, ok := environment(t, module)
			expect.Must(t, ok, "there is no key")
			test.edit(t, module, around, goroot)
			after, ok := environment(t, module)
			got := none
			if ok {
				got = map[bool]change{true: same, false: other}[before == after]
			}
			expect.Equal(t, test.want, got, "the key")
		})
	}
}

// A change is what becomes of a key.
type change string

const (
	same  change = "the same"
	other change = "another"
	none  change = "none"
)

// environment returns the key of the environment, with the files that decide on versions.
func environment(t *testing.T, module string) (string, bool) {
	t.Helper()
	log := readlog.NewLog(func(string) bool { return false })
	key, goWork, ok := Environment(log)
	readModules(log, goWork, module, []modules.Module{{Dir: "."}})
	return fmt.Sprint(key, log.Inputs()), ok && log.IsReliable()
}

func setenv(name, value string) func(*testing.T, string, string, string) {
	return func(t *testing.T, _, _, _ string) { t.Setenv(name, value) }
}

func replacing(by string) func(*testing.T, string, string, string) {
	return func(t *testing.T, module, _, _ string) {
		put(t, module+"/go.mod", "module example.org/p\n\nreplace example.org/r => "+by+"\n")
	}
}

func inWorkspace(content string) func(*testing.T, string, string, string) {
	return func(t *testing.T, _, around, _ string) { put(t, around+"/go.work", content) }
}

func put(t *testing.T, name, content string) {
	t.Helper()
	expect.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
	expect.NoError(t, os.WriteFile(name, []byte(content), 0o600))
}

func executable(t *testing.T, name string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	put(t, name, "#!/bin/sh\n")
	expect.NoError(t, os.Chmod(name, 0o755))
}

func gone(t *testing.T, name string) {
	t.Helper()
	expect.NoError(t, os.Remove(name))
}

func link(t *testing.T, target, name string) {
	t.Helper()
	_ = os.Remove(name) // there may be none
	if err := os.Symlink(target, name); err != nil {
		t.Skip(err)
	}
}
