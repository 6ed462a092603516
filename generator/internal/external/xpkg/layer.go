package xpkg

import (
	"archive/tar"
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
)

// A Layer is a layer of an image.
type Layer struct {
	// Annotation says what the layer is for, "base" if it has package.yaml.
	Annotation string

	name string
	// digest and diffID are what the image says of the layer, before and after it is inflated. Both
	// may be empty.
	digest, diffID string
	blob           *blob
}

// errNoStream says that an image is none of a Crossplane package.
var errNoStream = errors.New("no layer has a " + StreamFile + ": name a Crossplane package")

// Stream returns package.yaml of an image. Layers that are annotated as base come first, and without
// one, a file of a later layer hides that of others.
func (i Image) Stream() ([]byte, error) {
	for _, isBase := range []bool{true, false} {
		for _, l := range slices.Backward(i.Layers) {
			if (l.Annotation == baseLayer) != isBase {
				continue
			}
			stream, err := l.Stream()
			if err != nil || stream != nil {
				return stream, err
			}
		}
	}
	return nil, errNoStream
}

// found is what a layer was found to have.
type found struct {
	stream []byte
	err    error
}

// Stream reads a layer, and returns its package.yaml, or nil if it has none. The error says what is
// wrong with the layer: that it isn't what its digests stand for, say.
func (l Layer) Stream() ([]byte, error) {
	if l.blob == nil {
		return nil, fmt.Errorf("its layer %s can't be read: %w", l.name, errMissing)
	}
	key := [3]string{l.digest, l.diffID, l.Annotation}
	was, ok := l.blob.seen[key]
	if !ok {
		if was.stream, was.err = l.read(); was.err != nil {
			was.err = fmt.Errorf("its layer %s can't be read: %w", l.name, was.err)
		}
		if l.blob.seen == nil {
			l.blob.seen = map[[3]string]found{}
		}
		l.blob.seen[key] = was
	}
	return was.stream, was.err
}

// read reads the layer from its beginning to its end.
func (l Layer) read() ([]byte, error) {
	var checks []*verifier
	checked := func(from io.Reader, digest string) (io.Reader, error) {
		if digest == "" {
			return from, nil
		}
		check, err := newVerifier(digest)
		checks = append(checks, check)
		return io.TeeReader(from, check), err
	}
	packed, err := checked(io.NewSectionReader(l.blob.content, 0, l.blob.content.Size()), l.digest)
	if err != nil {
		return nil, err
	}
	unpacked, err := inflate(packed)
	if err != nil {
		return nil, err
	}
	unpacked = &bounded{from: unpacked, left: l.blob.limits.layer}
	if unpacked, err = checked(unpacked, l.diffID); err != nil {
		return nil, err
	}
	var stream []byte
	if err := EachFile(unpacked, func(header *tar.Header, content io.Reader) error {
		// Crossplane takes the first file with that name, wherever it is.
		isRegular, isBase := header.Typeflag == tar.TypeReg, l.Annotation == baseLayer
		switch {
		case path.Base(header.Name) != StreamFile, header.Typeflag == tar.TypeDir:
			return nil
		case isBase && (stream != nil || !isRegular):
			return fmt.Errorf("%s is there twice, or no regular file: build the package anew", StreamFile)
		case stream != nil || !isRegular:
			return nil // one of a program, say
		}
		// Images have the same file, so that all that they have is no more than one may have.
		if l.blob.limits.stream -= header.Size; l.blob.limits.stream < 0 {
			return fmt.Errorf("%s has %d bytes, more than Crossplane reads: shorten descriptions, or package each group on its own", StreamFile, header.Size)
		}
		var err error
		stream, err = io.ReadAll(content)
		return err
	}); err != nil {
		return nil, err
	}
	for _, rest := range []io.Reader{unpacked, packed} {
		if _, err := io.Copy(io.Discard, rest); err != nil {
			return nil, err
		}
	}
	for _, check := range checks {
		if err := check.verify(); err != nil {
			return nil, err
		}
	}
	return stream, nil
}

// inflate returns what a layer consists of, which may be compressed.
func inflate(packed io.Reader) (io.Reader, error) {
	from := bufio.NewReader(packed)
	switch magic, _ := from.Peek(4); { // a shorter one is none of these
	case bytes.HasPrefix(magic, []byte{0x1f, 0x8b}):
		return gzip.NewReader(from)
	case bytes.Equal(magic, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		return nil, errors.New("it is compressed with zstd, which mrgen doesn't read: compress it with gzip")
	default:
		return from, nil
	}
}

// A bounded reader fails where there is more to read than allowed.
type bounded struct {
	from io.Reader
	left int64
}

func (b *bounded) Read(into []byte) (int, error) {
	n, err := b.from.Read(into)
	if b.left -= int64(n); b.left < 0 {
		return 0, errors.New("it has more than a program and definitions take, once it is inflated: build the package anew")
	}
	return n, err
}

// EachFile calls a function with each entry of a tar archive, until one returns an error.
func EachFile(from io.Reader, call func(header *tar.Header, content io.Reader) error) error {
	archive := tar.NewReader(from)
	for {
		header, err := archive.Next()
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = checkPath(header)
		}
		if err == nil {
			err = call(header, archive)
		}
		if err != nil {
			return err
		}
	}
}

// checkPath refuses an entry that is outside of the folder that an archive is unpacked in, or a hard
// link to what is outside. Symbolic links are followed in the container, and stay in it.
func checkPath(header *tar.Header) error {
	names := []string{header.Name}
	if header.Typeflag == tar.TypeLink {
		names = append(names, header.Linkname)
	}
	for _, name := range names {
		if clean := path.Clean(name); clean == ".." || strings.HasPrefix(clean, "../") {
			return fmt.Errorf("it has the path %q, which leads out of the image: build the package anew", name)
		}
	}
	return nil
}
