package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mrgen-io/mrgen/testdata/expect"
)

// TestWrite has the files that .goreleaser.yaml names, the same ones each time.
func TestWrite(t *testing.T) {
	first, second := t.TempDir(), t.TempDir()
	for _, folder := range []string{first, second} {
		expect.NoError(t, write(folder))
	}
	for name, want := range map[string]string{
		"completions/mrgen.bash": "__start_mrgen", "completions/_mrgen": "#compdef mrgen", "completions/mrgen.fish": "complete -c mrgen",
		"completions/mrgen.ps1": "Register-ArgumentCompleter", "man/mrgen.1": `.TH "MRGEN" "1"`,
		"man/mrgen-generate.1": "writes the files that are missing or out of date",
	} {
		content, err := os.ReadFile(filepath.Join(first, name))
		if err != nil {
			t.Error(err)
			continue
		}
		expect.True(t, strings.Contains(string(content), want), "%s doesn't contain %q", name, want)
		again, err := os.ReadFile(filepath.Join(second, name))
		expect.True(t, err == nil && string(again) == string(content), "%s differs when it is written again: %v", name, err)
	}
}
