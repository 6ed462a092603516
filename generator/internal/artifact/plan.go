package artifact

import (
	"bytes"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/mrgen-io/mrgen/generator/internal/diag"
)

// An Action is what a run does with a file.
type Action uint8

const (
	// Create writes a file that does not exist.
	Create Action = iota
	// Update replaces the content of a file.
	Update
	// Unchanged leaves a file alone that has the right content already.
	Unchanged
	// Delete removes a stale file: mrgen wrote it, and would not write it again.
	Delete
)

// String returns the action in lower case.
func (a Action) String() string {
	switch a {
	case Create:
		return "create"
	case Update:
		return "update"
	case Unchanged:
		return "unchanged"
	default:
		return "delete"
	}
}

// A Change is a file and what a run does with it.
type Change struct {
	// Path is relative to the module root, with slashes.
	Path   string
	Action Action
	// Old is the content on disk, nil if the file is created.
	Old []byte
	// New is the content to be, nil if the file is deleted.
	New []byte
}

// A Plan is the difference between generated files and the disk.
type Plan struct {
	// Root is the module root.
	Root string
	// Changes has one entry a file, sorted by path, those unchanged included.
	Changes []Change
	// Folders are the output folders, sorted. Apply removes from them the
	// temporary files of runs that were killed.
	Folders []string

	// created are the folders that Apply has created, sorted.
	created []string
}

// PlanOptions say where stale files may be.
type PlanOptions struct {
	// Candidates are existing files that are stale if mrgen wrote them and does
	// not write them again: the Go files in the folders of the run's packages.
	Candidates []string
	// YAMLFolders are the output folders for YAML, as the user gave them. Their
	// *.yaml files, less those in subfolders, are looked at for stale ones.
	YAMLFolders []string
	// Current are files that mrgen wrote, does not write in this run, and that are up
	// to date.
	Current map[string]bool
	// Replaces tells whether another tool wrote a file with some content, that mrgen
	// replaces: it is stale if mrgen doesn't write it. It may be nil.
	Replaces func(name string, content []byte) bool
	// InScope tells whether the run covers a source folder that the header of a
	// YAML file names. A YAML file with a source out of scope is never stale.
	InScope func(folder string) bool
}

// NewPlan compares generated files with the disk below the module root. It
// writes nothing. Whatever keeps the files from being written, as far as reading
// can tell, is an error diagnostic, and then there is no plan.
//
// Files that mrgen did not write are replaced if the set has their path, and
// never deleted. Nor are symbolic links: mrgen writes through those of the user,
// and makes none.
func NewPlan(root string, set *Set, options PlanOptions) (*Plan, diag.List) {
	t, problems := openTree(root)
	if problems.HasErrors() {
		return nil, problems
	}
	p := planner{
		tree:    t,
		set:     set,
		options: options,
		folders: map[string]bool{},
		owners:  map[string]string{},
		changes: map[string]Change{},
	}
	p.compare()
	p.findStaleGo()
	p.findStaleYAML()
	problems = p.problems.Sorted()
	if problems.HasErrors() {
		return nil, problems
	}
	plan := &Plan{Root: root, Folders: slices.Sorted(maps.Keys(p.folders))}
	for _, name := range slices.Sorted(maps.Keys(p.changes)) {
		plan.Changes = append(plan.Changes, p.changes[name])
	}
	return plan, problems
}

// A planner gathers a plan.
type planner struct {
	tree    *tree
	set     *Set
	options PlanOptions

	folders map[string]bool
	// owners holds the path of each file in the set by its location.
	owners map[string]string
	// written are the files on disk that belong to the set.
	written  []fs.FileInfo
	changes  map[string]Change
	problems diag.List
}

// compare finds what to do with each file in the set.
func (p *planner) compare() {
	for name, content := range p.set.Files() {
		p.folders[path.Dir(name)] = true
		if folder, ok := p.fileAbove(name); ok {
			p.report(diag.Errorf(diag.Position{File: folder}, codePath,
				"this is to be a file and the folder of %s at once; choose another output folder", name))
			continue
		}
		location, problems := p.tree.file(name)
		if problems.HasErrors() {
			p.report(problems...)
			continue
		}
		if owner, ok := p.owners[location]; ok {
			p.report(diag.Errorf(diag.Position{File: name}, codePath,
				"a symbolic link makes this the same file as %s; remove the link, or choose another output folder", owner))
			continue
		}
		p.owners[location] = name
		old, info, problems := p.tree.read(name, location)
		p.report(problems...)
		change := Change{Path: name, Action: Create, New: content}
		if info != nil {
			p.written = append(p.written, info)
			change.Action, change.Old, change.New = Update, old, withLineBreaks(content, old)
			if bytes.Equal(old, change.New) {
				change.Action, change.Old = Unchanged, change.New
			}
			p.checkSources(name, old, content)
		}
		p.changes[name] = change
	}
}

