package markers

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	ctmarkers "sigs.k8s.io/controller-tools/pkg/markers"

	"github.com/mrgen-io/mrgen/testdata/expect"
)

const anywhere = OnPackage | OnType | OnField

// TestMisspelt checks what is said of texts after a plus sign, and what they become if
// they are corrected.
func TestMisspelt(t *testing.T) {
	for _, tt := range []struct {
		text      string
		offset    int
		message   string
		corrected string
	}{
		{"imutable", 0, "unknown marker +imutable: did you mean +immutable?", "immutable"},
		{"Optional", 0, "unknown marker +Optional: did you mean +optional?", "optional"},
		{"nullable:", 8, "marker +nullable takes no arguments: write +nullable", "nullable"},
		{"immutable=true", 9, "marker +immutable takes no arguments: write +immutable", "immutable"},
		{"immutable=false", 9, "marker +immutable takes no arguments: remove the marker", ""},
		{"immutable because it is", 10, `unexpected "because it is" after +immutable: a marker stands alone on its line`, ""},
		{"groupname=example.org", 0, "unknown marker +groupname: did you mean +groupName?", "groupName=example.org"},
		{"listMapKeys=name", 0, "unknown marker +listMapKeys: did you mean +listMapKey?", "listMapKey=name"},
		{"kubebuidler:validation:Enum=a;b", 0, "unknown marker +kubebuidler:validation:Enum: did you mean +kubebuilder:validation:Enum?", "kubebuilder:validation:Enum=a;b"},
		{"kubebuilder:status:subresource", 0, "unknown marker +kubebuilder:status:subresource: did you mean +kubebuilder:subresource:status?", ""},
		{"kubebuilder:validation:Minimun=1", 0, "unknown marker +kubebuilder:validation:Minimun: did you mean +kubebuilder:validation:Minimum?", "kubebuilder:validation:Minimum=1"},
		{"kubebuilder:validation:required", 0, "unknown marker +kubebuilder:validation:required: did you mean +kubebuilder:validation:Required?", "kubebuilder:validation:Required"},
		{"kubebuilder:Enum=a", 0, "unknown marker +kubebuilder:Enum: did you mean +kubebuilder:validation:Enum?", "kubebuilder:validation:Enum=a"},
		{"kubebuilder:resource,categories=x", 0, "unknown marker +kubebuilder:resource,categories: did you mean +kubebuilder:resource:categories?", "kubebuilder:resource:categories=x"},
		{"kubebuilder:printcolum:name=A,type=string,JSONPath=.a", 0, "unknown marker +kubebuilder:printcolum:name: did you mean +kubebuilder:printcolumn:name?", "kubebuilder:printcolumn:name=A,type=string,JSONPath=.a"},
		{"kubebuilder:validation:Minimum:0", 30, "unknown marker +kubebuilder:validation:Minimum:0: did you mean +kubebuilder:validation:Minimum=0?", "kubebuilder:validation:Minimum=0"},
		{" optional", 0, "+ optional is not a marker, since a space follows the plus sign: write +optional", "optional"},
		{"\tkubebuilder:validation:Minimum=1", 0, `+\tkubebuilder:validation:Minimum is not a marker, since a space follows the plus sign: write +kubebuilder:validation:Minimum`, "kubebuilder:validation:Minimum=1"},
		{" kubebuilder:validation:Minimun=1", 1, "unknown marker +kubebuilder:validation:Minimun: did you mean +kubebuilder:validation:Minimum?", "kubebuilder:validation:Minimum=1"},
		{"  kubebuilder:default:port", 21, "unknown marker +kubebuilder:default:port: did you mean +kubebuilder:default=port?", "kubebuilder:default=port"},
		{"kubebuilder: validation:MaxLength=6", 0, "+kubebuilder: validation:MaxLength is not a marker, since its name has blanks: write +kubebuilder:validation:MaxLength", "kubebuilder:validation:MaxLength=6"},

		// It takes a person to tell what was meant.
		{"kubebuilder:validation:XValidation:rule:self.size() >= 3", 35, `unexpected "rule:" after +kubebuilder:validation:XValidation: write +kubebuilder:validation:XValidation:rule=VALUE`, ""},
		{"kubebuilder:default:some text", 20, `unexpected "some text:" after +kubebuilder:default: write +kubebuilder:default=VALUE`, ""},
		{"optional; +immutable", 8, `unexpected "; +immutable" after +optional: a marker stands alone on its line`, ""},
		{"kubebuilder:skip:description", 0, "no tool reads +kubebuilder:skip:description, since +kubebuilder:skip has no parts: remove it", ""},
		{"immutable,optional", 9, `unexpected ",optional" after +immutable: a marker stands alone on its line`, ""},
		{"immutable\u00a0because", 9, `unexpected "\u00a0because" after +immutable: a marker stands alone on its line`, ""},
		{"listType map", 9, `unexpected "map" after +listType: write +listType=VALUE`, ""},
		{"listType = map", 8, `unexpected " = map" after +listType: write +listType=VALUE`, ""},
		{"kubebuilder:validation:XValidation:", 34, "nothing follows +kubebuilder:validation:XValidation and its colon: write all arguments on this line", ""},
		{"kubebuilder:validation:Min=1", 0, "unknown marker +kubebuilder:validation:Min: did you mean +kubebuilder:validation:MinItems or +kubebuilder:validation:MinLength or +kubebuilder:validation:MinProperties or +kubebuilder:validation:Minimum?", ""},
		{"kubebuilder:validation:Manimum=1", 0, "unknown marker +kubebuilder:validation:Manimum: did you mean +kubebuilder:validation:Maximum?", ""},
		{"kubebuilder:validation:Minimun=one", 0, "unknown marker +kubebuilder:validation:Minimun: did you mean +kubebuilder:validation:Minimum?", ""},
		{"kubebuilder:validation:Minimum:one", 30, "unknown marker +kubebuilder:validation:Minimum:one: did you mean +kubebuilder:validation:Minimum=one?", ""},
		{"kubebuilder:subresource", 0, "the name of the marker +kubebuilder:subresource goes on: run `mrgen markers kubebuilder:subresource` to see how", ""},
		{"kubebuilder:", 0, "the name of the marker +kubebuilder goes on: run `mrgen markers kubebuilder` to see how", ""},
		{"kubebuilder:other", 0, "unknown marker +kubebuilder:other: run `mrgen markers` to see those that exist", ""},
	} {
		p := CheckForeign(tt.text, anywhere)
		if p == nil || p.Kind != Misspelt || p.Offset != tt.offset || p.Message != tt.message {
			t.Errorf("+%s: got %+v, want %d: %s", tt.text, p, tt.offset, tt.message)
			continue
		}
		corrected := ""
		if p.Correction != nil {
			corrected = p.Correction.Apply(tt.text)
		}
		expect.Equal(t, tt.corrected, corrected, "+%s becomes", tt.text)
	}
}

