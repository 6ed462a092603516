package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/mrgen-io/mrgen/testdata/expect"
)

// An action is what action.yml holds, see
// https://docs.github.com/en/actions/reference/workflows-and-actions/metadata-syntax.
type action struct {
	Inputs map[string]struct {
		Description string
		Default     *string
	}
	Runs struct {
		Using string
		Steps []actionStep
	}
}

type actionStep struct {
	Name, Shell, Run, Uses, If string
	Env                        map[string]string
	WorkingDirectory           string `yaml:"working-directory"`
}

func readAction(t *testing.T) action {
	t.Helper()
	content := expect.Value(os.ReadFile(filepath.Join(repository, "action.yml")))(t)
	var a action
	expect.NoError(t, yaml.Unmarshal(content, &a))
	for _, used := range regexp.MustCompile(`inputs\.([\w-]+)`).FindAllStringSubmatch(string(content), -1) {
		_, found := a.Inputs[used[1]]
		expect.True(t, found, "action.yml uses the input %s, which it doesn't declare", used[1])
	}
	for name, input := range a.Inputs {
		expect.True(t, input.Description != "" && input.Default != nil, "action.yml: the input %s needs a description and a default", name)
	}
	return a
}

// A runner stands in for a machine of GitHub Actions.
type runner struct {
	t       *testing.T
	action  action
	dir     string
	environ []string
}

func newRunner(t *testing.T) *runner {
	t.Helper()
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("there is no bash")
	}
	r := &runner{t: t, action: readAction(t), dir: t.TempDir()}
	r.program("mrgen", `echo "mrgen $*" >> "$CALLS"; cat "$OUTPUT" 2> /dev/null; exit "${STATUS:-0}"`)
	r.environ = append(os.Environ(),
		"PATH="+r.file("bin")+string(filepath.ListSeparator)+os.Getenv("PATH"),
		"CALLS="+r.file("calls"), "OUTPUT="+r.file("output"), "ASSETS="+r.file("assets"),
		"RUNNER_TEMP="+r.dir, "RUNNER_OS=Linux", "RUNNER_ARCH=X64",
		"GITHUB_PATH="+r.file("path"), "GITHUB_STEP_SUMMARY="+r.file("summary"),
		"GITHUB_REPOSITORY=example/provider", "HOME="+r.dir, "XDG_CACHE_HOME=",
	)
	return r
}

func (r *runner) file(name string) string { return filepath.Join(r.dir, name) }

func (r *runner) write(name string, content []byte) {
	r.t.Helper()
	expect.NoError(r.t, os.MkdirAll(filepath.Dir(r.file(name)), 0o755))
	expect.NoError(r.t, os.WriteFile(r.file(name), content, 0o755))
}

// program has a script stand in for a command.
func (r *runner) program(name, script string) {
	r.write("bin/"+name, []byte("#!/bin/sh\n"+script+"\n"))
}

// read returns what a file holds, "" if it doesn't exist.
func (r *runner) read(name string) string {
	content, _ := os.ReadFile(r.file(name)) // the test compares
	return string(content)
}

// step runs a step as GitHub does, and returns its exit status and output.
func (r *runner) step(name string, environ ...string) (int, string) {
	r.t.Helper()
	i := slices.IndexFunc(r.action.Runs.Steps, func(s actionStep) bool { return s.Name == name })
	if i < 0 {
		r.t.Fatalf("action.yml has no step %q", name)
	}
	step := r.action.Runs.Steps[i]
	command := exec.Command("bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", step.Run)
	command.Dir, command.Env = r.dir, append(slices.Clone(r.environ), environ...)
	for variable := range step.Env {
		if !slices.ContainsFunc(environ, func(e string) bool { return strings.HasPrefix(e, variable+"=") }) && variable != "GH_TOKEN" && variable != "XDG_CACHE_HOME" {
			r.t.Errorf("the test doesn't set %s for the step %q", variable, name)
		}
	}
	out, err := command.CombinedOutput()
	if err != nil && command.ProcessState == nil {
		r.t.Fatal(err)
	}
	return command.ProcessState.ExitCode(), string(out)
}

