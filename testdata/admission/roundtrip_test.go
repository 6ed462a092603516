package admission_test

import (
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	kjson "sigs.k8s.io/json"

	"github.com/mrgen-io/admission"
)

var objects = flag.Int("objects", 0, "encode so many random objects again; 0 leaves it to the budget")

// TestAcceptedObjectEncodedAgainIsAcceptedUpdate has random objects of random kinds
// created. What the API server accepts is decoded into the Go type of its kind and encoded
// again, as every controller does to add a finalizer. That must be an accepted update,
// unless mrgen has named the field that makes it impossible.
func TestAcceptedObjectEncodedAgainIsAcceptedUpdate(t *testing.T) {
	objects := cmp.Or(*objects, budget(100, 1000))
	kinds := budget(5, 40)
	each := min(objects/kinds, 50)
	seen := encodings{}
	for s := max(*seed, 1); seen.all < objects; s++ {
		seen.add(encodeAgain(t, s, kinds, each))
		if t.Failed() {
			return
		}
	}
	t.Logf("%+v", seen)
	if seen.accepted < objects/4 || seen.changed < seen.accepted/4 || seen.named > seen.accepted/2 {
		t.Errorf("%+v: the test proves little", seen)
	}
}

// FuzzAcceptedObjectEncodedAgainIsAcceptedUpdate is the test with other seeds.
func FuzzAcceptedObjectEncodedAgainIsAcceptedUpdate(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) { encodeAgain(t, seed, budget(5, 10), budget(10, 100)) })
}

// encodings counts objects: all, those that were accepted, those of them that Go encoded in
// another way than they were, and those that were refused then, as mrgen said.
type encodings struct{ all, accepted, changed, named int }

func (e *encodings) add(more encodings) {
	e.all += more.all
	e.accepted += more.accepted
	e.changed += more.changed
	e.named += more.named
}

func encodeAgain(t *testing.T, seed uint64, kinds, each int) (seen encodings) {
	t.Helper()
	r := &types{random: &random{rand.New(rand.NewPCG(seed, 0))}, mirrors: true}
	all, source := r.kinds(kinds)
	result := generate(t, source, dangerous+relaxedAndImmutable)
	if result.refused && tooExpensive(result.diagnostics) {
		return seen // the next kinds have more bounds
	}
	if result.refused {
		t.Fatalf("seed %d: mrgen refuses the kinds:\n%s\n%s", seed, result.diagnostics, declarations(source, refusals(result.diagnostics)))
	}
	named := namedFields(result.diagnostics)
	servers := result.install(t)
	ctx := context.Background()
	for _, k := range all {
		for range each {
			seen.all++
			stored, err := servers[k.name].Create(ctx, r.resource(k))
			if err != nil {
				continue
			}
			seen.accepted++
			for _, at := range []any{map[string]any{}, forProviderOf(stored)} {
				if refusals := mirrorRefusals(servers[k.name], stored, at); len(refusals) > 0 {
					t.Errorf("seed %d: the mirror of %s refuses %s: %s\n%s", seed, k.name, document(t, at), strings.Join(refusals, "\n"), declarations(source, refusals))
				}
			}
			sent, err := sentBack(k.specType, stored)
			if err != nil {
				if !excused(document(t, nullFields(stored["spec"])), named) {
					t.Errorf("seed %d: Go can't read %s: %v\n%s\n%s", seed, k.name, err, document(t, stored["spec"]), result.diagnostics)
					return seen
				}
				seen.named++
				continue
			}
			if !gocmp.Equal(sent["spec"], stored["spec"]) {
				seen.changed++
			}
			if _, err = servers[k.name].Update(ctx, sent, stored); err == nil {
				continue
			}
			reasons := admission.Refusals(err)
			if slices.ContainsFunc(reasons, func(refusal string) bool {
				if strings.HasSuffix(refusal, "properties") { // which of them are missing, it doesn't say
					refusal += document(t, stored["spec"])
				}
				return !excused(refusal, named)
			}) {
				t.Errorf("seed %d: what Go sends of %s is refused, and mrgen has not said so: %s\n\nstored:\n%s\nsent:\n%s\n%s\n%s",
					seed, k.name, strings.Join(reasons, "\n"), document(t, stored["spec"]), document(t, sent["spec"]), declarations(source, reasons), result.diagnostics)
				return seen
			}
			seen.named++
		}
	}
	return seen
}

