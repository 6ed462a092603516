package cache

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"go/parser"
	"go/token"
	"iter"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/inputs"
	"github.com/mrgen-io/mrgen/generator/internal/load"
	"github.com/mrgen-io/mrgen/generator/internal/parallel"
	"github.com/mrgen-io/mrgen/markers"
)

// A Tree is the input of a run below its root, by content.
type Tree struct {
	// Structure is the key of everything that concerns all units.
	Structure string

	log     *inputs.Log
	root    string
	layout  *load.Layout
	folders map[string]*folder
	units   map[string]*unit
	home    map[string]string
	yaml    []string
}

// A folder has Go source.
type folder struct {
	// key is that of its source.
	key string
	// covered is set if the run's patterns cover it, and api if it may be an API
	// package: other packages of a run only have to be parsed.
	covered, api bool
	// size is that of its source, in bytes.
	size int
	// groups are the API groups that its markers name, imports the folders of what it
	// imports, and targets those of what it names in markers.
	groups, imports, targets []string
}

// A unit is some folders whose packages have their output in common.
type unit struct {
	key     string
	folders []string
}

// NewTree reads the source of a run. The key is that of the settings and the environment,
// which are read already; the folders are those for YAML files, relative to the module
// root.
func NewTree(ctx context.Context, log *inputs.Log, root string, layout *load.Layout, key string, yamlFolders []string) (*Tree, error) {
	t := &Tree{log: log, root: root, layout: layout, folders: map[string]*folder{}, yaml: yamlFolders}
	sources, modules, err := t.list(".", nil, nil)
	if err != nil {
		return nil, err
	}
	if err := t.read(ctx, sources); err != nil {
		return nil, err
	}
	t.divide()
	structure := sha256.New()
	add := func(parts ...string) {
		for _, part := range parts {
			structure.Write([]byte(strconv.Quote(part)))
		}
		structure.Write([]byte("\n"))
	}
	add("settings", key)
	for _, file := range modules {
		_, hash, err := log.ReadFile(t.absolute(file))
		if err != nil {
			return nil, err
		}
		add("module", file, hash)
	}
	for _, name := range slices.Sorted(maps.Keys(t.folders)) {
		f := t.folders[name]
		add("folder", name, strconv.FormatBool(f.covered), strconv.FormatBool(f.api))
		add(f.groups...)
		add(f.imports...)
		add(f.targets...)
	}
	t.Structure = hex.EncodeToString(structure.Sum(nil))
	return t, nil
}

// absolute returns the path of what is in the tree. Its names are clean.
func (t *Tree) absolute(name string) string {
	if name == "." {
		return t.root
	}
	return t.root + string(filepath.Separator) + filepath.FromSlash(name)
}

// list adds the source in a folder and those below it, and what decides on the versions
// of other modules.
func (t *Tree) list(dir string, sources, modules []string) (_, _ []string, err error) {
	entries, err := t.log.ReadFolder(t.absolute(dir))
	for _, entry := range entries {
		name := path.Join(dir, entry.Name())
		switch {
		case entry.IsDir():
			if !load.IsIgnored(entry.Name()) {
				sources, modules, err = t.list(name, sources, modules)
			}
		case entry.Name() == "go.mod" || entry.Name() == "go.sum":
			modules = append(modules, name)
		case inputs.IsSource(entry.Name()) && !t.layout.Hides(t.absolute(name)):
			sources = append(sources, name)
		}
		if err != nil {
			break
		}
	}
	return sources, modules, err
}

// A source is what is known of a Go file.
type source struct {
	key                      string
	size                     int
	api                      bool
	groups, imports, targets []string
}

// read reads the files, on all processors.
func (t *Tree) read(ctx context.Context, files []string) error {
	read := make([]source, len(files))
	err := parallel.Each(ctx, len(files), func(_ context.Context, i int) error {
		if inputs.IsTest(files[i]) {
			read[i] = source{key: t.log.ReadHeader(t.absolute(files[i]))}
			return nil
		}
		content, hash, err := t.log.ReadFile(t.absolute(files[i]))
		if err == nil {
			read[i] = newSource(content, hash)
		}
		return err
	})
	if err != nil {
		return err
	}
	keys, apis := map[string][]string{}, map[string]bool{}
	for i, file := range files {
		apis[path.Dir(file)] = apis[path.Dir(file)] || read[i].api
	}
	for i, file := range files {
		name := path.Dir(file)
		if apis[name] && inputs.IsTest(file) {
			// No generated file may import a package by a name that a test declares.
			_, read[i].key, _ = t.log.ReadFile(t.absolute(file))
		}
		f := t.folders[name]
		if f == nil {
			f = &folder{covered: t.layout.Covers(name)}
			t.folders[name] = f
		}
		keys[name] = append(keys[name], path.Base(file), read[i].key)
		f.size += read[i].size
		f.api = f.api || read[i].api
		f.groups = append(f.groups, read[i].groups...)
		f.imports = append(f.imports, read[i].imports...)
		f.targets = append(f.targets, read[i].targets...)
	}
	for name, f := range t.folders {
		f.key = inputs.Hash([]byte(strings.Join(keys[name], "\n")))
		slices.Sort(f.groups)
		f.groups = slices.Compact(f.groups)
		f.imports, f.targets = t.local(f.imports), t.local(f.targets)
	}
	return nil
}

