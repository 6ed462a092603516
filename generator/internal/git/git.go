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
		err = errors.New(strings.Join(strings.Fields(stderr.String()), " "))
	}
	return output, err
}
