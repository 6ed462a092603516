// Package ignored finds the files that git ignores.
package ignored

import (
	"context"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/git"
)

// A File is a file that git ignores, and the place of the pattern.
type File struct {
	Name, Pattern, File string
	Line                int
}

// Files returns the files in a folder that git ignores by its own patterns. Without a repository, there is none. With the flag
// --no-index, it returns files in the repository, too.
func Files(ctx context.Context, dir string, names []string, flags ...string) []File {
	var all []File
	// Each line has the file with the pattern, its line, the pattern and the ignored file.
	output, _ := git.Run(ctx, dir, slices.Concat([]string{"check-ignore", "--verbose"}, flags, []string{"--"}, names)...)
	for line := range strings.Lines(string(output)) {
		rule, name, _ := strings.Cut(strings.TrimSpace(line), "\t")
		parts := strings.SplitN(rule, ":", 3)
		number, err := strconv.Atoi(parts[min(1, len(parts)-1)])
		if err == nil && filepath.IsLocal(parts[0]) {
			all = append(all, File{Name: name, Pattern: parts[len(parts)-1], File: parts[0], Line: number})
		}
	}
	return all
}