// embedsTypeMeta reports whether a line begins with what makes a Kubernetes object of
// a struct, "metav1.TypeMeta". It looks for the end of that, and then back: an
// expression for lines would be tried on all source of a module.
func embedsTypeMeta(content []byte) bool {
	const selected = ".TypeMeta"
	for at := 0; ; {
		found := bytes.Index(content[at:], []byte(selected))
		if found < 0 {
			return false
		}
		start := at + found
		at = start + len(selected)
		if at < len(content) && isWord(content[at]) {
			continue
		}
		qualifier := bytes.TrimRightFunc(content[:start], func(r rune) bool { return r < utf8.RuneSelf && isWord(byte(r)) })
		before := bytes.TrimRight(qualifier, " \t\f\r")
		if len(qualifier) < start && (len(before) == 0 || before[len(before)-1] == '\n') {
			return true
		}
	}
}

// isWord reports whether a byte is part of an identifier in ASCII.
func isWord(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

// newSource tells what a file is, as far as its text does: it may take a package for
// an API package that is none, but never the other way round.
func newSource(content []byte, hash string) source {
	s := source{key: hash, size: len(content), api: embedsTypeMeta(content)}
	for _, marker := range []string{"+" + markers.ObjectPrefix, "+" + markers.DeepCopyGen, "+" + markers.GroupName + "="} {
		s.api = s.api || bytes.Contains(content, []byte(marker))
	}
	s.groups = values(content, "+"+markers.GroupName+"=")
	for _, marker := range []string{"+" + markers.ReferenceType + "=", "+" + markers.ReferenceExtractor + "="} {
		for _, value := range values(content, marker) {
			name, _, _ := strings.Cut(value, "(")
			if importPath, _ := markers.SplitGoName(strings.TrimSpace(name)); importPath != "" {
				s.targets = append(s.targets, importPath)
			}
		}
	}
	// What can't be parsed is for the run to report: its content is in the key.
	if file, err := parser.ParseFile(token.NewFileSet(), "", content, parser.ImportsOnly|parser.SkipObjectResolution); file != nil && err == nil {
		for _, spec := range file.Imports {
			if importPath, err := strconv.Unquote(spec.Path.Value); err == nil {
				s.imports = append(s.imports, importPath)
			}
		}
	}
	return s
}

// values returns what follows a text, up to the ends of the lines that have it.
func values(content []byte, text string) []string {
	var all []string
	for rest := content; ; {
		_, after, found := bytes.Cut(rest, []byte(text))
		if !found {
			return all
		}
		line, _, _ := bytes.Cut(after, []byte("\n"))
		all = append(all, strings.TrimSpace(string(line)))
		rest = after
	}
}

// local returns the folders of the packages of the run's modules among import paths.
func (t *Tree) local(importPaths []string) []string {
	var found []string
	for _, importPath := range importPaths {
		for dir, module := range t.layout.Modules {
			rest, below := strings.CutPrefix(importPath, module)
			if below && (rest == "" || rest[0] == '/') {
				if name := path.Join(dir, rest); t.folders[name] != nil {
					found = append(found, name)
				}
			}
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// divide divides the folders into units. API packages of one group are one: the
// versions of a kind share a file. So are API packages and what they import: types
// that mirror others are declared beside these.
func (t *Tree) divide() {
	parent := map[string]string{}
	var find func(string) string
	find = func(name string) string {
		if p, ok := parent[name]; ok && p != name {
			parent[name] = find(p)
			return parent[name]
		}
		return name
	}
	join := func(a, b string) {
		if a, b = find(a), find(b); a != b {
			parent[max(a, b)] = min(a, b)
		}
	}
	groups := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(t.folders)) {
		f := t.folders[name]
		if !f.api {
			continue
		}
		for _, group := range f.groups {
			groups[group] = cmp.Or(groups[group], name)
			join(name, groups[group])
		}
		for imported := range t.closure(name) {
			join(name, imported)
		}
	}
	t.home = map[string]string{}
	for name := range t.folders {
		t.home[name] = find(name)
	}
	covered := map[string]bool{}
	members := map[string][]string{}
	for _, name := range slices.Sorted(maps.Keys(t.folders)) {
		covered[t.home[name]] = covered[t.home[name]] || t.folders[name].covered
		members[t.home[name]] = append(members[t.home[name]], name)
	}
	// Files that belong to no package: their unit has no folders, and is stale if the
	// structure changes.
	t.units = map[string]*unit{"": {}}
	for name, folders := range members {
		if covered[name] {
			t.units[name] = t.unit(folders)
		}
	}
}

// unit returns the unit of some folders, whose content decides on its key, together
// with what they name in markers outside the run: of what is in the run, a record has
// what others depend on.
func (t *Tree) unit(members []string) *unit {
	u := &unit{}
	reads := map[string]bool{}
	for _, name := range members {
		reads[name] = true
		if t.folders[name].covered {
			u.folders = append(u.folders, name)
		}
		for _, target := range t.folders[name].targets {
			if !t.folders[target].covered {
				reads[target] = true
				maps.Copy(reads, t.closure(target))
			}
		}
	}
	var keys []string
	for _, name := range slices.Sorted(maps.Keys(reads)) {
		keys = append(keys, name, t.folders[name].key)
	}
	u.key = inputs.Hash([]byte(strings.Join(keys, "\n")))
	return u
}

// closure returns what a folder imports, directly or not, among the folders.
func (t *Tree) closure(name string) map[string]bool {
	reached := map[string]bool{}
	var visit func(string)
	visit = func(name string) {
		for _, imported := range t.folders[name].imports {
			if !reached[imported] {
				reached[imported] = true
				visit(imported)
			}
		}
	}
	visit(name)
	return reached
}

// unitOf returns the name of the unit that a generated file belongs to, "" if it is
// of no package. The packages of a YAML file are in its header.
func (t *Tree) unitOf(file string, content []byte) string {
	if sources, ok := artifact.ParseYAMLHeader(content); ok && len(sources) > 0 {
		return t.home[sources[0]]
	}
	return t.home[path.Dir(file)]
}

// owns reports whether all files that mrgen has written are among those that are
// known.
func (t *Tree) owns(written map[string]string) bool {
	for _, file := range t.layout.Generated() {
		if written[file] == "" && !t.isForeign(file) {
			return false
		}
	}
	for _, dir := range t.yaml {
		entries, err := os.ReadDir(t.absolute(dir))
		if err != nil {
			continue // there are none
		}
		for _, entry := range entries {
			file := path.Join(dir, entry.Name())
			if path.Ext(file) != ".yaml" || written[file] != "" {
				continue
			}
			if content, err := os.ReadFile(t.absolute(file)); err != nil || artifact.Owned(content) {
				return false
			}
		}
	}
	return true
}

// isForeign reports whether a file with the name of an output was written by another
// generator, so that runs leave it alone.
func (t *Tree) isForeign(file string) bool {
	info, err := os.Lstat(t.absolute(file))
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	content, err := os.ReadFile(t.absolute(file))
	return err == nil && !artifact.Owned(content)
}

// intact returns a function that reports whether files are on disk as they were
// written. It reads all of them first, on all processors.
func (t *Tree) intact(written map[string]string) func(map[string]string) bool {
	files := slices.Sorted(maps.Keys(written))
	same := make([]bool, len(files))
	parallel.Do(len(files), func(i int) {
		info, err := os.Lstat(t.absolute(files[i]))
		if err != nil || !info.Mode().IsRegular() {
			return // what can't be read is not the same
		}
		content, err := os.ReadFile(t.absolute(files[i]))
		same[i] = err == nil && inputs.Hash(artifact.UnixLineBreaks(content)) == written[files[i]]
	})
	return func(outputs map[string]string) bool {
		for file := range outputs {
			if i, found := slices.BinarySearch(files, file); !found || !same[i] {
				return false
			}
		}
		return true
	}
}

// hashAll returns the keys of the contents of files. It hashes them on all processors.
func hashAll(files iter.Seq2[string, []byte]) map[string]string {
	var names []string
	var contents [][]byte
	for name, content := range files {
		names, contents = append(names, name), append(contents, content)
	}
	hashes := make([]string, len(names))
	parallel.Do(len(names), func(i int) { hashes[i] = inputs.Hash(contents[i]) })
	keys := make(map[string]string, len(names))
	for i, name := range names {
		keys[name] = hashes[i]
	}
	return keys
}
