package artifact

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/mrgen-io/mrgen/testdata/expect"
)

// helperVariable makes the test binary act as another process of mrgen: its
// value is one of the helper modes.
const helperVariable = "MRGEN_ARTIFACT_TEST_HELPER"

const (
	// helperWait says that it is ready and then waits for the end of its input.
	helperWait = "wait"
	// helperApply applies plans to the folder that is its argument until it is killed.
	helperApply = "apply"
)

func TestMain(m *testing.M) {
	switch os.Getenv(helperVariable) {
	case helperWait:
		fmt.Println("ready")
		_, _ = io.Copy(io.Discard, os.Stdin)
	case helperApply:
		applyUntilKilled(os.Args[1])
	default:
		os.Exit(m.Run())
	}
}

// A helper is another process that runs the test binary.
type helper struct {
	command *exec.Cmd
	input   io.Closer
}

// startHelper starts another process and returns once it is ready.
func startHelper(t *testing.T, mode string, arguments ...string) *helper {
	t.Helper()
	binary := expect.Value(os.Executable())(t)
	command := exec.Command(binary, arguments...)
	command.Env = append(os.Environ(), helperVariable+"="+mode)
	command.Stderr = os.Stderr
	input := expect.Value(command.StdinPipe())(t)
	output := expect.Value(command.StdoutPipe())(t)
	expect.NoError(t, command.Start())
	t.Cleanup(func() { _ = command.Process.Kill(); _ = command.Wait() })
	line, err := bufio.NewReader(output).ReadString('\n')
	expect.Must(t, err == nil && line == "ready\n", "helper said %q, %v, want \"ready\"", line, err)
	return &helper{command: command, input: input}
}

// kill ends the helper in the middle of what it does.
func (h *helper) kill(t *testing.T) {
	t.Helper()
	expect.NoError(t, h.command.Process.Kill())
	err := h.command.Wait()
	expect.Must(t, err != nil, "helper ended before it was killed")
}

// applyUntilKilled applies the two states of the crash test in turns. It ends by
// itself after a minute, in case nobody kills it.
func applyUntilKilled(root string) {
	for start, round := time.Now(), 0; time.Since(start) < time.Minute; round++ {
		set, options := crashState(round % 2)
		plan, problems := NewPlan(root, set, options)
		if problems == nil {
			problems, _ = plan.Apply(context.Background())
		}
		if problems != nil {
			fmt.Fprintln(os.Stderr, problems)
			os.Exit(2)
		}
		if round == 0 {
			fmt.Println("ready")
		}
	}
}

// writeTree writes files, given by their path with slashes.
func writeTree(t *testing.T, root string, files map[string]string) {
	t.Helper()
	for name, content := range files {
		file := filepath.Join(root, filepath.FromSlash(name))
		expect.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		expect.NoError(t, os.WriteFile(file, []byte(content), 0o644))
	}
}

// readTree returns all that is below root: regular files with their content, and
// folders, symbolic links and others with what they are.
func readTree(t *testing.T, root string) map[string]string {
	t.Helper()
	tree := map[string]string{}
	err := filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || file == root {
			return err
		}
		name, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		if !entry.Type().IsRegular() {
			tree[name] = entry.Type().String()
			return nil
		}
		content, err := os.ReadFile(file)
		tree[name] = string(content)
		return err
	})
	expect.NoError(t, err)
	return tree
}

const folderInTree = "d---------"

func newSet(t *testing.T, files map[string]string) *Set {
	t.Helper()
	set := &Set{}
	for name, content := range files {
		expect.NoError(t, set.Add(name, []byte(content)))
	}
	return set
}

// mustPlan returns the plan for a tree on which there is nothing to report.
func mustPlan(t *testing.T, root string, set *Set, options PlanOptions) *Plan {
	t.Helper()
	plan, problems := NewPlan(root, set, options)
	expect.Must(t, problems == nil, "NewPlan: %v", problems)
	return plan
}

func mustApply(t *testing.T, plan *Plan) {
	t.Helper()
	problems, err := plan.Apply(t.Context())
	expect.Must(t, problems == nil && err == nil, "Apply: %v, %v", problems, err)
}

// symlink makes a symbolic link.
func symlink(t *testing.T, target, link string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("symbolic links need a privilege on Windows")
	}
	expect.NoError(t, os.Symlink(target, link))
}

// needPermissions skips a test where file permissions stop nobody.
func needPermissions(t *testing.T) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("Windows keeps permissions elsewhere than in the file mode")
	}
	if os.Geteuid() == 0 {
		t.Skip("file permissions do not stop the superuser")
	}
}

// chmod sets the mode of a file or folder until the end of the test.
func chmod(t *testing.T, name string, mode fs.FileMode) {
	t.Helper()
	expect.NoError(t, os.Chmod(name, mode))
	t.Cleanup(func() { _ = os.Chmod(name, 0o755) })
}
