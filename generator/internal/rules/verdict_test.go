package rules_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/generator/internal/stage"
	"github.com/mrgen-io/mrgen/generator/internal/stagerunner"
	"github.com/mrgen-io/mrgen/generator/internal/stages/crd"
	"github.com/mrgen-io/mrgen/generator/run"
	"github.com/mrgen-io/mrgen/testdata/budget"
	"github.com/mrgen-io/mrgen/testdata/expect"
	"github.com/mrgen-io/mrgen/testdata/testmodule"
)

// A kind is one whose objects are judged.
type kind struct {
	name             string
	desired, initial reflect.Type
	// spec declares the fields of the spec beside initProvider.
	spec string
	// policies is the field that says whether a resource is managed, "" if there is none.
	policies string
	// choices returns what the kind demands of several fields at once, and bounds what it
	// demands of resources that are only observed, too.
	choices func(desired, initial map[string]any) (demands, bounds []string)
	// isOptional is set if objects need no spec, and isLoose if Go sends parameters that nobody set.
	isOptional, isLoose bool
	// marker is one of the kind.
	marker string
	// base has what every accepted object needs beside what is required.
	base string
}

const (
	usual  = "xpv2.ManagedResourceSpec `json:\",inline\"`\nForProvider %s `json:\"forProvider\"`"
	open   = "xpv1.ResourceSpec `json:\",inline\"`\nManagementPolicies []string `json:\"managementPolicies,omitempty\"`\nForProvider %s `json:\"forProvider\"`"
	older  = "xpv1.ResourceSpec `json:\",inline\"`\n// +kubebuilder:validation:Enum=Default;ObserveOnly\nManagementPolicy string `json:\"managementPolicy,omitempty\"`\nForProvider %s `json:\"forProvider\"`"
	zero   = "xpv2.ManagedResourceSpec `json:\",inline\"`\n// +optional\nForProvider %s `json:\"forProvider\"`"
	named  = "xpv1.ResourceSpec `json:\",inline\"`\n// +kubebuilder:validation:Enum=Keep;Drop\n// +optional\nManagementPolicy string `json:\"managementPolicy,omitempty\"`\nForProvider %s `json:\"forProvider\"`"
	null   = "xpv2.ManagedResourceSpec `json:\",inline\"`\n// +nullable\nForProvider *%s `json:\"forProvider\"`"
	always = "xpv1.ResourceSpec `json:\",inline\"`\nForProvider %s `json:\"forProvider\"`"
	maybe  = "xpv2.ManagedResourceSpec `json:\",inline\"`\n// +optional\nForProvider *%s `json:\"forProvider,omitempty\"`"
	locked = "xpv2.ManagedResourceSpec `json:\",inline\"`\n// +immutable\nForProvider %s `json:\"forProvider\"`"
)

