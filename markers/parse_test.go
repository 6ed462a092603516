package markers

import (
	"cmp"
	"strings"
	"testing"

	"github.com/mrgen-io/mrgen/testdata/expect"
)

// TestParse has each form of markers, with what they are printed as.
func TestParse(t *testing.T) {
	for text, printed := range map[string]string{
		"mrgen:identifier": "", "mrgen:identifier \t\r": "mrgen:identifier", "mrgen:mirror=false": "", "mrgen:mirror= true": "mrgen:mirror=true", "mrgen:state=Inactive": "",
		"mrgen:renamedFrom=spec.a": "", "mrgen:renamedFrom=v1alpha1:spec.a": "", "mrgen:renamedFrom=-": "", "mrgen:connectionDetail": "", "mrgen:connectionDetail:name=tls.crt": "",
		`mrgen:connectionDetail:name=password,description="The \"admin\"s password, as UTF-8: ü."`: "", "mrgen:connectionDetail:description=Port": "", "mrgen:connectionDetail:pattern=*": "",
		"mrgen:connectionDetail:description=`C:\\temp`, name=\"path\"": `mrgen:connectionDetail:name=path,description=C:\temp`,
		"mrgen:connectionDetail:description=Outputs,pattern=output.*":  "mrgen:connectionDetail:pattern=output.*,description=Outputs",
		"crossplane:generate:methods=true":                             "", "crossplane:generate:reference:type=VPC": "", "crossplane:generate:reference:type=github.com/crossplane-contrib/provider-aws/apis/ec2/v1beta1.VPC": "",
		"crossplane:generate:reference:extractor=PolicyARN()": "", `crossplane:generate:reference:extractor=github.com/crossplane/upjet/v2/pkg/resource.ExtractParamPath("a.b.c(",true)`: "",
		`crossplane:generate:reference:extractor=Extract("a", -1, attribute, 'x', 1.5)`: "", "crossplane:generate:reference:refFieldName=SubnetIDRefs": "",
	} {
		value := mustParse(t, text)
		expect.Must(t, value != nil, "%s is not owned", text)
		expect.True(t, strings.HasPrefix(text, value.Definition.Name), "%s is a %s", text, value.Definition.Name)
		expect.Equal(t, cmp.Or(printed, text), value.String(), "%s is printed as", text)
	}
	detail := mustParse(t, "mrgen:connectionDetail:description=`C:\\temp`, name=\"path\"")
	expect.Equal(t, []ArgumentValue{{"name", "path"}, {"description", `C:\temp`}}, detail.Arguments)
}