// checkSources reports a YAML file that would lose what it holds of packages that
// the run doesn't cover, such as the other versions of a kind.
func (p *planner) checkSources(name string, old, content []byte) {
	before, _ := ParseYAMLHeader(old)
	now, _ := ParseYAMLHeader(content)
	for _, source := range before {
		if p.options.InScope(source) || slices.Contains(now, source) {
			continue
		}
		if info, err := os.Stat(p.tree.absolute(filepath.FromSlash(source))); err == nil && info.IsDir() {
			p.report(diag.Errorf(diag.Position{File: name, Line: 1}, codeScope,
				"this file also comes from the package in %s, which the patterns leave out: cover it, so that nothing of it is lost", source))
		}
	}
}

// fileAbove returns the file in the set whose path is a folder of the given path.
func (p *planner) fileAbove(name string) (string, bool) {
	for folder := path.Dir(name); folder != "."; folder = path.Dir(folder) {
		if p.set.Has(folder) {
			return folder, true
		}
	}
	return "", false
}

func (p *planner) findStaleGo() {
	for _, name := range p.options.Candidates {
		if p.set.Has(name) {
			continue
		}
		location, problems := p.tree.entry(name)
		if problems.HasErrors() {
			p.report(problems...)
			continue
		}
		p.folders[path.Dir(name)] = true
		if info, err := os.Lstat(p.tree.absolute(location)); err != nil || !info.Mode().IsRegular() {
			continue
		}
		content, info, problems := p.tree.read(name, location)
		p.report(problems...)
		if info != nil && (Owned(content) || p.replaces(name, content)) {
			p.remove(name, content, info)
		}
	}
}

func (p *planner) findStaleYAML() {
	seen := map[string]bool{}
	for _, given := range p.options.YAMLFolders {
		folder, location, problems := p.tree.outputFolder(given)
		if problems.HasErrors() {
			p.report(problems...)
			continue
		}
		p.folders[folder] = true
		if seen[location] {
			continue
		}
		seen[location] = true
		entries, problems := p.tree.list(folder, location)
		p.report(problems...)
		for _, entry := range entries {
			name := path.Join(folder, entry.Name())
			// A name that no set can hold is none that mrgen wrote.
			if entry.Type().IsRegular() && path.Ext(name) == ".yaml" && checkPath(name) == nil && !p.set.Has(name) && !p.options.Current[name] {
				p.considerYAML(name, filepath.Join(location, entry.Name()))
			}
		}
	}
}

// considerYAML removes the YAML file if it is stale.
func (p *planner) considerYAML(name, location string) {
	content, info, problems := p.tree.read(name, location)
	p.report(problems...)
	if info != nil && p.replaces(name, content) {
		p.remove(name, content, info)
	}
	if info == nil || !Owned(content) {
		return
	}
	sources, ok := ParseYAMLHeader(content)
	if !ok {
		p.report(diag.Warningf(diag.Position{File: name, Line: 1}, codeStale,
			"the header names no source folders in the way that mrgen writes them, so that the file is kept whether it is stale or not; delete it, and run mrgen again if it was not"))
		return
	}
	if !slices.ContainsFunc(sources, func(source string) bool { return !p.options.InScope(source) }) {
		p.remove(name, content, info)
	}
}

func (p *planner) replaces(name string, content []byte) bool {
	return p.options.Replaces != nil && p.options.Replaces(name, content)
}

// remove deletes a file, unless it belongs to the set under another name: by a
// symbolic link among its folders, or on a disk that ignores case.
func (p *planner) remove(name string, content []byte, info fs.FileInfo) {
	if !slices.ContainsFunc(p.written, func(other fs.FileInfo) bool { return os.SameFile(info, other) }) {
		p.changes[name] = Change{Path: name, Action: Delete, Old: content}
	}
}

func (p *planner) report(problems ...diag.Diagnostic) {
	p.problems = append(p.problems, problems...)
}