var judged = []kind{
	{name: "Demands", desired: reflect.TypeFor[DemandsParameters](), spec: usual, policies: "managementPolicies"},
	{name: "Initial", desired: reflect.TypeFor[InitialParameters](), initial: reflect.TypeFor[InitialInitParameters](), spec: usual, policies: "managementPolicies"},
	{name: "Fixed", desired: reflect.TypeFor[FixedParameters](), spec: usual, policies: "managementPolicies"},
	{name: "Forms", desired: reflect.TypeFor[FormsParameters](), spec: usual, policies: "managementPolicies"},
	{name: "Lists", desired: reflect.TypeFor[ListsParameters](), spec: usual, policies: "managementPolicies"},
	{name: "Tolerant", desired: reflect.TypeFor[TolerantParameters](), spec: usual, policies: "managementPolicies"},
	{name: "Nested", desired: reflect.TypeFor[NestedParameters](), spec: usual, policies: "managementPolicies"},
	{name: "Keyed", desired: reflect.TypeFor[KeyedParameters](), spec: usual, policies: "managementPolicies"},
	{name: "Refers", desired: reflect.TypeFor[RefersParameters](), spec: usual, policies: "managementPolicies"},
	{name: "Choices", desired: reflect.TypeFor[ChoicesParameters](), initial: reflect.TypeFor[ChoicesInitParameters](), spec: usual, policies: "managementPolicies", choices: choices, base: `{"a":"a","c":"a","h":["a"],"i":"a","k":"a","m":"a"}`},
	{name: "Counts", desired: reflect.TypeFor[CountsParameters](), initial: reflect.TypeFor[CountsInitParameters](), spec: usual, policies: "managementPolicies", choices: counts, base: `{"a":"a","b":"a"}`},
	{name: "Open", desired: reflect.TypeFor[SmallParameters](), spec: open, policies: "managementPolicies"},
	{name: "Older", desired: reflect.TypeFor[SmallParameters](), spec: older, policies: "managementPolicy"},
	{name: "Always", desired: reflect.TypeFor[SmallParameters](), spec: always},
	{name: "Maybe", desired: reflect.TypeFor[SmallParameters](), spec: maybe, policies: "managementPolicies"},
	{name: "Named", desired: reflect.TypeFor[StrictParameters](), spec: named},
	{name: "Null", desired: reflect.TypeFor[NullParameters](), spec: null, policies: "managementPolicies"},
	{name: "Zero", desired: reflect.TypeFor[ZeroParameters](), spec: zero, policies: "managementPolicies", isLoose: true},
	{name: "Loose", desired: reflect.TypeFor[SmallParameters](), spec: usual, policies: "managementPolicies", isOptional: true},
	{name: "LooseOpen", desired: reflect.TypeFor[SmallParameters](), spec: open, policies: "managementPolicies", isOptional: true},
	{name: "Locked", desired: reflect.TypeFor[LockedParameters](), spec: usual, policies: "managementPolicies"},
	{name: "Shut", desired: reflect.TypeFor[LeafParameters](), spec: locked, policies: "managementPolicies"},
	{name: "Strict", desired: reflect.TypeFor[StrictParameters](), spec: usual, policies: "managementPolicies", marker: "+mrgen:relax=false"},
}

// choices is about ChoicesParameters.
func choices(desired, initial map[string]any) (demands, bounds []string) {
	d, i := operand{reflect.TypeFor[ChoicesParameters](), desired}, operand{reflect.TypeFor[ChoicesInitParameters](), initial}
	c := chooser{demands: &demands, bounds: &bounds}
	c.atLeastOne("", "[a b]", []operand{d, i}, "a", "b")
	c.demand(count(d, "c", "d") > 0 || count(d, "c", "d")+count(i, "c", "d") == 1 || both(d, i, "c") != both(d, i, "d"), "", "exactly one", "[c d]")
	c.bound(present(desired, "c", "d") <= 1, "spec/forProvider", "at most one", "[c d]")
	c.bound(initial == nil || present(initial, "c", "d") == 1, "spec/initProvider", "exactly one", "[c d]")
	c.bound(present(desired, "e", "f") <= 1, "spec/forProvider", "at most one", "[e f]")
	c.demand(count(d, "k", "l") > 0 || count(i, "k", "l") == 1, "", "exactly one", "[k l]")
	c.bound(present(desired, "k", "l") <= 1, "spec/forProvider", "at most one", "[k l]")
	c.atLeastOne("", "[m n]", []operand{d, i}, "m", "mRef", "mSelector", "n")
	c.atLeastOne("", "[g h]", []operand{d, i}, "g", "gRef", "gSelector", "h")
	c.exactlyOne("", "[i j]", d, i, "i", "j")
	wrap, initialWrap := d.below("wrap"), i.below("wrap")
	for where, around := range map[string][2]operand{"": {d, i}, "wrap.": {wrap, initialWrap}} {
		if inner, given := around[0].below("inner"), around[1].below("inner"); inner.object != nil || given.object != nil {
			c.exactlyOne(where+"inner", "[x y]", inner, given, "x", "y")
		}
		if picked, given := around[0].below("pick"), around[1].below("pick"); picked.object != nil || given.object != nil {
			c.atLeastOne(where+"pick", "[x y]", []operand{picked, given}, "x", "y")
		}
	}
	for where, list := range map[string]any{
		"spec/forProvider/items": desired["items"], "spec/forProvider/map": desired["map"], "spec/initProvider/items": initial["items"],
		"spec/forProvider/wrap/items": wrap.object["items"], "spec/initProvider/wrap/items": initialWrap.object["items"],
	} {
		eachElement(list, func(key string, element map[string]any) {
			c.bound(count(operand{reflect.TypeFor[Choice](), element}, "x", "y") == 1, where+"/"+key, "exactly one", "[x y]")
		})
	}
	return demands, bounds
}

