package markers

import (
	"go/token"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mrgen-io/mrgen/testdata/expect"
)

func TestSplitGoName(t *testing.T) {
	for text, want := range map[string][2]string{
		"VPC":                              {"", "VPC"},
		"example.org/apis/ec2/v1beta1.VPC": {"example.org/apis/ec2/v1beta1", "VPC"},
		"ec2.VPC":                          {"ec2", "VPC"},
	} {
		importPath, name := SplitGoName(text)
		expect.Equal(t, want, [2]string{importPath, name}, "SplitGoName(%q)", text)
	}
}

func TestParseGoCall(t *testing.T) {
	tests := map[string]*Call{
		"VPCID()": {Function: "VPCID"},
		`example.org/apis/ec2.Attribute( "a.b(c)" , true,-1, +2.5, 'x', Prefix /* of all */ )`: {
			Package: "example.org/apis/ec2", Function: "Attribute",
			Arguments: []CallArgument{{`"a.b(c)"`, token.STRING}, {"true", token.IDENT}, {"-1", token.INT}, {"+2.5", token.FLOAT}, {"'x'", token.CHAR}, {"Prefix", token.IDENT}},
		},
		"VPCID":             nil,
		"VPCID() // twice":  nil,
		"VPCID()()":         nil,
		"VPCID(ID())":       nil,
		"VPCID(-ID())":      nil,
		"VPCID(all...)":     nil,
		"VPCID(func() {})":  nil,
		"VPCID(ec2.Prefix)": nil,
		".VPCID()":          nil,
		"VPCID(":            nil,
	}
	for text, want := range tests {
		got, ok := ParseGoCall(text)
		if want == nil {
			expect.True(t, !ok, "ParseGoCall(%q) = %v, want none", text, got)
			continue
		}
		diff := cmp.Diff(*want, got)
		expect.True(t, diff == "" && ok, "ParseGoCall(%q) = %v (-want +got):\n%s", text, ok, diff)
	}
}
