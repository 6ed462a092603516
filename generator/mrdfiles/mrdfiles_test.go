package mrdfiles

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"go.yaml.in/yaml/v3"
	kubernetesyaml "sigs.k8s.io/yaml"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

// bucket is the CRD of a managed resource. The comments, the order of keys, the
// quotes and the style are to make no difference.
//
//go:embed testdata/bucket.yaml
var bucket string

// configs is the CRD of no managed resource.
const configs = `# Kept.
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: configs.example.org}
spec:
  group: example.org
  names: {plural: configs, kind: Config}
  scope: Cluster
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object,
      properties: {providerConfigRef: {type: object}}}}}}}`

// shared has what YAML shares between places, values that Kubernetes takes for booleans,
// several versions, and a conversion.
//
//go:embed testdata/shared.yaml
var shared string

// TestConvert has what becomes of files. BUCKET stands for the MRD of bucket, which says what Kubernetes reads in the CRD.
func TestConvert(t *testing.T) {
	bucketMRD, diags := ToMRDs(context.Background(), Options{MinKubernetes: "1.31", Files: []File{{"in.yaml", []byte(bucket)}}, State: "Inactive"})
	expect.None(t, diags)
	checkReading(t, []byte(bucket), bucketMRD)
	for _, part := range []string{
		"metadata:\n  annotations:\n    example.org/kept: \"true\"\n  name: buckets.example.org\nspec:\n  connectionDetails:\n  - description: The host\n    name: endpoint\n  group: example.org\n",
		"  scope: Namespaced\n  state: Inactive\n", "default: 9007199254740993\n", "enum:\n                    - \"yes\"\n                    - \"1\"\n                    - \"\"\n                    - \"null\"\n                    - \"~\"\n                    - 'a: b'\n",
		"description: |\n                      Folded text.\n", "maximum: 9223372036854775807\n", "    served: true\n    storage: true\n    unknown:\n      a:\n      - 1.5\n      b: 2\n",
	} {
		expect.True(t, strings.HasPrefix(string(bucketMRD), "---\napiVersion: apiextensions.crossplane.io/v1alpha1\n") && strings.Contains(string(bucketMRD), part), "there is no %q in\n%s", part, bucketMRD)
	}
	const isOther = ": this is not a CustomResourceDefinition of apiextensions.k8s.io/v1: name files that hold these only, each as a document of its own"
	const notSecret = ": it is not a key of a Secret: write letters, digits, -, . and _, and one asterisk at most for the part that varies"
	annotated := strings.Replace(bucket, "connection.crossplane.io/endpoint: The host", `connection.crossplane.io/port: ""`, 1)
	for name, test := range map[string]struct {
		content string
		details string
		want    string
		diags   []string
	}{
		"managed":   {content: bucket, want: "BUCKET"},
		"unmanaged": {content: configs, want: "---\n" + configs + "\n"},
		"stream":    {content: "# Header.\n---\n# Nothing.\n--- # Second.\n" + configs + "\n---\r\n" + bucket + "---\n", want: "--- # Second.\n" + configs + "\nBUCKET"},
		"declared details": {
			content: bucket, details: "buckets.example.org:\n- {name: 'key.*', description: A key}\n- name: endpoint\n  description: The host\n",
			want: strings.Replace(string(bucketMRD), "    name: endpoint\n", "    name: endpoint\n  - description: A key\n    name: key.*\n", 1),
		},
		"details that clash": {
			content: bucket, details: "buckets.example.org:\n- {name: endpoint, description: Where}\n",
			diags: []string{`in.yaml:2: buckets.example.org: the connection detail "endpoint": it has another description at details.yaml:2: keep one of them`},
		},
		"details of nothing": {
			content: configs, details: "# Comment.\nconfigs.example.org:\n- {name: endpoint, description: Where}\n", want: "---\n" + configs + "\n",
			diags: []string{`details.yaml:3: warning: no managed resource in the input has a CRD with the name "configs.example.org": correct the name, or remove it`},
		},
		"annotation without text": {content: annotated, diags: []string{`in.yaml:2: buckets.example.org: the connection detail "port": nothing describes it: add a description`}},
		"wrong details": {
			content: bucket,
			details: `buckets.example.org:
- {name: a/b, description: Where}
- {name: a*b*, description: Where}
- {name: a, description: " "}
- {name: [a], description: }
`,
			diags: []string{
				`details.yaml:2: buckets.example.org: the connection detail "a/b"` + notSecret,
				`details.yaml:3: buckets.example.org: the connection detail "a*b*"` + notSecret,
				`details.yaml:4: buckets.example.org: the connection detail "a": nothing describes it: add a description`,
				`details.yaml:5: buckets.example.org: the connection detail ""` + notSecret,
			},
		},
		"details that are no list": {
			content: bucket, details: "# A comment.\nbuckets.example.org: a\n",
			diags: []string{"details.yaml:2: connection details are lists of - name: and description:, by the names of CRDs: cannot unmarshal !!str `a` into []mrdfiles.detail"},
		},
		"details with an unknown field": {
			content: bucket, details: "buckets.example.org:\n- {name: a, description: b,\n   value: c}\n",
			diags: []string{"details.yaml:3: connection details are lists of - name: and description:, by the names of CRDs: field value not found in type mrdfiles.detail"},
		},
		"details of one CRD twice": {
			content: bucket, details: "buckets.example.org: []\nbuckets.example.org: []\n",
			diags: []string{`details.yaml:2: connection details are lists of - name: and description:, by the names of CRDs: mapping key "buckets.example.org" already defined at line 1`},
		},
		"details in two documents": {
			content: bucket, details: "buckets.example.org: []\n---\nbuckets.example.org: []\n",
			diags: []string{"details.yaml:1: connection details are lists of - name: and description:, by the names of CRDs: there is a second document"},
		},
		"twice":        {content: bucket + "---\n" + configs + "\n---\n" + bucket, diags: []string{"in.yaml:55: document 3: buckets.example.org is also document 1 of in.yaml: keep one of them"}},
		"no documents": {content: "# Nothing.\n", diags: []string{"in.yaml: this holds no documents: name a file with CRDs"}},
		"no YAML": {
			content: configs + "\n---\na: b\nc: d: e\n",
			diags:   []string{"in.yaml:14: document 2: this can't be read as YAML: mapping values are not allowed in this context: correct it, or see if the file is cut off"},
		},
		"cut off in a string": {
			content: "---\napiVersion: \"apiextensions",
			diags:   []string{"in.yaml:2: document 1: this can't be read as YAML: found unexpected end of stream: correct it, or see if the file is cut off"},
		},
		"cut off between lines": {
			content: strings.SplitAfter(bucket, "    unknown")[0] + ": {}\n",
			diags: []string{
				"in.yaml:2: document 1: the API server would refuse the metadata.name of the CRD: Required value: name or generateName is required",
				"in.yaml:6: document 1: the API server would refuse the group of the CRD: Required value",
				"in.yaml:6: document 1: the API server would refuse the names.kind of the CRD: Required value",
				"in.yaml:6: document 1: the API server would refuse the names.listKind of the CRD: Required value",
				"in.yaml:6: document 1: the API server would refuse the names.plural of the CRD: Required value",
				"in.yaml:6: document 1: the API server would refuse the names.singular of the CRD: Required value",
				"in.yaml:8: document 1: the API server would refuse the schema.openAPIV3Schema of the CRD: Required value",
			},
		},
		"no object": {content: "[a]\n---\na: b\n---\nnull", diags: []string{"in.yaml:1: document 1" + isOther, "in.yaml:3: document 2" + isOther}},
		"other kinds": {
			content: "{apiVersion: v1, kind: Secret}\n---\n{apiVersion: v1, kind: List}\n---\n{apiVersion: apiextensions.k8s.io/v1beta1, kind: CustomResourceDefinition}\n",
			diags:   []string{"in.yaml:1: document 1" + isOther, "in.yaml:3: document 2" + isOther, "in.yaml:5: document 3" + isOther},
		},
		"wrong type": {
			content: strings.Replace(configs, "scope: Cluster", "scope: [Cluster]", 1),
			diags:   []string{"in.yaml:2: document 1: this is not a CRD that Kubernetes can read: cannot unmarshal array into Go struct field CustomResourceDefinitionSpec.spec.scope of type v1.ResourceScope: correct it, or see if the file is cut off"},
		},
		"wrong schema": {
			content: strings.Replace(bucket, "nullable: true", "pattern: (\n                    nullable: true", 1),
			diags:   []string{"in.yaml:30: document 1: the API server would refuse the pattern of .spec.forProvider.size: Invalid value: \"(\": must be a valid regular expression, but isn't: error parsing regexp: missing closing ): `(`"},
		},
		"comments and byte order marks": {
			content: "\ufeff# Copyright nobody.\n#\n\n# Code generated by mrgen from apis/v1. DO NOT EDIT.\n---\n" + bucket +
				"---\r\n" + configs + "\n--- # The end.\n# It is.\n",
			want: "BUCKET---\r\n" + configs + "\n",
		},
		"byte order mark":        {content: "\ufeff" + configs, want: "---\n" + configs + "\n"},
		"byte order mark within": {content: "a: b\n\ufeffc: d\n", diags: []string{"in.yaml:1: document 1" + isOther}},
		"what holds itself": {
			content: "a: b\nc: &x [*x]\n",
			diags:   []string{"in.yaml:1: document 1: this can't be read as YAML: anchor 'x' value contains itself: correct it, or see if the file is cut off"},
		},
		"what makes too much of little": {
			content: "a: &a [1,1,1,1,1,1,1,1,1,1]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\n" +
				"d: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: &f [*e,*e,*e,*e,*e,*e,*e,*e,*e,*e]\ng: [*f,*f,*f,*f,*f,*f,*f,*f,*f,*f]\n",
			diags: []string{"in.yaml:1: document 1: this can't be read as YAML: document contains excessive aliasing: correct it, or see if the file is cut off"},
		},
		"keys that are there twice": {
			content: "a: 1\nb:\n  c: 2\n  c: 3\n",
			diags:   []string{`in.yaml:4: document 1: this can't be read as YAML: key "c" already set in map: correct it, or see if the file is cut off`},
		},
	} {
		t.Run(name, func(t *testing.T) {
			options := Options{MinKubernetes: "1.31", Files: []File{{"in.yaml", []byte(test.content)}}, State: "Inactive"}
			if test.details != "" {
				options.ConnectionDetails = &File{"details.yaml", []byte(test.details)}
			}
			content, diags := ToMRDs(context.Background(), options)
			expect.Equal(t, strings.ReplaceAll(test.want, "BUCKET", string(bucketMRD)), string(content), "output")
			expect.Equal(t, test.diags, texts(diags), "diagnostics")
		})
	}
}

