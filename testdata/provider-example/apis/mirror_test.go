package apis_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	kresource "k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/yaml"

	computev1alpha1 "github.com/mrgen-io/provider-example/apis/cluster/compute/v1alpha1"
	computev1beta1 "github.com/mrgen-io/provider-example/apis/cluster/compute/v1beta1"
	ec2v1beta1 "github.com/mrgen-io/provider-example/apis/cluster/ec2/v1beta1"
	eksv1beta1 "github.com/mrgen-io/provider-example/apis/cluster/eks/v1beta1"
	nopv1alpha1 "github.com/mrgen-io/provider-example/apis/cluster/nop/v1alpha1"
	sqlv1beta1 "github.com/mrgen-io/provider-example/apis/cluster/sql/v1beta1"
	namespacedec2v1beta1 "github.com/mrgen-io/provider-example/apis/namespaced/ec2/v1beta1"
	namespacedsqlv1beta1 "github.com/mrgen-io/provider-example/apis/namespaced/sql/v1beta1"
)

// parameters is what the types of spec.forProvider can do whose observed types
// are O.
type parameters[P, O any] interface {
	*P
	LateInitialize(observed O) bool
	Diff(observed O) []string
}

// databaseExclusions are what a DatabaseInstance does not mirror: references to
// objects and secrets, and a private key.
var databaseExclusions = []string{
	"clone.sourceInstanceNameRef", "clone.sourceInstanceNameSelector",
	"replicaConfiguration.clientKey", "replicaConfiguration.passwordSecretRef",
	"rootPasswordSecretRef",
}

// TestMirrors checks that all kinds mirror spec.forProvider.
func TestMirrors(t *testing.T) {
	vpcReference := []string{"vpcIdRef", "vpcIdSelector"}
	t.Run("Subnetwork v1alpha1", testMirror[computev1alpha1.SubnetworkParameters, computev1alpha1.SubnetworkObservation](nil))
	t.Run("Subnetwork", testMirror[computev1beta1.SubnetworkParameters, computev1beta1.SubnetworkObservation](nil))
	t.Run("NopResource", testMirror[nopv1alpha1.NopResourceParameters, nopv1alpha1.NopResourceObservation]([]string{"connectionDetails"}))
	t.Run("GlobalAddress", testMirror[computev1beta1.GlobalAddressParameters, computev1beta1.GlobalAddressObservation](nil))
	t.Run("VPC", testMirror[ec2v1beta1.VPCParameters, ec2v1beta1.VPCObservation](nil))
	t.Run("Subnet", testMirror[ec2v1beta1.SubnetParameters, ec2v1beta1.SubnetObservation](vpcReference))
	t.Run("SecurityGroup", testMirror[ec2v1beta1.SecurityGroupParameters, ec2v1beta1.SecurityGroupObservation]([]string{
		"egress.userIdGroupPairs.groupIdRef", "egress.userIdGroupPairs.groupIdSelector",
		"egress.userIdGroupPairs.groupNameRef", "egress.userIdGroupPairs.groupNameSelector",
		"ingress.userIdGroupPairs.groupIdRef", "ingress.userIdGroupPairs.groupIdSelector",
		"ingress.userIdGroupPairs.groupNameRef", "ingress.userIdGroupPairs.groupNameSelector",
		"vpcIdRef", "vpcIdSelector",
	}))
	t.Run("Cluster", testMirror[eksv1beta1.ClusterParameters, eksv1beta1.ClusterObservation]([]string{
		"resourcesVpcConfig.securityGroupIdRefs", "resourcesVpcConfig.securityGroupIdSelector",
		"resourcesVpcConfig.subnetIdRefs", "resourcesVpcConfig.subnetIdSelector",
	}))
	t.Run("NodeGroup", testMirror[nodeGroupParameters, eksv1beta1.NodeGroupObservation]([]string{
		"clusterNameRef", "clusterNameSelector", "subnetRefs", "subnetSelector",
	}))
	t.Run("DatabaseInstance", testMirror[sqlv1beta1.DatabaseInstanceParameters, sqlv1beta1.DatabaseInstanceObservation](databaseExclusions))
	t.Run("namespaced VPC", testMirror[namespacedec2v1beta1.VPCParameters, namespacedec2v1beta1.VPCObservation](nil))
	t.Run("namespaced Subnet", testMirror[namespacedec2v1beta1.SubnetParameters, namespacedec2v1beta1.SubnetObservation](vpcReference))
	t.Run("namespaced DatabaseInstance", testMirror[namespacedsqlv1beta1.DatabaseInstanceParameters, namespacedsqlv1beta1.DatabaseInstanceObservation](databaseExclusions))
}

