package xpkg

import (
	"archive/tar"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/google/go-containerregistry/pkg/v1/types"
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

// limits bound what is read, so that a small file can't take all memory.
type limits struct {
	// stream is the most that package.yaml may have.
	stream int64
	// layer is the most that a layer may have once it is inflated.
	layer int64
	// document is the most that an index, a manifest or a configuration may have.
	document int64
	// files is how many files an archive may have, and images how many images.
	files, images int
}

// standard are the limits of real packages. That of package.yaml is Crossplane's: maxPackageSize in
// pkg/xpkg of crossplane-runtime. Registries take manifests of 4 MiB, and the programs of the largest
// providers have less than a gigabyte.
var standard = limits{stream: 200 << 20, layer: 2 << 30, document: 4 << 20, files: 10_000, images: 100}

// Open opens a file for [Read], and returns its size.
func Open(name string) (*os.File, int64, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, 0, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("it is not a regular file")
	}
	if err != nil {
		_ = file.Close()
		return nil, 0, err
	}
	return file, info.Size(), nil
}

// Read returns the images in a tar archive, as docker save, crossplane xpkg build and [Archive] write
// it, or in an OCI layout. If it is both, the layout counts, which has all platforms, and the other
// form must name one of its images. There is at least one. Layers are read when they are asked for.
func Read(from io.ReaderAt, size int64) ([]Image, error) { return read(from, size, standard) }

func read(from io.ReaderAt, size int64, l limits) ([]Image, error) {
	a, err := open(from, size, l)
	if err != nil {
		return nil, fmt.Errorf("this is not a tar archive: %w", err)
	}
	var images, saved []Image
	if index, ok := a.blobs["index.json"]; ok {
		images, err = a.index(reference{blob: index}, 0)
	}
	if manifest, ok := a.blobs["manifest.json"]; ok && err == nil {
		saved, err = a.saved(reference{blob: manifest})
	}
	switch {
	case err != nil:
		return nil, err
	case len(images) == 0:
		images = saved
	case len(saved) > 0 && !slices.ContainsFunc(images, saved[0].isSame):
		return nil, errors.New("manifest.json has another image than index.json: build the package anew")
	}
	if len(images) == 0 {
		return nil, errors.New("this archive holds no image: name a Crossplane package, as mrgen package and crossplane xpkg build write it")
	}
	return images, nil
}

// isSame reports whether two images have the same layers.
func (i Image) isSame(other Image) bool {
	return slices.EqualFunc(i.Layers, other.Layers, func(a, b Layer) bool { return a.blob == b.blob })
}

// An archive has the files of a tar archive by their names.
type archive struct {
	blobs  map[string]*blob
	limits limits
	// images is how many were read.
	images int
}

// open lists the files of a tar archive, and reads none.
func open(from io.ReaderAt, size int64, l limits) (*archive, error) {
	a := &archive{blobs: map[string]*blob{}, limits: l}
	reader := io.NewSectionReader(from, 0, size)
	listing := tar.NewReader(reader)
	for {
		header, err := listing.Next()
		if err == io.EOF {
			return a, nil
		}
		if err != nil {
			return nil, err
		}
		if header.Typeflag != tar.TypeReg {
			continue
		}
		at, err := reader.Seek(0, io.SeekCurrent)
		if err != nil {
			return nil, err
		}
		if header.Size > size-at {
			return nil, io.ErrUnexpectedEOF
		}
		if len(a.blobs) == l.files {
			return nil, fmt.Errorf("it has more than %d files", l.files)
		}
		a.blobs[path.Clean(header.Name)] = &blob{content: io.NewSectionReader(from, at, header.Size), limits: &a.limits}
	}
}

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

