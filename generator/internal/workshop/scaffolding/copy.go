package scaffolding

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/astutil"

	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
	"github.com/mrgen-io/mrgen/generator/internal/workshop/goedit"
	"github.com/mrgen-io/mrgen/generator/internal/workshop/layout"
	"github.com/mrgen-io/mrgen/markers"
)

// hubMarkers say how other versions convert, and belong to the version that is stored.
var hubMarkers = []string{markers.RenamedFrom, markers.ConvertedBy, markers.Singleton}

// versionMarkers are about one version of a kind alone.
var versionMarkers = []string{markers.StorageVersion, markers.UnservedVersion, markers.DeprecatedVersion}

// copyTypes copies what a kind consists of from a package to that of the new version, file by
// file. What the new package declares already is not copied.
func (a *addition) copyTypes(data kindData, from version, isHub bool, opts Copy) {
	files, target := a.source(from.dir), a.source(data.APIDir())
	declared := map[string]bool{"Group": true, "Version": true, data.GroupVersion(): true, data.Builder(): true}
	delete(declared, a.kind.Name) // which may be Group
	for _, file := range target {
		for _, d := range file.Decls {
			for _, name := range declaredNames(d) {
				declared[name] = true
			}
		}
	}
	c := newClosure(files, a.kind.Name)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		f := copiedFile{
			closure:    c,
			name:       name,
			syntax:     files[name],
			importPath: a.provider.Module + "/" + from.dir,
			into:       data.APIName(),
			builder:    data.Builder(),
			isHub:      isHub,
		}
		var ok bool
		if f.content, ok = a.read(path.Join(from.dir, name)); !ok {
			continue
		}
		kept := func(d ast.Decl) bool {
			names := declaredNames(d)
			if receiver := receiverOf(d); receiver != "" {
				names = []string{receiver}
			}
			return c.has(name, d) && (len(names) == 0 || !slices.ContainsFunc(names, func(name string) bool { return declared[name] }))
		}
		if !slices.ContainsFunc(f.syntax.Decls, func(d ast.Decl) bool { return kept(d) && !isImport(d) }) {
			continue
		}
		to := path.Join(data.APIDir(), name)
		if target[name] != nil {
			a.errorf(to, "this file exists, and %s of %s is declared in one of that name: rename one of them", a.kind.Name, opts.From)
			continue
		}
		content, err := f.copy(a.kind, opts, kept)
		if err != nil {
			a.errorf(path.Join(from.dir, name), "mrgen can't copy this file: %v", err)
			continue
		}
		a.Files[to] = content
	}
}

// A copiedFile is a file with declarations of a kind.
type copiedFile struct {
	*closure
	name    string
	syntax  *ast.File
	content []byte
	// importPath is that of the package, into the name of the one that it is copied to, and builder
	// the variable there that kinds are registered with.
	importPath, into, builder string
	// isHub is set if the copied version is the stored one. The markers of others are about that one.
	isHub bool
}

// copy returns the file of the new version, with some of the declarations.
func (f copiedFile) copy(k Kind, opts Copy, kept func(ast.Decl) bool) ([]byte, error) {
	text := goedit.NewText(f.content)
	remove := func(from, to token.Pos) {
		first, last := f.line(from), f.line(to)
		if text.Line(last+1) == "" {
			last++
		}
		for n := first; n <= last; n++ {
			text.RemoveLine(n)
		}
	}
	if doc := f.syntax.Doc; doc != nil { // the group's file has one
		remove(doc.Pos(), doc.End())
	}
	text.ReplaceLine(f.line(f.syntax.Package), "package "+f.into)
	for _, d := range f.syntax.Decls {
		if !kept(d) {
			remove(startOf(d), d.End())
		}
	}
	for _, line := range f.markerLines(kept) {
		old := text.Line(line)
		if isMarker(old, versionMarkers) || f.isHub && !opts.Storage && isMarker(old, hubMarkers) {
			text.RemoveLine(line)
		} else if qualified := f.qualify(old); qualified != old {
			text.ReplaceLine(line, qualified)
		}
	}
	content, err := text.Bytes()
	if err != nil {
		return nil, err
	}
	if f.name == f.home {
		content = fmt.Appendf(content, "\nfunc init() {\n\t%[2]s.Register(&%[1]s{}, &%[1]sList{})\n}\n", k.Name, f.builder)
		if opts.Storage {
			if content, err = markStored(content, k.Name); err != nil {
				return nil, err
			}
		}
	}
	return withoutUnused(f.syntax, content)
}