// nodeGroupParameters are filled by their spec, which knows what initProvider gives.
type nodeGroupParameters struct{ eksv1beta1.NodeGroupParameters }

func (p *nodeGroupParameters) LateInitialize(observed eksv1beta1.NodeGroupObservation) bool {
	s := eksv1beta1.NodeGroupSpec{ForProvider: p.NodeGroupParameters}
	changed := s.LateInitialize(observed)
	p.NodeGroupParameters = s.ForProvider
	return changed
}

// testMirror checks a kind. The exclusions are the paths that status.atProvider
// has to do without.
func testMirror[P, O any, M parameters[P, O]](exclusions []string) func(*testing.T) {
	return func(t *testing.T) {
		t.Run("paths", func(t *testing.T) {
			desired, observed := paths(reflect.TypeFor[P]()), paths(reflect.TypeFor[O]())
			missing := slices.DeleteFunc(desired, func(path string) bool { return slices.Contains(observed, path) })
			// What is below an exclusion is excluded with it.
			missing = slices.DeleteFunc(missing, func(path string) bool {
				return slices.ContainsFunc(exclusions, func(e string) bool { return strings.HasPrefix(path, e+".") })
			})
			slices.Sort(missing)
			if !slices.Equal(missing, exclusions) {
				t.Errorf("status.atProvider lacks %v, want %v", missing, exclusions)
			}
		})
		t.Run("methods", func(t *testing.T) {
			for seed := range int64(500) {
				random := &filler{rand.New(rand.NewSource(seed))}
				var p P
				var observed O
				random.fill(reflect.ValueOf(&p).Elem())
				random.fill(reflect.ValueOf(&observed).Elem())
				testDiff(t, M(&p), observed, exclusions)
				testLateInitialize(t, M(&p), observed)
				if t.Failed() {
					t.Fatalf("the objects of seed %d", seed)
				}
			}
		})
	}
}

// testLateInitialize checks that LateInitialize changes nothing that is set, that
// what it fills agrees with the observed state, and that it is done at once.
func testLateInitialize[P, O any, M parameters[P, O]](t *testing.T, p M, observed O) {
	t.Helper()
	before, contradictions := jsonOf(t, p), p.Diff(observed)
	changed := p.LateInitialize(observed)
	after := jsonOf(t, p)
	if lost := lost("", before, after); len(lost) > 0 {
		t.Errorf("LateInitialize changes %v", lost)
	}
	if changed == reflect.DeepEqual(before, after) {
		t.Errorf("LateInitialize says %t, but turns\n%v\ninto\n%v", changed, before, after)
	}
	if got := p.Diff(observed); !slices.Equal(got, contradictions) {
		t.Errorf("after LateInitialize the observed state contradicts %v, before %v", got, contradictions)
	}
	if p.LateInitialize(observed) || !reflect.DeepEqual(after, jsonOf(t, p)) {
		t.Error("LateInitialize changes something again")
	}
}

