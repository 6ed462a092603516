// Package readlog records what a run reads from the disk, by content, so that a later run
// can tell whether it would read the same.
package readlog

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/mrgen-io/mrgen/generator/internal/parallel"
)

// A Kind says how a run reads a path.
type Kind string

// The kinds of inputs.
const (
	// File is the content of a file.
	File Kind = "file"
	// Folder is the names of the files in a folder that the go command looks at.
	Folder Kind = "folder"
	// Tree is the names of all source files below a folder, where new ones may make packages that no other input shows.
	Tree Kind = "tree"
	// Link is a path with symbolic links resolved.
	Link Kind = "link"
)

// An Input is something that a run read.
type Input struct {
	// Path is absolute.
	Path string
	Kind Kind
	// Hash is the hash of the content, or empty if there was nothing to read.
	Hash string
}

// Hash returns the hash of a content.
func Hash(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// readInto returns the content of a file, and information on the very file that was read. It uses the memory of a
// buffer, if it is large enough.
func readInto(buffer []byte, path string) ([]byte, fs.FileInfo, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = file.Close() }()
	info, err := file.Stat()
	if err != nil {
		return nil, nil, err
	}
	// one byte more, so that a file of the expected size ends without another allocation
	content := slices.Grow(buffer[:0], int(max(info.Size(), 0))+1)
	for {
		n, err := file.Read(content[len(content):cap(content)])
		content = content[:len(content)+n]
		switch {
		case err == io.EOF:
			return content, info, nil
		case err != nil:
			return nil, nil, err
		case len(content) == cap(content):
			content = append(content, 0)[:len(content)]
		}
	}
}

// buffers hold contents that are only looked at. A run that has nothing to do looks at all its inputs and outputs: with
// memory of its own for each file, the kernel would hand out some 300 MB over 2,000 generated kinds, which takes a third
// of its time.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// extensions are the extensions of the files that the go command looks at: see fileListForExt in go/build.
var extensions = []string{
	".go", ".c", ".cc", ".cpp", ".cxx", ".m", ".h", ".hh", ".hpp", ".hxx", ".f", ".F", ".for", ".f90",
	".s", ".S", ".sx", ".swig", ".swigcxx", ".syso",
}

// IsSource reports whether the go command looks at files of that name to list packages.
func IsSource(name string) bool {
	return !strings.HasPrefix(name, "_") && !strings.HasPrefix(name, ".") && slices.Contains(extensions, filepath.Ext(name))
}

// IsTest reports whether a source file of that name is a test.
func IsTest(name string) bool { return strings.HasSuffix(name, "_test.go") }

// Changed reports whether any of the inputs has changed. Hidden files are not inputs. It
// reads all inputs, on all processors.
func Changed(inputs []Input, hidden func(path string) bool) bool {
	changed := make([]bool, len(inputs))
	parallel.Do(len(inputs), func(i int) {
		changed[i] = inputs[i].read(hidden) != inputs[i].Hash
	})
	return slices.Contains(changed, true)
}

// read returns the hash of the input as it is now.
func (in Input) read(hidden func(path string) bool) string {
	l := NewLog(hidden)
	switch in.Kind {
	case File:
		_, hash, _ := l.ReadFile(in.Path)
		return hash
	case Folder:
		_, _ = l.ReadFolder(in.Path)
	case Tree:
		l.ReadTree(in.Path)
	case Link:
		return l.ReadLink(in.Path)
	}
	return l.entries[key{in.Path, in.Kind}].hash
}
