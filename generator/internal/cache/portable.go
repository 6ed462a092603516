package cache

import (
	"path/filepath"

	"github.com/mrgen-io/mrgen/generator/internal/source/readset"
)

// portable names files as seen from the root of a module, so that what is remembered of one
// checkout serves another one. Names that can't be seen from there stay absolute.
type portable struct {
	// root is absolute, and real is the same with symbolic links resolved.
	root, real string
}

func placesBelow(root string) portable {
	real, err := filepath.EvalSymlinks(root)
	if err != nil {
		real = root
	}
	return portable{root, real}
}

// name returns the name of a file or folder.
func (p portable) name(file string) string { return relative(p.root, file) }

// target returns the name of what a symbolic link leads to, which may be nothing.
func (p portable) target(resolved string) string {
	if resolved == "" {
		return ""
	}
	return relative(p.real, resolved)
}

func relative(root, file string) string {
	if name, err := filepath.Rel(root, file); err == nil {
		return name
	}
	return file
}

// input returns an input to remember, and here what it is in this checkout.
func (p portable) input(in readset.Input) readset.Input {
	in.Path = p.name(in.Path)
	if in.Kind == readset.Link {
		in.Hash = p.target(in.Hash)
	}
	return in
}

func (p portable) here(in readset.Input) readset.Input {
	if !filepath.IsAbs(in.Path) {
		in.Path = filepath.Join(p.root, in.Path)
	}
	if in.Kind == readset.Link && in.Hash != "" && !filepath.IsAbs(in.Hash) {
		in.Hash = filepath.Join(p.real, in.Hash)
	}
	return in
}
