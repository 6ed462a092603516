package load

import (
	"go/token"
	"path/filepath"
	"strconv"
	"strings"

	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/mrgen-io/mrgen/generator/internal/diag"
)

// Position returns where pos is.
func (l *listing) Position(pos token.Pos) diag.Position {
	p := l.fset.Position(pos)
	return diag.Position{File: l.relative(p.Filename), Line: p.Line, Column: p.Column}
}

// relative returns a path relative to the module root, slash-separated, if it
// lies below it.
func (l *listing) relative(file string) string {
	// Most paths are clean, and need no new string.
	const separator = string(filepath.Separator)
	if rest, found := strings.CutPrefix(file, l.root+separator); found && rest != "" &&
		!strings.Contains(file, separator+separator) && !strings.Contains(file, separator+".") && !strings.HasSuffix(file, separator) {
		return filepath.ToSlash(rest)
	}
	if rel, err := filepath.Rel(l.root, file); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return filepath.ToSlash(file)
}

// inModule reports whether a path as [Source.Position] returns it lies below the
// module root.
func inModule(file string) bool {
	return file != "" && !diag.Position{File: file}.IsOutside()
}

// relativeText removes the module root from paths in the text of an error.
func (l *listing) relativeText(text string) string {
	return strings.ReplaceAll(text, l.root+string(filepath.Separator), "")
}

// errorPosition parses the position of a package error: "file:line:col",
// "file:line", "file", "-" or "". Files may be relative to dir.
func (l *listing) errorPosition(pkg *loader.Package, dir, text string) diag.Position {
	file, line, column := splitPosition(text)
	if file == "" || file == "-" || file == pkg.ID {
		return diag.Position{File: l.relative(l.packageDir(pkg))}
	}
	if !filepath.IsAbs(file) {
		file = filepath.Join(dir, file)
	}
	return diag.Position{File: l.relative(file), Line: line, Column: column}
}

// packageDir returns the folder of a package, or the root if it has no files.
func (l *listing) packageDir(pkg *loader.Package) string {
	for _, files := range [][]string{pkg.GoFiles, pkg.CompiledGoFiles, pkg.IgnoredFiles, pkg.OtherFiles} {
		if len(files) > 0 {
			return filepath.Dir(files[0])
		}
	}
	return l.root
}

// isLocal reports whether a package lies below the module root.
func (l *listing) isLocal(pkg *loader.Package) bool { return inModule(l.relative(l.packageDir(pkg))) }

// splitPosition splits from the right, since a file name may hold colons.
func splitPosition(text string) (file string, line, column int) {
	file = text
	var numbers []int
	for len(numbers) < 2 {
		i := strings.LastIndexByte(file, ':')
		if i < 0 {
			break
		}
		tail := file[i+1:]
		if tail == "-" {
			file = file[:i]
			continue
		}
		n, err := strconv.Atoi(tail)
		if err != nil {
			break
		}
		numbers = append(numbers, n)
		file = file[:i]
	}
	switch len(numbers) {
	case 2:
		return file, numbers[1], numbers[0]
	case 1:
		return file, numbers[0], 0
	default:
		return file, 0, 0
	}
}
