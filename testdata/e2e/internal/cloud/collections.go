package cloud

import "fmt"

// Collections of resources.
const (
	VPCs      = "vpcs"
	Subnets   = "subnets"
	Instances = "instances"
	Machines  = "machines"
)

// Available is the state of a resource that can be used.
const Available = "available"

// rules are those of a collection.
type rules struct {
	id       string // the field with the ID
	prefix   string // of IDs that the cloud chooses; the client does if there is none
	state    string // the field with the state
	required []string
	fixed    []string          // fields that can't be changed
	secrets  map[string]string // fields that only the answer to the creation has

	// fill sets the fields that the cloud decides on, and defaults of others.
	fill func(region, id string, n int, d Document)
}

var collections = map[string]rules{
	VPCs: {
		id: "vpcId", prefix: "vpc", state: "vpcState",
		required: []string{"cidrBlock"},
		fixed:    []string{"cidrBlock", "ipv6CidrBlock", "ipv6Pool"},
		fill: func(_, _ string, n int, d Document) {
			d["enableDnsSupport"] = true
			d["enableDnsHostNames"] = false
			d["instanceTenancy"] = "default"
			d["isDefault"] = false
			d["ownerId"] = "123456789012"
			d["cidrBlockAssociationSet"] = []any{Document{
				"associationId":  fmt.Sprintf("assoc-%04d", n),
				"cidrBlockState": Document{"state": "associated"},
			}}
		},
	},
	Subnets: {
		id: "subnetId", prefix: "subnet", state: "subnetState",
		required: []string{"cidrBlock", "vpcId"},
		fixed:    []string{"cidrBlock", "vpcId", "availabilityZone", "availabilityZoneId"},
		fill: func(region, _ string, _ int, d Document) {
			d["availabilityZone"] = region + "a"
			d["availableIpAddressCount"] = 251
			d["defaultForAz"] = false
			d["mapPublicIPOnLaunch"] = false
		},
	},
	Machines: {
		id: "machineId", prefix: "machine", state: "machineState",
		fill: func(_, _ string, _ int, d Document) {
			d["mode"] = "standard"
			d["size"] = 8
			d["labels"] = Document{"made-by": "cloud"}
		},
	},
	Instances: {
		id: "id", state: "state",
		required: []string{"id", "databaseVersion"},
		fixed:    []string{"databaseVersion"},
		secrets:  map[string]string{"rootPassword": "chosen-by-the-cloud"},
		fill: func(region, id string, n int, d Document) {
			d["connectionName"] = "playground:" + region + ":" + id
			d["deletionProtection"] = false
			d["firstIpAddress"] = fmt.Sprintf("203.0.113.%d", n%256)
			d["publicIpAddress"] = fmt.Sprintf("203.0.113.%d", n%256)
			d["privateIpAddress"] = fmt.Sprintf("10.0.0.%d", n%256)
		},
	},
}

// settle makes a resource available, which it is not at once.
func (r rules) settle(d Document) { d[r.state] = Available }