// TestArgumentsOfMarkersWithout checks, for each marker of both tables that takes no arguments, that
// one with something behind it is a problem, at a place and with what to do.
func TestArgumentsOfMarkersWithout(t *testing.T) {
	var names []string
	for _, d := range definitions {
		if len(d.Arguments) == 0 {
			names = append(names, d.Name)
		}
	}
	for _, m := range foreign() {
		if len(m.Arguments) == 0 && !m.Family {
			names = append(names, m.Name)
		}
	}
	if len(names) < 40 || !slices.Contains(names, Immutable) || !slices.Contains(names, Optional) || !slices.Contains(names, Identifier) {
		t.Fatalf("these markers take no arguments: %v", names)
	}
	for _, name := range names {
		works := name
		if m := other(name); m != nil && m.isIneffective() && m.Instead != "" {
			works = m.Instead
		}
		for rest, remedy := range map[string]string{
			"=true": "write +" + works, "=yes": "write +" + works, "=false": "", ":true": "", ":a=b": "", "=": "", ":": "",
			" because it is": "a marker stands alone on its line", "; because": "a marker stands alone on its line", ",b": "a marker stands alone on its line", "\tbecause": "a marker stands alone on its line", "= true": "",
		} {
			text := name + rest
			_, p := Parse(text)
			if p == nil {
				p = CheckForeign(text, anywhere)
			}
			switch {
			case p == nil:
				t.Errorf("+%s passes", text)
			case p.Kind == WithoutEffect || p.Offset > len(text) || !strings.Contains(p.Message, remedy) || !strings.Contains(p.Message, ":"):
				t.Errorf("+%s: %d %s", text, p.Offset, p.Message)
			case p.Correction != nil && p.Correction.Apply(text) != name:
				t.Errorf("+%s becomes +%s", text, p.Correction.Apply(text))
			}
		}
	}
}