// counts is about CountsParameters.
func counts(desired, initial map[string]any) (demands, bounds []string) {
	d, i := operand{reflect.TypeFor[CountsParameters](), desired}, operand{reflect.TypeFor[CountsInitParameters](), initial}
	c := chooser{demands: &demands, bounds: &bounds}
	n := 0
	for _, name := range []string{"a", "b", "c", "inner"} {
		if both(d, i, name) {
			n++
		}
	}
	c.demand(n >= 2, "", "at least 2", "[a b c inner]")
	inner, given := d.below("inner"), i.below("inner")
	if inner.object != nil || given.object != nil {
		c.atLeastOne("inner", "[x y]", []operand{inner, given}, "x", "y")
	}
	return demands, bounds
}

type chooser struct{ demands, bounds *[]string }

func (c chooser) demand(holds bool, where, how, fields string) {
	if !holds {
		*c.demands = append(*c.demands, strings.Join([]string{where, how, fields}, " "))
	}
}

func (c chooser) bound(holds bool, where, how, fields string) {
	if !holds {
		*c.bounds = append(*c.bounds, strings.Join([]string{where, how, fields}, " "))
	}
}

func (c chooser) atLeastOne(where, fields string, sides []operand, names ...string) {
	c.demand(slices.ContainsFunc(sides, func(s operand) bool { return count(s, names...) > 0 }), where, "at least one", fields)
}

func (c chooser) exactlyOne(where, fields string, desired, initial operand, names ...string) {
	n := 0
	for _, name := range names {
		if both(desired, initial, name) {
			n++
		}
	}
	c.demand(count(desired, names...) == 1 || n == 1, where, "exactly one", fields)
}

// count returns how many of the fields have a value that somebody chose, as far as Go tells, and present
// how many have any.
func count(s operand, names ...string) (n int) {
	if s.goType == nil {
		return 0
	}
	sentAnyway := encoded(s.goType, map[string]any{})
	for _, name := range names {
		if has(s.goType, s.object, name) && !(sentAnyway[name] != nil && reflect.DeepEqual(s.object[name], sentAnyway[name])) {
			n++
		}
	}
	return n
}

func both(desired, initial operand, name string) bool {
	return count(desired, name)+count(initial, name) > 0
}

func present(object map[string]any, names ...string) (n int) {
	for _, name := range names {
		if object[name] != nil {
			n++
		}
	}
	return n
}

