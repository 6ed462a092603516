// Package sqladmin is an SDK, as that of Google Cloud SQL would be if it were small. Like other SDKs, it
// has one struct for what the API returns, and others for the requests. A pointer that is nil isn't sent.
package sqladmin

import "time"

// An Instance is what the API returns.
type Instance struct {
	Name               string                `json:"name"`
	DatabaseVersion    DatabaseVersion       `json:"databaseVersion"`
	Region             string                `json:"region"`
	State              string                `json:"state"`
	ConnectionName     string                `json:"connectionName"`
	DeletionProtection bool                  `json:"deletionProtection"`
	Addresses          Addresses             `json:"addresses"`
	Clone              *Clone                `json:"clone,omitempty"`
	Replica            *ReplicaConfiguration `json:"replicaConfiguration,omitempty"`
	Settings           []Settings            `json:"settings"`
}

// A DatabaseVersion is an engine, with its version.
type DatabaseVersion string

// Addresses are those at which an instance is reached.
type Addresses struct {
	First   string `json:"first"`
	Private string `json:"private"`
	Public  string `json:"public"`
}

// A Clone says what an instance is a copy of.
type Clone struct {
	Source      string     `json:"sourceInstanceName"`
	PointInTime *time.Time `json:"pointInTime,omitempty"`
}

// A ReplicaConfiguration says how a replica connects to its primary instance.
type ReplicaConfiguration struct {
	ClientCertificate string `json:"clientCertificate,omitempty"`
	ClientKey         string `json:"clientKey,omitempty"`
	Username          string `json:"username,omitempty"`
}

// ActivationPolicy says when an instance is active.
type ActivationPolicy string

// AvailabilityType says how an instance bears the loss of a zone.
type AvailabilityType string

// Settings are what most updates change.
type Settings struct {
	Version          int64             `json:"settingsVersion,omitempty,string"`
	ActivationPolicy ActivationPolicy  `json:"activationPolicy,omitempty"`
	AvailabilityType AvailabilityType  `json:"availabilityType,omitempty"`
	DatabaseFlags    []DatabaseFlag    `json:"databaseFlags,omitempty"`
	DataDiskSizeGB   int64             `json:"dataDiskSizeGb,omitempty,string"`
	IPConfiguration  *IPConfiguration  `json:"ipConfiguration,omitempty"`
	PricingPlan      string            `json:"pricingPlan,omitempty"`
	Tier             string            `json:"tier"`
	UserLabels       map[string]string `json:"userLabels,omitempty"`
}

// A DatabaseFlag is passed to the database at startup.
type DatabaseFlag struct {
	Name  string `json:"name"`
	Value string `json:"value,omitempty"`
}

// An IPConfiguration says how an instance is reached.
type IPConfiguration struct {
	AuthorizedNetworks map[string]ACLEntry `json:"authorizedNetworks,omitempty"`
	IPv4Enabled        *bool               `json:"ipv4Enabled,omitempty"`
	PrivateNetwork     string              `json:"privateNetwork,omitempty"`
}

// An ACLEntry is a network that may reach an instance.
type ACLEntry struct {
	Value          string `json:"value"`
	ExpirationTime string `json:"expirationTime,omitempty"` // of RFC 3339
}

// An InsertRequest creates an instance.
type InsertRequest struct {
	Name               string                `json:"name"`
	RootPassword       string                `json:"rootPassword,omitempty"`
	DatabaseVersion    DatabaseVersion       `json:"databaseVersion"`
	Region             string                `json:"region"`
	DeletionProtection *bool                 `json:"deletionProtection,omitempty"`
	Clone              *Clone                `json:"clone,omitempty"`
	Replica            *ReplicaConfiguration `json:"replicaConfiguration,omitempty"`
	Settings           []Settings            `json:"settings"`
}

// A PatchRequest changes an instance.
type PatchRequest struct {
	DeletionProtection *bool                 `json:"deletionProtection,omitempty"`
	Replica            *ReplicaConfiguration `json:"replicaConfiguration,omitempty"`
	Settings           []Settings            `json:"settings,omitempty"`
}
