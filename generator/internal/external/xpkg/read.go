package xpkg

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
)

// An Image is an image in a Crossplane package.
type Image struct {
	// Platform is as in linux/amd64, and empty if the image doesn't say.
	Platform string
	// User and Entrypoint are those of the program.
	User       string
	Entrypoint []string
	// Layers in their order.
	Layers []Layer
}

// A Layer is a layer of an image.
type Layer struct {
	// Annotation says what the layer is for, "base" if it has package.yaml.
	Annotation string

	blob []byte
}

// Read returns the images in a tar archive, as docker save, crossplane xpkg build and [Write] write
// it, or in an OCI layout. If it is both, the layout counts, which has all platforms. There is at
// least one.
func Read(content []byte) ([]Image, error) {
	blobs := archive{}
	if err := eachFile(bytes.NewReader(content), func(name string, content []byte) { blobs[name] = content }); err != nil {
		return nil, fmt.Errorf("this is no tar archive: %w", err)
	}
	var images []Image
	var err error
	switch {
	case blobs["index.json"] != nil:
		images, err = blobs.index(blobs["index.json"], 0)
	case blobs["manifest.json"] != nil:
		images, err = blobs.saved(blobs["manifest.json"])
	}
	if err == nil && len(images) == 0 {
		err = errors.New("this archive holds no image: name a Crossplane package, as mrgen package and crossplane xpkg build write it")
	}
	return images, err
}

// An archive has the files of a tar archive by their names.
type archive map[string][]byte

// config is what counts of an image's configuration.
type config struct {
	OS           string `json:"os"`
	Architecture string `json:"architecture"`
	Config       struct {
		User       string
		Entrypoint []string
		Labels     map[string]string
	} `json:"config"`
	Rootfs struct {
		DiffIDs []string `json:"diff_ids"`
	} `json:"rootfs"`
}

// image returns an image without layers.
func (c config) image() Image {
	return Image{Platform: strings.Trim(c.OS+"/"+c.Architecture, "/"), User: c.Config.User, Entrypoint: c.Config.Entrypoint}
}

// labelled returns what a label says of a layer, by the digest of the layer or of its content.
func (c config) labelled(digests ...string) string {
	for _, digest := range digests {
		if label, ok := c.Config.Labels[annotation+":"+digest]; ok {
			return label
		}
	}
	return ""
}

// saved reads the form of docker save.
func (a archive) saved(manifest []byte) ([]Image, error) {
	var saved []struct {
		Config string
		Layers []string
	}
	if err := json.Unmarshal(manifest, &saved); err != nil {
		return nil, fmt.Errorf("manifest.json can't be read: %w", err)
	}
	var images []Image
	for _, s := range saved {
		var c config
		if err := json.Unmarshal(a[path.Clean(s.Config)], &c); err != nil {
			return nil, fmt.Errorf("the configuration of the image can't be read: %w", err)
		}
		image := c.image()
		for i, name := range s.Layers {
			name = path.Clean(name)
			digest := "sha256:" + strings.TrimPrefix(strings.TrimSuffix(path.Base(name), ".tar.gz"), "sha256:")
			content := ""
			if i < len(c.Rootfs.DiffIDs) {
				content = c.Rootfs.DiffIDs[i]
			}
			image.Layers = append(image.Layers, Layer{c.labelled(digest, content), a[name]})
		}
		images = append(images, image)
	}
	return images, nil
}

// descriptor names a blob of an OCI layout.
type descriptor struct {
	MediaType   string            `json:"mediaType"`
	Digest      string            `json:"digest"`
	Annotations map[string]string `json:"annotations"`
}

// blob returns the blob that a descriptor names.
func (a archive) blob(d descriptor) []byte {
	return a["blobs/"+strings.Replace(d.Digest, ":", "/", 1)]
}

// deepest is how many indexes may be between index.json and an image.
const deepest = 2

// index reads an index of images, which may name other indexes.
func (a archive) index(content []byte, depth int) ([]Image, error) {
	if depth > deepest {
		return nil, errors.New("the index of the images names others, and these name others again")
	}
	var index struct {
		Manifests []descriptor `json:"manifests"`
	}
	if err := json.Unmarshal(content, &index); err != nil {
		return nil, fmt.Errorf("the index of the images can't be read: %w", err)
	}
	var images []Image
	for _, d := range index.Manifests {
		if strings.Contains(d.MediaType, "index") || strings.Contains(d.MediaType, "manifest.list") {
			more, err := a.index(a.blob(d), depth+1)
			if err != nil {
				return nil, err
			}
			images = append(images, more...)
			continue
		}
		image, err := a.image(d)
		if err != nil {
			return nil, err
		}
		images = append(images, image)
	}
	return images, nil
}

// image reads an image of an OCI layout.
func (a archive) image(d descriptor) (Image, error) {
	var manifest struct {
		Config descriptor   `json:"config"`
		Layers []descriptor `json:"layers"`
	}
	if err := json.Unmarshal(a.blob(d), &manifest); err != nil {
		return Image{}, fmt.Errorf("the manifest of the image can't be read: %w", err)
	}
	var c config
	if content := a.blob(manifest.Config); content != nil {
		if err := json.Unmarshal(content, &c); err != nil {
			return Image{}, fmt.Errorf("the configuration of the image can't be read: %w", err)
		}
	}
	image := c.image()
	for _, d := range manifest.Layers {
		image.Layers = append(image.Layers, Layer{d.Annotations[annotation], a.blob(d)})
	}
	return image, nil
}

// errNoStream says that an image is none of a Crossplane package.
var errNoStream = errors.New("no layer has a " + streamFile + ": name a Crossplane package")

// Stream returns package.yaml of an image. Layers that are annotated as base come first, and without
// one, a file of a later layer hides that of others.
func (i Image) Stream() ([]byte, error) {
	layers := slices.Clone(i.Layers)
	slices.Reverse(layers)
	slices.SortStableFunc(layers, func(a, b Layer) int {
		switch {
		case (a.Annotation == baseLayer) == (b.Annotation == baseLayer):
			return 0
		case a.Annotation == baseLayer:
			return -1
		default:
			return 1
		}
	})
	for _, l := range layers {
		var stream []byte
		if err := l.eachFile(func(name string, content []byte) {
			if name == streamFile {
				stream = content
			}
		}); err != nil {
			return nil, fmt.Errorf("a layer of the package can't be read: %w", err)
		}
		if stream != nil {
			return stream, nil
		}
	}
	return nil, errNoStream
}

// eachFile calls a function with each file in a layer, which may be compressed.
func (l Layer) eachFile(call func(name string, content []byte)) error {
	if !bytes.HasPrefix(l.blob, []byte{0x1f, 0x8b}) {
		return eachFile(bytes.NewReader(l.blob), call)
	}
	from, err := gzip.NewReader(bytes.NewReader(l.blob))
	if err != nil {
		return err
	}
	return eachFile(from, call)
}

// eachFile calls a function with each regular file in a tar archive, by its clean name.
func eachFile(from io.Reader, call func(name string, content []byte)) error {
	archive := tar.NewReader(from)
	for {
		header, err := archive.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if header.Typeflag != tar.TypeReg {
			continue
		}
		content, err := io.ReadAll(archive)
		if err != nil {
			return err
		}
		call(path.Clean(header.Name), content)
	}
}
