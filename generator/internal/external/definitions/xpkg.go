package definitions

import (
	"io"

	"github.com/mrgen-io/mrgen/generator/internal/external/xpkg"
)

// Package returns package.yaml of a Crossplane package, of which each image has the same.
func Package(name string, from io.ReaderAt, size int64) ([]File, error) {
	images, err := xpkg.Read(from, size)
	if err != nil {
		return nil, err
	}
	stream, err := images[0].Stream()
	if err != nil {
		return nil, err
	}
	return []File{{Name: name, Content: stream}}, nil
}
