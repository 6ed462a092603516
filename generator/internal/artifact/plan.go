package artifact

import (
	"bytes"
	"cmp"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/run"
)

// A Plan is the difference between generated files and the disk, and applies it.
type Plan struct {
	run.Plan

	// Created are the folders that Apply has created, sorted.
	Created []string
}

// Changed is as in [run.Plan].
func (p *Plan) Changed() []run.Change {
	if p == nil {
		return nil
	}
	return p.Plan.Changed()
}

// PlanOptions say which files may be stale.
type PlanOptions struct {
	// Candidates are the Go files in the folders of the run's packages, and others that were written for these. They are
	// stale if mrgen wrote them and doesn't write them in this run.
	Candidates []string
	// DocumentFolders are the output folders for documents, as the user gave them. The *.yaml
	// files directly in them may be stale.
	DocumentFolders []string
	// Replaces reports whether another tool wrote a file, and mrgen takes its place, so that
	// the file is stale unless mrgen writes it. If it is nil, mrgen leaves the files of other tools.
	Replaces func(name string, content []byte) bool
	// InScope reports whether the run covers a source folder that the header of a document names. A
	// document from any other folder is not stale.
	InScope func(folder string) bool
	// Reasons say why Go files are stale, by path, where more is known than that nothing asks for them.
	Reasons map[string]string
	// RemoveDefinitions lets the plan delete more than half of the documents that mrgen wrote.
	RemoveDefinitions bool
}

// NewPlan compares generated files with the disk below the module root, and writes nothing. There is no plan if a
// diagnostic is an error, which says why a file couldn't be written.
//
// A file with mrgen's header never replaces a file that [IsReplaceable] doesn't accept: that is an error. A file without
// the header is an edit of the author's own file. Only stale files of mrgen are deleted. Symbolic links are never
// deleted: mrgen writes to the files that they point to.
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
		changes: map[string]run.Change{},
	}
	p.compare()
	if len(p.replaced) > 0 {
		p.report(ofReplacedTool(p.replaced))
	}
	p.findStaleGo()
	p.findStaleDocuments()
	if !options.RemoveDefinitions {
		p.checkRemoved()
	}
	problems = p.problems.Sorted()
	if problems.HasErrors() {
		return nil, problems
	}
	plan := &Plan{Plan: run.Plan{Root: root, Folders: slices.Sorted(maps.Keys(p.folders))}}
	for _, name := range slices.Sorted(maps.Keys(p.changes)) {
		plan.Changes = append(plan.Changes, p.changes[name])
	}
	return plan, problems
}

type planner struct {
	tree    *tree
	set     *Set
	options PlanOptions

	folders map[string]bool
	// owners are the paths of the files in the set by location.
	owners map[string]string
	// written are the files in the set that exist on disk.
	written []fs.FileInfo
	changes map[string]run.Change
	// left counts the documents that mrgen wrote for packages that the run doesn't cover.
	left int
	// replaced are the files of tools that only adopt replaces.
	replaced []string
	problems diag.List
}

// compare compares the files in the set with the disk.
func (p *planner) compare() {
	for name, content := range p.set.Files() {
		p.folders[path.Dir(name)] = true
		// A path can't be a file and a folder.
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
		change := run.Change{Path: name, Action: run.Create, New: content}
		if info != nil {
			p.written = append(p.written, info)
			change.Action, change.Old, change.New = run.Update, old, withLineBreaks(content, old)
			if bytes.Equal(old, change.New) {
				change.Action, change.Old = run.Unchanged, change.New
			}
			if Owned(content) && !IsReplaceable(name, old) && !p.replaces(name, old) {
				// a file without the header edits the author's own file
				p.report(Foreign(name, map[bool]string{true: "choose another output folder"}[path.Ext(name) != ".go"]))
				continue
			}
			if p.options.Replaces == nil && !Owned(old) && IsReplaced(name, old) {
				p.replaced = append(p.replaced, name) // that tool's next run would overwrite mrgen's file in turn
				continue
			}
			p.checkSources(name, old, content)
		}
		p.changes[name] = change
	}
}

