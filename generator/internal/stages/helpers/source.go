package helpers

import (
	"embed"
	"go/ast"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
	"github.com/mrgen-io/mrgen/generator/internal/render/gosrc"
	"github.com/mrgen-io/mrgen/generator/internal/stage"
	"github.com/mrgen-io/mrgen/testdata"
)

// sources are the files of package functions.
//
//go:embed functions/checks.go functions/convert.go functions/diff.go functions/fill.go functions/format.go functions/initial.go functions/kept.go functions/number.go functions/restore.go functions/rows.go functions/value.go
var sources embed.FS

// resolver is the file with the resolver of references, which is one of new providers. It imports modules that this one doesn't require.
const resolver = "references.go"

// main is the file with the documentation of the package, which is written with any other.
const main = "value.go"

// prefix is what the names of the files begin with in the package of a module.
const prefix = "zz_generated.helpers_"

// A file is one of package functions.
type file struct {
	name   string
	source string
	// declares and names are the names that it declares and those that it may refer to.
	declares, names map[string]bool
}

// names returns the names of the files of package functions.
func names() []string {
	found, err := fs.Glob(sources, "functions/*")
	if err != nil {
		panic(err) // the pattern is wrong
	}
	for i := range found {
		found[i] = path.Base(found[i])
	}
	return append(found, resolver)
}

// read returns a file of package functions.
func read(name string) string {
	content, err := sources.ReadFile("functions/" + name)
	if name == resolver {
		content, err = testdata.Setup.ReadFile("setup/reference_resolver.go")
	}
	if err != nil {
		panic(err) // a name of the list has no file
	}
	return strings.Replace(string(content), "package setup\n", "package functions\n", 1)
}

// files returns the files of package functions, by name.
var files = sync.OnceValue(func() []file {
	var all []file
	for _, name := range names() {
		f := file{name: name, source: read(name), declares: map[string]bool{}, names: map[string]bool{}}
		template := gosrc.MustParseTemplate(f.source)
		for _, decl := range template.Syntax.Decls {
			gosyntax.EachName(decl, func(name *ast.Ident) { f.declares[name.Name] = true })
		}
		for node := range ast.Preorder(template.Syntax) {
			if name, ok := node.(*ast.Ident); ok {
				f.names[name.Name] = true
			}
		}
		all = append(all, f)
	}
	return all
})

// goFiles are all files that a package of helpers may consist of. Every run of mrgen asks for them, so
// they are not parsed.
func goFiles() []stage.GoFile {
	var all []stage.GoFile
	for _, name := range names() {
		all = append(all, stage.GoFile{Name: prefix + name, OwnPackage: true})
	}
	return all
}

// needed returns the names of the files that declare some functions, and what these call.
func needed(functions []string) []string {
	found := map[string]bool{prefix + main: true}
	var need func(name string)
	need = func(name string) {
		for _, f := range files() {
			if f.declares[name] && !found[prefix+f.name] {
				found[prefix+f.name] = true
				for other := range f.names {
					need(other)
				}
			}
		}
	}
	for _, name := range functions {
		need(name)
	}
	return slices.Sorted(maps.Keys(found))
}

// source returns the source of a file in a package, below the header of generated files.
func source(name, importPath, packageName, header string) ([]byte, error) {
	i := slices.IndexFunc(files(), func(f file) bool { return prefix+f.name == name })
	text := strings.Replace(files()[i].source, "// Package functions ", "// Package "+packageName+" ", 1)
	before, after, _ := strings.Cut(text, "package functions\n")
	return gosrc.NewPackage(importPath, packageName).Source(header, before+"package "+packageName+"\n"+after)
}