// TestMarkersOfOthersAndProsePass checks what must not be taken for misspelt.
func TestMarkersOfOthersAndProsePass(t *testing.T) {
	for _, text := range []string{
		"", " ", " default", " listType", "1", " 1", "1 for this", "-", "----", "-------+-------+", "Inf/-Inf is returned.", "/- 5",
		" item", " an item of a list", " optional items follow", " optional, or not", "and more", "kubebuilder markers are for controller-gen", "kubebuilder", "mrgenerator",
		"build linux", "build ignore,!windows", "build", "lint", "lint:ignore", "options", "enums", "unions",
		"genclient", "genclient=true", "genclient:method=Scale,verb=update,subresource=scale", "nonNamespaced=true", "groupGoName=Apps",
		"unionDiscriminator", "patchStrategy=merge", "patchMergeKey=name", "featureGate=Foo", "protobuf=true",
		"protobuf.options.(gogoproto.goproto_stringer)=false", "protobuf.nullable=true", "protobuf.as=Timestamp",
		"operator-sdk:csv:customresourcedefinitions:displayName=\"App\"", "upjet:crd:field:TFTag=-", "terrajet:crd:field:TFTag=-",
		"cluster-scope:delete=1", "openshift:enable:FeatureGate=Foo", "resource:path=foos", "deprecated", "private", "readonly",
		"kubebuilder:rbac:groups=apps,resources=deployments,verbs=get;list", "kubebuilder:scaffold:imports", "kubebuilder:scaffold",
		"kubebuilder:webhook:path=/validate,mutating=false,failurePolicy=fail,groups=a,resources=b,verbs=create,versions=v1,name=n,admissionReviewVersions=v1",
		"kubebuilder:docs-gen:collapse=Imports", "kubebuilder:ac:generate=true", "kubebuilder:ac:output:package=\"ac\"",
		"kubebuilder:default:={}", "kubebuilder:validation:Enum:=a;b", "kubebuilder:validation:XValidation:rule=\"a = b\"",
		"kubebuilder:printcolumn: name=\"READY\",type=string,JSONPath=.a", "kubebuilder:default=\"a b\"",
		"k8s:openapi-gen=true", "k8s:openapi-gen=x-kubernetes-foo:bar", "k8s:conversion-gen=false",
		"k8s:validation-gen-nolint // for now", "k8s:deprecated=kind,protobuf=3",
		"k8s:prerelease-lifecycle-gen:introduced=1.30", "k8s:conversion-gen:explicit-from=net/url.Values", "k8s:protobuf-gen=package",
	} {
		if p := CheckForeign(text, anywhere); p != nil {
			t.Errorf("+%s: %s", text, p.Message)
		}
		if p := CheckUnmarked(text, anywhere); p != nil && !IsRead(text) && other(text) == nil {
			t.Errorf("%s: %s", text, p.Message)
		}
	}
}

