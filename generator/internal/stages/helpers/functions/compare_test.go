package functions

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/kube-openapi/pkg/validation/strfmt"
)

func TestPointers(t *testing.T) {
	pointer := PointerTo("a")
	if *pointer != "a" || ValueOf(pointer) != "a" || ValueOf[string](nil) != "" {
		t.Errorf("pointerTo(a) points to %q, whose value is %q; that of nil is %q", *pointer, ValueOf(pointer), ValueOf[string](nil))
	}
}

func TestIsZero(t *testing.T) {
	type item struct {
		tags []string
	}
	if !IsZero(item{}) || IsZero(item{tags: []string{}}) || !IsZero(0) || IsZero("a") || !IsZero[error](nil) {
		t.Error("isZero is wrong")
	}
}

func TestDeepCopy(t *testing.T) {
	of := metav1.LabelSelector{MatchLabels: map[string]string{"a": "b"}}
	copied := DeepCopy(of)
	of.MatchLabels["a"] = "c"
	if copied.MatchLabels["a"] != "b" {
		t.Errorf("the copy shares memory: %v", copied)
	}
}

func TestConvert(t *testing.T) {
	type name string
	toName := func(s string) name { return name(s) }
	if got := ConvertSlice([]string{"a", "b"}, toName); !slices.Equal(got, []name{"a", "b"}) {
		t.Errorf("got %v", got)
	}
	if got := ConvertSlice([]string{}, toName); got == nil {
		t.Error("an empty list became nil")
	}
	if got := ConvertMap[name](map[string]string{"a": "b"}, toName); !maps.Equal(got, map[name]name{"a": "b"}) {
		t.Errorf("got %v", got)
	}
}

func TestAddMissing(t *testing.T) {
	for _, test := range []struct {
		name                  string
		entries, others, want map[string]string
	}{
		{"all set", map[string]string{"a": "1"}, map[string]string{"a": "2"}, map[string]string{"a": "1"}},
		{"one missing", map[string]string{"a": "1"}, map[string]string{"a": "2", "b": "2"}, map[string]string{"a": "1", "b": "2"}},
		{"none", nil, map[string]string{"a": ""}, map[string]string{"a": ""}},
		{"nothing to add", nil, nil, nil},
		{"an empty map to add", nil, map[string]string{}, map[string]string{}},
	} {
		got := maps.Clone(test.entries)
		AddMissing(&got, test.others, Itself[string])
		if !maps.Equal(got, test.want) || (got == nil) != (test.want == nil) {
			t.Errorf("%s: got %v", test.name, got)
		}
	}
}

func TestSameQuantity(t *testing.T) {
	if a, b := resource.MustParse("1Gi"), resource.MustParse("1073741824"); !SameQuantity(a, b) {
		t.Errorf("%v and %v differ", &a, &b)
	}
	if a, b := resource.MustParse("1G"), resource.MustParse("1Gi"); SameQuantity(a, b) {
		t.Errorf("%v and %v are the same", &a, &b)
	}
}

func TestSameJSON(t *testing.T) {
	for _, test := range []struct {
		name              string
		desired, observed any
		want              bool
	}{
		{"raw", metav1.FieldsV1{Raw: []byte(`{"a":1, "b":[]}`)}, metav1.FieldsV1{Raw: []byte(`{"b":[],"a":1.0}`)}, true},
		{"raw with another value", metav1.FieldsV1{Raw: []byte(`{"a":1}`)}, metav1.FieldsV1{Raw: []byte(`{"a":2}`)}, false},
		{"nil pointer", metav1.Duration{}, (*metav1.Duration)(nil), false},
		{"no JSON", math.NaN(), math.NaN(), false},
	} {
		if got := SameJSON(test.desired, test.observed); got != test.want {
			t.Errorf("%s: got %t", test.name, got)
		}
	}
}

func TestSameJSONWithPointerReceiver(t *testing.T) {
	if !SameJSON(upper("a"), upper("A")) {
		t.Error("the method of the pointer is not called")
	}
}

// upper encodes itself in upper case.
type upper string

