// Package git runs git, and reads files of earlier commits.
package git

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
)

// Run returns what a git command prints in a folder. The error says in one line what git
// says, in the same words everywhere.
func Run(ctx context.Context, dir string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "LC_ALL=C", "GIT_OPTIONAL_LOCKS=0")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	output, err := cmd.Output()
	var failed *exec.ExitError
	if errors.As(err, &failed) && stderr.Len() > 0 {
		says := strings.Join(strings.Fields(stderr.String()), " ")
		err = errors.New(says)
		if i := strings.Index(says, "git config --global --add safe.directory"); i >= 0 {
			err = &UntrustedError{command: says[i:]}
		}
	}
	return output, err
}

// Tracks reports whether git has a file, which may be gone from the disk. The path is relative to the folder.
func Tracks(ctx context.Context, dir, name string) bool {
	_, err := Run(ctx, dir, "ls-files", "--error-unmatch", name)
	return err == nil
}

// An UntrustedError says that git refuses a repository which another user owns.
type UntrustedError struct{ command string }

// Error returns the cause with git's remedy.
func (e *UntrustedError) Error() string {
	return "git doesn't trust this repository, since another user owns it: run " + e.command
}

// IsUntrusted reports whether git refuses a repository.
func IsUntrusted(err error) bool {
	var untrusted *UntrustedError
	return errors.As(err, &untrusted)
}