// TestConvertLarge has a CRD that no API server can store refused.
func TestConvertLarge(t *testing.T) {
	var properties strings.Builder
	for i := range 2_000 {
		fmt.Fprintf(&properties, "                  p%d: {type: string, description: %s}\n", i, strings.Repeat("a", 1000))
	}
	size := "                  size:\n"
	content := strings.Replace(bucket, size, properties.String()+size, 1)
	got, diags := ToMRDs(context.Background(), Options{MinKubernetes: "1.31", Files: []File{{"in.yaml", []byte(content)}}, State: "Inactive"})
	const want = "in.yaml:6: document 1: the API server would refuse the CRD: is "
	if got != nil || len(diags) != 1 || !strings.HasPrefix(diags[0].String(), want) {
		t.Errorf("got %d bytes and %v, want the diagnostic %s...", len(got), texts(diags), want)
	}
}

// TestConvertReadsAsKubernetes has an MRD say what Kubernetes reads in the CRD, whatever
// places share, and whatever YAML 1.1 takes for a boolean. It keeps all versions and their
// conversion, and the connection details of any of them.
func TestConvertReadsAsKubernetes(t *testing.T) {
	output, diags := ToMRDs(context.Background(), Options{MinKubernetes: "1.31", Files: []File{{"in.yaml", []byte(shared)}}, State: "Inactive"})
	expect.Must(t, diags == nil, "%v", texts(diags))
	checkReading(t, []byte(shared), output)
	var mrd struct {
		Spec struct {
			ConnectionDetails []struct{ Name, Description string }
			Conversion        map[string]any
			Versions          []struct {
				Name                        string
				Served, Storage, Deprecated bool
				Schema                      any
			}
		}
	}
	expect.NoError(t, kubernetesyaml.Unmarshal(output, &mrd))
	spec := mrd.Spec
	expect.Equal(t, "[{endpoint The host} {port The port, in v1beta1}]", fmt.Sprint(spec.ConnectionDetails), "got the connection details")
	if got, want := fmt.Sprint(spec.Conversion), "map[strategy:Webhook webhook:map[clientConfig:map[service:map[name:example.org namespace:system path:/convert port:443]] conversionReviewVersions:[v1]]]"; got != want {
		t.Errorf("got the conversion %s, want %s", got, want)
	}
	var versions []string
	for _, v := range spec.Versions {
		versions = append(versions, fmt.Sprintln(v.Name, v.Served, v.Storage, v.Deprecated))
		if properties := fmt.Sprint(v.Schema); !strings.Contains(properties, "n:map[default:true type:boolean]") || strings.Contains(properties, "size:") != v.Storage {
			t.Errorf("%s has the schema %s", v.Name, properties)
		}
	}
	if want := []string{"v1alpha1 true false true\n", "v1alpha2 true false false\n", "v1beta1 true true false\n"}; !slices.Equal(versions, want) {
		t.Errorf("got the versions %v, want %v", versions, want)
	}
}

