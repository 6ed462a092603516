package linter

import (
	"bytes"
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
	"github.com/mrgen-io/mrgen/generator/internal/model"
)

// code is the module's Go source without tests. It is read when a rule first asks for it.
type code struct {
	once  sync.Once
	files []codeFile
	// casts are the files that turn values into pointers to types, by their names.
	casts map[string][]castFile
	// constants caches the constants of API packages, by folder and type.
	constants map[string]map[string][]Constant
	reading   sync.Mutex
}

// A codeFile is a file, with its path relative to the root of the module.
type codeFile struct {
	name    string
	content []byte
	// imports are the aliases of the module's packages that it imports, "" for those without one.
	imports map[string]string
	// isAPI is set in API packages.
	isAPI bool
}

// skipped are folders without code of the provider.
var skipped = []string{"vendor", "testdata", "node_modules", "package", "examples", "docs"}

// sources returns the files, sorted by name.
func (a *API) sources() []codeFile {
	a.code.once.Do(func() {
		api := map[string]bool{}
		for _, k := range a.Kinds {
			api[filepath.FromSlash(k.Object.Package.Dir)] = true
		}
		imported := regexp.MustCompile(`(?m)^(?:import)?[ \t]*(\w*)[ \t]*"(` + regexp.QuoteMeta(a.Module()) + `/[^"]+)"`)
		// A file that can't be read is skipped: no finding comes from it.
		_ = filepath.WalkDir(a.Root, func(file string, entry fs.DirEntry, err error) error {
			if err != nil {
				return nil //nolint:nilerr // as said
			}
			rel, _ := filepath.Rel(a.Root, file)
			if entry.IsDir() {
				if rel != "." && (strings.HasPrefix(entry.Name(), ".") || slices.Contains(skipped, entry.Name())) {
					return fs.SkipDir
				}
				return nil
			}
			if filepath.Ext(file) != ".go" || strings.HasSuffix(file, "_test.go") {
				return nil
			}
			if content, err := os.ReadFile(file); err == nil {
				imports := map[string]string{}
				for _, m := range imported.FindAllSubmatch(content, -1) {
					imports[string(m[2])] = string(m[1])
				}
				a.code.files = append(a.code.files, codeFile{filepath.ToSlash(rel), content, imports, api[filepath.Dir(rel)]})
			}
			return nil
		})
		a.code.findCasts()
	})
	return a.code.files
}

// Mentions reports whether code outside the API packages contains one of some texts.
func (a *API) Mentions(texts ...string) bool {
	return slices.ContainsFunc(a.sources(), func(f codeFile) bool {
		return !f.isAPI && slices.ContainsFunc(texts, func(text string) bool { return bytes.Contains(f.content, []byte(text)) })
	})
}

// Find returns where hand-written code matches a pattern.
func (a *API) Find(pattern *regexp.Regexp) map[diag.Position]bool {
	found := map[diag.Position]bool{}
	for _, f := range a.sources() {
		if at := pattern.FindIndex(f.content); at != nil && !artifact.Owned(f.content) {
			found[diag.Position{File: f.name, Line: LineAt(f.content, at[0])}] = true
		}
	}
	return found
}

// A castFile is a file that asserts a pointer to a type, in the package with an alias.
type castFile struct {
	codeFile
	alias string
}

// castsTo matches a type assertion to a pointer, and a pointer as the type argument of a typed controller.
var castsTo = regexp.MustCompile(`(?:\.\(|\[)\*(\w+)\.(\w+)[)\]]`)

// findCasts records the files that assert pointers to types, by the types' names. API packages are left out.
func (c *code) findCasts() {
	c.casts = map[string][]castFile{}
	for _, f := range c.files {
		if f.isAPI {
			continue
		}
		for _, m := range castsTo.FindAllSubmatch(f.content, -1) {
			name := string(m[2])
			c.casts[name] = append(c.casts[name], castFile{f, string(m[1])})
		}
	}
}

