package rules_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
	"github.com/mrgen-io/mrgen/generator/internal/budget"
	"github.com/mrgen-io/mrgen/generator/internal/engine"
	"github.com/mrgen-io/mrgen/generator/internal/pipeline"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/generator/internal/stages/crd"
	"github.com/mrgen-io/mrgen/generator/internal/testmodule"
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
	// marker is one of the kind.
	marker string
	// base has what every accepted object needs beside what is required.
	base string
}

const (
	usual  = "xpv2.ManagedResourceSpec `json:\",inline\"`\nForProvider %s `json:\"forProvider\"`"
	open   = "xpv1.ResourceSpec `json:\",inline\"`\nManagementPolicies []string `json:\"managementPolicies,omitempty\"`\nForProvider %s `json:\"forProvider\"`"
	older  = "xpv1.ResourceSpec `json:\",inline\"`\n// +kubebuilder:validation:Enum=Default;ObserveOnly\nManagementPolicy string `json:\"managementPolicy,omitempty\"`\nForProvider %s `json:\"forProvider\"`"
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
	{name: "Choices", desired: reflect.TypeFor[ChoicesParameters](), initial: reflect.TypeFor[ChoicesInitParameters](), spec: usual, policies: "managementPolicies", choices: choices, base: `{"a":"a","c":"a","h":["a"],"i":"a"}`},
	{name: "Counts", desired: reflect.TypeFor[CountsParameters](), initial: reflect.TypeFor[CountsInitParameters](), spec: usual, policies: "managementPolicies", choices: counts, base: `{"a":"a","b":"a"}`},
	{name: "Open", desired: reflect.TypeFor[SmallParameters](), spec: open, policies: "managementPolicies"},
	{name: "Older", desired: reflect.TypeFor[SmallParameters](), spec: older, policies: "managementPolicy"},
	{name: "Always", desired: reflect.TypeFor[SmallParameters](), spec: always},
	{name: "Maybe", desired: reflect.TypeFor[SmallParameters](), spec: maybe, policies: "managementPolicies"},
	{name: "Locked", desired: reflect.TypeFor[LockedParameters](), spec: usual, policies: "managementPolicies"},
	{name: "Shut", desired: reflect.TypeFor[LeafParameters](), spec: locked, policies: "managementPolicies"},
	{name: "Strict", desired: reflect.TypeFor[StrictParameters](), spec: usual, policies: "managementPolicies", marker: "+mrgen:relax=false"},
}

// choices is about ChoicesParameters.
func choices(desired, initial map[string]any) (demands, bounds []string) {
	d, i := side{reflect.TypeFor[ChoicesParameters](), desired}, side{reflect.TypeFor[ChoicesInitParameters](), initial}
	c := chooser{demands: &demands, bounds: &bounds}
	c.atLeastOne("", "[a b]", []side{d, i}, "a", "b")
	c.demand(count(d, "c", "d") > 0 || count(d, "c", "d")+count(i, "c", "d") == 1 || both(d, i, "c") != both(d, i, "d"), "", "exactly one", "[c d]")
	c.bound(present(desired, "c", "d") <= 1, "spec/forProvider", "at most one", "[c d]")
	c.bound(initial == nil || present(initial, "c", "d") == 1, "spec/initProvider", "exactly one", "[c d]")
	c.bound(present(desired, "e", "f") <= 1, "spec/forProvider", "at most one", "[e f]")
	c.atLeastOne("", "[g h]", []side{d, i}, "g", "gRef", "gSelector", "h")
	c.exactlyOne("", "[i j]", d, i, "i", "j")
	inner, given := d.below("inner"), i.below("inner")
	if inner.object != nil || given.object != nil {
		c.exactlyOne("inner", "[x y]", inner, given, "x", "y")
	}
	if picked, given := d.below("pick"), i.below("pick"); picked.object != nil || given.object != nil {
		c.atLeastOne("pick", "[x y]", []side{picked, given}, "x", "y")
	}
	for where, list := range map[string]any{"spec/forProvider/items": desired["items"], "spec/forProvider/map": desired["map"], "spec/initProvider/items": initial["items"]} {
		eachElement(list, func(key string, element map[string]any) {
			c.bound(count(side{reflect.TypeFor[Choice](), element}, "x", "y") == 1, where+"/"+key, "exactly one", "[x y]")
		})
	}
	return demands, bounds
}