// mirrorRefusals returns why a status is refused that has a value for atProvider. References and secrets aren't
// mirrored.
func mirrorRefusals(server *admission.Server, stored map[string]any, at any) []string {
	object := runtime.DeepCopyJSON(stored)
	object["status"] = map[string]any{"atProvider": at}
	_, err := server.UpdateStatus(context.Background(), runtime.DeepCopyJSON(object), stored)
	return slices.DeleteFunc(admission.Refusals(err), func(refusal string) bool { return strings.Contains(refusal, "unknown field") })
}

// TestImmutableUnlessOnlyObserved replaces random objects of random kinds by others, which are the same in
// part. While they are
// managed, immutable fields that both have are the same, or the update is refused. While they are only
// observed, nothing is immutable but in lists and maps.
func TestImmutableUnlessOnlyObserved(t *testing.T) {
	changed, kept, observed := 0, 0, 0
	for s := max(*seed, 1); changed < budget(2, 40) || kept < budget(2, 200) || observed < budget(2, 200); s++ {
		r := &types{random: &random{rand.New(rand.NewPCG(s, 2))}}
		all, source := r.kinds(budget(15, 40)) // with fewer, more time goes into runs
		result := generate(t, source, dangerous+relaxedAndImmutable)
		if result.refused && tooExpensive(result.diagnostics) {
			continue // the next kinds have more bounds
		}
		if result.refused {
			t.Fatalf("seed %d: mrgen refuses the kinds:\n%s", s, result.diagnostics)
		}
		servers, ctx := result.install(t), context.Background()
		for _, k := range all {
			var stored map[string]any
			for range budget(20, 50) {
				object := r.resource(k)
				policy := pick(r.random, "*", "*", "Create", "Update", "Observe", "Delete")
				object["spec"].(map[string]any)["managementPolicies"] = []any{policy}
				if stored != nil {
					for _, name := range slices.Sorted(maps.Keys(forProviderOf(stored))) {
						if !r.oneIn(3) {
							forProviderOf(object)[name] = runtime.DeepCopyJSONValue(forProviderOf(stored)[name])
						}
					}
				}
				created, err := servers[k.name].Create(ctx, object)
				if err != nil {
					continue
				}
				if stored == nil {
					stored = created
					continue
				}
				_, err = servers[k.name].Update(ctx, object, stored)
				refusals := admission.Refusals(err)
				if policy == "Observe" || policy == "Delete" {
					observed++
					for _, refusal := range refusals {
						if path, _, _ := strings.Cut(refusal, ": "); !strings.Contains(path, "[") && strings.Contains(refusal, "can't be changed once set") {
							t.Errorf("seed %d: %s of %s, which is only observed\n\nstored:\n%s\nupdate:\n%s", s, refusal, k.name, document(t, stored["spec"]), document(t, object["spec"]))
						}
					}
					continue
				}
				before, after := forProviderOf(stored), forProviderOf(object)
				for _, f := range k.desired.fields {
					was, is := before[f.json], after[f.json]
					if !f.immutable || !f.counts || was == nil || is == nil || !slices.Contains([]string{"*string", "*int64", "*bool", "*xpv2.NamespacedReference"}, f.source) {
						continue
					}
					isRefused := slices.Contains(refusals, refusedChange(f.json))
					if isSame := refersToSame(was, is); isSame == isRefused {
						t.Errorf("seed %d: %s of %s is the same: %t, refused: %t\n\nstored:\n%s\nupdate:\n%s", s, f.json, k.name, isSame, isRefused, document(t, stored["spec"]), document(t, object["spec"]))
					} else if isSame {
						kept++
					} else {
						changed++
					}
				}
				if err == nil {
					stored = created
				}
			}
		}
		if t.Failed() {
			return
		}
	}
	t.Logf("%d values changed, %d did not, %d updates of what is only observed", changed, kept, observed)
}

func forProviderOf(object map[string]any) map[string]any {
	return object["spec"].(map[string]any)["forProvider"].(map[string]any)
}

// refersToSame reports whether two values are equal, or refer to the same.
func refersToSame(was, is any) bool {
	old, isReference := was.(map[string]any)
	if !isReference {
		return gocmp.Equal(was, is)
	}
	now := is.(map[string]any)
	isUnset := func(namespace any) bool { return namespace == nil || namespace == "" }
	return old["name"] == now["name"] && (isUnset(old["namespace"]) || isUnset(now["namespace"]) || old["namespace"] == now["namespace"])
}

