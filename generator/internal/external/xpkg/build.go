package xpkg

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/pem"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
	"golang.org/x/crypto/x509roots/fallback/bundle"

	"github.com/mrgen-io/mrgen/generator/internal/parallel"
)

// Contents are what all images of a package have.
type Contents struct {
	// Stream is package.yaml, see [Stream].
	Stream []byte
	// Examples are manifests, and Docs are files for those who show packages. Both may be empty.
	Examples, Docs []File
	// Env are environment variables of the program, as NAME=VALUE.
	Env []string
}

// A Program is the program of a provider for a platform.
type Program struct {
	// Platform is as in linux/amd64.
	Platform string
	Binary   []byte
	// Base is the image below the program. Without one, there is nothing but the certificates of
	// public authorities.
	Base v1.Image
}

const (
	programFile = "/usr/local/bin/provider"
	// user is the one that images without a shell commonly have, and not root.
	user = "65532"
)

// Stream returns package.yaml: the documents of the metadata, and those of definitions.
func Stream(metadata []byte, definitions []File) []byte {
	return concatenate(append([]File{{Name: MetadataFile, Content: metadata}}, definitions...))
}

// concatenate returns the documents of files in one stream.
func concatenate(files []File) []byte {
	var stream bytes.Buffer
	for _, f := range files {
		content := bytes.TrimSpace(f.Content)
		if len(content) == 0 {
			continue
		}
		if !bytes.HasPrefix(content, []byte("---\n")) {
			stream.WriteString("---\n")
		}
		stream.Write(content)
		stream.WriteByte('\n')
	}
	return stream.Bytes()
}

// Build returns the package. The same contents and programs make the same bytes.
func Build(c Contents, programs []Program) (v1.ImageIndex, error) {
	built, problems := make([]mutate.IndexAddendum, len(programs)), make([]error, len(programs))
	parallel.Do(len(programs), func(i int) { built[i], problems[i] = c.image(programs[i]) })
	for _, err := range problems {
		if err != nil {
			return nil, err
		}
	}
	return mutate.AppendManifests(mutate.IndexMediaType(empty.Index, types.OCIImageIndex), built...), nil
}

// image returns the image for a platform.
func (c Contents) image(p Program) (mutate.IndexAddendum, error) {
	platform, err := v1.ParsePlatform(p.Platform)
	if err != nil {
		return mutate.IndexAddendum{}, err
	}
	image := p.Base
	layers := []layer{{"", []entry{{programFile, 0o755, p.Binary}}}}
	if image == nil {
		image = mutate.MediaType(mutate.ConfigMediaType(empty.Image, types.OCIConfigJSON), types.OCIManifestSchema1)
		layers = slices.Insert(layers, 0, layer{"", root()})
	}
	layers = append(layers, layer{baseLayer, []entry{{StreamFile, 0o644, c.Stream}}})
	if len(c.Examples) > 0 {
		layers = append(layers, layer{examplesLayer, []entry{{examplesFile, 0o644, concatenate(c.Examples)}}})
	}
	if len(c.Docs) > 0 {
		docs := layer{docsLayer, nil}
		for _, f := range c.Docs {
			docs.entries = append(docs.entries, entry{"docs/" + f.Name, 0o644, f.Content})
		}
		layers = append(layers, docs)
	}
	labels := map[string]string{}
	for _, l := range layers {
		packed, err := l.pack()
		if err != nil {
			return mutate.IndexAddendum{}, err
		}
		addendum := mutate.Addendum{Layer: packed, MediaType: types.OCILayer}
		if l.annotation != "" {
			digest, err := packed.Digest()
			if err != nil {
				return mutate.IndexAddendum{}, err
			}
			addendum.Annotations = map[string]string{annotation: l.annotation}
			labels[annotation+":"+digest.String()] = l.annotation
		}
		if image, err = mutate.Append(image, addendum); err != nil {
			return mutate.IndexAddendum{}, err
		}
	}
	if image, err = c.configure(image, platform, labels); err != nil {
		return mutate.IndexAddendum{}, err
	}
	return mutate.IndexAddendum{Add: image, Descriptor: v1.Descriptor{Platform: platform}}, nil
}

// configure sets how the program of an image is run.
func (c Contents) configure(image v1.Image, platform *v1.Platform, labels map[string]string) (v1.Image, error) {
	file, err := image.ConfigFile()
	if err != nil {
		return nil, err
	}
	file = file.DeepCopy()
	file.OS, file.Architecture, file.Variant = platform.OS, platform.Architecture, platform.Variant
	file.Config.Entrypoint, file.Config.Cmd = []string{programFile}, nil
	file.Config.Env = append(file.Config.Env, c.Env...)
	if name, _, _ := strings.Cut(file.Config.User, ":"); name == "" || name == "0" || name == "root" {
		file.Config.User = user
	}
	if file.Config.Labels == nil {
		file.Config.Labels = map[string]string{}
	}
	maps.Copy(file.Config.Labels, labels)
	return mutate.ConfigFile(image, file)
}

// root returns the files that a program needs of a system: the certificates of public authorities,
// the name of its user, and a folder for temporary files.
func root() []entry {
	var certificates bytes.Buffer
	for root := range bundle.Roots() {
		if root.Constraint == nil { // a file of certificates can't express one
			_ = pem.Encode(&certificates, &pem.Block{Type: "CERTIFICATE", Bytes: root.Certificate}) // a buffer takes anything
		}
	}
	return []entry{
		{"/etc/passwd", 0o644, []byte("root:x:0:0:root:/:/sbin/nologin\nnonroot:x:" + user + ":" + user + ":nonroot:/tmp:/sbin/nologin\n")},
		{"/etc/group", 0o644, []byte("root:x:0:\nnonroot:x:" + user + ":\n")},
		{"/etc/ssl/certs/ca-certificates.crt", 0o644, certificates.Bytes()},
		{"/tmp/", 0o1777, nil},
	}
}

// A layer is a layer to be built.
type layer struct {
	annotation string
	entries    []entry
}

// An entry is a file in a layer, or a folder if its name ends with a slash.
type entry struct {
	name    string
	mode    int64
	content []byte
}

// pack returns the layer as an image has it.
func (l layer) pack() (v1.Layer, error) {
	text, err := pack(l.entries)
	if err != nil {
		return nil, err
	}
	return tarball.LayerFromOpener(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil },
		tarball.WithCompressionLevel(gzip.DefaultCompression), tarball.WithMediaType(types.OCILayer))
}

// pack returns a tar archive with the entries, which says nothing of who made it and when.
func pack(entries []entry) ([]byte, error) {
	var text bytes.Buffer
	archive := tar.NewWriter(&text)
	for _, e := range entries {
		header := &tar.Header{Typeflag: tar.TypeReg, Name: strings.TrimPrefix(e.name, "/"), Mode: e.mode, Size: int64(len(e.content))}
		if strings.HasSuffix(e.name, "/") {
			header.Typeflag = tar.TypeDir
		}
		if err := archive.WriteHeader(header); err != nil {
			return nil, fmt.Errorf("%s: %w", e.name, err)
		}
		if _, err := archive.Write(e.content); err != nil {
			return nil, fmt.Errorf("%s: %w", e.name, err)
		}
	}
	err := archive.Close()
	return text.Bytes(), err
}