// TestIneffective checks that each marker that neither controller-gen nor mrgen reads, and that says
// something of values, is reported with one that they read.
func TestIneffective(t *testing.T) {
	for text, want := range map[string]string{
		"enum": K8sEnum, "union": ExactlyOneOf, "k8s:maxLength=5": MaxLength, "k8s:maxLength=5 # bytes": MaxLength, "k8s:unique=set": ListType,
		"k8s:forbidden": XValidation, "k8s:forbidden // for now": XValidation, "k8s:neq=\"a\"": XValidation, "k8s:default=5": Default,
		"k8s:unionMember(union: \"u\")": ExactlyOneOf, "k8s:item(name: \"a\")=+k8s:immutable": XValidation, "k8s:update=NoModify": K8sImmutable,
		"k8s:eachVal=+k8s:maxLength=5": ItemsValidationPrefix + "MaxLength", "k8s:eachVal=+k8s:minimum=5": ItemsValidationPrefix + "Minimum",
		"k8s:eachVal=+k8s:neq=5": ItemsXValidation, "k8s:alpha(since: \"1.35\")=+k8s:minItems=1": MinItems, "k8s:ifEnabled(\"x\")=+k8s:unique=set": XValidation,
		"k8s:validation:maxLength=5": MaxLength, "k8s:validation:cel[0]:rule=\"true\"": XValidation, " k8s:maxLength=5": MaxLength,
	} {
		p := CheckForeign(text, OnField)
		if p == nil || p.Kind != WithoutEffect || !strings.HasSuffix(p.Message, " has no effect on CRDs: write +"+want) || p.Correction != nil {
			t.Errorf("+%s: got %+v, want +%s", text, p, want)
		}
	}
	for _, m := range otherMarkers {
		if m.Instead != "" && (registry().targets(m.Instead+"=a") == 0 && registry().targets(m.Instead) == 0 || !IsRead(m.Instead)) {
			t.Errorf("+%s is to be written in place of +%s, and nothing reads it", m.Instead, m.Name)
		}
	}
}

// suggested matches the markers that a message says to write.
var suggested = regexp.MustCompile(`(?:did you mean|write|or) \+([\w:-]+)`)

// TestSuggestionsWork checks that a suggestion for a misspelt marker is one that some tool reads, and
// that says something of values only if controller-gen or mrgen reads it.
func TestSuggestionsWork(t *testing.T) {
	count := 0
	for _, name := range Names() {
		for i := strings.LastIndexByte(name, ':') + 2; i < len(name); i++ {
			text := name[:i] + name[i+1:] // without a letter
			if i+1 < len(name) && i%2 == 0 {
				text = name[:i] + name[i+1:i+2] + name[i:i+1] + name[i+2:] // or with two of them swapped
			}
			_, p := Parse(text)
			if p == nil {
				p = CheckForeign(text, anywhere)
			}
			if p == nil {
				continue
			}
			for _, match := range suggested.FindAllStringSubmatch(p.Message, -1) {
				count++
				if m := other(match[1]); m == nil && !IsRead(match[1]) && registry().targets(match[1]+"=a") == 0 && Lookup(match[1]) == nil || m != nil && m.isIneffective() {
					t.Errorf("+%s: %s", text, p.Message)
				}
			}
		}
	}
	expect.True(t, count >= 300, "only %d suggestions were made", count)
}

// TestUnmarked checks lines without a plus sign.
func TestUnmarked(t *testing.T) {
	for text, want := range map[string]string{
		"kubebuilder:validation:MaxItems=10":               "+kubebuilder:validation:MaxItems=10",
		"kubebuilder:validation:Pattern=`^a b$`":           "+kubebuilder:validation:Pattern=`^a b$`",
		"kubebuilder:validation:Minimun=1":                 "+kubebuilder:validation:Minimum=1",
		"kubebuilder:default:port":                         "+kubebuilder:default=port",
		"mrgen:identifier":                                 "+mrgen:identifier",
		"crossplane:generate:reference:type=VPC":           "+crossplane:generate:reference:type=VPC",
		"k8s:openapi-gen=true":                             "+k8s:openapi-gen=true",
		"kubebuilder:validation:MaxItems=ten":              "kubebuilder:validation:MaxItems is not a marker without a plus sign: write +kubebuilder:validation:MaxItems",
		"kubebuilder:validation:minimum=0:maximum=9":       "kubebuilder:validation:minimum is not a marker without a plus sign: write +kubebuilder:validation:Minimum",
		"kubebuilder:validation:maxItems":                  "",
		"kubebuilder:validation:Pattern=a is what it says": "",
		"kubebuilder:object:root=true":                     "", // not on a field
		"kubebuilder:default is not for maps":              "",
		"kubebuilder: see its book":                        "",
		"kubebuilder:other":                                "",
		"optional":                                         "",
		"Required":                                         "",
		"immutable":                                        "",
		"default=1":                                        "",
		"// +kubebuilder:validation:MaxItems=10":           "",
		"-kubebuilder:validation:MaxItems=10":              "+kubebuilder:validation:MaxItems=10",
		"- kubebuilder:validation:MaxItems=10":             "",
		"/ +kubebuilder:validation:MaxItems=10":            "+kubebuilder:validation:MaxItems=10",
		"https://kubernetes.io":                            "",
	} {
		p, got := CheckUnmarked(text, OnField), ""
		switch {
		case p != nil && p.Correction != nil:
			got = p.Correction.Apply(text)
		case p != nil: // nobody knows the value
			got = p.Message
		}
		expect.Equal(t, want, got, "%s becomes", text)
	}
	const want = "kubebuilder:validation:Minimun is not a marker without a plus sign: write +kubebuilder:validation:Minimum"
	expect.Equal(t, want, CheckUnmarked("kubebuilder:validation:Minimun=1", OnField).Message)
}

