package modules

import (
	"io/fs"
	"os"
	"path/filepath"
)

// folders are those below a root, as a file system for [fs.WalkDir], which reads each of them once,
// however often it is walked through: what the patterns cover is searched, and then the modules
// around it. Like [filepath.WalkDir] it follows no symbolic links.
type folders struct {
	root string
	read map[string]listing
}

// A listing is what there was to read of a folder.
type listing struct {
	entries []fs.DirEntry
	err     error
}

func (f folders) path(name string) string { return filepath.Join(f.root, filepath.FromSlash(name)) }

// Open is what makes a file system; nobody calls it.
func (f folders) Open(name string) (fs.File, error) { return os.Open(f.path(name)) }

// Stat returns what a name is, and not what a link leads to.
func (f folders) Stat(name string) (fs.FileInfo, error) { return os.Lstat(f.path(name)) }

// ReadDir returns the entries of a folder, sorted by name.
func (f folders) ReadDir(name string) ([]fs.DirEntry, error) {
	known, found := f.read[name]
	if !found {
		known.entries, known.err = os.ReadDir(f.path(name))
		f.read[name] = known
	}
	return known.entries, known.err
}