// Controllers returns the files that assert the Go type of a kind, as untyped controllers do, or handle it as typed ones, and
// their content.
func (a *API) Controllers(k *Kind) map[string][]byte {
	a.sources()
	found := map[string][]byte{}
	for _, f := range a.code.casts[k.Object.Name] {
		// Otherwise the file has a type of another package with that name.
		if alias, isImported := f.imports[k.Object.Package.Path]; isImported && f.alias == cmp.Or(alias, k.Object.Package.Name) {
			found[f.name] = f.content
		}
	}
	return found
}

// Calls returns the first arguments of the calls of a function, by position, in hand-written source that imports its package: the one
// in a folder of the module.
func (a *API) Calls(folder, function string) map[diag.Position]string {
	found := map[diag.Position]string{}
	for _, f := range a.sources() {
		if !bytes.Contains(f.content, []byte("."+function+"(")) || artifact.Owned(f.content) {
			continue
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, f.name, f.content, 0) // which resolves names that hide the package
		if err != nil {
			continue // which the compiler reports
		}
		name := ""
		for _, spec := range file.Imports {
			if importPath, _ := strconv.Unquote(spec.Path.Value); strings.HasSuffix(importPath, "/"+folder) {
				if name = path.Base(importPath); spec.Name != nil {
					name = spec.Name.Name
				}
			}
		}
		for n := range ast.Preorder(file) {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				continue
			}
			called, isSelector := call.Fun.(*ast.SelectorExpr)
			if !isSelector || called.Sel.Name != function || len(call.Args) == 0 {
				continue
			}
			of, isIdent := called.X.(*ast.Ident)
			first, isText := call.Args[0].(*ast.BasicLit)
			if isIdent && isText && of.Name == name && of.Obj == nil {
				found[positionIn(fset, f.name, call.Pos())], _ = strconv.Unquote(first.Value)
			}
		}
	}
	return found
}

// A Declaration is a type in an API package, with the markers above it.
type Declaration struct {
	Name    string
	Markers []model.Marker
}

// UnusedTypes returns the types of API packages that no other type consists of, and no other package names, in the order of the source. It
// returns none if a file can't be parsed.
func (a *API) UnusedTypes() []Declaration {
	var all []Declaration
	used := map[string]bool{}
	for _, k := range a.Kinds {
		used[k.Object.Name] = true
	}
	for _, o := range a.Missing {
		used[o.Name] = true
	}
	for _, f := range a.sources() {
		if !f.isAPI {
			continue
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, f.name, f.content, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil // it may use any type
		}
		for group, spec := range gosyntax.Types(file) {
			for n := range ast.Preorder(spec.Type) {
				if of, isIdent := n.(*ast.Ident); isIdent && of.Name != spec.Name.Name {
					used[of.Name] = true
				}
			}
			declared := Declaration{Name: spec.Name.Name}
			for comment, text := range gosyntax.Markers(cmp.Or(spec.Doc, group.Doc)) {
				at := positionIn(files, f.name, comment.Pos()+token.Pos(strings.IndexByte(comment.Text, '+')))
				declared.Markers = append(declared.Markers, model.Marker{Text: text, Pos: at})
			}
			all = append(all, declared)
		}
	}
	return slices.DeleteFunc(all, func(d Declaration) bool { return used[d.Name] || a.Mentions("."+d.Name) })
}

// KnowsVersions reports whether all versions of a kind are known: one with errors has its name, or lies beside it.
func (a *API) KnowsVersions(k *Kind) bool {
	group := path.Dir(path.Dir(k.Object.Pos.File))
	isUnread := func(dir string) bool { return path.Dir(dir) == group }
	isMissing := func(o *model.Object) bool { return o.Name == k.Object.Name }
	return !a.Partial && !slices.ContainsFunc(a.Missing, isMissing) && !slices.ContainsFunc(a.Unread, isUnread)
}

// Knows reports whether all kinds of a role are known: neither patterns nor errors leave out any.
func (a *API) Knows(role model.Role) bool {
	return !a.Partial && !slices.ContainsFunc(a.Missing, func(o *model.Object) bool { return o.Role == role })
}
