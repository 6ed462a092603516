package activation_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mrgen-io/mrgen/generator/internal/external/activation"
)

func TestPolicy(t *testing.T) {
	mrds := []string{"vpcs.ec2.example.org", "subnets.ec2.example.org", "buckets.s3.example.org", "subnets.ec2.example.org"}
	for name, test := range map[string]struct {
		patterns []string
		want     []activation.Match
		diags    []string
	}{
		"names and ends": {
			patterns: []string{"*.ec2.example.org", "buckets.s3.example.org"},
			want: []activation.Match{
				{"*.ec2.example.org", []string{"subnets.ec2.example.org", "vpcs.ec2.example.org"}},
				{"buckets.s3.example.org", []string{"buckets.s3.example.org"}},
			},
		},
		"all": {
			patterns: []string{"*"},
			want:     []activation.Match{{"*", []string{"buckets.s3.example.org", "subnets.ec2.example.org", "vpcs.ec2.example.org"}}},
		},
		"end of a part": {
			patterns: []string{"*nets.ec2.example.org"},
			want:     []activation.Match{{"*nets.ec2.example.org", []string{"subnets.ec2.example.org"}}},
		},
		"nothing": {
			patterns: []string{"*.example.com", "s3.example.org"},
			want:     []activation.Match{{Pattern: "*.example.com"}, {Pattern: "s3.example.org"}},
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
			content, got, diags := activation.Policy("example", test.patterns, mrds)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("matches (-want +got):\n%s", diff)
			}
			var texts []string
			for _, d := range diags.Sorted() {
				texts = append(texts, d.String())
			}
			if diff := cmp.Diff(test.diags, texts); diff != "" {
				t.Errorf("diagnostics (-want +got):\n%s", diff)
			}
			if (content == nil) != diags.HasErrors() {
				t.Errorf("the policy is %q", content)
			}
		})
	}
}

func TestPolicyName(t *testing.T) {
	_, _, diags := activation.Policy("My policy", []string{"*"}, []string{"vpcs.example.org"})
	const want = `"My policy" is not a name for a policy: a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`
	if len(diags) != 1 || diags[0].String() != want {
		t.Errorf("got %v, want %s", diags, want)
	}
}

func TestNames(t *testing.T) {
	names, diags := activation.Names("a.yaml", []byte(`# Comment.
---
kind: ManagedResourceDefinition
metadata: {name: vpcs.example.org}
---
kind: CustomResourceDefinition
metadata: {name: configs.example.org}
---
kind: ManagedResourceDefinition
metadata: {name: subnets.example.org}
`))
	if diff := cmp.Diff([]string{"vpcs.example.org", "subnets.example.org"}, names); diff != "" || diags != nil {
		t.Errorf("%v\n%s", diags, diff)
	}
	_, diags = activation.Names("a.yaml", []byte("kind: A\n---\na: b: c\n"))
	const want = "a.yaml: document 2: this can't be read as an MRD: yaml: line 3: mapping values are not allowed in this context: correct it, or have mrgen generate it again"
	if len(diags) != 1 || diags[0].String() != want {
		t.Errorf("got %v, want %s", diags, want)
	}
}
