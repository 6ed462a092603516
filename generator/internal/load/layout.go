package load

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/diag"
)

// A Layout is what folders and go.mod files tell of the packages of a run, without
// the go command.
type Layout struct {
	scope     *scope
	outputs   []string
	generated map[string]bool
	// Modules are the import paths of the Go modules that the patterns reach, by
	// their folders.
	Modules map[string]string
}

// NewLayout returns the layout of the packages that the options select. There is
// none if the diagnostics have errors.
func NewLayout(opts Options) (*Layout, diag.List) {
	sc, diags := newScope(opts)
	if diags.HasErrors() {
		return nil, diags
	}
	l := &Layout{scope: sc, outputs: opts.Outputs, generated: map[string]bool{}, Modules: map[string]string{}}
	for _, file := range sc.generated {
		l.generated[file] = true
	}
	r := &scopeResolver{scope: sc, modulePaths: map[string]string{}}
	for _, m := range sc.modules {
		l.Modules[m.dir] = r.modulePath(m.dir)
	}
	return l, diags
}

// Covers reports whether the patterns cover a folder, slash-separated and relative
// to the module root.
func (l *Layout) Covers(dir string) bool { return l.scope.covers(dir) }

// Generated are the Go files that the run replaces, or that an earlier one wrote,
// relative to the module root.
func (l *Layout) Generated() []string { return l.scope.generated }

// IsSource reports whether a file in a covered folder is input of the run: Go source
// other than tests and what mrgen writes.
func (l *Layout) IsSource(file string) bool {
	name := filepath.Base(file)
	return strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") &&
		!slices.Contains(l.outputs, name) && !l.generated[file]
}

// IsIgnored reports whether the go command leaves a folder of that name out of
// patterns with wildcards.
func IsIgnored(name string) bool { return ignoredDir(name) }