// TestParseOthers has texts that are nobody's slips.
func TestParseOthers(t *testing.T) {
	for _, text := range []string{
		"", " ", "=", "kubebuilder:validation:Required", "optional", "immutable", "groupName=ec2.example.org", "k8s:deepcopy-gen=package", "mrgen is a generator", "mrgen's markers", "mrgenerator:state",
		"merge:identifier", "merge state", "state=Active", "crossplane", "crossplane:generated", "crossplane:generate code for this type", "upjet:crd:field:TFTag=-", "1 to the number of replicas",
	} {
		value, problem := Parse(text)
		expect.True(t, value == nil && problem == nil, "%s: got %v, %v, want neither value nor problem", text, value, problem)
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
		{"mrgen:connectiondetail:name=x", 0, "unknown marker +mrgen:connectiondetail:name: did you mean +mrgen:connectionDetail?"},
		{"mrgen:immutable", 0, "unknown marker +mrgen:immutable: did you mean +immutable?"},
		{"mrgen:something", 0, "unknown marker +mrgen:something: " + list},
		{"mrgen:", 0, "unknown marker +mrgen:: " + list},
		{"mrgen:reference:type=VPC", 0, "unknown marker +mrgen:reference:type: did you mean +crossplane:generate:reference:type?"},
		{"crossplane:generate:reference:typ=VPC", 0, "unknown marker +crossplane:generate:reference:typ: did you mean +crossplane:generate:reference:type?"},
		{"crossplane:generate:reference=VPC", 0, "unknown marker +crossplane:generate:reference: did you mean +crossplane:generate:reference:type?"},
		{"mrgen:convert:elsewhere", 13, "marker +mrgen:convert takes no arguments: write +mrgen:convert"},

		// Texts that look like a name.
		{"mrgen", 0, "unknown marker +mrgen: " + list},
		{"Mrgen:identifier", 0, "unknown marker +Mrgen:identifier: did you mean +mrgen:identifier?"},
		{" mrgen:identifier", 0, "unknown marker + mrgen:identifier: did you mean +mrgen:identifier?"},
		{"mrgen identifier", 0, "unknown marker +mrgen identifier: did you mean +mrgen:identifier?"},
		{"mrgen: state=Active", 0, "unknown marker +mrgen:: did you mean +mrgen:state?"},
		{"mrgen/connectionDetail:name=x", 0, "unknown marker +mrgen/connectionDetail: did you mean +mrgen:connectionDetail?"},
		{"mrgen\"\x01state=Active", 0, `unknown marker +mrgen"\x01state: did you mean +mrgen:state?`},
		{"Crossplane:generate:methods=false", 0, "unknown marker +Crossplane:generate:methods: did you mean +crossplane:generate:methods?"},
		{"crossplane:genrate:refrence:type=VPC", 0, "unknown marker +crossplane:genrate:refrence:type: did you mean +crossplane:generate:reference:type?"},

		// Markers without arguments.
		{"mrgen:renamedFrom=v1:", 18, `"v1:" is not a value for +mrgen:renamedFrom: write JSON names with dots between them, such as v1alpha1:spec.forProvider.size`},
		{"mrgen:renamedFrom=:a", 18, `":a" is not a value for +mrgen:renamedFrom: write JSON names with dots between them, such as v1alpha1:spec.forProvider.size`},
		{"mrgen:renamedFrom=v1:spec..a", 18, `"v1:spec..a" is not a value for +mrgen:renamedFrom: write JSON names with dots between them, such as v1alpha1:spec.forProvider.size`},
		{"mrgen:identifier:name=x", 16, "marker +mrgen:identifier takes no arguments: write +mrgen:identifier"},
		{"mrgen:identifier  of the bucket", 18, `unexpected "of the bucket" after +mrgen:identifier: a marker stands alone on its line`},
		{"mrgen:identifier,mrgen:sensitive", 16, `unexpected ",mrgen:sensitive" after +mrgen:identifier: a marker stands alone on its line`},

		// Markers with a value.
		{"mrgen:state", 11, "marker +mrgen:state needs an equals sign and a value: write +mrgen:state=Active"},
		{"mrgen:state Active", 11, "marker +mrgen:state needs an equals sign and a value: write +mrgen:state=Active"},
		{"mrgen:state=", 12, "marker +mrgen:state has no value: write +mrgen:state=Active"},
		{"mrgen:state= ", 12, "marker +mrgen:state has no value: write +mrgen:state=Active"},
		{"mrgen:state=active", 12, `"active" is not a value for +mrgen:state: did you mean Active?`},
		{"mrgen:state=On", 12, `"On" is not a value for +mrgen:state: write Active or Inactive`},
		{`mrgen:state="Active"`, 12, `"\"Active\"" is not a value for +mrgen:state: did you mean Active?`},
		{"mrgen:state=Active // for now", 19, `unexpected "// for now" after +mrgen:state=Active: a marker stands alone on its line`},
		{"mrgen:mirror=no", 13, `"no" is not a value for +mrgen:mirror: write true or false`},
		{"mrgen:relax=False", 12, `"False" is not a value for +mrgen:relax: did you mean false?`},
		{"crossplane:generate:methods =false", 27, "marker +crossplane:generate:methods needs an equals sign and a value: write +crossplane:generate:methods=false"},

		// Go names and calls.
		{"crossplane:generate:reference:type=*VPC", 35, `"*VPC" is not a value for +crossplane:generate:reference:type: ` + goType},
		{"crossplane:generate:reference:type=example.org/apis/", 35, `"example.org/apis/" is not a value for +crossplane:generate:reference:type: ` + goType},
		{"crossplane:generate:reference:type=.VPC", 35, `".VPC" is not a value for +crossplane:generate:reference:type: ` + goType},
		{"crossplane:generate:reference:type=a//b.VPC", 35, `"a//b.VPC" is not a value for +crossplane:generate:reference:type: ` + goType},
		{"crossplane:generate:reference:refFieldName=Subnet.IDRef", 43, `"Subnet.IDRef" is not a value for +crossplane:generate:reference:refFieldName: write the Go name of a field, such as SubnetIDRefs`},
		{"crossplane:generate:reference:selectorFieldName=func", 48, `"func" is not a value for +crossplane:generate:reference:selectorFieldName: write the Go name of a field, such as SubnetIDSelector`},
		{"crossplane:generate:reference:extractor=SubnetARN", 40, `"SubnetARN" is not a value for +crossplane:generate:reference:extractor: ` + goCall},
		{"crossplane:generate:reference:extractor=SubnetARN(", 40, `"SubnetARN(" is not a value for +crossplane:generate:reference:extractor: ` + goCall},
		{"crossplane:generate:reference:extractor=SubnetARN() // ARN", 40, `"SubnetARN() // ARN" is not a value for +crossplane:generate:reference:extractor: ` + goCall},
		{"crossplane:generate:reference:extractor=SubnetARN()()", 40, `"SubnetARN()()" is not a value for +crossplane:generate:reference:extractor: ` + goCall},
		{"crossplane:generate:reference:extractor=SubnetARN(os.Args...)", 40, `"SubnetARN(os.Args...)" is not a value for +crossplane:generate:reference:extractor: ` + goCall},
		{"crossplane:generate:reference:extractor=SubnetARN(func() {})", 40, `"SubnetARN(func() {})" is not a value for +crossplane:generate:reference:extractor: ` + goCall},
		{"crossplane:generate:reference:extractor=a b.SubnetARN()", 40, `"a b.SubnetARN()" is not a value for +crossplane:generate:reference:extractor: ` + goCall},

		// Named arguments.
		{"mrgen:connectionDetail=password", 22, "marker +mrgen:connectionDetail takes named arguments: " + connectionDetail},
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
		{"mrgen:connectionDetail:name=a,pattern=a*", 30, "arguments name and pattern of +mrgen:connectionDetail exclude each other: keep one"},
		{"mrgen:connectionDetail:pattern=a*,description=b,name=a", 48, "arguments pattern and name of +mrgen:connectionDetail exclude each other: keep one"},
		{"mrgen:connectionDetail:description=The key", 38, `unexpected " key" in argument description: put the value in quotes, such as description="Admin's password."`},
		{`mrgen:connectionDetail:name=a"b"`, 29, `unexpected "\"b\"" in argument name: put the value in quotes, such as name="password"`},
		{`mrgen:connectionDetail:description="The key`, 35, `the quotes of argument description are not closed, or hold an escape that Go lacks: write description="Admin's password."`},
		{`mrgen:connectionDetail:description="The \key"`, 35, `the quotes of argument description are not closed, or hold an escape that Go lacks: write description="Admin's password."`},
		{`mrgen:connectionDetail:description="The" key`, 41, `unexpected "key" after +mrgen:connectionDetail:description="The": a marker stands alone on its line`},
	}
	for _, tt := range tests {
		value, problem := Parse(tt.text)
		expect.Must(t, value == nil && problem != nil, "%s: got %v, %v, want a problem alone", tt.text, value, problem)
		want := Problem{Offset: tt.offset, Message: tt.message}
		if strings.HasPrefix(tt.message, "unknown marker") {
			want.Kind = Misspelt
			_, meant, _ := strings.Cut(tt.message, "did you mean +")
			want.Meant = strings.TrimSuffix(meant, "?")
		}
		got := *problem
		got.Correction = nil // see TestCorrections
		expect.Equal(t, want, got, "%s", tt.text)
	}
}