// release has the gh command download a release with mrgen, and checksums.
func (r *runner) release() {
	r.t.Helper()
	var archive bytes.Buffer
	compressed := gzip.NewWriter(&archive)
	files := tar.NewWriter(compressed)
	program := []byte("#!/bin/sh\n")
	expect.NoError(r.t, files.WriteHeader(&tar.Header{Name: "mrgen", Mode: 0o755, Size: int64(len(program))}))
	if _, err := files.Write(program); err != nil {
		r.t.Fatal(err)
	}
	expect.NoError(r.t, files.Close())
	expect.NoError(r.t, compressed.Close())
	const name = "mrgen_0.1.0_linux_amd64.tar.gz"
	r.write("assets/"+name, archive.Bytes())
	r.write("assets/checksums.txt", fmt.Appendf(nil, "%x  %s\n%x  mrgen_0.1.0_darwin_amd64.tar.gz\n", sha256.Sum256(archive.Bytes()), name, sha256.Sum256(nil)))
	r.program("gh", `echo "gh $*" >> "$CALLS"; cp "$ASSETS"/* .`)
}

// TestAction runs the steps of action.yml.
func TestAction(t *testing.T) {
	t.Run("install", func(t *testing.T) {
		r := newRunner(t)
		r.release()
		status, out := r.step("Install mrgen", "VERSION=v0.1.0")
		expect.Must(t, status == 0, "exit status %d:\n%s", status, out)
		folder := strings.TrimSpace(r.read("path"))
		info, err := os.Stat(filepath.Join(folder, "mrgen"))
		expect.True(t, err == nil && info.Mode()&0o100 != 0, "mrgen isn't in %q, which the action adds to the PATH: %v", folder, err)
		want := "release download v0.1.0 --repo mrgen-io/mrgen"
		expect.True(t, strings.Contains(r.read("calls"), want), "the action calls\n%swithout %q", r.read("calls"), want)
	})
	t.Run("install what somebody changed", func(t *testing.T) {
		r := newRunner(t)
		r.release()
		r.write("assets/mrgen_0.1.0_linux_amd64.tar.gz", []byte("something else"))
		status, out := r.step("Install mrgen", "VERSION=v0.1.0")
		expect.True(t, status != 0 && r.read("path") == "", "exit status %d, path %q:\n%s", status, r.read("path"), out)
	})
	t.Run("install a branch", func(t *testing.T) {
		status, out := newRunner(t).step("Install mrgen", "VERSION=main")
		want := "there is no release main: set the input version"
		expect.True(t, status == 2 && strings.Contains(out, want), "exit status %d, without %q:\n%s", status, want, out)
	})
	t.Run("installed", func(t *testing.T) {
		r := newRunner(t)
		status, out := r.step("Install mrgen", "VERSION=installed")
		expect.True(t, status == 0 && r.read("calls") == "mrgen version\n", "exit status %d, calls %q:\n%s", status, r.read("calls"), out)
	})
	t.Run("verify", func(t *testing.T) {
		r := newRunner(t)
		status, out := r.step("Verify", "ARGUMENTS=--lint ./apis/*", "STATUS=1")
		want := "mrgen verify --lint ./apis/*\n"
		expect.True(t, status == 1 && r.read("calls") == want, "exit status %d, calls %q, want %q:\n%s", status, r.read("calls"), want, out)
	})
	for _, test := range []struct {
		name, status, comments string
		wantStatus             int
		want                   []string
	}{
		{"nothing breaks", "0", "", 0, nil},
		{"something breaks", "1", "", 1, []string{"issues/7/comments -F body=@"}},
		{"something else breaks", "1", "42", 1, []string{"--method PATCH repos/example/provider/issues/comments/42 -F body=@"}},
		{"nothing breaks any more", "0", "42", 0, []string{"--method PATCH repos/example/provider/issues/comments/42 -F body=@"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := newRunner(t)
			r.write("output", []byte("the report\n"))
			r.program("gh", `case "$*" in *--paginate*) echo "$COMMENTS";; *) echo "gh $*" >> "$CALLS";; esac`)
			status, out := r.step("Say what would break", "BASE=abc", "NUMBER=7", "STATUS="+test.status, "COMMENTS="+test.comments)
			expect.True(t, status == test.wantStatus, "exit status %d, want %d:\n%s", status, test.wantStatus, out)
			calls := strings.Split(strings.TrimSpace(r.read("calls")), "\n")
			expect.Must(t, calls[0] == "mrgen breaking --against abc -o markdown" && len(calls)-1 == len(test.want), "the action calls %q", calls)
			for i, want := range test.want {
				expect.True(t, strings.Contains(calls[i+1], want), "the action calls %q, without %q", calls[i+1], want)
			}
			expect.True(t, r.read("summary") == "the report\n", "the summary is %q", r.read("summary"))
		})
	}
	t.Run("trouble", func(t *testing.T) {
		r := newRunner(t)
		r.write("output", []byte("what is wrong\n"))
		r.program("git", `[ "$*" = "rev-parse --is-shallow-repository" ] && echo "$SHALLOW"`)
		for shallow, isHistory := range map[string]bool{"true": true, "false": false} {
			status, out := r.step("Say what would break", "BASE=abc", "NUMBER=7", "STATUS=2", "SHALLOW="+shallow)
			if status != 2 || r.read("summary") != "" || !strings.Contains(out, "what is wrong") || strings.Contains(out, "set fetch-depth: 0") != isHistory {
				t.Errorf("shallow %s: exit status %d, summary %q:\n%s", shallow, status, r.read("summary"), out)
			}
		}
	})
}

