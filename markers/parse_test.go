package markers

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mrgen-io/mrgen/testdata/expect"
)

func TestParse(t *testing.T) {
	tests := []struct {
		text      string
		name      string
		arguments []ArgumentValue
		printed   string // If it differs from text.
	}{
		{text: "mrgen:identifier", name: "mrgen:identifier"},
		{text: "mrgen:identifier \t\r", name: "mrgen:identifier", printed: "mrgen:identifier"},
		{text: "mrgen:sensitive", name: "mrgen:sensitive"},
		{text: "mrgen:mirror=false", name: "mrgen:mirror", arguments: []ArgumentValue{{"", "false"}}},
		{text: "mrgen:mirror= true", name: "mrgen:mirror", arguments: []ArgumentValue{{"", "true"}}, printed: "mrgen:mirror=true"},
		{text: "mrgen:renamedFrom=spec.a", name: "mrgen:renamedFrom", arguments: []ArgumentValue{{"", "spec.a"}}},
		{text: "mrgen:renamedFrom=v1alpha1:spec.a", name: "mrgen:renamedFrom", arguments: []ArgumentValue{{"", "v1alpha1:spec.a"}}},
		{text: "mrgen:renamedFrom=-", name: "mrgen:renamedFrom", arguments: []ArgumentValue{{"", "-"}}},
		{text: "mrgen:relax=false", name: "mrgen:relax", arguments: []ArgumentValue{{"", "false"}}},
		{text: "mrgen:state=Active", name: "mrgen:state", arguments: []ArgumentValue{{"", "Active"}}},
		{text: "mrgen:state=Inactive", name: "mrgen:state", arguments: []ArgumentValue{{"", "Inactive"}}},
		{text: "mrgen:connectionDetail", name: "mrgen:connectionDetail"},
		{text: "mrgen:connectionDetail:name=tls.crt", name: "mrgen:connectionDetail", arguments: []ArgumentValue{{"name", "tls.crt"}}},
		{
			text:      `mrgen:connectionDetail:name=password,description="The \"admin\"s password, as UTF-8: ü."`,
			name:      "mrgen:connectionDetail",
			arguments: []ArgumentValue{{"name", "password"}, {"description", `The "admin"s password, as UTF-8: ü.`}},
		},
		{
			text:      "mrgen:connectionDetail:description=`C:\\temp`, name=\"path\"",
			name:      "mrgen:connectionDetail",
			arguments: []ArgumentValue{{"name", "path"}, {"description", `C:\temp`}},
			printed:   `mrgen:connectionDetail:name=path,description=C:\temp`,
		},
		{text: "mrgen:connectionDetail:description=Port", name: "mrgen:connectionDetail", arguments: []ArgumentValue{{"description", "Port"}}},
		{
			text:      "mrgen:connectionDetail:description=Outputs,pattern=output.*",
			name:      "mrgen:connectionDetail",
			arguments: []ArgumentValue{{"pattern", "output.*"}, {"description", "Outputs"}},
			printed:   "mrgen:connectionDetail:pattern=output.*,description=Outputs",
		},
		{text: "mrgen:connectionDetail:pattern=*", name: "mrgen:connectionDetail", arguments: []ArgumentValue{{"pattern", "*"}}},
		{text: "crossplane:generate:methods=false", name: "crossplane:generate:methods", arguments: []ArgumentValue{{"", "false"}}},
		{text: "crossplane:generate:methods=true", name: "crossplane:generate:methods", arguments: []ArgumentValue{{"", "true"}}},
		{text: "crossplane:generate:reference:type=VPC", name: "crossplane:generate:reference:type", arguments: []ArgumentValue{{"", "VPC"}}},
		{
			text:      "crossplane:generate:reference:type=github.com/crossplane-contrib/provider-aws/apis/ec2/v1beta1.VPC",
			name:      "crossplane:generate:reference:type",
			arguments: []ArgumentValue{{"", "github.com/crossplane-contrib/provider-aws/apis/ec2/v1beta1.VPC"}},
		},
		{text: "crossplane:generate:reference:extractor=PolicyARN()", name: "crossplane:generate:reference:extractor", arguments: []ArgumentValue{{"", "PolicyARN()"}}},
		{
			text:      `crossplane:generate:reference:extractor=github.com/crossplane/upjet/v2/pkg/resource.ExtractParamPath("a.b.c(",true)`,
			name:      "crossplane:generate:reference:extractor",
			arguments: []ArgumentValue{{"", `github.com/crossplane/upjet/v2/pkg/resource.ExtractParamPath("a.b.c(",true)`}},
		},
		{
			text:      `crossplane:generate:reference:extractor=Extract("a", -1, attribute, 'x', 1.5)`,
			name:      "crossplane:generate:reference:extractor",
			arguments: []ArgumentValue{{"", `Extract("a", -1, attribute, 'x', 1.5)`}},
		},
		{text: "crossplane:generate:reference:refFieldName=SubnetIDRefs", name: "crossplane:generate:reference:refFieldName", arguments: []ArgumentValue{{"", "SubnetIDRefs"}}},
		{
			text:      "crossplane:generate:reference:selectorFieldName=SubnetIDSelector",
			name:      "crossplane:generate:reference:selectorFieldName",
			arguments: []ArgumentValue{{"", "SubnetIDSelector"}},
		},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			value, problem := Parse(tt.text)
			if problem != nil {
				t.Fatalf("problem at %d: %s", problem.Offset, problem.Message)
			}
			if value == nil {
				t.Fatal("not owned")
			}
			expect.Equal(t, tt.name, value.Definition.Name, "name")
			expect.Equal(t, tt.arguments, value.Arguments, "arguments")
			printed := tt.printed
			if printed == "" {
				printed = tt.text
			}
			expect.Equal(t, printed, value.String(), "String()")
		})
	}
}

