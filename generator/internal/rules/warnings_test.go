package rules_test

import (
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/generator/internal/stage"
	"github.com/mrgen-io/mrgen/generator/internal/stagerunner"
	"github.com/mrgen-io/mrgen/generator/internal/stages/crd"
	"github.com/mrgen-io/mrgen/generator/run"
	"github.com/mrgen-io/mrgen/testdata/expect"
	"github.com/mrgen-io/mrgen/testdata/testmodule"
)

// Each type has what rules can't do in full. The comment at the end of a line says what mrgen says of it:
// a text that the diagnostic of that line contains, or several. Where that is that a field stays required,
// the schema requires it, and where it is that a marker has no effect, no rule is about the field.
const warned = `package v1

import (
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
)

type StaysParameters struct {
	Text string ^json:"text"^ // want: would send "" where nobody | run mrgen fix relax, or mark it +mrgen:identifier
	Number int64 ^json:"number"^ // want: would send 0 where
	Flag bool ^json:"flag"^ // want: would send false where
	Block Block ^json:"block"^ // want: would send {} where | run mrgen fix relax, or mark it +mrgen:identifier
	Amount resource.Quantity ^json:"amount"^ // want: would send the zero value of Quantity
	// +nullable
	Null *string ^json:"null"^ // want: it may be null, which rules can't tell from unset: remove +nullable
	// +nullable
	// +kubebuilder:validation:Required
	// Go omits null, so that its author will have wanted that.
	Gone *string ^json:"gone,omitempty"^ // want: gone is required, and may be null, which updates from Go omit
	// +nullable
	// +kubebuilder:default=a
	Given *string ^json:"given"^
	Dollar *string ^json:"$dollar"^ // want: rules can't read a field of this name: mark it +mrgen:identifier
	Any *apiextensionsv1.JSON ^json:"any"^ // want: rules can't read a field without a type
	Octets []byte ^json:"octets"^ // want: since rules fail on Base64 with + or /: make it a string, or mark it +mrgen:identifier
	// +kubebuilder:validation:Required
	Opaque Opaque ^json:"opaque,omitzero"^ // want: rules can't tell whether there is anything in it: make it a pointer with omitempty | opaque is required, and may be {}
}

type Block struct {
	A *string ^json:"a,omitempty"^
}

type Keyring struct {
	Keys map[string][]byte ^json:"keys,omitempty"^
}

type Extended struct {
	Raw *runtime.RawExtension ^json:"raw,omitempty"^
}

// Opaque is empty, or not: rules can't look into it.
type Opaque struct {
	Any apiextensionsv1.JSON ^json:"any,omitempty"^
}

type FixedParameters struct {
	// +crossplane:generate:reference:type=Stays
	Network *string ^json:"network,omitempty"^
	NetworkRef *xpv2.NamespacedReference ^json:"networkRef,omitempty"^
	// +immutable
	NetworkSelector *xpv2.NamespacedSelector ^json:"networkSelector,omitempty"^ // want: a selector may change after the reference is resolved
	// +immutable
	Dollar *string ^json:"$dollar,omitempty"^ // want: rules can't read a field of this name: rename it
	// +immutable
	Any *apiextensionsv1.JSON ^json:"any,omitempty"^ // want: rules can't read a field without a type
	// +immutable
	Octets []byte ^json:"octets,omitempty"^ // want: no effect on octets: rules fail on Base64 with + or /: make it a string, or remove
	// +immutable
	Keyrings []Keyring ^json:"keyrings,omitempty"^ // want: no effect on keyrings: rules fail on Base64 with + or /: make keyrings[].keys{} a string
	// +immutable
	Extended []Extended ^json:"extended,omitempty"^ // want: no effect on extended: rules see no field of a value without a schema: declare the fields of extended[].raw
	// +nullable
	Null *Half ^json:"null,omitempty"^
	Replaced []Item ^json:"replaced,omitempty"^
	// +immutable
	Referring []Referring ^json:"referring,omitempty"^ // want: references in its items are resolved later, and the list is replaced as a whole
	Partly []PartlyReferring ^json:"partly,omitempty"^
	Wholly []WhollyReferring ^json:"wholly,omitempty"^
	// +immutable
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=3
	Keyed []Keyed ^json:"keyed,omitempty"^ // want: references in it are resolved later: mark the fields in it
	// +immutable
	Rounded *float32 ^json:"rounded,omitempty"^ // want: rounds what was written
	// +immutable
	Self *Self ^json:"self,omitempty"^ // want: Self encodes itself
	// +immutable
	Long []Block ^json:"long,omitempty"^
	// +immutable
	// +kubebuilder:validation:MaxItems=3
	Defaulted []Defaulted ^json:"defaulted,omitempty"^
	// +immutable
	Amounts []resource.Quantity ^json:"amounts,omitempty"^ // want: in another form, and a comparison that allows for it would cost the API server too much: bound the lists
	// +immutable
	Huge []Huge ^json:"huge,omitempty"^ // want: updates from Go may write huge[].a in another form, and a comparison that allows for it would cost the API server too much: make huge[].a a pointer, or bound
	// +immutable
	Keys []xpv2.CommonCredentialSelectors ^json:"keys,omitempty"^
	// +immutable
	Selectors map[string]xpv2.NamespacedSelector ^json:"selectors,omitempty"^ // want: in another form, and a comparison that allows for it would cost the API server too much: bound the lists
	// +immutable
	Unknown *Unknown ^json:"unknown,omitempty"^ // want: has no effect on unknown fields of unknown
	Once map[string]Once ^json:"once,omitempty"^ // want: no effect on once: only its elements have a type with the marker, and they have no fields: mark the field, too, or remove the marker
	OnceLists map[string]OnceList ^json:"onceLists,omitempty"^ // want: no effect on onceLists: only its elements have a type with the marker
}

// +immutable
type Once string

// +immutable
type OnceList []string

type Huge struct {
	A string ^json:"a,omitempty"^
	B map[string]Block ^json:"b,omitempty"^
}

// +kubebuilder:validation:XValidation:rule="self.name != 'x'" // want: the rule fails for observe-only resources, where name may be unset: write rule
type ReadsParameters struct {
	// +kubebuilder:validation:Required
	Name *string ^json:"name,omitempty"^
	// +kubebuilder:validation:Required
	Inner *ReadsInner ^json:"inner,omitempty"^
}

type ReadsInitParameters struct {
	Name *string ^json:"name,omitempty"^
	Inner *ReadsInner ^json:"inner,omitempty"^
}

// +kubebuilder:validation:XValidation:rule="self.leaf != 'x'" // want: observe-only resources, where leaf may be unset: write rule="!has(self.leaf) || self.leaf != 'x'"
type ReadsInner struct {
	// +kubebuilder:validation:Required
	Leaf *string ^json:"leaf,omitempty"^
}

type Half struct {
	// +immutable
	A *string ^json:"a,omitempty"^ // want: null may be null, which rules can't look into: remove +nullable
}

type Item struct {
	// +immutable
	A *string ^json:"a,omitempty"^ // want: replaced is replaced as a whole: make that list listType=map with a listMapKey, mark the list, or remove
	B *string ^json:"b,omitempty"^
}

type Referring struct {
	// +crossplane:generate:reference:type=Stays
	Network *string ^json:"network,omitempty"^
	NetworkRef *xpv2.NamespacedReference ^json:"networkRef,omitempty"^
	NetworkSelector *xpv2.NamespacedSelector ^json:"networkSelector,omitempty"^
}

type WhollyReferring struct {
	// +crossplane:generate:reference:type=Stays
	// +immutable
	Network *string ^json:"network,omitempty"^ // want: wholly is replaced as a whole: make that list listType=map with a listMapKey, or remove
	// +immutable
	NetworkRef *xpv2.NamespacedReference ^json:"networkRef,omitempty"^ // want: wholly is replaced as a whole: make that list listType=map with a listMapKey, or remove
	// +immutable
	NetworkSelector *xpv2.NamespacedSelector ^json:"networkSelector,omitempty"^ // want: a selector may change after the reference is resolved
}

type PartlyReferring struct {
	Referring ^json:",inline"^
	// +immutable
	A *string ^json:"a,omitempty"^ // want: partly is replaced as a whole: make that list listType=map with a listMapKey, or remove
}

type Keyed struct {
	Name string ^json:"name"^
	// +crossplane:generate:reference:type=Stays
	// +kubebuilder:validation:MaxLength=9
	Network *string ^json:"network,omitempty"^
	NetworkRef *KeyedReference ^json:"networkRef,omitempty"^
	NetworkSelector *xpv2.NamespacedSelector ^json:"networkSelector,omitempty"^
}

type KeyedReference struct {
	// +kubebuilder:validation:MaxLength=9
	Name *string ^json:"name,omitempty"^
}

// +kubebuilder:validation:Type=string
type Self struct{ Seconds int64 ^json:"seconds"^ }

func (Self) MarshalJSON() ([]byte, error) { return nil, nil }
func (*Self) UnmarshalJSON([]byte) error { return nil }

type Defaulted struct {
	// +kubebuilder:default=a
	A string ^json:"a,omitempty"^ // want: if a is "", it becomes "a" with the first update from Go
}

// +kubebuilder:pruning:PreserveUnknownFields
type Unknown struct {
	A *string ^json:"a,omitempty"^
}

// +kubebuilder:validation:ExactlyOneOf=network;networkRef // want: once networkRef is resolved, it and
type ResolvedParameters struct {
	// +crossplane:generate:reference:type=Stays
	Network *string ^json:"network,omitempty"^
	NetworkRef *xpv2.NamespacedReference ^json:"networkRef,omitempty"^
	NetworkSelector *xpv2.NamespacedSelector ^json:"networkSelector,omitempty"^
}

// Rules can't count a field without a type, so that the schema goes on counting.
// +kubebuilder:validation:MinProperties=1
type CountlessParameters struct {
	A *string ^json:"a,omitempty"^
	Any *apiextensionsv1.JSON ^json:"any,omitempty"^
}

type NestedParameters struct {
	Inner *NestedInner ^json:"inner,omitempty"^
	// +optional
	Sent NestedSent ^json:"sent"^ // want: updates from Go send {} for sent where nobody set a value, which the API server refuses
	When *metav1.Time ^json:"when,omitempty"^
}

type NestedSent struct {
	// +kubebuilder:validation:Required
	A *string ^json:"a,omitempty"^
}

type NestedInner struct {
	// +kubebuilder:validation:Required
	A string ^json:"a"^ // want: inner.a stays required | would send ""
	// +mrgen:identifier
	B string ^json:"b"^
}

type NestedInitParameters struct {
	// +optional
	Sent NestedSent ^json:"sent"^ // want: updates from Go send {} for sent where nobody set a value, which the API server refuses
	Inner *NestedInner ^json:"inner,omitempty"^
}
`

