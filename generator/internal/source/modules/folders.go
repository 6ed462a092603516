package modules

import (
	"io/fs"
	"os"
	"path/filepath"
)

// folders is a file system for [fs.WalkDir] that reads each folder below a root once: the patterns' folders are
// searched, and then the modules around them. Like [filepath.WalkDir], it doesn't follow symbolic links.
type folders struct {
	root string
	read map[string]listing
}

// A listing is the result of reading a folder.
type listing struct {
	entries []fs.DirEntry
	err     error
}

func (f folders) path(name string) string { return filepath.Join(f.root, filepath.FromSlash(name)) }

// Open makes folders a file system; it is never called.
func (f folders) Open(name string) (fs.File, error) { return os.Open(f.path(name)) }

// Stat doesn't follow links.
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