// TestStoredObjectsKeepWorking stores random objects of random kinds whose CRDs have no
// rules yet. What a controller could send back then, it can once there are rules.
func TestStoredObjectsKeepWorking(t *testing.T) {
	objects := cmp.Or(*objects, budget(100, 1000))
	kinds := budget(5, 40)
	each := min(objects/kinds, 50)
	stored, working := 0, 0
	for s := max(*seed, 1); stored < objects/4; s++ {
		r := &types{random: &random{rand.New(rand.NewPCG(s, 1))}}
		all, source := r.kinds(kinds)
		before, after := generate(t, source, dangerous+strictSettings), generate(t, source, dangerous+relaxedAndImmutable)
		if after.refused && tooExpensive(after.diagnostics) {
			continue // the next kinds have more bounds
		}
		if before.refused || after.refused {
			t.Fatalf("seed %d: mrgen refuses the kinds:\n%s\n%s", s, before.diagnostics, after.diagnostics)
		}
		old, now, ctx := before.install(t), after.install(t), context.Background()
		for _, k := range all {
			for range each {
				object, err := old[k.name].Create(ctx, r.resource(k))
				if err != nil {
					continue
				}
				stored++
				sent, err := writeBack(ctx, old[k.name], k.specType, object)
				if err != nil {
					continue
				}
				// Go writes some values in two steps: {limits: {}}, {}, nothing.
				if _, err := writeBack(ctx, old[k.name], k.specType, sent); err != nil {
					continue
				}
				working++
				_, err = now[k.name].Update(ctx, sent, object)
				reasons := slices.DeleteFunc(admission.Refusals(err), func(reason string) bool { return demandsInitially(reason, object) })
				if len(reasons) > 0 {
					t.Fatalf("seed %d: what Go sent of %s is refused since there are rules: %s\n\nstored:\n%s\nsent:\n%s\n%s",
						s, k.name, strings.Join(reasons, "\n"), document(t, object["spec"]), document(t, sent["spec"]), declarations(source, reasons))
				}
			}
		}
	}
	if working < stored/2 {
		t.Errorf("%d of %d objects worked before: the test proves little", working, stored)
	}
}

// writeBack has a controller send an object back, and returns what is stored then.
func writeBack(ctx context.Context, server *admission.Server, specType reflect.Type, object map[string]any) (map[string]any, error) {
	sent, err := sentBack(specType, object)
	if err != nil {
		return nil, err
	}
	return server.Update(ctx, sent, object)
}

var demandsOne = regexp.MustCompile(`^spec\.forProvider\.([\w.]+): Required value: (at least|exactly) one of `)

// demandsInitially reports whether a refusal is for one of several fields of an object that initProvider alone has. Without
// rules nothing demands them there, since forProvider may have the rest.
func demandsInitially(reason string, object map[string]any) bool {
	match := demandsOne.FindStringSubmatch(reason)
	if match == nil {
		return false
	}
	_, inForProvider, _ := unstructured.NestedFieldNoCopy(forProviderOf(object), strings.Split(match[1], ".")...)
	return !inForProvider
}

// An encodedKind is a random kind.
type encodedKind struct {
	name             string
	desired, initial *encodedStruct
	// specType has what is random of spec.
	specType reflect.Type
}

// kinds returns random kinds, and the source that declares them.
func (r *types) kinds(count int) ([]encodedKind, string) {
	source := typesHeader
	var all []encodedKind
	for i := range count {
		k := encodedKind{name: fmt.Sprintf("Kind%d", i)}
		k.desired = &encodedStruct{name: k.name + "Parameters"}
		r.fill(k.desired, 0, 7)
		spec := []reflect.StructField{{Name: "ForProvider", Type: k.desired.goType, Tag: `json:"forProvider"`}}
		if r.oneIn(2) {
			k.initial = &encodedStruct{name: k.name + "InitParameters"}
			r.initial(k.initial, k.desired)
			spec = append(spec, reflect.StructField{Name: "InitProvider", Type: k.initial.goType, Tag: `json:"initProvider,omitempty"`})
		}
		k.specType = reflect.StructOf(spec)
		declared := kindSource(k.name, k.initial != nil)
		if r.mirrors {
			declared = withMirror(declared, k.name)
		}
		source += declared
		all = append(all, k)
	}
	return all, source + r.declared.String()
}

// resource returns a random object of a kind. Its management policies are not empty: Go
// omits those, and no controller touches what is paused.
func (r *types) resource(k encodedKind) map[string]any {
	spec := map[string]any{"forProvider": r.object(k.desired)}
	if k.initial != nil && r.oneIn(2) {
		spec["initProvider"] = r.object(k.initial)
	}
	if choice := append(policies[true], policies[false][1:]...); r.oneIn(2) {
		if p := choice[r.IntN(len(choice))]; p != nil {
			spec["managementPolicies"] = p
		}
	}
	return map[string]any{
		"apiVersion": "rules.example.org/v1alpha1", "kind": k.name,
		"metadata": map[string]any{"name": "test"}, "spec": runtime.DeepCopyJSON(spec),
	}
}

