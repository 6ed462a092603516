package artifact

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/mrgen-io/mrgen/generator/diag"
)

const (
	codeForeign diag.Code = "output-foreign"
	codePath    diag.Code = "output-path"
	codeRead    diag.Code = "output-read"
	// CodeWrite is for output that can't be written, or undone.
	CodeWrite diag.Code = "output-write"
	// CodeStale is for output of an earlier run that stays, although nothing updates it.
	CodeStale diag.Code = "output-stale"
	codeScope diag.Code = "output-scope"
)

// A tree finds the files of a module on disk, and rejects paths that lead out of the module. It
// takes slash-separated paths relative to the module root, and returns locations: paths of the
// operating system, also relative to the module root, with symbolic links resolved.
type tree struct {
	// root is absolute, and has no symbolic links.
	root string
	// folders caches the results of folder.
	folders map[string]folderResult
}

type folderResult struct {
	location string
	problems diag.List
}

func openTree(root string) (*tree, diag.List) {
	absolute, err := filepath.Abs(root)
	if err == nil {
		absolute, err = filepath.EvalSymlinks(absolute)
	}
	if err != nil {
		return nil, diag.List{diag.Errorf(diag.Position{File: filepath.ToSlash(root)}, codeRead,
			"the module root cannot be read: %v; make it readable, or start mrgen in another folder", diag.Cause(err))}
	}
	return &tree{root: absolute, folders: map[string]folderResult{}}, nil
}

// AreInside reports whether the folders of files, slash-separated and relative to a module root, are in the module: no symbolic link
// leads out of it.
func AreInside(root string, files []string) bool {
	t, problems := openTree(root)
	return !problems.HasErrors() && !slices.ContainsFunc(files, func(file string) bool {
		_, problems := t.folder(path.Dir(file))
		return problems.HasErrors()
	})
}

func (t *tree) absolute(location string) string { return filepath.Join(t.root, location) }

// folder returns the location of a folder, which need not exist yet.
func (t *tree) folder(name string) (string, diag.List) {
	result, ok := t.folders[name]
	if !ok {
		result.location, result.problems = t.findFolder(name)
		t.folders[name] = result
	}
	return result.location, result.problems
}

func (t *tree) findFolder(name string) (string, diag.List) {
	local, err := filepath.Localize(name)
	if err != nil {
		return "", diag.List{outside(name)}
	}
	existing, missing := local, ""
	for existing != "." {
		if _, err := os.Lstat(t.absolute(existing)); err == nil {
			break
		}
		existing, missing = filepath.Dir(existing), filepath.Join(filepath.Base(existing), missing)
	}
	location, problems := t.follow(existing)
	if problems.HasErrors() {
		if _, err := os.Lstat(t.absolute(existing)); errors.Is(err, fs.ErrNotExist) && existing != "." {
			return t.findFolder(name) // another run has removed it since
		}
		return "", problems
	}
	if info, err := os.Stat(t.absolute(location)); err == nil && !info.IsDir() {
		return "", diag.List{diag.Errorf(at(existing), codePath,
			"this is a file where mrgen needs a folder; remove or rename it, or choose another output folder")}
	}
	return filepath.Join(location, missing), nil
}

// entry returns the location of a file. The location of a symbolic link is the link itself.
func (t *tree) entry(name string) (string, diag.List) {
	if _, err := filepath.Localize(name); err != nil {
		return "", diag.List{outside(name)}
	}
	folder, problems := t.folder(path.Dir(name))
	if problems.HasErrors() {
		return "", problems
	}
	return filepath.Join(folder, path.Base(name)), nil
}

// file returns the location of a file, which need not exist yet. The location of a symbolic link is the file that it
// points to.
func (t *tree) file(name string) (string, diag.List) {
	location, problems := t.entry(name)
	if problems.HasErrors() {
		return "", problems
	}
	if info, err := os.Lstat(t.absolute(location)); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return t.follow(location)
	}
	return location, nil
}

// follow resolves the symbolic links in the path of an existing file or folder.
func (t *tree) follow(local string) (string, diag.List) {
	absolute, err := filepath.EvalSymlinks(t.absolute(local))
	if err != nil {
		return "", diag.List{diag.Errorf(at(local), codePath,
			"the symbolic link cannot be followed: %v; remove it, or create what it points to", diag.Cause(err))}
	}
	location, err := filepath.Rel(t.root, absolute)
	if err != nil || !filepath.IsLocal(location) {
		return "", diag.List{diag.Errorf(at(local), codePath,
			"a symbolic link leads from here out of the module root, where mrgen writes nothing; remove the link, or choose another output folder")}
	}
	return location, nil
}

// read returns the content and the info of a regular file, or nil for both if it doesn't exist.
func (t *tree) read(name, location string) ([]byte, fs.FileInfo, diag.List) {
	info, err := os.Stat(t.absolute(location))
	if err == nil {
		if info.IsDir() {
			return nil, nil, diag.List{diag.Errorf(diag.Position{File: name}, codePath,
				"this is a folder where mrgen needs a file; remove or rename it")}
		}
		if !info.Mode().IsRegular() {
			return nil, nil, diag.List{diag.Errorf(diag.Position{File: name}, codePath,
				"this is not a regular file, and mrgen writes no others; remove or rename it")}
		}
	}
	var content []byte
	if err == nil {
		content, err = os.ReadFile(t.absolute(location))
	}
	if errors.Is(err, fs.ErrNotExist) { // also if it was removed since Stat
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, diag.List{diag.Errorf(diag.Position{File: name}, codeRead,
			"the file cannot be read: %v; make it readable, or remove it", diag.Cause(err))}
	}
	return content, info, nil
}

// list returns the entries of a folder, sorted by name, or none if it does not exist.
func (t *tree) list(name, location string) ([]fs.DirEntry, diag.List) {
	entries, err := os.ReadDir(t.absolute(location))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, diag.List{diag.Errorf(diag.Position{File: name}, codeRead,
			"the folder cannot be read: %v; make it readable, or choose another output folder", diag.Cause(err))}
	}
	return entries, nil
}

// OutputFolder returns the output folder that a user gave, as a slash-separated path relative to
// the module root. It rejects a folder outside the module root, and the path of a file.
func OutputFolder(root, given string) (string, diag.List) {
	t, problems := openTree(root)
	if problems.HasErrors() {
		return "", problems
	}
	name, _, problems := t.outputFolder(given)
	return name, problems
}

func (t *tree) outputFolder(given string) (name, location string, problems diag.List) {
	if name, problems = Local(given); problems.HasErrors() {
		return "", "", problems
	}
	location, problems = t.folder(name)
	return name, location, problems
}

// Local returns a path that a user gave, slash-separated and clean. It rejects paths that lead out of the module root.
func Local(given string) (string, diag.List) {
	if !filepath.IsLocal(given) {
		return "", diag.List{outside(given)}
	}
	return filepath.ToSlash(filepath.Clean(given)), nil
}

func outside(given string) diag.Diagnostic {
	return diag.Errorf(diag.Position{File: given}, codePath,
		"the path is not inside the module; give a path relative to the module root that stays below it")
}

func at(location string) diag.Position { return diag.Position{File: filepath.ToSlash(location)} }
