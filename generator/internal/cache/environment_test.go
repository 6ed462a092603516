package cache

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
)

// TestBuildID builds programs that differ in a constant, or in how they are linked.
func TestBuildID(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("programs are no ELF files here")
	}
	dir := t.TempDir()
	build := func(name string, constant int, flags ...string) string {
		t.Helper()
		source, program := filepath.Join(dir, name+".go"), filepath.Join(dir, name)
		content := fmt.Sprintf("package main\n\nfunc main() { println(%d) }\n", constant)
		if err := os.WriteFile(source, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		args := append(append([]string{"build", "-o", program}, flags...), source)
		if out, err := exec.CommandContext(t.Context(), "go", args...).CombinedOutput(); err != nil {
			t.Fatalf("go build: %v\n%s", err, out)
		}
		return buildID(program)
	}
	one, two := build("one", 1), build("two", 2)
	if one == "" || one == two {
		t.Errorf("the IDs of two programs are %q and %q, want different ones", one, two)
	}
	if same := buildID(filepath.Join(dir, "one")); same != one {
		t.Errorf("the ID of a program is %q, and then %q", one, same)
	}
	for _, flag := range []string{"-ldflags=-buildid=", "-ldflags=-buildid=redacted"} {
		if id := build("three", 3, flag); id != "" {
			t.Errorf("the ID with %s is %q, want none: other programs may have it", flag, id)
		}
	}
	if id := buildID(filepath.Join(dir, "one.go")); id != "" {
		t.Errorf("the ID of a text is %q, want none", id)
	}
}
