package scaffolding

import "github.com/mrgen-io/mrgen/generator/internal/workshop/fromsdk"

// An Example says what a kind with example fields has.
type Example struct {
	// Password adds a password that the external resource is created with, and NoTags leaves out the tags
	// that tell what it belongs to.
	Password, NoTags bool
	// APINames is set if the external API chooses the names of resources.
	APINames bool
}

// IsExample reports whether the kind has example fields, and an API that is kept in memory.
func (d kindData) IsExample() bool { return d.kind.SDK == nil }

// HasPassword reports whether external resources are created with a password.
func (d kindData) HasPassword() bool { return d.IsExample() && d.kind.Example.Password }

// HasTags reports whether tags tell what external resources belong to.
func (d kindData) HasTags() bool { return d.IsExample() && !d.kind.Example.NoTags }

// ConnectionDetails returns the keys of the connection secret.
func (d kindData) ConnectionDetails() []fromsdk.Detail {
	if !d.IsExample() {
		return d.SDK().Details
	}
	all := []fromsdk.Detail{{Key: "endpoint", Description: "Endpoint at which the resource is reached."}}
	if d.HasPassword() {
		all = append(all, fromsdk.Detail{Key: "password", Description: "Password that the external resource was created with."})
	}
	return all
}
