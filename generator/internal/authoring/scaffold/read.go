package scaffold

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gobuffalo/flect"
	"golang.org/x/mod/modfile"

	"github.com/mrgen-io/mrgen/generator/internal/diag"
	"github.com/mrgen-io/mrgen/markers"
)

// registerFile and apisFile are the files of a provider that list all its kinds.
const (
	registerFile = "internal/controller/register.go"
	apisFile     = "apis/apis.go"
)

// Read returns the provider in a module, which must have the layout that [Provider.Files] gives it.
func Read(root string) (Provider, diag.List) {
	content, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return Provider{}, diag.List{unreadable("go.mod", err)}
	}
	p := Provider{Module: modfile.ModulePath(content)}
	for _, folder := range []string{"", clusterFolder, namespacedFolder} {
		t := Tree{Folder: folder}
		files, diags := parseFolder(root, t.ConfigDir())
		if diags.HasErrors() {
			return Provider{}, diags
		}
		if declares(files, "ProviderConfig") {
			t.Group = groupName(files)
			t.Namespaced = declares(files, "ClusterProviderConfig")
			p.Trees = append(p.Trees, t)
		}
	}
	if len(p.Trees) == 0 || p.Trees[0].Group == "" {
		return Provider{}, diag.List{diag.Errorf(diag.Position{File: Tree{}.ConfigDir()}, codeScaffold,
			"there is no package with a ProviderConfig and a +groupName marker here: mrgen add kind needs a provider with the layout that mrgen init writes")}
	}
	p.Group = p.Trees[0].Group
	needed := []string{apisFile, registerFile, "internal/setup/setup.go"}
	for _, t := range p.Trees {
		needed = append(needed, path.Join(t.ControllerDir(), "config/config.go"))
	}
	var diags diag.List
	for _, name := range needed {
		if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(name))); err != nil {
			diags = append(diags, diag.Errorf(diag.Position{File: name}, codeScaffold,
				"there is no such file: mrgen add kind needs a provider with the layout that mrgen init writes"))
		}
	}
	return p, diags
}

func unreadable(name string, err error) diag.Diagnostic {
	return diag.Errorf(diag.Position{File: name}, codeScaffold, "cannot read this: %v", diag.Cause(err))
}

// parseFolder returns the Go files of a folder by name, without tests and generated files. The
// folder may be missing.
func parseFolder(root, folder string) (map[string]*ast.File, diag.List) {
	entries, err := os.ReadDir(filepath.Join(root, filepath.FromSlash(folder)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, diag.List{unreadable(folder, err)}
	}
	files := map[string]*ast.File{}
	var diags diag.List
	for _, entry := range entries {
		name := entry.Name()
		if entry.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") || strings.HasPrefix(name, "zz_generated.") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, filepath.FromSlash(folder), name), nil, parser.ParseComments)
		if err != nil {
			diags = append(diags, unparsable(path.Join(folder, name), err))
			continue
		}
		files[name] = file
	}
	return files, diags
}

func declares(files map[string]*ast.File, typeName string) bool {
	for _, file := range files {
		if _, spec := findType(file, typeName); spec != nil {
			return true
		}
	}
	return false
}

// groupName returns the API group in a marker of one of the files.
func groupName(files map[string]*ast.File) string {
	for _, file := range files {
		for _, comment := range file.Comments {
			for _, line := range comment.List {
				text := strings.TrimSpace(strings.TrimPrefix(line.Text, "//"))
				if group, found := strings.CutPrefix(text, "+"+markers.GroupName+"="); found {
					return group
				}
			}
		}
	}
	return ""
}

// existingVersions returns the versions of a kind in a tree, sorted, and whether one of them is
// marked as the storage version. It reports another kind of the group with the same resource name.
func existingVersions(root string, t Tree, k Kind) (found []string, stored bool, diags diag.List) {
	folder := path.Join(t.APIDir(), k.Group)
	entries, err := os.ReadDir(filepath.Join(root, filepath.FromSlash(folder)))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, false, diag.List{unreadable(folder, err)}
	}
	for _, entry := range entries {
		if !entry.IsDir() {
			continue
		}
		files, problems := parseFolder(root, path.Join(folder, entry.Name()))
		diags = append(diags, problems...)
		if other := namesake(files, k); other != "" {
			diags = append(diags, diag.Errorf(diag.Position{File: path.Join(folder, entry.Name())}, codeScaffold,
				"%s can't be added beside the kind %s of this package, since both are called %s in the API: choose another name, or that one", k.Name, other, resourceName(k.Name)))
		}
		for _, file := range files {
			declaration, spec := findType(file, k.Name)
			if spec == nil {
				continue
			}
			found = append(found, entry.Name())
			for _, doc := range []*ast.CommentGroup{declaration.Doc, spec.Doc} {
				stored = stored || doc != nil && slices.ContainsFunc(doc.List, isStorageVersion)
			}
		}
	}
	slices.Sort(found)
	return found, stored, diags
}

// namesake returns the name of another kind in the files that has the same resource name, or "".
func namesake(files map[string]*ast.File, k Kind) string {
	for _, name := range slices.Sorted(maps.Keys(files)) {
		for _, spec := range typeSpecs(files[name]) {
			other := spec.Name.Name
			if other != k.Name && resourceName(other) == resourceName(k.Name) && declares(files, other+"List") {
				return other
			}
		}
	}
	return ""
}

// resourceName returns the resource name that controller-tools gives to a kind.
func resourceName(kind string) string { return strings.ToLower(flect.Pluralize(kind)) }

const storageVersion = "+" + markers.StorageVersion

func isStorageVersion(line *ast.Comment) bool {
	return strings.TrimSpace(strings.TrimPrefix(line.Text, "//")) == storageVersion
}
