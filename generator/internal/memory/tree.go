package memory

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/parallel"
	"github.com/mrgen-io/mrgen/generator/internal/source/load"
	"github.com/mrgen-io/mrgen/generator/internal/source/modules"
	"github.com/mrgen-io/mrgen/generator/internal/source/readlog"
)

// A Tree is the source below a module root, by content.
type Tree struct {
	// Structure is the key of all that concerns every unit.
	Structure string

	log   *readlog.Log
	scope *modules.Scope
	// folders are those with Go source, by path, and webhooks what they serve.
	folders  map[string]*source
	webhooks load.Webhooks
	// units are by name, and unitNames has the name of the unit of each folder.
	units     map[string]*unit
	unitNames map[string]string
	// documentFolders are those that documents are written to.
	documentFolders []string
}

// NewTree reads the source of a run. The key is that of the settings and the environment,
// and the folders are those for documents, relative to the module root.
func NewTree(ctx context.Context, log *readlog.Log, sc *modules.Scope, key string, documentFolders []string) (*Tree, error) {
	t := &Tree{log: log, scope: sc, folders: map[string]*source{}, documentFolders: documentFolders}
	sources, moduleFiles, err := t.list(".", nil, nil)
	if err != nil {
		return nil, err
	}
	sources = append(sources, slices.Sorted(maps.Keys(sc.Options.Copies))...)
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
	add("webhooks", fmt.Sprintf("%+v", t.webhooks))
	for _, file := range moduleFiles {
		_, hash, err := log.ReadFile(t.scope.Abs(file))
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

// hides reports whether a file is not an input, since the run itself writes it.
func (t *Tree) hides(file string) bool { return t.scope.Hides(file) || t.log.Hides(file) }

// list appends the Go files in a folder and those below it to sources, and the files that
// decide on the versions of other modules to moduleFiles.
func (t *Tree) list(dir string, sources, moduleFiles []string) (_, _ []string, err error) {
	entries, err := t.log.ReadFolder(t.scope.Abs(dir))
	for _, entry := range entries {
		name := path.Join(dir, entry.Name())
		switch {
		case entry.IsDir():
			if !modules.IsIgnored(entry.Name()) {
				sources, moduleFiles, err = t.list(name, sources, moduleFiles)
			}
		case entry.Name() == "go.mod" || entry.Name() == "go.sum":
			moduleFiles = append(moduleFiles, name)
		case readlog.IsSource(entry.Name()) && !t.hides(t.scope.Abs(name)):
			sources = append(sources, name)
		}
		if err != nil {
			break
		}
	}
	return sources, moduleFiles, err
}

// read reads the files, on all processors.
func (t *Tree) read(ctx context.Context, files []string) error {
	read := make([]source, len(files))
	err := parallel.Each(ctx, len(files), func(_ context.Context, i int) error {
		if c := t.scope.Options.Copies[files[i]]; c != nil {
			read[i] = scan(c.Content, readlog.Hash(c.Content))
			return nil
		}
		if readlog.IsTest(files[i]) {
			read[i] = source{key: t.log.ReadHeader(t.scope.Abs(files[i]))}
			return nil
		}
		return t.log.Look(t.scope.Abs(files[i]), func(content []byte, hash string) { read[i] = scan(content, hash) })
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
		if apis[name] && readlog.IsTest(file) && t.scope.Options.Copies[file] == nil {
			// No generated file may import a package by a name that a test declares.
			_, read[i].key, _ = t.log.ReadFile(t.scope.Abs(file))
		}
		f := t.folders[name]
		if f == nil {
			f = &source{covered: t.scope.Covers(name)}
			t.folders[name] = f
		}
		keys[name] = append(keys[name], path.Base(file), read[i].key)
		t.webhooks.Add(read[i].webhooks)
		f.size += read[i].size
		f.api = f.api || read[i].api
		f.groups = append(f.groups, read[i].groups...)
		f.imports = append(f.imports, read[i].imports...)
		f.targets = append(f.targets, read[i].targets...)
		f.generated = append(f.generated, read[i].generated...)
	}
	for name, f := range t.folders {
		f.key = readlog.Hash([]byte(strings.Join(keys[name], "\n")))
		slices.Sort(f.groups)
		f.groups = slices.Compact(f.groups)
		f.imports, f.targets = t.local(f.imports), t.local(f.targets)
	}
	return nil
}

// local returns the folders of the packages, among import paths, that are in the run's
// modules.
func (t *Tree) local(importPaths []string) []string {
	var found []string
	for _, importPath := range importPaths {
		for _, module := range t.scope.Modules {
			rest, below := strings.CutPrefix(importPath, module.Path)
			if below && (rest == "" || rest[0] == '/') {
				if name := path.Join(module.Dir, rest); t.folders[name] != nil {
					found = append(found, name)
				}
			}
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// closure returns the folders that a folder imports, directly or not.
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