func TestParseOthers(t *testing.T) {
	for _, text := range []string{
		"",
		" ",
		"=",
		"kubebuilder:validation:Required",
		"optional",
		"immutable",
		"groupName=ec2.example.org",
		"k8s:deepcopy-gen=package",
		"mrgen is a generator",
		"mrgen's markers",
		"mrgenerator:state",
		"merge:identifier",
		"merge state",
		"state=Active",
		"crossplane",
		"crossplane:generated",
		"crossplane:generate code for this type",
		"upjet:crd:field:TFTag=-",
		"1 to the number of replicas",
	} {
		t.Run(text, func(t *testing.T) {
			if value, problem := Parse(text); value != nil || problem != nil {
				t.Errorf("Parse() = %v, %v, want neither value nor problem", value, problem)
			}
		})
	}
}

func TestParseProblems(t *testing.T) {
	const (
		connectionDetail = `write +mrgen:connectionDetail:name=password,description="Admin's password."`
		keyPattern       = "write the keys of a Secret with one asterisk for what varies, such as output.*"
		secretKey        = "write the key of a Secret, which has at most 253 letters, digits, hyphens, dots and underscores, such as password"
		goType           = "write the name of a Go type, such as VPC or example.org/apis/ec2.VPC"
		goCall           = `write the call of a Go function with literals or constants, such as SubnetARN() or example.org/apis/ec2.Attribute("id", true)`
		list             = "run `mrgen markers` to see those that exist"
	)
	tests := []struct {
		text    string
		offset  int
		message string
	}{
		// Names.
		{"mrgen:identifer", 0, "unknown marker +mrgen:identifer: did you mean +mrgen:identifier?"},
		{"mrgen:Identifier", 0, "unknown marker +mrgen:Identifier: did you mean +mrgen:identifier?"},
		{"mrgen:connectiondetail:name=x", 0, "unknown marker +mrgen:connectiondetail:name: did you mean +mrgen:connectionDetail?"},
		{"mrgen:status=Active", 0, "unknown marker +mrgen:status: did you mean +mrgen:state?"},
		{"mrgen:immutable", 0, "unknown marker +mrgen:immutable: did you mean +immutable?"},
		{"mrgen:optonal", 0, "unknown marker +mrgen:optonal: did you mean +optional?"},
		{"mrgen:something", 0, "unknown marker +mrgen:something: " + list},
		{"mrgen:", 0, "unknown marker +mrgen:: " + list},
		{"mrgen:reference:type=VPC", 0, "unknown marker +mrgen:reference:type: did you mean +crossplane:generate:reference:type?"},
		{"crossplane:generate:sensitive", 0, "unknown marker +crossplane:generate:sensitive: did you mean +mrgen:sensitive?"},
		{"crossplane:generate:reference:typ=VPC", 0, "unknown marker +crossplane:generate:reference:typ: did you mean +crossplane:generate:reference:type?"},
		{"crossplane:generate:reference:refFieldname=A", 0, "unknown marker +crossplane:generate:reference:refFieldname: did you mean +crossplane:generate:reference:refFieldName?"},
		{"crossplane:generate:reference=VPC", 0, "unknown marker +crossplane:generate:reference: did you mean +crossplane:generate:reference:type?"},
		{"crossplane:generate:method=false", 0, "unknown marker +crossplane:generate:method: did you mean +crossplane:generate:methods?"},
		{"mrgen:convert:updat", 0, "unknown marker +mrgen:convert:updat: did you mean +mrgen:convert:update?"},
		{"mrgen:convert:ingore=A", 0, "unknown marker +mrgen:convert:ingore: did you mean +mrgen:convert:ignore?"},
		{"mrgen:convert:elsewhere", 13, "marker +mrgen:convert takes no arguments: write +mrgen:convert"},
		{"crossplane:generate:external", 0, "unknown marker +crossplane:generate:external: " + list},

		// Texts that look like a name.
		{"mrgen", 0, "unknown marker +mrgen: " + list},
		{"mrgen=false", 0, "unknown marker +mrgen: " + list},
		{"Mrgen:identifier", 0, "unknown marker +Mrgen:identifier: did you mean +mrgen:identifier?"},
		{"MRGEN:other", 0, "unknown marker +MRGEN:other: " + list},
		{" mrgen:identifier", 0, "unknown marker + mrgen:identifier: did you mean +mrgen:identifier?"},
		{"mrgen identifier", 0, "unknown marker +mrgen identifier: did you mean +mrgen:identifier?"},
		{"mrgen: state=Active", 0, "unknown marker +mrgen:: did you mean +mrgen:state?"},
		{"mrgen/connectionDetail:name=x", 0, "unknown marker +mrgen/connectionDetail: did you mean +mrgen:connectionDetail?"},
		{"mrgen\"\x01state=Active", 0, `unknown marker +mrgen"\x01state: did you mean +mrgen:state?`},
		{"mgren:sensitive", 0, "unknown marker +mgren:sensitive: did you mean +mrgen:sensitive?"},
		{"crossplane:generate", 0, "unknown marker +crossplane:generate: " + list},
		{"Crossplane:generate:methods=false", 0, "unknown marker +Crossplane:generate:methods: did you mean +crossplane:generate:methods?"},
		{"crossplane:genrate:refrence:type=VPC", 0, "unknown marker +crossplane:genrate:refrence:type: did you mean +crossplane:generate:reference:type?"},
		{"crossplane-generate-methods=false", 0, "unknown marker +crossplane-generate-methods: did you mean +crossplane:generate:methods?"},

		// Markers without arguments.
		{"mrgen:renamedFrom=v1:", 18, `"v1:" is not a value for +mrgen:renamedFrom: write JSON names with dots between them, such as v1alpha1:spec.forProvider.size`},
		{"mrgen:renamedFrom=:a", 18, `":a" is not a value for +mrgen:renamedFrom: write JSON names with dots between them, such as v1alpha1:spec.forProvider.size`},
		{"mrgen:renamedFrom=v1:spec..a", 18, `"v1:spec..a" is not a value for +mrgen:renamedFrom: write JSON names with dots between them, such as v1alpha1:spec.forProvider.size`},
		{"mrgen:identifier=true", 16, "marker +mrgen:identifier takes no arguments: write +mrgen:identifier"},
		{"mrgen:identifier:name=x", 16, "marker +mrgen:identifier takes no arguments: write +mrgen:identifier"},
		{"mrgen:identifier  of the bucket", 18, `unexpected "of the bucket" after +mrgen:identifier: a marker stands alone on its line`},
		{"mrgen:identifier,mrgen:sensitive", 16, `unexpected ",mrgen:sensitive" after +mrgen:identifier: a marker stands alone on its line`},

		// Markers with a value.
		{"mrgen:state", 11, "marker +mrgen:state needs an equals sign and a value: write +mrgen:state=Active"},
		{"mrgen:state:Active", 11, "marker +mrgen:state needs an equals sign and a value: write +mrgen:state=Active"},
		{"mrgen:state Active", 11, "marker +mrgen:state needs an equals sign and a value: write +mrgen:state=Active"},
		{"mrgen:state=", 12, "marker +mrgen:state has no value: write +mrgen:state=Active"},
		{"mrgen:state= ", 12, "marker +mrgen:state has no value: write +mrgen:state=Active"},
		{"mrgen:state=active", 12, `"active" is not a value for +mrgen:state: did you mean Active?`},
		{"mrgen:state= Inactiv", 13, `"Inactiv" is not a value for +mrgen:state: did you mean Inactive?`},
		{"mrgen:state=On", 12, `"On" is not a value for +mrgen:state: write Active or Inactive`},
		{`mrgen:state="Active"`, 12, `"\"Active\"" is not a value for +mrgen:state: did you mean Active?`},
		{"mrgen:state=Active // for now", 19, `unexpected "// for now" after +mrgen:state=Active: a marker stands alone on its line`},
		{"mrgen:mirror=no", 13, `"no" is not a value for +mrgen:mirror: write true or false`},
		{"mrgen:relax=False", 12, `"False" is not a value for +mrgen:relax: did you mean false?`},
		{"crossplane:generate:methods", 27, "marker +crossplane:generate:methods needs an equals sign and a value: write +crossplane:generate:methods=false"},
		{"crossplane:generate:methods =false", 27, "marker +crossplane:generate:methods needs an equals sign and a value: write +crossplane:generate:methods=false"},
		{"crossplane:generate:methods=0", 28, `"0" is not a value for +crossplane:generate:methods: write true or false`},

		// Go names and calls.
		{"crossplane:generate:reference:type=", 35, "marker +crossplane:generate:reference:type has no value: write +crossplane:generate:reference:type=VPC"},
		{"crossplane:generate:reference:type=*VPC", 35, `"*VPC" is not a value for +crossplane:generate:reference:type: ` + goType},
		{"crossplane:generate:reference:type=example.org/apis/", 35, `"example.org/apis/" is not a value for +crossplane:generate:reference:type: ` + goType},
		{"crossplane:generate:reference:type=.VPC", 35, `".VPC" is not a value for +crossplane:generate:reference:type: ` + goType},
		{"crossplane:generate:reference:type=a//b.VPC", 35, `"a//b.VPC" is not a value for +crossplane:generate:reference:type: ` + goType},
		{"crossplane:generate:reference:type=VPC or Subnet", 39, `unexpected "or Subnet" after +crossplane:generate:reference:type=VPC: a marker stands alone on its line`},
		{"crossplane:generate:reference:refFieldName=Subnet.IDRef", 43, `"Subnet.IDRef" is not a value for +crossplane:generate:reference:refFieldName: write the Go name of a field, such as SubnetIDRefs`},
		{"crossplane:generate:reference:selectorFieldName=func", 48, `"func" is not a value for +crossplane:generate:reference:selectorFieldName: write the Go name of a field, such as SubnetIDSelector`},
		{"crossplane:generate:reference:extractor=SubnetARN", 40, `"SubnetARN" is not a value for +crossplane:generate:reference:extractor: ` + goCall},
		{"crossplane:generate:reference:extractor=SubnetARN(", 40, `"SubnetARN(" is not a value for +crossplane:generate:reference:extractor: ` + goCall},
		{"crossplane:generate:reference:extractor=SubnetARN() // ARN", 40, `"SubnetARN() // ARN" is not a value for +crossplane:generate:reference:extractor: ` + goCall},
		{"crossplane:generate:reference:extractor=SubnetARN()()", 40, `"SubnetARN()()" is not a value for +crossplane:generate:reference:extractor: ` + goCall},
		{"crossplane:generate:reference:extractor=SubnetARN().X", 40, `"SubnetARN().X" is not a value for +crossplane:generate:reference:extractor: ` + goCall},
		{"crossplane:generate:reference:extractor=SubnetARN(os.Args...)", 40, `"SubnetARN(os.Args...)" is not a value for +crossplane:generate:reference:extractor: ` + goCall},
		{"crossplane:generate:reference:extractor=SubnetARN(names...)", 40, `"SubnetARN(names...)" is not a value for +crossplane:generate:reference:extractor: ` + goCall},
		{"crossplane:generate:reference:extractor=SubnetARN(func() {})", 40, `"SubnetARN(func() {})" is not a value for +crossplane:generate:reference:extractor: ` + goCall},
		{"crossplane:generate:reference:extractor=a b.SubnetARN()", 40, `"a b.SubnetARN()" is not a value for +crossplane:generate:reference:extractor: ` + goCall},

		// Named arguments.
		{"mrgen:connectionDetail=password", 22, "marker +mrgen:connectionDetail takes named arguments: " + connectionDetail},
		{"mrgen:connectionDetail name=password", 23, `unexpected "name=password" after +mrgen:connectionDetail: a marker stands alone on its line`},
		{"mrgen:connectionDetail:", 23, "marker +mrgen:connectionDetail lacks an argument here: " + connectionDetail},
		{"mrgen:connectionDetail:name=a,", 30, "marker +mrgen:connectionDetail lacks an argument here: " + connectionDetail},
		{"mrgen:connectionDetail:nam=a", 23, "unknown argument nam of +mrgen:connectionDetail: did you mean name?"},
		{"mrgen:connectionDetail:name=a, Description=b", 31, "unknown argument Description of +mrgen:connectionDetail: did you mean description?"},
		{"mrgen:connectionDetail:optional=true", 23, "unknown argument optional of +mrgen:connectionDetail: " + connectionDetail},
		{"mrgen:connectionDetail:name", 27, "argument name of +mrgen:connectionDetail has no value: write name=password"},
		{"mrgen:connectionDetail:name=a,name=b", 30, "argument name of +mrgen:connectionDetail is given twice: keep one"},
		{"mrgen:connectionDetail:name=", 28, `"" is not valid for name of +mrgen:connectionDetail: ` + secretKey},
		{"mrgen:connectionDetail:name=a/b", 28, `"a/b" is not valid for name of +mrgen:connectionDetail: ` + secretKey},
		{"mrgen:connectionDetail:name=..", 28, `".." is not valid for name of +mrgen:connectionDetail: ` + secretKey},
		{`mrgen:connectionDetail:name=a,description=""`, 42, `"" is not valid for description of +mrgen:connectionDetail: write text in UTF-8 that is not empty, such as "Admin's password."`},
		{`mrgen:connectionDetail:description="\xff"`, 35, `"\xff" is not valid for description of +mrgen:connectionDetail: write text in UTF-8 that is not empty, such as "Admin's password."`},
		{`mrgen:connectionDetail:description=" \n"`, 35, `" \n" is not valid for description of +mrgen:connectionDetail: write text in UTF-8 that is not empty, such as "Admin's password."`},
		{"mrgen:connectionDetail:pattern=a", 31, `"a" is not valid for pattern of +mrgen:connectionDetail: ` + keyPattern},
		{"mrgen:connectionDetail:pattern=*.*", 31, `"*.*" is not valid for pattern of +mrgen:connectionDetail: ` + keyPattern},
		{"mrgen:connectionDetail:pattern=a/*", 31, `"a/*" is not valid for pattern of +mrgen:connectionDetail: ` + keyPattern},
		{"mrgen:connectionDetail:pattern=a*,pattern=b*", 34, "argument pattern of +mrgen:connectionDetail is given twice: keep one"},
		{"mrgen:connectionDetail:name=a,pattern=a*", 30, "arguments name and pattern of +mrgen:connectionDetail exclude each other: keep one"},
		{"mrgen:connectionDetail:pattern=a*,description=b,name=a", 48, "arguments pattern and name of +mrgen:connectionDetail exclude each other: keep one"},
		{"mrgen:connectionDetail:description=The key", 38, `unexpected " key" in argument description: put the value in quotes, such as description="Admin's password."`},
		{`mrgen:connectionDetail:name=a"b"`, 29, `unexpected "\"b\"" in argument name: put the value in quotes, such as name="password"`},
		{`mrgen:connectionDetail:description="The key`, 35, `the quotes of argument description are not closed, or hold an escape that Go lacks: write description="Admin's password."`},
		{`mrgen:connectionDetail:description="The \key"`, 35, `the quotes of argument description are not closed, or hold an escape that Go lacks: write description="Admin's password."`},
		{`mrgen:connectionDetail:description="The" key`, 41, `unexpected "key" after +mrgen:connectionDetail:description="The": a marker stands alone on its line`},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			value, problem := Parse(tt.text)
			if value != nil || problem == nil {
				t.Fatalf("Parse() = %v, %v, want a problem alone", value, problem)
			}
			want := Problem{Offset: tt.offset, Message: tt.message}
			if strings.HasPrefix(tt.message, "unknown marker") {
				want.Kind = Misspelt
				_, meant, _ := strings.Cut(tt.message, "did you mean +")
				want.Meant = strings.TrimSuffix(meant, "?")
			}
			got := *problem
			got.Correction = nil // see TestCorrections
			if got != want {
				t.Errorf("problem (-want +got):\n%s", cmp.Diff(want, got))
			}
		})
	}
}