// testDiff checks that Diff names each field of the parameters that the observed
// state does not hold, the exclusions apart.
func testDiff[P, O any, M parameters[P, O]](t *testing.T, p M, observed O, exclusions []string) {
	t.Helper()
	desired, other := jsonOf(t, p).(map[string]any), jsonOf(t, observed).(map[string]any)
	for _, path := range exclusions {
		remove(desired, strings.Split(path, "."))
	}
	got := p.Diff(observed)
	for name, value := range desired {
		if !holds(other[name], value) && !slices.ContainsFunc(got, func(path string) bool {
			rest, found := strings.CutPrefix(path, name)
			return found && (rest == "" || rest[0] == '.' || rest[0] == '[')
		}) {
			t.Errorf("Diff says %v, but %s is desired to be %v and observed to be %v", got, name, value, other[name])
		}
	}
}

// remove removes what is at a path in objects and in the items of lists.
func remove(from any, path []string) {
	switch from := from.(type) {
	case []any:
		for _, item := range from {
			remove(item, path)
		}
	case map[string]any:
		if len(path) > 1 {
			remove(from[path[0]], path[1:])
		} else {
			delete(from, path[0])
		}
	}
}

// holds reports whether an observed JSON value holds all of a desired one. Zero
// values and none are the same, and so are lists in another order.
func holds(observed, desired any) bool {
	switch desired := desired.(type) {
	case map[string]any:
		other, _ := observed.(map[string]any)
		for key, value := range desired {
			if !holds(other[key], value) {
				return false
			}
		}
		return true
	case []any:
		other, _ := observed.([]any)
		unmatched := slices.Clone(other)
		for _, item := range desired {
			i := slices.IndexFunc(unmatched, func(candidate any) bool { return holds(candidate, item) })
			if i < 0 {
				return false
			}
			unmatched = slices.Delete(unmatched, i, i+1)
		}
		return len(unmatched) == 0
	case nil:
		return true
	default:
		isZero := reflect.ValueOf(desired).IsZero() || desired == "0s" // a metav1.Duration
		return observed == desired || observed == nil && isZero
	}
}

// TestImport follows the import procedure of the design document on observe-only
// resources: what is unset, required or not, comes from the observed state.
func TestImport(t *testing.T) {
	var instance sqlv1beta1.DatabaseInstance
	readExample(t, "databaseinstance", &instance)
	p := &instance.Spec.ForProvider
	if !p.LateInitialize(instance.Status.AtProvider) {
		t.Error("LateInitialize changes nothing")
	}
	want := map[string]any{
		"databaseVersion":    "POSTGRES_14",
		"deletionProtection": true,
		"region":             "us-central1",
		"settings": []any{map[string]any{
			"activationPolicy": "ALWAYS", "availabilityType": "REGIONAL", "diskSize": 100.0, "pricingPlan": "PER_USE", "tier": "db-custom-4-26624",
		}},
	}
	if got := jsonOf(t, p); !reflect.DeepEqual(got, want) {
		t.Errorf("after LateInitialize: got %v, want %v", got, want)
	}
	*p.Settings[0].DiskSize, p.Settings[0].Tier, p.Region = 200, "db-custom-2-7680", "europe-west1"
	if got, want := p.Diff(instance.Status.AtProvider), []string{"region", "settings[0].diskSize", "settings[0].tier"}; !slices.Equal(got, want) {
		t.Errorf("Diff: got %v, want %v", got, want)
	}
}

// TestExamples checks that the Go types hold all of the examples.
func TestExamples(t *testing.T) {
	readExample(t, "cluster", &eksv1beta1.Cluster{})
	readExample(t, "databaseinstance", &sqlv1beta1.DatabaseInstance{})
}

// readExample reads an example into an object, which must print the same status
// again.
func readExample(t *testing.T, name string, into any) {
	t.Helper()
	content, err := os.ReadFile("../examples/" + name + ".yaml")
	if err != nil {
		t.Fatal(err)
	}
	content, err = yaml.ToJSON(content)
	if err != nil {
		t.Fatal(err)
	}
	decoder := json.NewDecoder(bytes.NewReader(content))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	want, got := map[string]any{}, jsonOf(t, into)
	if err := json.Unmarshal(content, &want); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got.(map[string]any)["status"], want["status"]) {
		t.Errorf("%s: got the status\n%v\nwant\n%v", name, got.(map[string]any)["status"], want["status"])
	}
}

