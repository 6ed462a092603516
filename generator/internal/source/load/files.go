package load

import (
	"go/ast"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ast/astutil"
	"golang.org/x/tools/go/packages"
	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/source/modules"
)

// Files are the parsed files. They know where everything is, relative to the module root.
type Files struct {
	Scope *modules.Scope
	Fset  *token.FileSet
}

// Position returns where pos is.
func (f Files) Position(pos token.Pos) diag.Position {
	p := f.Fset.Position(pos)
	return diag.Position{File: f.Relative(p.Filename), Line: p.Line, Column: p.Column}
}

// Forget drops the positions in files that nobody needs any more: looking up a position takes longer the more files
// there are.
func (f Files) Forget(files ...*ast.File) {
	for _, file := range files {
		f.Fset.RemoveFile(f.Fset.File(file.FileStart))
	}
}

// Relative returns a path relative to the module root, slash-separated, if it lies below
// it.
func (f Files) Relative(file string) string { return f.Scope.Rel(file) }

// InModule reports whether a path as [Files.Position] returns it lies below the
// module root.
func InModule(file string) bool { return file != "" && !diag.Position{File: file}.IsOutside() }

// RelativeText removes the module root from paths in the text of an error.
func (f Files) RelativeText(text string) string {
	return strings.ReplaceAll(text, f.Scope.Root()+string(filepath.Separator), "")
}

// ErrorPosition parses the position of a package error: "file:line:col",
// "file:line", "file", "-" or "". Files may be relative to dir.
func (f Files) ErrorPosition(pkg *loader.Package, dir, text string) diag.Position {
	match := errorAt.FindStringSubmatch(text)
	file := match[1]
	if file == "" || file == "-" || file == pkg.ID { // the error is about the package as a whole
		return diag.Position{File: f.Relative(f.PackageDir(pkg))}
	}
	if !filepath.IsAbs(file) {
		file = filepath.Join(dir, file)
	}
	line, _ := strconv.Atoi(match[2])
	column, _ := strconv.Atoi(match[3])
	return diag.Position{File: f.Relative(file), Line: line, Column: column}
}

// diagnostic returns an error of a package that was loaded in a folder.
func (l *Listing) diagnostic(pkg *loader.Package, dir string, code diag.Code, e packages.Error) diag.Diagnostic {
	at, message := l.Files.ErrorPosition(pkg, dir, e.Pos), l.Files.RelativeText(e.Msg)
	if content, err := l.ReadFile(l.Scope.Abs(at.File)); err == nil && code == codeSyntax {
		if line := conflict(content); line > 0 {
			return diag.Errorf(diag.Position{File: at.File, Line: line}, code, "a merge conflict begins here: resolve it, and delete the lines that git added")
		}
	}
	if l.Scope.Foreign[at.File] { // a file with the name of an output may be the rest of one, with a broken header
		message += ": delete this file if mrgen wrote it, which what is left of its header doesn't say; otherwise, correct it"
	}
	return diag.Errorf(at, code, "%s", message)
}

// conflict returns the line on which git marked the beginning of a conflict, or 0.
func conflict(content []byte) int {
	isMark := func(line string) bool { return strings.HasPrefix(line, "<<<<<<< ") }
	return slices.IndexFunc(strings.Split(string(content), "\n"), isMark) + 1
}

// PackageDir returns the folder of a package, or the root if it has no files.
func (f Files) PackageDir(pkg *loader.Package) string {
	for _, files := range [][]string{pkg.GoFiles, pkg.CompiledGoFiles, pkg.IgnoredFiles, pkg.OtherFiles} {
		if len(files) > 0 {
			return filepath.Dir(files[0])
		}
	}
	return f.Scope.Root()
}

// hasFiles reports whether there are files of a package.
func hasFiles(pkg *loader.Package) bool {
	return len(pkg.GoFiles)+len(pkg.CompiledGoFiles)+len(pkg.IgnoredFiles)+len(pkg.OtherFiles) > 0
}

// IsLocal reports whether a package lies below the module root.
func (f Files) IsLocal(pkg *loader.Package) bool { return InModule(f.Relative(f.PackageDir(pkg))) }

// errorAt matches the position of a package error. A file name may hold colons.
var errorAt = regexp.MustCompile(`(?s)^(.*?)(?::(\d+|-))?(?::(\d+|-))?$`)

// Enclosing returns the nodes of a package that enclose a position, innermost first, or
// nil if no file has it.
func Enclosing(pkg *loader.Package, pos token.Pos) []ast.Node {
	for _, file := range pkg.Syntax {
		if file.FileStart <= pos && pos < file.FileEnd {
			path, _ := astutil.PathEnclosingInterval(file, pos, pos)
			return path
		}
	}
	return nil
}

// EnclosingAt returns the nodes of a package that enclose a position, as [Enclosing] does.
func (f Files) EnclosingAt(pkg *loader.Package, at diag.Position) []ast.Node {
	for _, file := range pkg.Syntax {
		tokenFile := f.Fset.File(file.Pos())
		if f.Relative(tokenFile.Name()) == at.File && at.Line >= 1 && at.Line <= tokenFile.LineCount() {
			return Enclosing(pkg, tokenFile.LineStart(at.Line)+token.Pos(max(at.Column-1, 0)))
		}
	}
	for _, file := range pkg.Syntax { // a copy's positions are in its source
		for node := range ast.Preorder(file) {
			if f.Position(node.Pos()) == at {
				return Enclosing(pkg, node.Pos())
			}
		}
	}
	return nil
}