func TestParseLongSecretKey(t *testing.T) {
	const text = "mrgen:connectionDetail:name="
	if _, problem := Parse(text + strings.Repeat("a", 253)); problem != nil {
		t.Errorf("253 letters: %s", problem.Message)
	}
	if _, problem := Parse(text + strings.Repeat("a", 254)); problem == nil || problem.Offset != len(text) {
		t.Errorf("254 letters: problem = %v, want one at %d", problem, len(text))
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{
		"mrgen:identifier",
		"mrgen:identifer",
		"Mrgen identifier",
		"mrgen:state=Active",
		"mrgen:mirror=no",
		`mrgen:connectionDetail:name=password,description="The \u00fc."`,
		"mrgen:connectionDetail:name=`a`,description=`b c`",
		"mrgen:connectionDetail:pattern=a*b",
		"crossplane:generate:methods=false",
		"crossplane:generate:reference:type=example.org/apis/ec2.VPC",
		`crossplane:generate:reference:extractor=example.org/apis/ec2.Attribute("id", true)`,
		"crossplane:generate:reference:refFieldName=VPCIDRef",
		"kubebuilder:validation:Required",
		"optional",
		"mrgen:connectionDetail:description=\xff",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		value, problem := Parse(text)
		again, sameProblem := Parse(text)
		if diff := cmp.Diff(value, again); diff != "" {
			t.Errorf("the second value differs:\n%s", diff)
		}
		if diff := cmp.Diff(problem, sameProblem); diff != "" {
			t.Errorf("the second problem differs:\n%s", diff)
		}
		if problem != nil {
			if value != nil {
				t.Error("both a value and a problem")
			}
			if problem.Offset < 0 || problem.Offset > len(text) {
				t.Errorf("offset %d is not in the text", problem.Offset)
			}
			if problem.Message == "" || strings.ContainsAny(problem.Message, "\n\r") {
				t.Errorf("message is not one line: %q", problem.Message)
			}
		}
		if value == nil {
			return
		}
		printed := value.String()
		reparsed, problem := Parse(printed)
		if problem != nil {
			t.Fatalf("%q: %s", printed, problem.Message)
		}
		expect.Equal(t, value, reparsed, "%q has another value", printed)
	})
}
