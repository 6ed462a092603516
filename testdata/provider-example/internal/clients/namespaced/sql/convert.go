// Package sql has what a controller of database instances needs of the SDK.
package sql

import (
	"github.com/mrgen-io/provider-example/apis/namespaced/sql/v1beta1"
	"github.com/mrgen-io/provider-example/internal/sqladmin"
)

// +mrgen:convert
type instances interface {
	// +mrgen:convert:field=ID=Name
	// +mrgen:convert:field=FirstIPAddress=Addresses.First
	// +mrgen:convert:field=PrivateIPAddress=Addresses.Private
	// +mrgen:convert:field=PublicIPAddress=Addresses.Public
	ObserveInstance(*sqladmin.Instance) (v1beta1.DatabaseInstanceObservation, error)
	InsertInstance(p *v1beta1.DatabaseInstanceParameters, name, rootPassword string) *sqladmin.InsertRequest
	// +mrgen:convert:update
	PatchInstance(*v1beta1.DatabaseInstanceParameters) *sqladmin.PatchRequest
}
