package modules

import (
	"go/parser"
	"go/token"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/parallel"
)

// hiddenFile is the content that the go command reads in place of a generated file. The build constraint excludes it
// from its package, so the package clause doesn't matter.
var hiddenFile = []byte("//go:build ignore\n\npackage ignored\n")

// isGenerated reports whether the run may replace the file, or an earlier one wrote it.
func (r *resolver) isGenerated(rel, name string) bool {
	isOutput := slices.Contains(r.scope.Options.Outputs, name)
	isGenerated := IsGenerated(r.scope.Abs(rel), isOutput)
	if isOutput && !isGenerated { // somebody else's file has the name of an output: it is part of the input
		r.scope.Foreign[rel] = true
	}
	return isGenerated
}

// IsGenerated reports whether mrgen wrote a Go file, or replaces it if it has the name of an output.
func IsGenerated(file string, isOutput bool) bool {
	if name := filepath.Base(file); !isOutput && (!strings.HasPrefix(name, "zz_generated.") || path.Ext(name) != ".go") {
		return false
	}
	head, err := readHead(file)
	if err != nil {
		return isOutput // writing the output reports why it can't be read
	}
	return artifact.Owned(head) || isOutput && artifact.IsReplaceable(file, head)
}

// headSize is how much of a generated file is read to find its header, which follows at most a licence.
const headSize = 16 << 10

// readHead reads the beginning of a file.
func readHead(name string) ([]byte, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	return io.ReadAll(io.LimitReader(file, headSize))
}

// searchModules searches the modules of the run for generated files outside the patterns: files that the go command must
// not read, and packages that mrgen wrote as a whole, which are stale if the settings no longer name them.
func (r *resolver) searchModules() {
	var importers, others, own, stale []string
	for _, m := range r.scope.Modules {
		eachFolder(r.folders, m.Dir, func(folder string, goFiles []string) {
			covered := r.scope.Covers(folder)
			for _, name := range goFiles {
				switch rel := path.Join(folder, name); {
				case slices.Contains(r.scope.Options.OwnFiles, name):
					own = append(own, rel)
				case covered:
				case slices.Contains(r.scope.Options.Importers, name) && IsGenerated(r.scope.Abs(rel), true):
					importers = append(importers, rel)
				case slices.Contains(r.scope.Options.Outputs, name):
					others = append(others, rel)
				case r.isCopy(rel):
					r.hidden = append(r.hidden, rel)
					if r.scope.Options.Copies[rel] == nil {
						stale = append(stale, rel)
					}
				}
			}
		})
	}
	for _, file := range stale {
		r.coverStale(path.Dir(file))
	}
	eachFolder(r.folders, ".", func(folder string, goFiles []string) {
		for _, name := range goFiles {
			if rel := path.Join(folder, name); slices.Contains(r.scope.Options.Anywhere, name) && IsGenerated(r.scope.Abs(rel), false) {
				r.scope.Generated = append(r.scope.Generated, rel)
			}
		}
	})
	r.hidden = append(r.hidden, importers...)
	others = append(others, importers...)
	var isImported parallel.Memo[string, bool] // by folder
	for _, file := range append(own, r.otherFiles(own)...) {
		// The author may have put a file into such a package.
		content, err := os.ReadFile(r.scope.Abs(file))
		if err == nil && !artifact.Owned(content) {
			r.scope.Foreign[file] = true
			continue
		}
		r.hidden = append(r.hidden, file)
		dir := path.Dir(file)
		// A stale package is kept as long as a file imports it that the run can't change.
		if !isImported.Get(dir, func() bool { return r.imported(dir, others) }) {
			r.scope.Generated = append(r.scope.Generated, file)
		} else {
			r.scope.Generated = slices.DeleteFunc(r.scope.Generated, func(other string) bool { return other == file })
		}
	}
}

// otherFiles returns the files of packages that mrgen writes as a whole which another release wrote there, under other
// names.
func (r *resolver) otherFiles(own []string) []string {
	var others []string
	seen := map[string]bool{}
	for _, file := range own {
		dir := path.Dir(file)
		if seen[dir] {
			continue
		}
		seen[dir] = true
		entries, _ := r.folders.ReadDir(dir) // the folder has the file
		for _, entry := range entries {
			other := path.Join(dir, entry.Name())
			if !slices.Contains(r.scope.Options.OwnFiles, entry.Name()) && IsGenerated(r.scope.Abs(other), false) {
				others = append(others, other)
			}
		}
	}
	return others
}

// coverStale covers a folder with a copy that the run doesn't make: each run knows all copies, with any patterns. Files
// generated from that copy are stale, too.
func (r *resolver) coverStale(dir string) {
	r.scope.patterns = append(r.scope.patterns, dirPattern(dir))
	r.hideIn(dir, func(file string) bool {
		return r.isGenerated(file, path.Base(file)) && !slices.Contains(r.scope.Generated, file)
	})
}

// imported reports whether any of the files imports the package in a folder.
func (r *resolver) imported(dir string, files []string) bool {
	importPath := strconv.Quote(r.modules.importPath(dir))
	return slices.ContainsFunc(files, func(file string) bool {
		content, err := os.ReadFile(r.scope.Abs(file))
		return err == nil && strings.Contains(string(content), importPath)
	})
}

// overlay returns the content that the go command reads in place of generated files.
func (r *resolver) overlay() map[string][]byte {
	files := make(map[string][]byte, len(r.hidden)+1)
	for _, name := range r.hidden {
		file := r.scope.Abs(name)
		// A package that mrgen writes as a whole always exists for the go command, and is empty, so that others may
		// import it before it is written.
		files[file] = hiddenFile
		if slices.Contains(r.scope.Options.OwnFiles, path.Base(name)) && len(goFiles(filepath.Dir(file), r.scope.Options.OwnFiles)) == 0 {
			files[file] = packageClause(file)
		}
	}
	for name, c := range r.scope.Options.Copies {
		files[r.scope.Abs(name)] = c.Content
		if !IsGenerated(r.scope.Abs(name), true) { // somebody else's file has the name of a copy
			r.diags = append(r.diags, artifact.Foreign(name, ""))
		}
	}
	if own := r.scope.Options.Own; own != nil && len(r.scope.Options.OwnFiles) > 0 { // the package may not exist on disk yet
		files[r.scope.Abs(path.Join(own.Dir, r.scope.Options.OwnFiles[0]))] = []byte("package " + own.Name + "\n")
	}
	return files
}

// packageClause returns the package clause of a file, or one with the name of its folder
// if the file can't be parsed.
func packageClause(file string) []byte {
	name := filepath.Base(filepath.Dir(file))
	if parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.PackageClauseOnly); err == nil {
		name = parsed.Name.Name
	} else if !token.IsIdentifier(name) {
		name = "ignored"
	}
	return []byte("package " + name + "\n")
}