func (u *upper) MarshalText() ([]byte, error) { return []byte(strings.ToUpper(string(*u))), nil }

func TestDiffs(t *testing.T) {
	type item struct{ key, value string }
	key := func(i item) string { return "key=" + i.key }
	diffItem := func(path string, desired, observed item) []string {
		return append(DiffValue(path+".key", desired.key, observed.key), DiffValue(path+".value", desired.value, observed.value)...)
	}
	diffIfSet := func(path string, desired, observed item) []string {
		return PathIf(desired.key != observed.key || desired.value != "" && desired.value != observed.value, path)
	}
	a, b, other := item{"a", "1"}, item{"b", "1"}, item{"a", "2"}
	for _, test := range []struct {
		name      string
		got, want []string
	}{
		{"same list", DiffSlice("l", []item{a, b}, []item{a, b}, diffItem), nil},
		{"list in another order", DiffSlice("l", []item{a, b}, []item{b, a}, diffItem), []string{"l[0].key", "l[1].key"}},
		{"longer list", DiffSlice("l", []item{a}, []item{a, b}, diffItem), []string{"l"}},
		{"set in another order", DiffSet("s", []item{a, b}, []item{b, a}, diffItem), nil},
		{"set with another item", DiffSet("s", []item{a, b}, []item{a, other}, diffItem), []string{"s"}},
		{"larger set", DiffSet("s", []item{a}, []item{b, a}, diffItem), []string{"s"}},
		{"smaller set", DiffSet("s", []item{a, b}, []item{b}, diffItem), []string{"s"}},
		{"keyed list in another order", DiffKeyed("k", []item{a, b}, []item{b, a}, key, key, diffItem), nil},
		{"keyed list with another value", DiffKeyed("k", []item{a, b}, []item{b, other}, key, key, diffItem), []string{"k[key=a].value"}},
		{"keyed list with another key", DiffKeyed("k", []item{a}, []item{b}, key, key, diffItem), []string{"k[key=a]", "k[key=b]"}},
		{"larger keyed list", DiffKeyed("k", []item{a}, []item{b, a, a}, key, key, diffItem), []string{"k[key=b]", "k[key=a]"}},
		{"keyed list with others", DiffItems("k", []item{a}, []item{b, other}, key, key, diffItem), []string{"k[key=a].value"}},
		{"smaller keyed list", DiffKeyed("k", []item{b, a}, []item{b}, key, key, diffItem), []string{"k[key=a]"}},
		{"list with others", DiffSubset("s", []item{a}, []item{b, a}, diffItem), nil},
		{"list with others that lacks an item", DiffSubset("s", []item{a, a}, []item{b, a}, diffItem), []string{"s"}},
		{"items that agree with several", DiffSet("s", []item{{key: "a"}, a}, []item{a, other}, diffIfSet), nil},
		{"items that agree with too few", DiffSet("s", []item{{key: "a"}, a, a}, []item{a, other, other}, diffIfSet), []string{"s"}},
		{"same map", DiffMap("m", map[string]string{"a": "1"}, map[string]string{"a": "1"}, DiffValue[string]), nil},
		{"larger map", DiffMap("m", map[string]string{"b": "1"}, map[string]string{"c": "", "b": "1", "a": "2"}, DiffValue[string]), []string{`m["a"]`, `m["c"]`}},
		{"map with others", DiffEntries("m", map[string]string{"a": "1", "c": ""}, map[string]string{"a": "1", "b": "2"}, DiffValue[string]), []string{`m["c"]`}},
		{"map with other values", DiffMap("m", map[string]string{"b": "1", "a": "1", `"`: ""}, map[string]string{"a": "2"}, DiffValue[string]), []string{`m["\""]`, `m["a"]`, `m["b"]`}},
	} {
		if !slices.Equal(test.got, test.want) {
			t.Errorf("%s: got %v, want %v", test.name, test.got, test.want)
		}
	}
}