func TestMisplaced(t *testing.T) {
	for _, tt := range []struct {
		text string
		on   Target
		want string
	}{
		{"optional", OnType, "the marker +optional has no effect on a type: move it to a field"},
		{"kubebuilder:object:root=true", OnField, "the marker +kubebuilder:object:root has no effect on a field: move it to a type"},
		{"kubebuilder:printcolumn:name=A", OnPackage, "the marker +kubebuilder:printcolumn has no effect on the package clause: move it to a type"},
		{"kubebuilder:validation:Minimum=1", OnPackage, "the marker +kubebuilder:validation:Minimum has no effect on the package clause: move it to a type or a field"},
		{"groupName=a", OnType, "the marker +groupName has no effect on a type: move it to the package clause"},
		{"groupName=a", OnType | OnPackage, ""},
		{"immutable", OnPackage, "the marker +immutable has no effect on the package clause: move it to a type or a field"},
		{"kubebuilder:rbac:groups=a", OnField, "the marker +kubebuilder:rbac has no effect on a field: move it to the package clause"},
		{"genclient", OnField, ""},
	} {
		p, got := CheckForeign(tt.text, tt.on), ""
		if p != nil {
			got = p.Message
			expect.True(t, p.Kind == WithoutEffect && p.Correction == nil, "+%s: got %+v", tt.text, p)
		}
		expect.Equal(t, tt.want, got, "+%s", tt.text)
	}
}

// TestEverySlipIsReported checks that a name is reported whichever letter it lacks or has
// twice, whichever two are swapped, and that what is certain is the name. Short names without
// a namespace are like words.
func TestEverySlipIsReported(t *testing.T) {
	slips, certain := 0, 0
	for _, m := range foreign() {
		if m.Family {
			continue
		}
		for i, slip := range slipsOf(m.Name) {
			if i%7 != 0 {
				continue // all of them take ten seconds
			}
			if !isNamespaced(slip) && (len(m.Name) < leastLetters || !strings.Contains(m.Name, ":")) {
				continue
			}
			value, p := Parse(slip)
			if p == nil {
				p = CheckForeign(slip, anywhere)
			}
			known := value != nil || p == nil && (IsRead(slip) || other(slip) != nil)
			switch {
			case known:
			case p == nil:
				t.Errorf("+%s passes for +%s", slip, m.Name)
			case p.Kind != Misspelt:
				t.Errorf("+%s: %+v", slip, p)
			default:
				slips++
				if p.Correction != nil {
					certain++
					expect.Equal(t, m.Name, p.Correction.Apply(slip), "+%s becomes", slip)
				}
			}
		}
	}
	expect.True(t, slips >= 1000 && certain >= 500, "only %d slips were reported, and %d corrected", slips, certain)
}

// slipsOf returns a name with each letter left out, each one twice, and each two swapped.
func slipsOf(name string) []string {
	var slips []string
	for i := range len(name) {
		slips = append(slips, name[:i]+name[i+1:], name[:i+1]+name[i:])
		if i+1 < len(name) && name[i] != name[i+1] {
			slips = append(slips, name[:i]+name[i+1:i+2]+name[i:i+1]+name[i+2:])
		}
	}
	return slips
}