// checkReading compares the documents of a stream with what became of them, as
// Kubernetes reads both.
func checkReading(t *testing.T, input, output []byte) {
	t.Helper()
	before, after := split(File{Content: input}), split(File{Content: output})
	expect.Must(t, len(before) == len(after), "%d documents became %d:\n%s", len(before), len(after), output)
	for i := range before {
		var want, got map[string]any
		expect.NoError(t, kubernetesyaml.Unmarshal(before[i].text, &want))
		expect.NoError(t, kubernetesyaml.Unmarshal(after[i].text, &got))
		if got["kind"] == "ManagedResourceDefinition" {
			toMRD(want, nil, "Inactive")
			delete(got["spec"].(map[string]any), "connectionDetails")
		}
		diff := cmp.Diff(want, got, cmpopts.EquateEmpty())
		expect.True(t, diff == "", "document %d (-want +got):\n%s", i+1, diff)
	}
}

// TestConvertGenerated turns the CRDs that mrgen writes into MRDs, and the MRDs back
// into CRDs.
func TestConvertGenerated(t *testing.T) {
	names, err := filepath.Glob("../../testdata/provider-*/package/crds/*.yaml")
	expect.Must(t, err == nil && len(names) >= 10, "found %d CRDs: %v", len(names), err)
	managed := 0
	for _, name := range names {
		input := expect.Value(os.ReadFile(name))(t)
		output, diags := ToMRDs(context.Background(), Options{MinKubernetes: "1.31", Files: []File{{name, input}}, State: "Active"})
		if diags != nil {
			t.Errorf("%v", texts(diags))
			continue
		}
		want, got := decodeAny(t, input), decodeAny(t, output)
		if got["kind"] == "ManagedResourceDefinition" {
			managed++
			got["apiVersion"], got["kind"] = "apiextensions.k8s.io/v1", "CustomResourceDefinition"
			spec := got["spec"].(map[string]any)
			delete(spec, "state")
			annotate(got, spec)
			delete(spec, "connectionDetails")
		}
		expect.Equal(t, want, got, "%s", name)
	}
	expect.True(t, managed != 0 && managed != len(names), "%d of %d kinds are managed", managed, len(names))
}