// TestRelease holds that `make release` links what releases do.
func TestRelease(t *testing.T) {
	makefile := expect.Value(os.ReadFile(filepath.Join(repository, "Makefile")))(t)
	content := expect.Value(os.ReadFile(filepath.Join(repository, ".goreleaser.yaml")))(t)
	var releaser struct {
		Builds []struct{ Ldflags []string }
	}
	expect.NoError(t, yaml.Unmarshal(content, &releaser))
	flags := regexp.MustCompile(`(?m)^LDFLAGS := (.+)$`).FindSubmatch(makefile)
	if flags == nil || len(releaser.Builds) != 1 || !slices.Equal(releaser.Builds[0].Ldflags, []string{string(flags[1])}) {
		t.Errorf("releases are linked as %v, and make release says %s", releaser.Builds, flags)
	}
}

// TestWorkflows holds that the workflows of this repository call targets that the Makefile
// has, and release with the version of goreleaser that `make snapshot` tries.
func TestWorkflows(t *testing.T) {
	makefile := expect.Value(os.ReadFile(filepath.Join(repository, "Makefile")))(t)
	files, err := filepath.Glob(filepath.Join(repository, ".github", "workflows", "*.yml"))
	expect.Must(t, err == nil && len(files) != 0, "there are no workflows: %v", err)
	goreleaser := regexp.MustCompile(`(?m)^GORELEASER \?= (\S+)$`).FindSubmatch(makefile)
	releases := 0
	for _, file := range files {
		content := expect.Value(os.ReadFile(file))(t)
		var workflow struct {
			Jobs map[string]struct {
				Steps []struct {
					Uses, Run string
					With      map[string]string
				}
			}
		}
		err := yaml.Unmarshal(content, &workflow)
		expect.True(t, err == nil, "%s: %v", file, err)
		for _, job := range workflow.Jobs {
			for _, step := range job.Steps {
				if targets, found := strings.CutPrefix(step.Run, "make "); found {
					for _, target := range strings.Fields(targets) {
						expect.True(t, bytes.Contains(makefile, []byte("\n"+target+":")), "%s: there is no target %s", file, target)
					}
				}
				if strings.HasPrefix(step.Uses, "goreleaser/") {
					releases++
					if goreleaser == nil || step.With["version"] != string(goreleaser[1]) {
						t.Errorf("%s: releases with %s, but the Makefile names %s", file, step.With["version"], goreleaser)
					}
				}
			}
		}
	}
	expect.True(t, releases == 1, "%d steps make a release", releases)
}
