package definitions

import (
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

// packageFile is the file with all objects of a Crossplane package, see
// https://github.com/crossplane/crossplane/blob/main/contributing/specifications/xpkg.md.
const packageFile = "package.yaml"

// baseLayer is what the annotation, or the label, of the layer with that file says.
const baseLayer = "base"

// Package returns package.yaml of a Crossplane package: an image in a tar archive, as
// docker save and crossplane xpkg build write it, or as an OCI layout. An image of that form is
// a tar archive with JSON in it. What go-containerregistry would add is a registry's
// client, with 25 packages.
func Package(name string, content []byte) ([]File, error) {
	blobs := map[string][]byte{}
	entries, err := untar(bytes.NewReader(content), func(string) bool { return true })
	if err != nil {
		return nil, fmt.Errorf("this is no tar archive: %w", err)
	}
	for _, entry := range entries {
		blobs[entry.Name] = entry.Content
	}
	layers, err := layers(blobs)
	if err != nil {
		return nil, err
	}
	// The base layer has it all. Without one, a file of a later layer hides that of others.
	slices.Reverse(layers)
	slices.SortStableFunc(layers, func(a, b layer) int {
		switch {
		case a.base == b.base:
			return 0
		case a.base:
			return -1
		default:
			return 1
		}
	})
	for _, l := range layers {
		from, err := uncompressed(blobs[l.blob])
		if err != nil {
			return nil, err
		}
		files, err := untar(from, func(name string) bool { return name == packageFile })
		if err != nil {
			return nil, fmt.Errorf("a layer of the package can't be read: %w", err)
		}
		if len(files) > 0 {
			return []File{{Name: name, Content: files[0].Content}}, nil
		}
	}
	return nil, errors.New("no layer has a " + packageFile + ": name a Crossplane package")
}

// A layer is a layer of an image, by the name of its blob.
type layer struct {
	blob string
	base bool
}

// layers returns the layers of the image in an archive, in their order.
func layers(blobs map[string][]byte) ([]layer, error) {
	if manifest, ok := blobs["manifest.json"]; ok {
		return savedLayers(blobs, manifest)
	}
	if index, ok := blobs["index.json"]; ok {
		return layoutLayers(blobs, index)
	}
	return nil, errors.New("this archive holds no image: name a Crossplane package, as crossplane xpkg build writes it")
}

// savedLayers reads the form of docker save.
func savedLayers(blobs map[string][]byte, manifest []byte) ([]layer, error) {
	var images []struct {
		Config string
		Layers []string
	}
	if err := json.Unmarshal(manifest, &images); err != nil || len(images) != 1 {
		return nil, errors.New("this archive must hold one image")
	}
	var config struct {
		Config struct{ Labels map[string]string } `json:"config"`
		Rootfs struct {
			DiffIDs []string `json:"diff_ids"`
		} `json:"rootfs"`
	}
	if err := json.Unmarshal(blobs[path.Clean(images[0].Config)], &config); err != nil {
		return nil, fmt.Errorf("the configuration of the image can't be read: %w", err)
	}
	var all []layer
	for i, blob := range images[0].Layers {
		l := layer{blob: path.Clean(blob)}
		digest := strings.TrimSuffix(path.Base(l.blob), ".tar.gz")
		for label, kind := range config.Config.Labels {
			// The label ends with the digest of the layer, compressed or not.
			if kind == baseLayer && strings.HasPrefix(label, "io.crossplane.xpkg:") {
				labelled := strings.TrimPrefix(label, "io.crossplane.xpkg:")
				l.base = l.base || strings.TrimPrefix(labelled, "sha256:") == strings.TrimPrefix(digest, "sha256:") ||
					i < len(config.Rootfs.DiffIDs) && labelled == config.Rootfs.DiffIDs[i]
			}
		}
		all = append(all, l)
	}
	return all, nil
}

// layoutLayers reads the form of an OCI layout.
func layoutLayers(blobs map[string][]byte, index []byte) ([]layer, error) {
	type descriptor struct {
		Digest      string            `json:"digest"`
		Annotations map[string]string `json:"annotations"`
	}
	blob := func(d descriptor) string { return "blobs/" + strings.Replace(d.Digest, ":", "/", 1) }
	var images struct {
		Manifests []descriptor `json:"manifests"`
	}
	if err := json.Unmarshal(index, &images); err != nil || len(images.Manifests) != 1 {
		return nil, errors.New("this archive must hold one image")
	}
	var manifest struct {
		Layers []descriptor `json:"layers"`
	}
	if err := json.Unmarshal(blobs[blob(images.Manifests[0])], &manifest); err != nil {
		return nil, fmt.Errorf("the manifest of the image can't be read: %w", err)
	}
	var all []layer
	for _, d := range manifest.Layers {
		all = append(all, layer{blob(d), d.Annotations["io.crossplane.xpkg"] == baseLayer})
	}
	return all, nil
}

// uncompressed reads a layer, which may be compressed.
func uncompressed(blob []byte) (io.Reader, error) {
	if !bytes.HasPrefix(blob, []byte{0x1f, 0x8b}) {
		return bytes.NewReader(blob), nil
	}
	return gzip.NewReader(bytes.NewReader(blob))
}
