package xpkg

import (
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"strings"
)

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
	return io.ReadAll(io.NewSectionReader(b.content, 0, b.content.Size()))
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
	return nil, fmt.Errorf("%q is not a digest, such as sha256:0123…", digest)
}

// verify returns an error if the content has another digest.
func (v *verifier) verify() error {
	algorithm, _, _ := strings.Cut(v.digest, ":")
	if is := algorithm + ":" + hex.EncodeToString(v.Sum(nil)); is != v.digest {
		return fmt.Errorf("its digest is %s, and not %s: the file is damaged, or was changed: build the package anew", is, v.digest)
	}
	return nil
}