// initial gives a struct some of the fields of another, all optional, with other tags.
func (r *types) initial(s, desired *encodedStruct) {
	var b strings.Builder
	var fields []reflect.StructField
	for _, f := range desired.fields {
		if f.inline != nil || r.oneIn(3) {
			continue
		}
		tag := f.json + pick(r.random, "", ",omitempty", ",omitempty", ",omitzero")
		fmt.Fprintf(&b, "\t// +optional\n\t%s %s `json:%q`\n", strings.ToUpper(f.json), f.source, tag)
		fields = append(fields, reflect.StructField{Name: strings.ToUpper(f.json), Type: f.goType, Tag: reflect.StructTag(fmt.Sprintf("json:%q", tag))})
		f.required = false
		s.fields = append(s.fields, f)
	}
	s.goType = reflect.StructOf(fields)
	fmt.Fprintf(&r.declared, "\n// %s is a struct.\ntype %s struct {\n%s}\n", s.name, s.name, b.String())
}

// sentBack returns an object as a controller sends it back.
func sentBack(specType reflect.Type, object map[string]any) (map[string]any, error) {
	object = runtime.DeepCopyJSON(object)
	spec := object["spec"].(map[string]any)
	text, err := json.Marshal(spec)
	if err != nil {
		return nil, err
	}
	typed := reflect.New(specType)
	if err := kjson.UnmarshalCaseSensitivePreserveInts(text, typed.Interface()); err != nil {
		return nil, err
	}
	if text, err = json.Marshal(typed.Interface()); err != nil {
		return nil, err
	}
	var sent map[string]any
	if err := kjson.UnmarshalCaseSensitivePreserveInts(text, &sent); err != nil {
		return nil, err
	}
	delete(spec, "initProvider")
	maps.Copy(spec, sent)
	return object, nil
}

// nullFields returns the names of the fields of an object, at any depth, that are null.
func nullFields(value any) []string {
	var names []string
	switch value := value.(type) {
	case map[string]any:
		for name, v := range value {
			if v == nil {
				names = append(names, name)
			}
			names = append(names, nullFields(v)...)
		}
	case []any:
		for _, v := range value {
			names = append(names, nullFields(v)...)
		}
	}
	return names
}

var fieldName = regexp.MustCompile(`\bf[0-9]+\b`)

// namedFields returns the fields that mrgen names in what it says about updates.
func namedFields(diagnostics string) map[string]bool {
	named := map[string]bool{}
	for line := range strings.Lines(diagnostics) {
		if strings.Contains(line, "updates from Go") || strings.Contains(line, "update from Go") || strings.Contains(line, "can't read the object") {
			if strings.Contains(line, "+immutable has no effect") || strings.Contains(line, "stays required") {
				continue
			}
			for _, name := range fieldName.FindAllString(line, -1) {
				named[name] = true
			}
		}
	}
	return named
}

// excused reports whether mrgen has named a field that a refusal is about. That something
// can't be changed is no excuse.
func excused(refusal string, named map[string]bool) bool {
	if refusal == unchecked {
		return true
	}
	return !strings.Contains(refusal, "can't be changed once set") && slices.ContainsFunc(fieldName.FindAllString(refusal, -1), func(name string) bool { return named[name] })
}

// tooExpensive reports whether all errors are about what rules cost.
func tooExpensive(diagnostics string) bool {
	return !slices.ContainsFunc(refusals(diagnostics), func(line string) bool { return line != "" && !strings.Contains(line, "rule cost") })
}

// refusals returns the lines of diagnostics that are errors.
func refusals(diagnostics string) []string {
	return slices.DeleteFunc(strings.Split(diagnostics, "\n"), func(line string) bool { return strings.Contains(line, ": warning: ") })
}

// declarations returns the lines of the source that declare the fields in messages.
func declarations(source string, messages []string) string {
	var b strings.Builder
	lines := strings.Split(source, "\n")
	for _, name := range fieldName.FindAllString(strings.Join(messages, " "), -1) {
		for i, line := range lines {
			if !strings.Contains(line, "`json:\""+name+"\"") && !strings.Contains(line, "`json:\""+name+",") {
				continue
			}
			first := i
			for strings.HasPrefix(lines[first-1], "\t//") {
				first--
			}
			fmt.Fprintln(&b, strings.Join(lines[first:i+1], "\n"))
		}
	}
	return b.String()
}