// source returns the declarations of the kinds, and of their types as the files in this folder have
// them.
func source(t *testing.T, root string) {
	t.Helper()
	dir := filepath.Join(root, "apis/v1")
	testmodule.Write(t, filepath.Join(dir, "doc.go"), []byte("// +kubebuilder:object:generate=true\n// +groupName=example.org\npackage v1\n"))
	for _, name := range []string{"kinds_test.go", "kinds2_test.go"} {
		types := bytes.ReplaceAll(testmodule.Read(t, name), []byte("package rules_test\n"), []byte("package v1\n\nimport xpv2 \"github.com/crossplane/crossplane/apis/v2/core/v2\"\n\nvar _ xpv2.Reference\n"))
		for _, name := range []string{"NamespacedReference", "NamespacedSelector", "*Reference"} {
			types = bytes.ReplaceAll(types, []byte(name), []byte(strings.Replace(name, strings.TrimPrefix(name, "*"), "xpv2."+strings.TrimPrefix(name, "*"), 1)))
		}
		before, after, _ := strings.Cut(string(types), "\nvar _ xpv2.Reference\n")
		first, rest, _ := strings.Cut(after, "\n// ")
		testmodule.Write(t, filepath.Join(dir, strings.TrimSuffix(name, "_test.go")+".go"), []byte(before+first+"\nvar _ xpv2.Reference\n\n// "+rest))
	}
	for _, k := range judged {
		imports, status := `xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"`, "xpv2.ManagedResourceStatus"
		if strings.Contains(k.spec, "xpv1.") {
			imports, status = `xpv1 "github.com/crossplane/crossplane-runtime/v2/apis/common/v1"`, "xpv1.ResourceStatus"
		}
		option, omit := "", ""
		if k.isOptional {
			option, omit = "// +optional", ",omitempty"
		}
		spec := fmt.Sprintf(k.spec, k.desired.Name())
		if k.initial != nil {
			spec += "\n// +optional\nInitProvider *" + k.initial.Name() + " `json:\"initProvider,omitempty\"`"
		}
		testmodule.Write(t, filepath.Join(dir, strings.ToLower(k.name)+".go"), []byte(strings.NewReplacer("KIND", k.name, "OPTION", option, "OMIT", omit, "MARKER", k.marker, "IMPORTS", imports, "SPEC", spec, "STATUS", status).Replace(kindSource)))
	}
}

const kindSource = `package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	IMPORTS
)

// KIND is a kind.
// MARKER
// +kubebuilder:object:root=true
type KIND struct {
	metav1.TypeMeta   ` + "`json:\",inline\"`" + `
	metav1.ObjectMeta ` + "`json:\"metadata,omitempty\"`" + `
	OPTION
	Spec KINDSpec ` + "`json:\"specOMIT\"`" + `
	Status KINDStatus ` + "`json:\"status,omitempty\"`" + `
}

// KINDSpec is a spec.
type KINDSpec struct {
	SPEC
}

// KINDStatus is a status.
type KINDStatus struct {
	STATUS ` + "`json:\",inline\"`" + `
}
`

// definitions returns the CRDs of the kinds by their names, and what is said about them.
func definitions(t *testing.T) (all map[string]stage.Definition, diags []string) {
	t.Helper()
	root := t.TempDir()
	// The stand-in of references has no namespace.
	apis := t.TempDir()
	for name, content := range testmodule.ReadTree(t, testmodule.Repository(t, "testdata/stubs/crossplane-apis")) {
		content = bytes.Replace(content, []byte("type NamespacedReference struct {"), []byte("type NamespacedReference struct {\n// +optional\nNamespace string `json:\"namespace,omitempty\"`\n"), 1)
		testmodule.Write(t, filepath.Join(apis, name), content)
	}
	stubs := testmodule.Repository(t, "testdata/stubs")
	testmodule.Write(t, filepath.Join(root, "go.mod"), bytes.ReplaceAll(testmodule.GoMod(t), []byte(filepath.ToSlash(stubs)+"/crossplane-apis"), []byte(filepath.ToSlash(apis))))
	source(t, root)
	options := run.Default()
	options.Dir, options.AllowDangerousTypes = root, true
	run, found, err := (stagerunner.Runner{Stages: []stage.Stage{crd.Stage, stage.Report}}).Open(options).Evaluate(context.Background())
	expect.NoError(t, err)
	for _, d := range withoutValues(found).Sorted() {
		diags = append(diags, d.String())
	}
	all = map[string]stage.Definition{}
	for _, d := range run.Output.Definitions() {
		all[d.Objects[0].Name] = d
	}
	return all, diags
}

