package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/mrgen-io/mrgen/testdata/expect"
)

func TestConclude(t *testing.T) {
	panicking := protect(func() error { panic("index\nout of range") })
	for name, test := range map[string]struct {
		err    error
		status int
		want   string
	}{
		"done":        {nil, 0, ""},
		"differences": {errDifferences, 1, ""},
		"reported":    {errReported, 2, ""},
		"interrupted": {fmt.Errorf("listing: %w", context.Canceled), 2, "interrupted\n"},
		"ours":        {&internalError{cause: errors.New("two\nlines")}, 2, "internal error: two lines: please report it at https://github.com/mrgen-io/mrgen/issues\n"},
		"panic":       {panicking, 2, "internal error: index out of range: please report it at https://github.com/mrgen-io/mrgen/issues\n"},
		"output":      {&outputError{errors.New("disk full")}, 2, "cannot write the output: disk full\n"},
		"usage":       {errors.New("unknown flag --x"), 2, "unknown flag --x\nRun 'mrgen verify --help' for usage.\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("MRGEN_DEBUG", "")
			var stderr bytes.Buffer
			expect.Equal(t, test.status, conclude(test.err, "mrgen verify", &stderr), "status")
			expect.Equal(t, test.want, stderr.String(), "stderr")
		})
	}
}

func TestConcludeDebug(t *testing.T) {
	t.Setenv("MRGEN_DEBUG", "1")
	var stderr bytes.Buffer
	conclude(protect(func() error { panic("oh") }), "mrgen", &stderr)
	first, stack, _ := strings.Cut(stderr.String(), "\n")
	expect.Equal(t, "internal error: oh: please report it at https://github.com/mrgen-io/mrgen/issues", first, "first line")
	want := "TestConcludeDebug"
	expect.True(t, strings.Contains(stack, want), "the stack trace lacks %s:\n%s", want, stack)
}

func TestProtect(t *testing.T) {
	want := errors.New("as it is")
	got := protect(func() error { return want })
	expect.True(t, errors.Is(got, want), "protect returned %v, want %v", got, want)
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestRunBrokenOutput(t *testing.T) {
	for _, args := range [][]string{{"version"}, {"markers"}} {
		var stderr bytes.Buffer
		expect.Equal(t, statusTrouble, Run(args, strings.NewReader(""), brokenWriter{}, &stderr), "mrgen %v: status", args)
		expect.Equal(t, "cannot write the output: disk full\n", stderr.String(), "mrgen %v: stderr", args)
	}
}
