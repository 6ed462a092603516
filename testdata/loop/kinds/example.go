package kinds

// VPC returns that of provider-example, with most of its fields.
func VPC() *Kind {
	return &Kind{Name: "VPC", Fields: []*Field{
		{Name: "Region", JSON: "region", Identifier: true, Required: true},
		{Name: "CIDRBlock", JSON: "cidrBlock", Required: true, Immutable: true},
		{Name: "IPv6CIDRBlock", JSON: "ipv6CidrBlock", Immutable: true},
		{Name: "EnableDNSSupport", JSON: "enableDnsSupport", Shape: Bool},
		{Name: "EnableDNSHostNames", JSON: "enableDnsHostNames", Shape: Bool},
		{Name: "Tags", JSON: "tags", Shape: Items, Type: "Tag", Fields: []*Field{
			{Name: "Key", JSON: "key", Key: true, Required: true}, {Name: "Value", JSON: "value", Required: true},
		}},
	}}
}
