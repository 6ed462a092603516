package load

import (
	"path/filepath"
	"slices"

	"github.com/mrgen-io/mrgen/generator/internal/diag"
)

// A Layout is what folders and go.mod files tell of the packages of a run, without
// the go command.
type Layout struct {
	scope *scope
	// hidden are the absolute paths of files that are no input.
	hidden map[string]bool
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
	l := &Layout{scope: sc, hidden: map[string]bool{}, Modules: map[string]string{}}
	for _, file := range slices.Concat(sc.generated, sc.hidden) {
		l.hidden[filepath.Join(opts.Root, filepath.FromSlash(file))] = true
	}
	if opts.Own != nil {
		l.hidden[filepath.Join(opts.Root, filepath.FromSlash(opts.Own.Dir), opts.OwnFile)] = true
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

// FollowsLinks reports whether a pattern begins with a path through a symbolic link.
func (l *Layout) FollowsLinks() bool { return l.scope.followsLinks }

// Generated are the Go files that the run replaces, or that an earlier one wrote,
// relative to the module root.
func (l *Layout) Generated() []string { return l.scope.generated }

// Hides reports whether the file with an absolute path is no input of the run, since the
// run or an earlier one writes it.
func (l *Layout) Hides(file string) bool { return l.hidden[file] }

// IsIgnored reports whether the go command leaves a folder of that name out of
// patterns with wildcards.
func IsIgnored(name string) bool { return ignoredDir(name) }
