package xpkg

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// Archive returns a package as a tar archive. It is an OCI layout with all platforms, and what docker
// save and crossplane xpkg build write, for the platform whose image Crossplane reads.
func Archive(index v1.ImageIndex) ([]byte, error) {
	w := archiveWriter{files: map[string][]byte{"oci-layout": []byte(`{"imageLayoutVersion":"1.0.0"}`)}}
	manifest, err := index.IndexManifest()
	if err != nil {
		return nil, err
	}
	for i, d := range manifest.Manifests {
		image, err := index.Image(d.Digest)
		if err != nil {
			return nil, err
		}
		saved, err := w.add(image)
		if err != nil {
			return nil, err
		}
		if i == 0 || isDefault(d.Platform) {
			if err := w.json("manifest.json", tarball.Manifest{saved}); err != nil {
				return nil, err
			}
		}
	}
	d, err := w.manifest(index)
	if err != nil {
		return nil, err
	}
	if err := w.json("index.json", v1.IndexManifest{SchemaVersion: 2, MediaType: types.OCIImageIndex, Manifests: []v1.Descriptor{d}}); err != nil {
		return nil, err
	}
	var entries []entry
	for _, name := range slices.Sorted(maps.Keys(w.files)) {
		entries = append(entries, entry{name, 0o644, w.files[name]})
	}
	return pack(entries)
}

// isDefault reports whether Crossplane reads the image for a platform, if there are several.
func isDefault(p *v1.Platform) bool { return p != nil && p.String() == defaultPlatform }

const defaultPlatform = "linux/amd64"

// An archiveWriter collects the files of an archive.
type archiveWriter struct{ files map[string][]byte }

func (w archiveWriter) json(name string, value any) error {
	content, err := json.Marshal(value)
	w.files[name] = content
	return err
}

// blob adds a blob, and returns its name.
func (w archiveWriter) blob(digest v1.Hash, content []byte) string {
	name := fmt.Sprintf("blobs/%s/%s", digest.Algorithm, digest.Hex)
	w.files[name] = content
	return name
}

// manifest adds the manifest of an image, or an index, and describes it.
func (w archiveWriter) manifest(of interface {
	RawManifest() ([]byte, error)
	Digest() (v1.Hash, error)
	MediaType() (types.MediaType, error)
}) (v1.Descriptor, error) {
	content, err := of.RawManifest()
	if err != nil {
		return v1.Descriptor{}, err
	}
	digest, err := of.Digest()
	if err != nil {
		return v1.Descriptor{}, err
	}
	w.blob(digest, content)
	mediaType, err := of.MediaType()
	return v1.Descriptor{MediaType: mediaType, Digest: digest, Size: int64(len(content))}, err
}

// add adds the blobs of an image, and describes it as docker save does.
func (w archiveWriter) add(image v1.Image) (tarball.Descriptor, error) {
	var saved tarball.Descriptor
	if _, err := w.manifest(image); err != nil {
		return saved, err
	}
	name, err := image.ConfigName()
	if err != nil {
		return saved, err
	}
	content, err := image.RawConfigFile()
	if err != nil {
		return saved, err
	}
	saved.Config = w.blob(name, content)
	layers, err := image.Layers()
	if err != nil {
		return saved, err
	}
	for _, l := range layers {
		digest, err := l.Digest()
		if err != nil {
			return saved, err
		}
		from, err := l.Compressed()
		if err != nil {
			return saved, err
		}
		content, err := io.ReadAll(from)
		if err != nil {
			return saved, err
		}
		saved.Layers = append(saved.Layers, w.blob(digest, content))
	}
	return saved, nil
}

// Push writes a package to a registry, with the credentials that docker login keeps, and returns its
// reference with the digest.
func Push(ctx context.Context, reference string, index v1.ImageIndex) (string, error) {
	target, err := name.ParseReference(reference)
	if err != nil {
		return "", err
	}
	digest, err := index.Digest()
	if err != nil {
		return "", err
	}
	err = remote.WriteIndex(target, index, remote.WithContext(ctx), remote.WithAuthFromKeychain(authn.DefaultKeychain))
	return target.Context().Digest(digest.String()).String(), err
}

// Pull returns the image of a platform from a registry. The reference must have a digest, so that it
// means the same image for ever.
func Pull(ctx context.Context, reference, platform string) (v1.Image, error) {
	source, err := name.NewDigest(reference)
	if err != nil {
		return nil, fmt.Errorf("%s has no digest, so it may change: name it as in gcr.io/distroless/static@sha256:0123…", reference)
	}
	wanted, err := v1.ParsePlatform(platform)
	if err != nil {
		return nil, err
	}
	return remote.Image(source, remote.WithContext(ctx), remote.WithAuthFromKeychain(authn.DefaultKeychain), remote.WithPlatform(*wanted))
}