// TestEveryMarkerOfControllerToolsIsKnown reads the source of controller-tools, for
// generators that are not linked.
func TestEveryMarkerOfControllerToolsIsKnown(t *testing.T) {
	dir := expect.Value(exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "sigs.k8s.io/controller-tools").Output())(t)
	sources := expect.Value(filepath.Glob(filepath.Join(strings.TrimSpace(string(dir)), "pkg/*/*.go")))(t)
	on := map[string]Target{"DescribesPackage": OnPackage, "DescribesType": OnType, "DescribesField": OnField}
	found := 0
	for _, source := range sources {
		if strings.HasSuffix(source, "_test.go") {
			continue
		}
		file := expect.Value(parser.ParseFile(token.NewFileSet(), source, nil, 0))(t)
		ast.Inspect(file, func(node ast.Node) bool {
			call, ok := node.(*ast.CallExpr)
			if !ok || len(call.Args) != 3 {
				return true
			}
			function, isSelector := call.Fun.(*ast.SelectorExpr)
			name, isName := call.Args[0].(*ast.BasicLit)
			target, isTarget := call.Args[1].(*ast.SelectorExpr)
			if !isSelector || !isName || !isTarget || function.Sel.Name != "MakeDefinition" {
				return true
			}
			text := expect.Value(strconv.Unquote(name.Value))(t)
			found++
			if p := CheckForeign(text, on[target.Sel.Name]); p != nil {
				t.Errorf("%s: +%s: %s", source, text, p.Message)
			}
			return true
		})
	}
	expect.True(t, found >= 10, "only %d definitions were found", found)
}

// TestRegistry checks that the reference has every marker of the generators of
// controller-tools, with every argument, and words for all of them.
func TestRegistry(t *testing.T) {
	names := Names()
	for _, generator := range generators {
		own := &ctmarkers.Registry{}
		expect.NoError(t, generator.RegisterMarkers(own))
		for _, d := range own.AllDefinitions() {
			i := slices.IndexFunc(foreign(), func(m ForeignMarker) bool { return m.Name == d.Name })
			if i < 0 || !slices.Contains(names, d.Name) {
				t.Errorf("the reference lacks +%s", d.Name)
				continue
			}
			m := foreign()[i]
			if m.Doc == "" || m.Tool == "" || !slices.Contains(m.Places, d.Target.String()) || len(m.Arguments) != len(d.Fields) {
				t.Errorf("+%s on a %s with %d arguments is %+v", d.Name, d.Target, len(d.Fields), m)
			}
		}
	}
	expect.True(t, slices.IsSorted(names) && len(slices.Compact(slices.Clone(names))) == len(names), "names are not sorted, or there twice")
}

// FuzzCheckForeign checks that no text makes the check fail, and that what it corrects is
// right then.
func FuzzCheckForeign(f *testing.F) {
	for i, m := range foreign() {
		if i%10 == 0 {
			f.Add(m.Name+"=1", uint8(OnField))
			f.Add(" "+m.Name[1:], uint8(anywhere))
		}
	}
	for _, text := range []string{"", " ", "=", ":", "kubebuilder:=", "kubebuilder:default:\x00", "kubebuilder:validation:Enum={", "k8s:é=ü", "\xff"} {
		f.Add(text, uint8(anywhere))
	}
	f.Fuzz(func(t *testing.T, text string, target uint8) {
		on := Target(target) & anywhere
		for _, check := range []func(string, Target) *Problem{CheckForeign, CheckUnmarked} {
			p := check(text, on)
			if p == nil {
				continue
			}
			expect.True(t, p.Offset >= 0 && p.Offset <= len(text) && !strings.ContainsAny(p.Message, "\n\r"), "%q: %+v", text, p)
			if c := p.Correction; c != nil {
				expect.Must(t, p.Kind == Misspelt && c.Offset >= 0 && c.Length >= 0 && c.Offset+c.Length <= len(text), "%q: %+v", text, p)
				corrected := strings.TrimPrefix(strings.TrimRight(c.Apply(text), space), "+")
				q := CheckForeign(corrected, on)
				expect.True(t, q == nil && isRead(corrected, on), "%q becomes %q, which is wrong: %+v", text, corrected, q)
			}
		}
		IsRead(text)
		Meant(text)
	})
}