// TestPathsWithin has paths as Diff returns them, with keys that look like paths.
func TestPathsWithin(t *testing.T) {
	fields := []string{"region", "rules[].id", `labels`, "nested[][].key"}
	for path, want := range map[string]bool{
		"region": true, "regions": false, "region.name": true, "rules": false, "rules[0].id": true, "rules[0].ids": false, "rules[12].id.part": true,
		`rules[key="a]\".b[",other=1].id`: true, `rules[key="].id"].name`: false, `labels["x.y[0]"]`: true, `nested["a"][1].key`: true, `nested["a"].key`: false,
		`rules[key="unfinished`: false,
	} {
		if got := PathsWithin([]string{path}, fields...); (len(got) == 1) != want {
			t.Errorf("%s: got %v, want %t", path, got, want)
		}
	}
}

// formats are the helpers for formats, by the names that the API server knows.
var formats = map[string]func(string) bool{
	"byte": IsBase64, "cidr": IsCIDR, "date": IsDate, "datetime": IsDateTime, "duration": IsDuration,
	"ipv4": IsIPv4, "ipv6": IsIPv6, "mac": IsMAC, "uri": IsURI, "uuid": IsUUID,
}

// TestFormats checks that formats are recognized.
func TestFormats(t *testing.T) {
	for format, valid := range map[string][]string{
		"byte":     {"YQ=="},
		"cidr":     {"10.0.0.0/16", "::/0"},
		"date":     {"2024-02-29"},
		"datetime": {"2024-02-29T00:00:00Z", "2024-02-29T00:00:00.5+01:00"},
		"duration": {"1s", "1h2m"},
		"ipv4":     {"10.0.0.1"},
		"ipv6":     {"::1", "fe80::1"},
		"mac":      {"00:00:5e:00:53:01"},
		"uri":      {"https://example.org/a", "/a"},
		"uuid":     {"123e4567-e89b-12d3-a456-426614174000"},
	} {
		for _, text := range valid {
			if !formats[format](text) {
				t.Errorf("%s: %q is refused", format, text)
			}
		}
	}
}

// FuzzFormats checks that no helper accepts what the API server refuses.
func FuzzFormats(f *testing.F) {
	for _, text := range []string{
		"", "a", "ü", "YQ==", "YQ=", "10.0.0.0/16", "10.0.0.0", "10.0.0.0/33", "010.0.0.1", "fe80::1%eth0/64", "2023-02-29", "2024-02-29T00:00:00",
		"2024-02-29T24:00:00Z", "2024-02-29T00:00:00,5Z", "1", "1 day", "-1s", "10.0.0", "::ffff:10.0.0.1", "fe80::1%eth0", "00", "://", "mailto:a",
		"123e4567", "123e4567-e89b-12d3-a456-42661417400g", "123e4567e89b-12d3-a456-4266-14174000-",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for format, accepts := range formats {
			if accepts(text) && !strfmt.Default.Validates(format, text) {
				t.Errorf("%s: the API server refuses %q", format, text)
			}
		}
	})
}

func TestTryConvert(t *testing.T) {
	positive := func(n int) (string, bool) { return strconv.Itoa(n), n > 0 }
	if got, ok := TryConvertSlice([]int{1, 2}, positive); !ok || !slices.Equal(got, []string{"1", "2"}) {
		t.Errorf("tryConvertSlice: got %v, %t", got, ok)
	}
	if got, ok := TryConvertSlice([]int{1, 0}, positive); ok {
		t.Errorf("tryConvertSlice takes %v", got)
	}
	if got, ok := TryConvertMap[string](map[string]int{"a": 1}, positive); !ok || got["a"] != "1" {
		t.Errorf("tryConvertMap: got %v, %t", got, ok)
	}
	if got, ok := TryConvertMap[string](map[string]int{"a": 1, "b": 0}, positive); ok {
		t.Errorf("tryConvertMap takes %v", got)
	}
}

func TestAreUnique(t *testing.T) {
	if !AreUnique([]string{"a", "b"}, Itself[string]) || AreUnique([]string{"a", "b", "a"}, Itself[string]) {
		t.Error("areUnique takes equal items for different ones, or the reverse")
	}
}
