package xpkg

import (
	"archive/tar"
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
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
		err = errors.New("it is no regular file")
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
		return nil, fmt.Errorf("this is no tar archive: %w", err)
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

// A reference names a blob.
type reference struct {
	name string
	// digest may be empty.
	digest string
	// blob is nil if the archive doesn't have it.
	blob *blob
}

// errMissing says that an archive lacks a blob.
var errMissing = errors.New("the archive doesn't have it: see if the file is cut off")

// document reads JSON, which is the content that the digest stands for.
func (r reference) document(what string, into any) error {
	if r.blob == nil {
		return fmt.Errorf("%s, %s, can't be read: %w", what, r.name, errMissing)
	}
	content, err := r.blob.small()
	if err == nil && r.digest != "" {
		var check *verifier
		if check, err = newVerifier(r.digest); err == nil {
			_, _ = check.Write(content) // never returns an error
			err = check.verify()
		}
	}
	if err == nil {
		err = json.Unmarshal(content, into)
	}
	if err != nil {
		return fmt.Errorf("%s can't be read: %w", what, err)
	}
	return nil
}

// A blob is a file in an archive.
type blob struct {
	content *io.SectionReader
	limits  *limits
	// seen are the layers that the blob was read as, and what was found.
	seen map[[3]string]found
}

// small returns the content of a file that has to be small.
func (b *blob) small() ([]byte, error) {
	if b.content.Size() > b.limits.document {
		return nil, fmt.Errorf("it has %d bytes, and registries take no more than %d", b.content.Size(), b.limits.document)
	}
	content := make([]byte, b.content.Size())
	_, err := b.content.ReadAt(content, 0)
	if err == io.EOF {
		err = nil
	}
	return content, err
}

// A verifier compares what is written to it with a digest.
type verifier struct {
	hash.Hash
	digest string
}

// newVerifier returns a verifier for a digest such as sha256:0123….
func newVerifier(digest string) (*verifier, error) {
	algorithm, _, _ := strings.Cut(digest, ":")
	switch algorithm {
	case "sha256":
		return &verifier{sha256.New(), digest}, nil
	case "sha512":
		return &verifier{sha512.New(), digest}, nil
	}
	return nil, fmt.Errorf("%q is no digest that registries know, such as sha256:0123…", digest)
}

// verify returns an error if the content has another digest.
func (v *verifier) verify() error {
	algorithm, _, _ := strings.Cut(v.digest, ":")
	if is := algorithm + ":" + hex.EncodeToString(v.Sum(nil)); is != v.digest {
		return fmt.Errorf("its digest is %s, and not %s: the file is damaged, or was changed: build the package anew", is, v.digest)
	}
	return nil
}

// errNoStream says that an image is none of a Crossplane package.
var errNoStream = errors.New("no layer has a " + StreamFile + ": name a Crossplane package")

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
		stream, err := l.Stream()
		if err != nil || stream != nil {
			return stream, err
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
	if err := eachFile(unpacked, func(header *tar.Header, content io.Reader) error {
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

// eachFile calls a function with each entry of a tar archive, until one returns an error.
func eachFile(from io.Reader, call func(header *tar.Header, content io.Reader) error) error {
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