// refused has what is wrong with markers that demand one of several fields.
const refused = `package v1

import (
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// +mrgen:requiredOneOf:fields=ok;always // want: has no effect, since always is always set
// +mrgen:requiredOneOf:fields=ok;given // want: has no effect, since given is always set
// +mrgen:requiredOneOf:fields=ok2;always,exactly=true // want: can't name always: it is always set, so that none of the others could be
// +mrgen:requiredOneOf:fields=ok;$dollar // want: can't name $dollar: rules can't read a field of this name
// +mrgen:requiredOneOf:fields=ok;any // want: can't name any: rules can't read a field without a type
// +mrgen:requiredOneOf:fields=ok;octets // want: can't name octets: rules fail on Base64 with + or /: make it a string, or remove
// +mrgen:requiredOneOf:fields=ok;null // want: can't name null: it may be null
// +mrgen:requiredOneOf:fields=ok;loose // want: can't name loose: updates from Go would send "" where
// +mrgen:requiredOneOf:fields=ok;opaque // want: can't name opaque: rules can't tell whether there is anything in it
// +mrgen:requiredOneOf:fields=ok2;null;any,exactly=true // want: can't name null | can't name any
type RefusedParameters struct {
	OK *string ^json:"ok,omitempty"^
	OK2 *string ^json:"ok2,omitempty"^
	// +mrgen:identifier
	Always string ^json:"always"^
	// +kubebuilder:default=a
	Given *string ^json:"given,omitempty"^
	Dollar *string ^json:"$dollar,omitempty"^
	Any *apiextensionsv1.JSON ^json:"any,omitempty"^
	Octets []byte ^json:"octets,omitempty"^
	// +nullable
	Null *string ^json:"null,omitempty"^
	// +optional
	Loose string ^json:"loose"^
	// +optional
	Opaque Opaque ^json:"opaque,omitzero"^
}

type Opaque struct {
	Any apiextensionsv1.JSON ^json:"any,omitempty"^
}
`