// checkSources reports a document that would lose the part from a package that the run doesn't cover, such as another
// version of a kind.
func (p *planner) checkSources(name string, old, content []byte) {
	now, _ := ParseHeader(content)
	for _, source := range otherSources(p.tree.root, old, p.options.InScope) {
		if !slices.Contains(now, source) {
			p.report(diag.Errorf(diag.Position{File: name, Line: 1}, codeScope,
				"this file also comes from the package in %s, which the patterns leave out: cover it, so that nothing of it is lost", source))
		}
	}
}

// otherSources returns the source folders that the header of a document names, that are still there
// below the module root, and that a run doesn't cover.
func otherSources(root string, document []byte, covers func(folder string) bool) []string {
	sources, _ := ParseHeader(document)
	return slices.DeleteFunc(sources, func(source string) bool {
		if covers(source) {
			return true
		}
		info, err := os.Stat(filepath.Join(root, filepath.FromSlash(source)))
		return err != nil || !info.IsDir()
	})
}

// fileAbove returns the file in the set whose path would be a folder of the named file.
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
		if info, err := os.Lstat(p.tree.absolute(location)); err != nil || !info.Mode().IsRegular() { // a symbolic link, or gone
			continue
		}
		content, info, problems := p.tree.read(name, location)
		p.report(problems...)
		switch {
		case info == nil:
		case Owned(content):
			p.remove(name, content, info, cmp.Or(p.options.Reasons[name], "neither the source nor a setting asks for it any more"))
		case p.replaces(name, content):
			p.remove(name, content, info, "")
		}
	}
}

func (p *planner) findStaleDocuments() {
	seen := map[string]bool{}
	for _, given := range p.options.DocumentFolders {
		folder, location, problems := p.tree.outputFolder(given)
		if problems.HasErrors() {
			p.report(problems...)
			continue
		}
		p.folders[folder] = true
		if seen[location] { // a link, or the same folder in other words
			continue
		}
		seen[location] = true
		entries, problems := p.tree.list(folder, location)
		p.report(problems...)
		for _, entry := range entries {
			name := path.Join(folder, entry.Name())
			// mrgen wrote no file with a name that a set rejects.
			if entry.Type().IsRegular() && IsDocument(name) && checkPath(name) == nil && !p.set.Has(name) {
				p.removeStaleDocument(name, filepath.Join(location, entry.Name()))
			}
		}
	}
}

// removeStaleDocument deletes a document that is not in the set if it is stale.
func (p *planner) removeStaleDocument(name, location string) {
	content, info, problems := p.tree.read(name, location)
	p.report(problems...)
	if info != nil && p.replaces(name, content) {
		p.remove(name, content, info, "")
	}
	if info == nil || !Owned(content) {
		return
	}
	sources, ok := ParseHeader(content)
	// An edited header may name folders that the run doesn't cover.
	if !ok {
		p.report(diag.Warningf(diag.Position{File: name, Line: 1}, CodeStale,
			"mrgen can't read the source folders in this file's header, and keeps the file: delete it if it is stale"))
		return
	}
	if !slices.ContainsFunc(sources, func(source string) bool { return !p.options.InScope(source) }) {
		p.remove(name, content, info, p.whyStale(name, content, sources))
		return
	}
	p.left++
}

func (p *planner) replaces(name string, content []byte) bool {
	return p.options.Replaces != nil && p.options.Replaces(name, content)
}

// remove deletes a file, unless the set has the same file under another name.
func (p *planner) remove(name string, content []byte, info fs.FileInfo, reason string) {
	// A symbolic link, or a file system that ignores case, may give a file of the set another name.
	if !slices.ContainsFunc(p.written, func(other fs.FileInfo) bool { return os.SameFile(info, other) }) {
		p.changes[name] = run.Change{Path: name, Action: run.Delete, Old: content, Reason: reason}
	}
}

func (p *planner) report(problems ...diag.Diagnostic) {
	p.problems = append(p.problems, problems...)
}