// paths returns the JSON paths of the fields of a struct, items and entries of
// lists and maps left out.
func paths(t reflect.Type) []string {
	var found []string
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Map {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || !strings.HasPrefix(t.PkgPath(), "github.com/mrgen-io/") {
		return nil
	}
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous && name == "" {
			found = append(found, paths(f.Type)...)
			continue
		}
		found = append(found, name)
		for _, path := range paths(f.Type) {
			found = append(found, name+"."+path)
		}
	}
	return found
}

// jsonOf returns the JSON form of a value.
func jsonOf(t *testing.T, value any) any {
	t.Helper()
	encoded, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	var decoded any
	if err := json.Unmarshal(encoded, &decoded); err != nil {
		t.Fatal(err)
	}
	return decoded
}

// lost returns the paths of what is set before, but not after: null is not set, and
// lists are set as a whole.
func lost(path string, before, after any) []string {
	object, isObject := before.(map[string]any)
	other, isOther := after.(map[string]any)
	switch {
	case before == nil:
		return nil
	case isObject && isOther:
		var found []string
		for key, value := range object {
			found = append(found, lost(path+"."+key, value, other[key])...)
		}
		slices.Sort(found)
		return found
	case reflect.DeepEqual(before, after):
		return nil
	default:
		return []string{path}
	}
}

// filler fills Go values at random. Small sets of values make sure that desired and
// observed values agree now and then.
type filler struct{ *rand.Rand }

func (r *filler) fill(v reflect.Value) {
	if r.fillKnown(v) {
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if r.Intn(3) > 0 {
			v.Set(reflect.New(v.Type().Elem()))
			r.fill(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			r.fill(v.Field(i))
		}
	case reflect.Slice:
		if n := r.Intn(4); n > 0 {
			v.Set(reflect.MakeSlice(v.Type(), n-1, n-1))
			for i := range n - 1 {
				r.fillItem(v.Index(i))
			}
		}
	case reflect.Map:
		if n := r.Intn(4); n > 0 {
			v.Set(reflect.MakeMap(v.Type()))
			for range n - 1 {
				key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
				r.fill(key)
				r.fillItem(value)
				v.SetMapIndex(key, value)
			}
		}
	case reflect.String:
		v.SetString([]string{"", "a", "b", "\"", "ALWAYS"}[r.Intn(5)])
	case reflect.Bool:
		v.SetBool(r.Intn(2) == 0)
	case reflect.Int32, reflect.Int64:
		v.SetInt(int64(r.Intn(5) - 2))
	case reflect.Uint64:
		v.SetUint(uint64(r.Intn(3)))
	default:
		panic(fmt.Sprintf("cannot fill a %s", v.Type()))
	}
}

// fillItem fills an item of a list or an entry of a map, which is never null.
func (r *filler) fillItem(v reflect.Value) {
	if v.Kind() == reflect.Pointer {
		v.Set(reflect.New(v.Type().Elem()))
		v = v.Elem()
	}
	r.fill(v)
}

// fillKnown fills a value of a type that encodes itself.
func (r *filler) fillKnown(v reflect.Value) bool {
	n := r.Intn(3)
	switch value := v.Addr().Interface().(type) {
	case *runtime.RawExtension:
		value.Raw = [][]byte{nil, []byte(`{"a":1}`), []byte(`{"b":"c"}`)}[n]
	case *metav1.Time:
		*value = metav1.NewTime(time.Unix(int64(n)*1000, int64(r.Intn(2))*1000))
	case *kresource.Quantity:
		*value = kresource.MustParse([]string{"1Gi", "1024Mi", "1G"}[n])
	case *intstr.IntOrString:
		*value = []intstr.IntOrString{intstr.FromInt32(0), intstr.FromInt32(1), intstr.FromString("50%")}[n]
	case *apiextensionsv1.JSON:
		value.Raw = []byte([]string{`{"a":1,"b":[]}`, `{"b": [], "a": 1.0}`, `null`}[n])
	default:
		return false
	}
	return true
}
