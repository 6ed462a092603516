package definitions

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/mrgen-io/mrgen/generator/diag"
)

// IsYAML reports whether a file may hold definitions, by its name.
func IsYAML(name string) bool {
	switch path.Ext(name) {
	case ".yaml", ".yml", ".json":
		return true
	}
	return false
}

// Disk returns the file that a path names, or the files that may hold definitions in a folder and
// the folders below it.
func Disk(name string) ([]File, diag.List) {
	files, err := onDisk(name)
	if err != nil {
		return nil, diag.List{diag.Errorf(diag.Position{File: filepath.ToSlash(name)}, Code, "cannot read this: %v", diag.Cause(err))}
	}
	return files, nil
}

func onDisk(name string) ([]File, error) {
	var files []File
	err := filepath.WalkDir(name, func(at string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || at != name && !IsYAML(at) {
			return err
		}
		content, err := os.ReadFile(at)
		files = append(files, File{Name: filepath.ToSlash(at), Content: content})
		return err
	})
	return files, err
}