// annotate puts connection details back into annotations.
func annotate(mrd, spec map[string]any) {
	details, _ := spec["connectionDetails"].([]any)
	for _, d := range details {
		metadata := mrd["metadata"].(map[string]any)
		if metadata["annotations"] == nil {
			metadata["annotations"] = map[string]any{}
		}
		detail := d.(map[string]any)
		metadata["annotations"].(map[string]any)["connection.crossplane.io/"+detail["name"].(string)] = detail["description"]
	}
}

// FuzzConvert converts anything. What comes out is converted no further, and what is
// wrong has a position.
func FuzzConvert(f *testing.F) {
	for _, seed := range []string{bucket, configs, shared, bucket + "---\n" + configs, "\ufeff# a\n---\n" + configs + "\n---\n# b\n", "a: &x *x", "--- !!map\n...\n%YAML 1.1\n---\n", "{", "\ufeff---\n"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		got, diags := ToMRDs(context.Background(), Options{MinKubernetes: "1.31", Files: []File{{"in.yaml", content}}, State: "Inactive"})
		expect.Must(t, (got == nil) == diags.HasErrors(), "%q with %v", got, texts(diags))
		for _, d := range diags {
			expect.True(t, d.Pos.File == "in.yaml" && d.Pos.Line <= 2+bytes.Count(content, []byte("\n"))+bytes.Count(content, []byte("\r")), "wrong position: %s", d)
		}
		if got == nil {
			return
		}
		checkReading(t, content, got)
	})
}

func texts(diags diag.List) []string {
	return expect.Strings(diags.Sorted())
}

func decodeAny(t *testing.T, content []byte) map[string]any {
	t.Helper()
	var value map[string]any
	expect.NoError(t, yaml.Unmarshal(content, &value))
	return value
}