// withoutValues returns diagnostics without those about values that Go can't read or keep, or that initProvider needs, which concern no rule.
func withoutValues(diags diag.List) diag.List {
	return slices.DeleteFunc(slices.Clone(diags), func(d diag.Diagnostic) bool {
		return slices.ContainsFunc([]string{"its type lacks", "Go can't list the kind", "is required in initProvider"}, func(text string) bool {
			return strings.Contains(d.Message, text)
		})
	})
}

// TestRulesJudge has the API server's code judge random objects and updates of kinds that have what
// makes a difference to rules. Each verdict is that of the judge: what is required, which field can't
// change, and that what Go sends of an accepted object is an accepted update.
func TestRulesJudge(t *testing.T) {
	all, diags := definitions(t)
	expected := []string{
		`octets stays required for observe-only resources, since rules fail on Base64 with + or /: make it a string, or mark it +mrgen:identifier`,
		`always stays required for observe-only resources, since updates from Go would send "" where nobody set a value`,
		`flag is required, and false counts as unset, since Go omits it: make it a pointer`,
		`always stays required for observe-only resources, since updates from Go would send "" where nobody set a value`,
		`+immutable has no effect on unknown fields of raw`,
		`+immutable has no effect on octets: rules fail on Base64 with + or /: make it a string, or remove the marker`,
		`+immutable has no effect on wholes: references in it are resolved later`, `+immutable has no effect on text: forProvider may be null`,
		`+immutable has no effect on objects: a default takes the place of what updates from Go omit of objects[].d.e`,
		`+immutable has no effect on nulls: updates from Go may write nulls[].list in another form`, `if a is "", it becomes "a" with the first update from Go`,
		`if d is {}, it becomes {"e":true} with the first update from Go`,
		`loose.go:16:2: warning: updates from Go send {"forProvider":{}} for spec where nobody set it`,
		`looseopen.go:16:2: warning: updates from Go send {"forProvider":{}} for spec where nobody set it`,
	}
	expect.True(t, len(diags) >= len(expected), "%d warnings, want %d", len(diags), len(expected))
	for i, d := range diags {
		expect.True(t, i < len(expected) && strings.Contains(d, expected[i]), "unexpected: %s", d)
	}
	for _, k := range judged {
		d, found := all[k.name]
		if !found {
			continue
		}
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			props := d.CRD.Spec.Versions[0].Schema.OpenAPIV3Schema
			for _, problem := range (apiserver.Upstream{}).Validate(context.Background(), d.CRD) {
				t.Error(problem)
			}
			// Users see the path of the field that a rule is about.
			for _, decision := range d.Decisions[0] {
				if rule := decision.Rule; rule != nil && !strings.HasPrefix(decision.Reason, "counts for") {
					s := schema.At(props, rule.Path)
					if got := strings.TrimSuffix(rule.Path.String(), ".") + s.XValidations[rule.Index].FieldPath; strings.NewReplacer("['", ".", "']", "").Replace(got) != strings.NewReplacer("['", ".", "']", "").Replace(decision.Field.String()) {
						t.Errorf("the rule about %s names %s", decision.Field, got)
					}
				}
			}
			server := expect.Value(apiserver.NewObjectValidator(props))(t)
			c := court{t: t, kind: k, server: server, r: rand.New(rand.NewPCG(1, 2))}
			c.systematic()
			c.standIns()
			c.unreadable()
			for range budget.Of(25, 2000) {
				c.random()
				if t.Failed() {
					return // one is enough to look at
				}
			}
			t.Logf("%+v", c.seen)
			expect.True(t, c.seen.created >= budget.Of(25, 40) && (k.name != "Fixed" || min(c.seen.changed, c.seen.kept) >= budget.Of(50, 100)), "%+v: this proves little", c.seen)
		})
	}
}
