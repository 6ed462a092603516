package memory

import (
	"path/filepath"

	"github.com/mrgen-io/mrgen/generator/internal/source/readlog"
)

// portable is the root of a module, with symbolic links resolved as [scope.FindRoot] does. It names files as
// seen from there, so that what is remembered of one checkout serves another one. Names that can't be
// seen from there stay absolute. A symbolic link that leads to nothing has no name.
type portable string

// name returns the name of a file or folder, and path the absolute path of what has a name.
func (root portable) name(file string) string {
	if name, err := filepath.Rel(string(root), file); err == nil {
		return name
	}
	return file
}

func (root portable) path(name string) string {
	if name == "" || filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(string(root), name)
}

// input returns an input to remember, and here what it is in this checkout.
func (root portable) input(in readlog.Input) readlog.Input { return translated(in, root.name) }

func (root portable) here(in readlog.Input) readlog.Input { return translated(in, root.path) }

// translated returns an input with other names for its path, and for what a link leads to.
func translated(in readlog.Input, name func(string) string) readlog.Input {
	in.Path = name(in.Path)
	if in.Kind == readlog.Link {
		in.Hash = name(in.Hash)
	}
	return in
}