var wanted = regexp.MustCompile(` // want: (.*)`)

// said generates the CRDs of kinds in a file, and compares what is said of its lines with the comments
// there.
func saidOf(t *testing.T, source string, names ...string) map[string]stage.Definition {
	t.Helper()
	root := t.TempDir()
	testmodule.Write(t, filepath.Join(root, "go.mod"), testmodule.GoMod(t))
	testmodule.Write(t, filepath.Join(root, "apis/v1/doc.go"), []byte("// +kubebuilder:object:generate=true\n// +groupName=example.org\npackage v1\n"))
	want := map[int][]string{}
	var lines []string
	for i, line := range strings.Split(strings.ReplaceAll(source, "^", "`"), "\n") {
		if match := wanted.FindStringSubmatch(line); match != nil {
			want[i+1] = strings.Split(match[1], " | ")
		}
		lines = append(lines, wanted.ReplaceAllString(line, ""))
	}
	testmodule.Write(t, filepath.Join(root, "apis/v1/types.go"), []byte(strings.Join(lines, "\n")))
	for _, name := range names {
		spec := fmt.Sprintf(usual, name+"Parameters")
		if strings.Contains(source, name+"InitParameters struct") {
			spec += "\n// +optional\nInitProvider *" + name + "InitParameters `json:\"initProvider,omitempty\"`"
		}
		testmodule.Write(t, filepath.Join(root, "apis/v1", strings.ToLower(name)+".go"), []byte(strings.NewReplacer("KIND", name, "OPTION", "", "OMIT", "", "MARKER", "", "IMPORTS", `xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"`, "SPEC", spec, "STATUS", "xpv2.ManagedResourceStatus").Replace(kindSource)))
	}
	options := run.Default()
	options.Dir, options.AllowDangerousTypes = root, true
	run, diags, err := (stagerunner.Runner{Stages: []stage.Stage{crd.Stage, stage.Report}}).Open(options).Evaluate(context.Background())
	expect.NoError(t, err)
	for _, d := range withoutValues(diags).Sorted() {
		if d.Pos.File != "apis/v1/types.go" {
			t.Errorf("unexpected: %s", d)
			continue
		}
		i := slices.IndexFunc(want[d.Pos.Line], func(part string) bool { return strings.Contains(d.Message, part) })
		if i < 0 {
			t.Errorf("unexpected: %s", d)
			continue
		}
		want[d.Pos.Line] = slices.DeleteFunc(want[d.Pos.Line], func(part string) bool { return strings.Contains(d.Message, part) })
	}
	for line, parts := range want {
		expect.True(t, len(parts) == 0, "nothing says %q of line %d: %s", parts, line, lines[line-1])
	}
	all := map[string]stage.Definition{}
	for _, d := range run.Output.Definitions() {
		all[d.Objects[0].Name] = d
	}
	return all
}

