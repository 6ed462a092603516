package git

import (
	"context"
	"path/filepath"
	"strconv"
	"strings"
)

// An Ignored is a file that git ignores, and the place of the pattern.
type Ignored struct {
	Name, Pattern, File string
	Line                int
}

// IgnoredFiles returns the files in a folder that git ignores by its own patterns. Without a repository, there is none.
func IgnoredFiles(ctx context.Context, dir string, names []string) []Ignored {
	var all []Ignored
	// Each line has the file with the pattern, its line, the pattern and the ignored file.
	output, _ := Run(ctx, dir, append([]string{"check-ignore", "--verbose", "--"}, names...)...)
	for line := range strings.Lines(string(output)) {
		rule, name, _ := strings.Cut(strings.TrimSpace(line), "\t")
		parts := strings.SplitN(rule, ":", 3)
		number, err := strconv.Atoi(parts[min(1, len(parts)-1)])
		if err == nil && filepath.IsLocal(parts[0]) {
			all = append(all, Ignored{Name: name, Pattern: parts[len(parts)-1], File: parts[0], Line: number})
		}
	}
	return all
}