// line returns the line of a position.
func (f copiedFile) line(pos token.Pos) int {
	return 1 + bytes.Count(f.content[:pos-f.syntax.FileStart], []byte("\n"))
}

// markerLines returns the lines with comments in some declarations.
func (f copiedFile) markerLines(of func(ast.Decl) bool) []int {
	var lines []int
	for _, group := range f.syntax.Comments {
		for _, comment := range group.List {
			for _, d := range f.syntax.Decls {
				if startOf(d) <= comment.Pos() && comment.End() <= d.End() && of(d) {
					lines = append(lines, f.line(comment.Pos()))
				}
			}
		}
	}
	return lines
}

// isMarker reports whether a line is one of the markers.
func isMarker(line string, names []string) bool {
	text, isOne := gosyntax.MarkerText(strings.TrimSpace(line))
	return isOne && slices.ContainsFunc(names, func(name string) bool {
		rest, found := strings.CutPrefix(text, name)
		return found && (rest == "" || rest[0] == '=' || rest[0] == ':')
	})
}

// localReference matches a marker with a type or an extractor of the same package.
var localReference = regexp.MustCompile(`^(\s*//\s*\+(?:` + regexp.QuoteMeta(markers.ReferenceType) + `|` +
	regexp.QuoteMeta(markers.ReferenceExtractor) + `)=)(\w+)(\(.*\))?\s*$`)

// qualify returns the line of a marker, so that it means in the new package what it meant in the
// old one: it names what is not copied with its package.
func (f copiedFile) qualify(line string) string {
	match := localReference.FindStringSubmatch(line)
	if match == nil || f.names[match[2]] {
		return line
	}
	return match[1] + f.importPath + "." + match[2] + match[3]
}

// markStored marks a kind as the one that objects are stored in.
func markStored(content []byte, kind string) ([]byte, error) {
	file, err := goedit.Parse("", "types.go", content)
	if err != nil {
		return nil, err
	}
	file.InsertMarkerBeforeType("// "+storageVersion, func(t *ast.TypeSpec) bool { return t.Name.Name == kind })
	return file.Edited()
}

// withoutUnused drops the imports that a file doesn't use, of those that it had used before, or of all if
// before is nil, and formats the file.
func withoutUnused(before *ast.File, content []byte) ([]byte, error) {
	fset := token.NewFileSet()
	after, err := parser.ParseFile(fset, "", content, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var usedBefore []string
	if before != nil {
		usedBefore = qualifiers(before)
	}
	used := qualifiers(after)
	for _, spec := range slices.Clone(after.Imports) {
		isName := func(name string) bool { return isImportName(spec, name) }
		if (before == nil || slices.ContainsFunc(usedBefore, isName)) && !slices.ContainsFunc(used, isName) {
			name := ""
			if spec.Name != nil {
				name = spec.Name.Name
			}
			astutil.DeleteNamedImport(fset, after, name, gosyntax.ImportPath(spec))
		}
	}
	var out bytes.Buffer
	err = format.Node(&out, fset, after)
	return out.Bytes(), err
}

// qualifiers returns the names before the dots in a file.
func qualifiers(file *ast.File) []string {
	var names []string
	gosyntax.EachUse(file, func(from, _ *ast.Ident) {
		if from != nil {
			names = append(names, from.Name)
		}
	})
	return names
}

// isImportName reports whether a name may be that of an import: without a name of its own, a
// package is called after the end of its path, without a version.
func isImportName(spec *ast.ImportSpec, name string) bool {
	if spec.Name != nil {
		return spec.Name.Name == name
	}
	importPath := gosyntax.ImportPath(spec)
	last := path.Base(importPath)
	if layout.IsVersion(last) && path.Base(path.Dir(importPath)) == name {
		return true
	}
	return last == name || strings.TrimPrefix(last, "go-") == name || strings.HasPrefix(last, name+".") // yaml.v3
}

func isImport(d ast.Decl) bool {
	g, ok := d.(*ast.GenDecl)
	return ok && g.Tok == token.IMPORT
}

// withoutMarkers returns a file without markers in the declarations of a kind, and whether it
// had any.
func (f copiedFile) withoutMarkers(names []string) ([]byte, bool, error) {
	text := goedit.NewText(f.content)
	changed := false
	for _, line := range f.markerLines(func(d ast.Decl) bool { return f.has(f.name, d) }) {
		if isMarker(text.Line(line), names) {
			text.RemoveLine(line)
			changed = true
		}
	}
	content, err := text.Bytes()
	return content, changed, err
}