// TestWarnings holds what is said where rules can't do what the source asks for, and that the schema is as
// it is said.
func TestWarnings(t *testing.T) {
	for name, d := range saidOf(t, warned, "Stays", "Fixed", "Resolved", "Nested", "Reads", "Countless") {
		props := d.CRD.Spec.Versions[0].Schema.OpenAPIV3Schema
		for _, problem := range (apiserver.Upstream{}).Validate(context.Background(), d.CRD) {
			t.Errorf("%s: %+v", name, problem)
		}
		n := schema.At(props, schema.Properties("spec", "forProvider")).MinProperties
		expect.True(t, (n != nil) == (name == "Countless"), "%s: the schema demands %v properties", name, n)
		for _, decision := range d.Decisions[0] {
			isRequired := func() bool {
				return slices.Contains(schema.At(props, decision.Field[:len(decision.Field)-1]).Required, decision.Field[len(decision.Field)-1].Name)
			}
			switch stays := strings.HasPrefix(decision.Reason, "stays required"); {
			case stays && !isRequired():
				t.Errorf("%s: the schema doesn't require %s, which %s", name, decision.Field, decision.Reason)
			case decision.Required && !stays && isRequired():
				t.Errorf("%s: the schema requires %s, which %s", name, decision.Field, decision.Reason)
			case decision.Immutable && (decision.Rule == nil) != strings.HasPrefix(decision.Reason, "is not immutable"):
				t.Errorf("%s: %s %s, with the rule %v", name, decision.Field, decision.Reason, decision.Rule)
			}
		}
	}
}

// TestRefusedChoices holds which fields a marker can't list.
func TestRefusedChoices(t *testing.T) { saidOf(t, refused, "Refused") }