// check reports whether the configuration goes with so many layers.
func (c config) check(layers int) error {
	if n := len(c.Rootfs.DiffIDs); n != layers {
		return fmt.Errorf("an image has %d layers, and its configuration lists %d in rootfs.diff_ids, so that its program can't be started: build the package anew", layers, n)
	}
	return nil
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
func (a *archive) saved(manifest reference) ([]Image, error) {
	var saved []struct {
		Config string
		Layers []string
	}
	if err := manifest.document("manifest.json", &saved); err != nil {
		return nil, err
	}
	if len(saved) > 1 {
		return nil, fmt.Errorf("manifest.json has %d images, and Crossplane's command line takes one: build a package for each platform", len(saved))
	}
	var images []Image
	for _, s := range saved {
		var c config
		if err := a.named(s.Config).document("the configuration of the image", &c); err != nil {
			return nil, err
		}
		if err := c.check(len(s.Layers)); err != nil {
			return nil, err
		}
		image := c.image()
		for i, name := range s.Layers {
			l := Layer{name: name, blob: a.named(name).blob, digest: digestIn(name), diffID: c.Rootfs.DiffIDs[i]}
			l.Annotation = c.labelled("sha256:"+withoutEnd(name), l.diffID)
			image.Layers = append(image.Layers, l)
		}
		images = append(images, image)
	}
	return images, nil
}

// withoutEnd returns the name of a file of docker save without its folder and the end that tells its
// form.
func withoutEnd(name string) string {
	name = path.Base(name)
	for _, end := range []string{".tar.gz", ".json"} {
		name = strings.TrimSuffix(name, end)
	}
	return strings.TrimPrefix(name, "sha256:")
}

// digestIn returns the digest in the name of a file of docker save, or "" if it isn't named by one.
func digestIn(name string) string {
	digest := withoutEnd(name)
	if raw, err := hex.DecodeString(digest); err != nil || len(raw) != sha256.Size {
		return ""
	}
	return "sha256:" + digest
}

// named returns the file of docker save with a name.
func (a *archive) named(name string) reference {
	return reference{name: name, digest: digestIn(name), blob: a.blobs[path.Clean(name)]}
}

// descriptor names a blob of an OCI layout.
type descriptor struct {
	MediaType   types.MediaType   `json:"mediaType"`
	Digest      string            `json:"digest"`
	Annotations map[string]string `json:"annotations"`
	Platform    *struct {
		OS string `json:"os"`
	} `json:"platform"`
}

// isAttestation reports whether docker buildx says with it how another image was built.
func (d descriptor) isAttestation() bool { return d.Platform != nil && d.Platform.OS == "unknown" }

// of returns the blob that a descriptor names.
func (a *archive) of(d descriptor) reference {
	return reference{name: d.Digest, digest: d.Digest, blob: a.blobs["blobs/"+strings.Replace(d.Digest, ":", "/", 1)]}
}

// deepest is how many indexes may be between index.json and an image.
const deepest = 2

// index reads an index of images, which may name other indexes.
func (a *archive) index(from reference, depth int) ([]Image, error) {
	if depth > deepest {
		return nil, errors.New("the index of the images names others, and these name others again")
	}
	var index struct {
		Manifests []descriptor `json:"manifests"`
	}
	if err := from.document("the index of the images", &index); err != nil {
		return nil, err
	}
	var images []Image
	for _, d := range index.Manifests {
		var more []Image
		var err error
		switch {
		case d.isAttestation():
			continue
		case d.MediaType.IsIndex():
			more, err = a.index(a.of(d), depth+1)
		case d.MediaType.IsImage() || d.MediaType == "":
			more, err = a.image(d)
		default:
			err = fmt.Errorf("the index of the images has a %s, which is neither an image nor an index: build the package anew", d.MediaType)
		}
		if err != nil {
			return nil, err
		}
		images = append(images, more...)
	}
	return images, nil
}

// image reads an image of an OCI layout.
func (a *archive) image(d descriptor) ([]Image, error) {
	if a.images++; a.images > a.limits.images {
		return nil, fmt.Errorf("it has more than %d images", a.limits.images)
	}
	var manifest struct {
		Config descriptor   `json:"config"`
		Layers []descriptor `json:"layers"`
	}
	if err := a.of(d).document("the manifest of the image", &manifest); err != nil {
		return nil, err
	}
	var c config
	if err := a.of(manifest.Config).document("the configuration of the image", &c); err != nil {
		return nil, err
	}
	if err := c.check(len(manifest.Layers)); err != nil {
		return nil, err
	}
	image := c.image()
	for i, d := range manifest.Layers {
		if d.MediaType != "" && !d.MediaType.IsLayer() {
			return nil, fmt.Errorf("the image has a layer with the media type %s, which no cluster unpacks: build the package anew", d.MediaType)
		}
		image.Layers = append(image.Layers, Layer{
			Annotation: d.Annotations[annotation], name: d.Digest, digest: d.Digest, diffID: c.Rootfs.DiffIDs[i], blob: a.of(d).blob,
		})
	}
	return []Image{image}, nil
}
