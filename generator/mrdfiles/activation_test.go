package mrdfiles

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mrgen-io/mrgen/testdata/expect"
)

// mrdFile returns a file with definitions of a kind by their names.
func mrdFile(kind string, names ...string) File {
	var b strings.Builder
	for _, name := range names {
		plural, group, _ := strings.Cut(name, ".")
		fmt.Fprintf(&b, "---\nkind: %s\nspec: {group: %s, names: {kind: A, plural: %s}, versions: [{name: v1, schema: {openAPIV3Schema: {}}}]}\n", kind, group, plural)
	}
	return File{"a.yaml", []byte(b.String())}
}

func TestActivationPolicy(t *testing.T) {
	mrds := []File{
		mrdFile("ManagedResourceDefinition", "vpcs.ec2.example.org", "subnets.ec2.example.org", "buckets.s3.example.org", "subnets.ec2.example.org"),
		mrdFile("CustomResourceDefinition", "configs.ec2.example.org"),
	}
	for name, test := range map[string]struct {
		patterns []string
		want     []Match
		diags    []string
	}{
		"names and ends": {
			patterns: []string{"*.ec2.example.org", "buckets.s3.example.org"},
			want:     []Match{{"*.ec2.example.org", []string{"subnets.ec2.example.org", "vpcs.ec2.example.org"}}, {"buckets.s3.example.org", []string{"buckets.s3.example.org"}}},
		},
		"all":           {patterns: []string{"*"}, want: []Match{{"*", []string{"buckets.s3.example.org", "subnets.ec2.example.org", "vpcs.ec2.example.org"}}}},
		"end of a part": {patterns: []string{"*nets.ec2.example.org"}, want: []Match{{"*nets.ec2.example.org", []string{"subnets.ec2.example.org"}}}},
		"nothing": {
			patterns: []string{"*.example.com", "s3.example.org"},
			want:     []Match{{Pattern: "*.example.com"}, {Pattern: "s3.example.org"}},
			diags: []string{
				"warning: *.example.com matches none of the MRDs: correct the pattern, or remove it",
				"warning: s3.example.org matches none of the MRDs: correct the pattern, or remove it",
			},
		},
		"wrong": {
			patterns: []string{"vpcs.*", "**", "[a-z].example.org", "", "VPCs.ec2.example.org", "*", "*"},
			diags: []string{
				`"" is not a pattern: write the name of an MRD, such as buckets.example.org, or its end after an asterisk, such as *.example.org`,
				`"*" is given twice: name it once`,
				`"**" is not a pattern: write the name of an MRD, such as buckets.example.org, or its end after an asterisk, such as *.example.org`,
				`"VPCs.ec2.example.org" is not a pattern: write the name of an MRD, such as buckets.example.org, or its end after an asterisk, such as *.example.org`,
				`"[a-z].example.org" is not a pattern: write the name of an MRD, such as buckets.example.org, or its end after an asterisk, such as *.example.org`,
				`"vpcs.*" is not a pattern: write the name of an MRD, such as buckets.example.org, or its end after an asterisk, such as *.example.org`,
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			content, got, diags := ActivationPolicy("example", test.patterns, mrds)
			expect.Equal(t, test.want, got, "matches")
			expect.Equal(t, test.diags, texts(diags), "diagnostics")
			expect.True(t, (content == nil) == diags.HasErrors(), "the policy is %q", content)
		})
	}
}

func TestActivationPolicyName(t *testing.T) {
	_, _, diags := ActivationPolicy("My policy", []string{"*"}, []File{mrdFile("ManagedResourceDefinition", "vpcs.example.org")})
	const want = `"My policy" is not a name for a policy: a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`
	expect.True(t, len(diags) == 1 && diags[0].String() == want, "got %v, want %s", diags, want)
}
