package load

import (
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/mrgen-io/mrgen/generator/internal/source/readlog"
)

// A MachineFile is a Go file that the go command compiles on some machines only, with the same build tags.
type MachineFile struct {
	Syntax *ast.File
	// Pos is the file's build constraint, or its beginning if its name is the reason.
	Pos token.Pos
	// Ignored is set if no machine compiles it.
	Ignored bool
}

// MachineFiles returns the files of a package whose names or build constraints depend on the machine, whether or not they
// are compiled on this one. It leaves out tests and the files that mrgen writes.
func (p *Program) MachineFiles(pkg *loader.Package) []MachineFile {
	var found []MachineFile
	isOther := func(name string) bool {
		return !p.Scope.Hides(name) && filepath.Ext(name) == ".go" && !readlog.IsTest(name)
	}
	for _, file := range slices.Concat(pkg.Syntax, p.listing.withComments(pkg.IgnoredFiles, isOther)) {
		name := filepath.Base(p.Files.Fset.File(file.FileStart).Name())
		at, head := constraints(file)
		isIgnored := strings.Contains(head, "build ignore\n")
		if isIgnored || dependsOnMachine(name, head, p.listing.settings.Build) {
			found = append(found, MachineFile{file, at, isIgnored})
		}
	}
	return found
}

// Tests returns the author's tests in the folder of a package.
func (p *Program) Tests(pkg *loader.Package) []*ast.File {
	isOwn := func(name string) bool { return readlog.IsTest(name) && p.Scope.Copy(name) == nil }
	return p.listing.withComments(p.listing.goFiles(p.Files.PackageDir(pkg)), isOwn)
}

// withComments parses the wanted files, as far as possible.
func (l *Listing) withComments(names []string, wanted func(name string) bool) []*ast.File {
	var files []*ast.File
	for _, name := range names {
		if !wanted(name) {
			continue
		}
		source, _ := l.ReadFile(name) // nothing if it is gone
		if file, _ := parser.ParseFile(l.Files.Fset, name, source, parser.ParseComments|parser.SkipObjectResolution); file != nil {
			files = append(files, file)
		}
	}
	return files
}

// constraints returns the position of a file's build constraint, or of the file, and the comments that may have one.
func constraints(file *ast.File) (at token.Pos, head string) {
	at = file.FileStart
	for _, group := range file.Comments {
		if group.Pos() > file.Package {
			break
		}
		for _, c := range group.List {
			if strings.HasPrefix(c.Text, "//go:build ") {
				at = c.Pos()
			}
			head += c.Text + "\n"
		}
		head += "\n"
	}
	return at, head
}

// The names of systems and processors in names of files and in build constraints, see go tool dist list and go/build. go/build
// doesn't export them.
var (
	systems = strings.Fields("aix android darwin dragonfly freebsd hurd illumos ios js linux nacl netbsd openbsd plan9 solaris wasip1 " +
		"windows zos")
	processors = strings.Fields("386 amd64 amd64p32 arm armbe arm64 arm64be loong64 mips mipsle mips64 mips64le mips64p32 mips64p32le ppc " +
		"ppc64 ppc64le riscv riscv64 s390 s390x sparc sparc64 wasm")
)

// dependsOnMachine reports whether the go command compiles a file on some machines and not on others, with the tags of a
// context: by the operating system, the processor, cgo, the compiler, or the version of Go.
func dependsOnMachine(name, head string, context build.Context) bool {
	if !strings.Contains(name, "_") && !strings.Contains(head, "build") { // nearly all files: a licence's words take 0.7 ms
		return false
	}
	words := strings.FieldsFunc(strings.TrimSuffix(name, ".go")+"\n"+head, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '.'
	})
	has := func(names ...string) bool {
		return slices.ContainsFunc(words, func(word string) bool { return slices.Contains(names, word) })
	}
	context.OpenFile = func(string) (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader(head + "\npackage p\n")), nil
	}
	contexts := []build.Context{context}
	// vary adds a copy of each context with another value of a setting.
	vary := func(isRead bool, set ...func(*build.Context)) {
		if !isRead {
			return
		}
		for _, c := range slices.Clone(contexts) {
			for _, change := range set {
				change(&c)
				contexts = append(contexts, c)
			}
		}
	}
	vary(has(append(systems, "unix")...), eachOf(systems, func(c *build.Context, system string) { c.GOOS = system })...)
	vary(has(processors...), eachOf(processors, func(c *build.Context, processor string) { c.GOARCH = processor })...)
	vary(has("cgo"), eachOf([]bool{true, false}, func(c *build.Context, enabled bool) { c.CgoEnabled = enabled })...)
	vary(has("gc", "gccgo"), eachOf([]string{"gc", "gccgo"}, func(c *build.Context, compiler string) { c.Compiler = compiler })...)
	// Features of processors, such as amd64.v3, and experiments.
	tools := slices.DeleteFunc(slices.Clone(words), func(word string) bool { return !strings.Contains(word, ".") || strings.HasPrefix(word, "go1.") })
	vary(len(tools) > 0, eachOf([][]string{nil, tools}, func(c *build.Context, tags []string) { c.ToolTags = tags })...)
	releases := slices.DeleteFunc(slices.Clone(words), func(word string) bool { return !strings.HasPrefix(word, "go1.") })
	vary(len(releases) > 0, eachOf([][]string{nil, releases}, func(c *build.Context, tags []string) { c.ReleaseTags = tags })...)

	isCompiled := func(c build.Context) bool {
		match, err := c.MatchFile("", name)
		return err == nil && match
	}
	first := isCompiled(contexts[0])
	return slices.ContainsFunc(contexts, func(c build.Context) bool { return isCompiled(c) != first })
}

// IsForMachines reports whether the go command compiles a file on some machines only because of its name.
func IsForMachines(name string) bool { return dependsOnMachine(name, "", build.Default) }

// eachOf returns functions that give a context one of some values.
func eachOf[T any](values []T, set func(*build.Context, T)) []func(*build.Context) {
	var all []func(*build.Context)
	for _, value := range values {
		all = append(all, func(c *build.Context) { set(c, value) })
	}
	return all
}