func TestParseLongSecretKey(t *testing.T) {
	const text = "mrgen:connectionDetail:name="
	if _, problem := Parse(text + strings.Repeat("a", 253)); problem != nil {
		t.Errorf("253 letters: %s", problem.Message)
	}
	_, problem := Parse(text + strings.Repeat("a", 254))
	expect.True(t, problem != nil && problem.Offset == len(text), "254 letters: problem = %v, want one at %d", problem, len(text))
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{
		"mrgen:identifier", "mrgen:identifer", "Mrgen identifier", "mrgen:state=Active", "mrgen:mirror=no", `mrgen:connectionDetail:name=password,description="The \u00fc."`,
		"mrgen:connectionDetail:name=`a`,description=`b c`", "mrgen:connectionDetail:pattern=a*b", "crossplane:generate:methods=false", "crossplane:generate:reference:type=example.org/apis/ec2.VPC",
		`crossplane:generate:reference:extractor=example.org/apis/ec2.Attribute("id", true)`, "crossplane:generate:reference:refFieldName=VPCIDRef",
		"kubebuilder:validation:Required", "optional", "mrgen:connectionDetail:description=\xff",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		value, problem := Parse(text)
		again, sameProblem := Parse(text)
		expect.Equal(t, value, again, "the second value differs")
		expect.Equal(t, problem, sameProblem, "the second problem differs")
		if problem != nil {
			expect.True(t, value == nil, "both a value and a problem")
			expect.True(t, problem.Offset >= 0 && problem.Offset <= len(text), "offset %d is not in the text", problem.Offset)
			expect.True(t, problem.Message != "" && !strings.ContainsAny(problem.Message, "\n\r"), "message is not one line: %q", problem.Message)
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