// counts is about CountsParameters.
func counts(desired, initial map[string]any) (demands, bounds []string) {
	d, i := side{reflect.TypeFor[CountsParameters](), desired}, side{reflect.TypeFor[CountsInitParameters](), initial}
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
		c.atLeastOne("inner", "[x y]", []side{inner, given}, "x", "y")
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

func (c chooser) atLeastOne(where, fields string, sides []side, names ...string) {
	c.demand(slices.ContainsFunc(sides, func(s side) bool { return count(s, names...) > 0 }), where, "at least one", fields)
}

func (c chooser) exactlyOne(where, fields string, desired, initial side, names ...string) {
	n := 0
	for _, name := range names {
		if both(desired, initial, name) {
			n++
		}
	}
	c.demand(count(desired, names...) == 1 || n == 1, where, "exactly one", fields)
}

// count returns how many of the fields have a value that Go sends, and present how many have any.
func count(s side, names ...string) (n int) {
	for _, name := range names {
		if s.goType != nil && has(s.goType, s.object, name) {
			n++
		}
	}
	return n
}

func both(desired, initial side, name string) bool {
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
		spec := fmt.Sprintf(k.spec, k.desired.Name())
		if k.initial != nil {
			spec += "\n// +optional\nInitProvider *" + k.initial.Name() + " `json:\"initProvider,omitempty\"`"
		}
		testmodule.Write(t, filepath.Join(dir, strings.ToLower(k.name)+".go"), []byte(strings.NewReplacer("KIND", k.name, "MARKER", k.marker, "IMPORTS", imports, "SPEC", spec, "STATUS", status).Replace(kindSource)))
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
	Spec KINDSpec ` + "`json:\"spec\"`" + `
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
func definitions(t *testing.T) (all map[string]pipeline.Definition, diags []string) {
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
	options := engine.DefaultOptions()
	options.Dir, options.KeepSchemas, options.AllowDangerousTypes = root, true, true
	run, found, err := engine.Engine{Stages: []pipeline.Stage{crd.Stage}}.Evaluate(context.Background(), options, engine.Selection{})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range found.Sorted() {
		diags = append(diags, d.String())
	}
	all = map[string]pipeline.Definition{}
	for _, d := range run.Output.Definitions {
		all[d.Objects[0].Name] = d
	}
	return all, diags
}

// TestRulesJudge has the API server's code judge random objects and updates of kinds that have what
// makes a difference to rules. Each verdict is that of the judge: what is required, which field can't
// change, and that what Go sends of an accepted object is an accepted update.
func TestRulesJudge(t *testing.T) {
	all, diags := definitions(t)
	expected := []string{
		`always stays required, also of resources that are only observed, since updates from Go would send "" where nobody set a value`,
		`always stays required, also of resources that are only observed, since updates from Go would send "" where nobody set a value`,
	}
	for i, d := range diags {
		if i >= len(expected) || !strings.Contains(d, expected[i]) {
			t.Errorf("unexpected: %s", d)
		}
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
					if got := rule.Path.String() + s.XValidations[rule.Index].FieldPath; strings.NewReplacer("['", ".", "']", "").Replace(got) != strings.NewReplacer("['", ".", "']", "").Replace(decision.Field.String()) {
						t.Errorf("the rule about %s names %s", decision.Field, got)
					}
				}
			}
			server, err := apiserver.NewObjectValidator(props)
			if err != nil {
				t.Fatal(err)
			}
			c := court{t: t, kind: k, server: server, r: rand.New(rand.NewPCG(1, 2))}
			c.systematic()
			c.unreadable()
			for range budget.Of(60, 5000) {
				c.random()
				if t.Failed() {
					return // one is enough to look at
				}
			}
			t.Logf("%+v", c.seen)
			if c.seen.created < 40 || k.name == "Fixed" && (c.seen.changed < 100 || c.seen.kept < 100) {
				t.Errorf("%+v: this proves little", c.seen)
			}
		})
	}
}

// A court judges objects of a kind.
type court struct {
	t      *testing.T
	kind   kind
	server *apiserver.ObjectValidator
	r      *rand.Rand
	seen   struct{ created, refused, changed, kept int }
}

func (c *court) isManaged(object map[string]any) bool {
	policies := at(object, "spec", c.kind.policies)
	switch list := policies.(type) {
	case nil:
		return true
	case []any:
		return slices.ContainsFunc(list, func(p any) bool { return p == "*" || p == "Create" || p == "Update" })
	}
	return policies != "ObserveOnly"
}

func text(value any) string {
	encoded, _ := json.Marshal(value)
	return string(encoded)
}

// create judges an object, and returns it as it is stored, or nil.
func (c *court) create(object map[string]any) map[string]any {
	ctx := context.Background()
	stored, _ := c.server.Read(object)
	desired := side{c.kind.desired, objectAt(objectAt(stored, "spec"), "forProvider")}
	initial := side{c.kind.initial, objectAt(objectAt(stored, "spec"), "initProvider")}
	bySchema, byRule := missing(desired, initial, c.isManaged(stored))
	if objectAt(stored, "spec")["forProvider"] == nil && !strings.Contains(c.kind.spec, "*%s") {
		bySchema = append(bySchema, "spec/forProvider")
	}
	if c.kind.policies == "" {
		bySchema, byRule = append(bySchema, prefixed("spec/forProvider/", byRule)...), nil
	}
	var want, choices []string
	for _, path := range bySchema {
		want = append(want, path+": Required value")
	}
	if len(want) == 0 {
		for _, name := range byRule {
			want = append(want, name+" is required")
		}
		if c.kind.choices != nil {
			demands, bounds := c.kind.choices(desired.object, initial.object)
			choices = bounds
			if c.isManaged(stored) {
				choices = append(choices, demands...)
			}
		}
		want = append(want, choices...)
	}
	slices.Sort(want)
	var got []string
	refusals := c.server.Refusals(ctx, object)
	for _, r := range refusals {
		got = append(got, said(r))
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		c.t.Errorf("create %s\n got: %q\nwant: %q", text(object), got, want)
	}
	if len(refusals) > 0 {
		c.seen.refused++
		return nil
	}
	c.seen.created++
	if sent := c.sentBack(stored); len(c.server.UpdateRefusals(ctx, sent, stored, true)) > 0 {
		c.t.Errorf("what Go sends is refused: %v\nstored: %s\n  sent: %s", c.server.UpdateRefusals(ctx, sent, stored, true), text(stored), text(sent))
	}
	return stored
}

func prefixed(prefix string, names []string) (all []string) {
	for _, name := range names {
		all = append(all, prefix+strings.ReplaceAll(name, ".", "/"))
	}
	return all
}

// said returns what the API server says in the words of the judge.
func said(r apiserver.Refusal) string {
	var path []string
	for _, step := range r.At {
		path = append(path, fmt.Sprint(step))
	}
	where := strings.Join(path, "/")
	if r.Rule == "" {
		return strings.NewReplacer(".", "/", "[", "/", "]", "").Replace(r.Field) + ": " + r.Reason
	}
	message := r.Reason
	if _, after, found := strings.Cut(message, ": "); found {
		message = after
	}
	switch message = strings.TrimPrefix(message, "Invalid value: "); {
	case strings.Contains(message, " is required when"):
		subject, _, _ := strings.Cut(message, " is required when")
		return subject + " is required"
	case strings.Contains(message, " can't be changed once set"):
		subject, _, _ := strings.Cut(message, " can't be changed once set")
		if len(path) < 3 {
			where = "spec/forProvider"
		}
		return where + " " + subject
	}
	for _, how := range []string{"at least one", "at most one", "exactly one", "at least 2"} {
		if rest, found := strings.CutPrefix(message, how+" of the fields in "); found {
			fields, demand, _ := strings.Cut(rest, " m")
			if _, when, isDemand := strings.Cut(demand, " when "); isDemand {
				where = ""
				if inner, _, found := strings.Cut(when, " is set and "); found {
					where = inner
				}
			}
			return strings.Join([]string{where, how, fields}, " ")
		}
	}
	return where + " ??? " + r.Reason
}

// sentBack returns an object as a controller sends it back.
func (c *court) sentBack(object map[string]any) map[string]any {
	object = runtime.DeepCopyJSON(object)
	spec := objectAt(object, "spec")
	for part, t := range map[string]reflect.Type{"forProvider": c.kind.desired, "initProvider": c.kind.initial} {
		if spec[part] != nil {
			spec[part] = encoded(t, objectAt(spec, part))
		}
	}
	sent, _ := c.server.Read(object)
	return sent
}

// update judges an update.
func (c *court) update(old, object map[string]any) {
	object, _ = c.server.Read(object)
	isManaged := c.isManaged(object)
	was, is := objectAt(objectAt(old, "spec"), "forProvider"), objectAt(objectAt(object, "spec"), "forProvider")
	want := changed(c.kind.desired, was, is, isManaged)
	var got []string
	for _, r := range c.server.UpdateRefusals(context.Background(), object, old, true) {
		switch s := said(r); {
		case r.Rule == "":
			return // rules aren't asked
		case strings.Contains(r.Reason, "can't be changed once set"):
			got = append(got, s)
		case strings.Contains(s, "???"):
			c.t.Errorf("%s\n old: %s\n new: %s", r.Reason, text(old), text(object))
		}
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		c.t.Errorf("update (managed %t)\n old: %s\n new: %s\n got: %q\nwant: %q", isManaged, text(was), text(is), got, want)
	}
	if len(want) > 0 {
		c.seen.changed++
	} else {
		c.seen.kept++
	}
}

// values returns JSON values to try for a type.
func (c *court) values(p property, depth int) []any {
	var tried []string
	if p.try != "" {
		tried = strings.Split(p.try, "|")
	}
	t := p.goType
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch name := t.String(); {
	case tried != nil:
	case name == "resource.Quantity":
		tried = []string{`"1Gi"`, `"1024Mi"`, `"2Gi"`, `0`, `"0"`}
	case name == "v1.Duration":
		tried = []string{`"60m"`, `"1h0m0s"`, `"2h"`, `"0s"`}
	case name == "v1.Time":
		tried = []string{`"2023-01-01T00:00:00Z"`, `"2023-01-01T01:00:00+01:00"`, `"2023-01-01T00:00:00.5Z"`, `"2023-01-02T00:00:00Z"`}
	case name == "intstr.IntOrString":
		tried = []string{`1`, `2`, `"50%"`, `"1"`}
	case t == reflect.TypeFor[NamespacedReference]():
		tried = []string{`{"name":"a"}`, `{"name":"b"}`, `{"name":"a","namespace":"n"}`, `{"name":"a","namespace":"m"}`, `{"name":"a","namespace":""}`, `{"name":"a","policy":{"resolve":"Always"}}`}
	case t == reflect.TypeFor[Reference]():
		tried = []string{`{"name":"a"}`, `{"name":"b"}`, `{"name":"a","policy":{"resolve":"Always"}}`}
	case t == reflect.TypeFor[NamespacedSelector]():
		tried = []string{`{}`, `{"matchLabels":{"a":"b"}}`}
	case t.Kind() == reflect.String:
		tried = []string{`"a"`, `"b"`, `""`}
	case t.Kind() == reflect.Int64:
		tried = []string{`1`, `2`, `0`}
	case t.Kind() == reflect.Float64:
		tried = []string{`1.5`, `2.5`, `0.0`, `1`}
	case t.Kind() == reflect.Bool:
		tried = []string{`true`, `false`}
	case t.Kind() == reflect.Struct:
		all := []any{map[string]any{}}
		for range 4 {
			all = append(all, c.object(t, depth+1))
		}
		return append(all, c.complete(t))
	case t.Kind() == reflect.Slice:
		return c.lists(t.Elem(), depth, p.is["set"] || p.is["keyed"])
	case t.Kind() == reflect.Map:
		elements := c.values(property{goType: t.Elem()}, depth+1)
		return []any{
			map[string]any{}, map[string]any{"k": pick(c.r, elements)}, map[string]any{"k": pick(c.r, elements), "l": pick(c.r, elements)}, map[string]any{"m": pick(c.r, elements)},
		}
	}
	var all []any
	for _, text := range tried {
		all = append(all, document(`{"v":` + text + `}`)["v"])
	}
	return all
}

// lists returns lists of elements, which are unique if those of the list must be.
func (c *court) lists(elem reflect.Type, depth int, isSet bool) []any {
	elements := c.values(property{goType: elem}, depth+1)
	all := []any{[]any{}, []any{pick(c.r, elements)}}
	for range 3 {
		a, b := pick(c.r, elements), pick(c.r, elements)
		if !isSet {
			all = append(all, []any{a, b})
			continue
		}
		a, b = runtime.DeepCopyJSONValue(a), runtime.DeepCopyJSONValue(b)
		if object, isObject := a.(map[string]any); isObject {
			object["name"], b.(map[string]any)["name"] = "a", "b"
		}
		if !reflect.DeepEqual(a, b) {
			all = append(all, []any{a, b}, []any{b, a})
		}
	}
	return all
}

func pick[T any](r *rand.Rand, of []T) T { return of[r.IntN(len(of))] }

// object returns a random object.
func (c *court) object(t reflect.Type, depth int) map[string]any {
	object := map[string]any{}
	for _, p := range propertiesOf(t) {
		unset := 3
		if p.is["stays"] {
			unset = 20
		} else if depth == 0 {
			unset = 2
		}
		if depth < 5 && c.r.IntN(unset) > 0 {
			object[p.name] = pick(c.r, c.values(p, depth))
		} else if c.r.IntN(10) == 0 {
			object[p.name] = nil
		}
	}
	return object
}

// complete returns an object that is accepted.
func (c *court) complete(t reflect.Type) map[string]any {
	object := map[string]any{}
	if t == c.kind.desired && c.kind.base != "" {
		object = document(c.kind.base)
	}
	for _, p := range propertiesOf(t) {
		switch {
		case !p.is["stays"] && !p.is["required"]:
		case structIn(p.goType) != nil:
			inner := c.complete(structIn(p.goType))
			if len(inner) == 0 {
				inner[propertiesOf(structIn(p.goType))[0].name] = "a"
			}
			object[p.name] = inner
		case p.goType.Kind() == reflect.Slice, p.goType.Kind() == reflect.Map:
			object[p.name] = c.values(p, 3)[1]
		default:
			object[p.name] = c.values(p, 3)[0]
		}
	}
	return object
}

func (c *court) spec(desired, initial map[string]any, policies any) map[string]any {
	spec := map[string]any{}
	if desired != nil {
		spec["forProvider"] = desired
	}
	if initial != nil {
		spec["initProvider"] = initial
	}
	if policies != nil && c.kind.policies != "" {
		spec[c.kind.policies] = policies
	}
	return runtime.DeepCopyJSON(map[string]any{"spec": spec})
}

// policy returns management policies.
func (c *court) policy() any {
	if c.kind.policies == "managementPolicy" {
		return pick(c.r, []any{nil, "Default", "ObserveOnly"})
	}
	return pick(c.r, []any{nil, nil, []any{"*"}, []any{"Create"}, []any{"Update"}, []any{"Observe", "Update"}, []any{"Observe"}, []any{"Observe", "Delete"}, []any{}})
}

// systematic changes each field of a complete object from each value to each other.
func (c *court) systematic() {
	for _, p := range propertiesOf(c.kind.desired) {
		all := append([]any{nil}, c.values(p, 0)...)
		var objects []map[string]any
		for _, value := range all {
			base := c.complete(c.kind.desired)
			base[p.name] = value
			objects = append(objects, c.spec(base, nil, nil))
		}
		for _, old := range objects {
			if c.create(old); c.t.Failed() {
				return
			}
			stored, _ := c.server.Read(old)
			for _, object := range objects {
				if c.update(stored, object); c.t.Failed() {
					return
				}
			}
		}
	}
}

// unreadable leaves values as they are that Go can't read: rules about them must not fail.
func (c *court) unreadable() {
	if c.kind.name != "Forms" {
		return
	}
	stored := c.spec(map[string]any{"period": "x", "span": "y", "block": map[string]any{"period": "z"}, "periods": []any{"x", "1h"}}, nil, nil)
	stored, _ = c.server.Read(stored)
	if refusals := c.server.UpdateRefusals(context.Background(), stored, stored, false); len(refusals) > 0 {
		c.t.Errorf("what was stored is refused: %v", refusals)
	}
}

// random judges a random object, and updates of it that leave most as it is.
func (c *court) random() {
	var initial, desired map[string]any
	if c.kind.initial != nil && c.r.IntN(3) > 0 {
		initial = c.object(c.kind.initial, 0)
	}
	if c.r.IntN(10) > 0 {
		desired = c.object(c.kind.desired, 0)
	}
	if c.r.IntN(3) > 0 {
		desired = c.complete(c.kind.desired)
		for range c.r.IntN(4) {
			c.mutate(c.kind.desired, desired)
		}
	}
	old := c.spec(desired, initial, c.policy())
	if stored := c.create(old); stored == nil {
		return
	}
	stored, _ := c.server.Read(old)
	for range 4 {
		object := runtime.DeepCopyJSON(stored)
		spec := objectAt(object, "spec")
		if c.r.IntN(3) == 0 {
			if spec[c.kind.policies] = c.policy(); spec[c.kind.policies] == nil {
				delete(spec, c.kind.policies)
			}
		}
		if spec["forProvider"] == nil {
			spec["forProvider"] = map[string]any{}
		}
		for range 1 + c.r.IntN(2) {
			c.mutate(c.kind.desired, objectAt(spec, "forProvider"))
		}
		c.update(stored, object)
	}
}

// mutate changes something in an object, at any depth.
func (c *court) mutate(t reflect.Type, object map[string]any) {
	p := pick(c.r, propertiesOf(t))
	inner := structIn(p.goType)
	value, isObject := object[p.name].(map[string]any)
	switch {
	case c.r.IntN(4) == 0:
		delete(object, p.name)
	case inner != nil && isObject && c.r.IntN(4) > 0:
		c.mutate(inner, value)
	case inner == nil && (p.goType.Kind() == reflect.Slice || p.goType.Kind() == reflect.Map) && structIn(p.goType.Elem()) != nil && object[p.name] != nil && c.r.IntN(4) > 0:
		var elements []map[string]any
		eachElement(object[p.name], func(_ string, element map[string]any) { elements = append(elements, element) })
		if len(elements) > 0 {
			c.mutate(p.goType.Elem(), pick(c.r, elements))
		}
	default:
		object[p.name] = runtime.DeepCopyJSONValue(pick(c.r, c.values(p, 1)))
	}
}
