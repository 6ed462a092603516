package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
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
		"ours": {
			&internalError{cause: errors.New("two\nlines")}, 2,
			"internal error: two lines: please report it at https://github.com/mrgen-io/mrgen/issues\n",
		},
		"panic": {
			panicking, 2,
			"internal error: index out of range: please report it at https://github.com/mrgen-io/mrgen/issues\n",
		},
		"output": {&outputError{errors.New("disk full")}, 2, "cannot write the output: disk full\n"},
		"usage":  {errors.New("unknown flag --x"), 2, "unknown flag --x\nRun 'mrgen verify --help' for usage.\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("MRGEN_DEBUG", "")
			var stderr bytes.Buffer
			if got := conclude(test.err, "mrgen verify", &stderr); got != test.status {
				t.Errorf("status %d, want %d", got, test.status)
			}
			if got := stderr.String(); got != test.want {
				t.Errorf("stderr %q, want %q", got, test.want)
			}
		})
	}
}

func TestConcludeDebug(t *testing.T) {
	t.Setenv("MRGEN_DEBUG", "1")
	var stderr bytes.Buffer
	conclude(protect(func() error { panic("oh") }), "mrgen", &stderr)
	first, stack, _ := strings.Cut(stderr.String(), "\n")
	if want := "internal error: oh: please report it at https://github.com/mrgen-io/mrgen/issues"; first != want {
		t.Errorf("first line %q, want %q", first, want)
	}
	if want := "TestConcludeDebug"; !strings.Contains(stack, want) {
		t.Errorf("the stack trace lacks %s:\n%s", want, stack)
	}
}

func TestProtect(t *testing.T) {
	want := errors.New("as it is")
	if got := protect(func() error { return want }); !errors.Is(got, want) {
		t.Errorf("protect returned %v, want %v", got, want)
	}
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestRunBrokenOutput(t *testing.T) {
	for _, args := range [][]string{{"version"}, {"markers"}} {
		var stderr bytes.Buffer
		if got := Run(args, strings.NewReader(""), brokenWriter{}, &stderr); got != statusTrouble {
			t.Errorf("mrgen %v: status %d, want %d", args, got, statusTrouble)
		}
		if got, want := stderr.String(), "cannot write the output: disk full\n"; got != want {
			t.Errorf("mrgen %v: stderr %q, want %q", args, got, want)
		}
	}
}
