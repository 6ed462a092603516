package functions

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/kube-openapi/pkg/validation/strfmt"

	"github.com/mrgen-io/mrgen/testdata/expect"
)

func TestIsZero(t *testing.T) {
	type item struct {
		tags []string
	}
	expect.True(t, IsZero(item{}) && !IsZero(item{tags: []string{}}) && IsZero(0) && !IsZero("a") && IsZero[error](nil), "isZero is wrong")
}

// A disk and a server are desired, and mirrored by observed ones.
type (
	disk struct {
		Label    *string `json:"label,omitempty"`
		Password *string `json:"password,omitempty"`
	}
	observedDisk struct {
		Label    *string `json:"label,omitempty"`
		Password *string `json:"password,omitempty"`
		ID       *string `json:"id,omitempty"`
	}
	wrapper struct {
		Disks  []disk            `json:"disks,omitzero"`
		Disk   *disk             `json:"disk,omitempty"`
		Labels map[string]string `json:"labels,omitempty"`
	}
	observedWrapper struct {
		Disks  []observedDisk    `json:"disks,omitempty"`
		Disk   *observedDisk     `json:"disk,omitempty"`
		Labels map[string]string `json:"labels,omitempty"`
	}
	server struct {
		Plain    []disk              `json:"plain,omitzero"`
		Pointers []*disk             `json:"pointers,omitzero"`
		Nested   [][]disk            `json:"nested,omitzero"`
		Texts    [][]string          `json:"texts,omitzero"`
		Wrapped  []wrapper           `json:"wrapped,omitzero"`
		Wrapper  *wrapper            `json:"wrapper,omitempty"`
		Values   map[string]disk     `json:"values,omitzero"`
		Flags    []struct{}          `json:"flags,omitzero"`
		Amount   *resource.Quantity  `json:"amount,omitempty"`
		Wait     *metav1.Duration    `json:"wait,omitempty"`
		Unit     *string             `json:"wait.unit,omitempty"`
		Port     *intstr.IntOrString `json:"port,omitempty"`
		Size     *int64              `json:"size,omitempty"`
		Zone     *string             `json:"zone,omitempty"`
		Ratio    *float64            `json:"ratio,omitempty"`
		Nodes    []node              `json:"nodes,omitempty"`
	}
	observedServer struct {
		Plain    []observedDisk          `json:"plain,omitempty"`
		Pointers []*observedDisk         `json:"pointers,omitempty"`
		Nested   [][]observedDisk        `json:"nested,omitempty"`
		Texts    [][]string              `json:"texts,omitempty"`
		Wrapped  []observedWrapper       `json:"wrapped,omitempty"`
		Wrapper  *observedWrapper        `json:"wrapper,omitempty"`
		Values   map[string]observedDisk `json:"values,omitempty"`
		Flags    []struct{}              `json:"flags,omitempty"`
		Amount   *resource.Quantity      `json:"amount,omitempty"`
		Wait     *metav1.Duration        `json:"wait,omitempty"`
		Port     *intstr.IntOrString     `json:"port,omitempty"`
		Size     *int64                  `json:"size,omitempty"`
		Zone     []string                `json:"zone,omitempty"`
		Ratio    *float64                `json:"ratio,omitempty"`
		Nodes    []observedNode          `json:"nodes,omitempty"`
	}
	node struct {
		Key  string `json:"key"`
		Size *int64 `json:"size,omitempty"`
	}
	observedNode struct {
		Key  *string `json:"key,omitempty"`
		Size *int64  `json:"size,omitempty"`
	}
)

var serverRows = Table{Rows: map[string]Row{
	"disk.password": {Secret: true},
	"server.size":   {Checks: []Check{Min(1)}, Immutable: true},
	"server.nodes":  {Keys: []string{"key"}},
	"node.size":     {Immutable: true},

	"server.wait.unit": {Immutable: true},
}}

// read decodes JSON.
func read[T any](t *testing.T, text string) T {
	t.Helper()
	var value T
	expect.NoError(t, json.Unmarshal([]byte(text), &value))
	return value
}

// TestItemsWithoutFields leaves a list unset if spec can say nothing of an item: spec would own the list, and
// a change by the API would be an update that nobody asked for.
func TestItemsWithoutFields(t *testing.T) {
	for observed, want := range map[string]string{
		`{"plain":[{}]}`: `{}`, `{"plain":[{"id":"1"},{"id":"2"}]}`: `{}`, `{"plain":[{"label":"a"},{"id":"2"}]}`: `{}`,
		`{"plain":[{"label":"a"},{"label":"","id":"2"}]}`: `{}`, `{"plain":[{"label":"a","id":"1"}]}`: `{"plain":[{"label":"a"}]}`,
		`{"plain":[{"password":"x"}]}`: `{}`, `{"pointers":[{}]}`: `{}`, `{"pointers":[null]}`: `{}`, `{"pointers":[{"label":"a"},null]}`: `{}`,
		`{"pointers":[{"label":"a"}]}`: `{"pointers":[{"label":"a"}]}`, `{"nested":[[{}]]}`: `{}`, `{"nested":[[{"label":"a"}],[{}]]}`: `{}`,
		`{"nested":[[{"label":"a"}],[]]}`: `{}`, `{"nested":[[{"label":"a"}]]}`: `{"nested":[[{"label":"a"}]]}`, `{"texts":[["a"],[""]]}`: `{"texts":[["a"],[""]]}`,
		`{"wrapped":[{"disks":[{}]},{"disk":{}}]}`: `{}`, `{"wrapped":[{"disks":[{"label":"a"}]}]}`: `{"wrapped":[{"disks":[{"label":"a"}]}]}`,
		`{"wrapped":[{"labels":{"a":""}}]}`: `{"wrapped":[{"labels":{"a":""}}]}`, `{"wrapper":{"disks":[{}],"disk":{}}}`: `{}`,
		`{"wrapper":{"disks":[{}],"disk":{"label":"a"}}}`: `{"wrapper":{"disk":{"label":"a"}}}`, `{"values":{"a":{}}}`: `{"values":{"a":{}}}`,
		`{"values":{"a":{"id":"1"},"b":{"label":"b"}}}`: `{"values":{"a":{},"b":{"label":"b"}}}`, `{"flags":[{}]}`: `{"flags":[{}]}`, `{"nodes":[{"size":1}]}`: `{}`,
		`{"nodes":[{"key":"a"},{"key":"a","size":2}]}`: `{}`, `{"nodes":[{"key":""},{"key":"a","size":2}]}`: `{"nodes":[{"key":""},{"key":"a","size":2}]}`,
		`{"amount":"1024Mi","wait":"90s","port":"http"}`:     `{"amount":"1Gi","wait":"1m30s","port":"http"}`,
		`{"size":0,"ratio":0,"zone":["a"],"port":0}`:         `{"port":0,"ratio":0}`,
		`{"size":9007199254740993,"ratio":0.1,"amount":"0"}`: `{"amount":"0","size":9007199254740993,"ratio":0.1}`,
	} {
		var p server
		o := read[observedServer](t, observed)
		changed := LateInitialize(&serverRows, &p, o)
		got, err := json.Marshal(p)
		expect.True(t, err == nil && string(got) == want && changed == (want != `{}`), "%s fills %s (%t, %v), want %s", observed, got, changed, err, want)
		paths := Diff(&serverRows, &p, o)
		expect.True(t, len(paths) == 0, "%s differs from what it fills: %v", observed, paths)
		expect.True(t, !LateInitialize(&serverRows, &p, o), "%s fills something twice", observed)
	}
}

// TestCreateParameters merges structs and maps, and keeps lists, even empty ones.
func TestCreateParameters(t *testing.T) {
	type parameters struct {
		Wrapper wrapper `json:"wrapper,omitempty"`
		Zone    *string `json:"zone,omitempty"`
	}
	type spec struct {
		ForProvider  parameters `json:"forProvider"`
		InitProvider parameters `json:"initProvider,omitempty"`
	}
	for text, want := range map[string]string{
		`{"forProvider":{"wrapper":{"disks":[]}},"initProvider":{"wrapper":{"labels":{"a":"1"}}}}`:                 `{"wrapper":{"disks":[],"labels":{"a":"1"}}}`,
		`{"forProvider":{"wrapper":{"disks":[]}},"initProvider":{"wrapper":{"disks":[{"label":"a"}]},"zone":"a"}}`: `{"wrapper":{"disks":[]},"zone":"a"}`,
		`{"forProvider":{"zone":""},"initProvider":{"wrapper":{"disks":[],"disk":{"label":"a"}},"zone":"a"}}`:      `{"wrapper":{"disks":[],"disk":{"label":"a"}},"zone":""}`,
		`{"forProvider":{"wrapper":{"labels":{"a":"1"}}},"initProvider":{"wrapper":{"labels":{"a":"2","b":"2"}}}}`: `{"wrapper":{"labels":{"a":"1","b":"2"}}}`,
		`{"forProvider":{"wrapper":{"disk":{"password":"a"}}},"initProvider":{"wrapper":{"disk":{"label":"b"}}}}`:  `{"wrapper":{"disk":{"label":"b","password":"a"}}}`,
		`{"forProvider":{},"initProvider":{}}`: `{"wrapper":{}}`,
	} {
		s, got := read[spec](t, text), parameters{}
		CreateParameters(&Table{}, &s, &got)
		encoded, err := json.Marshal(got)
		expect.True(t, err == nil && string(encoded) == want, "%s: got %s, %v, want %s", text, encoded, err, want)
	}
}

func TestDiffs(t *testing.T) {
	for _, test := range []struct {
		desired, observed string
		want              []string
	}{
		{`{"plain":[{"label":"a"},{"label":"b"}]}`, `{"plain":[{"label":"b"},{"label":"b"}]}`, []string{"plain[0].label"}},
		{`{"plain":[{"label":"a"}]}`, `{"plain":[{"label":"a"},{"label":"b"}]}`, []string{"plain"}},
		{`{"plain":[]}`, `{"plain":[{"id":"1"}]}`, []string{"plain"}},
		{`{"plain":[{"password":"a"}]}`, `{"plain":[{"password":"b"}]}`, nil},
		{`{"pointers":[null]}`, `{"pointers":[{"label":"a"}]}`, nil},
		{`{"values":{"a":{},"b\"]":{}}}`, `{"values":{"a":{},"c":{}}}`, []string{`values["b\"]"]`, `values["c"]`}},
		{`{"wrapper":{"disk":{"label":"a"}}}`, `{}`, []string{"wrapper.disk.label"}},
		{`{"nodes":[{"key":"b","size":1},{"key":"a"}]}`, `{"nodes":[{"key":"a","size":3},{"key":"b","size":2},{"key":"b"}]}`, []string{`nodes[key="b"].size`, `nodes[key="b"]`}},
		{`{"amount":"1Gi"}`, `{"amount":"1073741824"}`, nil},
		{`{"amount":"1e3"}`, `{"amount":"1k"}`, nil},
		{`{"amount":"1G"}`, `{"amount":"1Gi"}`, []string{"amount"}},
		{`{"amount":"1"}`, `{}`, []string{"amount"}},
		{`{"wait":"60s"}`, `{"wait":"1m"}`, nil},
		{`{"port":80}`, `{"port":"80"}`, []string{"port"}},
		{`{"size":9007199254740993}`, `{"size":9007199254740992}`, []string{"size"}},
		{`{"size":0,"ratio":0}`, `{}`, nil},
		{`{"ratio":1.5}`, `{"ratio":1.50}`, nil},
		{`{"zone":"a"}`, `{"zone":["b"]}`, nil}, // the types have nothing in common
	} {
		p := read[server](t, test.desired)
		expect.Equal(t, test.want, Diff(&serverRows, &p, read[observedServer](t, test.observed)), "%s, observed %s", test.desired, test.observed)
	}
}

// TestImmutableFields has paths as Diff returns them, with keys that look like paths.
func TestImmutableFields(t *testing.T) {
	for path, want := range map[string]bool{
		"size": true, "size.part": false, "sizes": false, "wait": false, "wait.unit": true, "wait.units": false, "nodes": false, "nodes[0].size": true, "nodes[0].sizes": false,
		`nodes[key="a]\".b[",other=1].size`: true, `nodes[key="].size"].name`: false, `nodes[key="unfinished`: false, "plain[0].size": false,
	} {
		got := ImmutableFields(&serverRows, &server{}, []string{path})
		expect.True(t, (len(got) == 1) == want, "%s: got %v, want %t", path, got, want)
	}
}

// TestChecks compares with the numbers, texts and lists that a check accepts, and refuses.
func TestChecks(t *testing.T) {
	for name, test := range map[string]struct {
		check            Check
		accepts, refuses string
	}{
		"one of texts":    {OneOf("a", "b"), `["a","b"]`, `["c","",1,true]`},
		"one of numbers":  {OneOf(1, 2.5), `[1,2.5]`, `[2,25,"c"]`},
		"one of booleans": {OneOf(true), `[true]`, `[false]`},
		"min":             {Min(2), `[2,2.5,"ab","äö",[1,2],{"a":1,"b":2}]`, `[1,1.5,-3,"ä",[1],{}]`},
		"max":             {Max(2), `[2,-3,"ab","äö","",[1,2]]`, `[3,2.5,"abc",[1,2,3]]`},
		"above":           {Above(2), `[3,2.5]`, `[2,1]`},
		"below":           {Below(2), `[1,1.5]`, `[2,3]`},
		"multiple":        {MultipleOf(2), `[0,2,-4]`, `[1,2.5,"a"]`},
		"pattern":         {Matching("^a+$"), `["a","aa"]`, `["","ab",1]`},
		"format":          {Format("cidr"), `["10.0.0.0/8"]`, `["10.0.0.0",1]`},
	} {
		for text, want := range map[string]bool{test.accepts: true, test.refuses: false} {
			decoder := json.NewDecoder(strings.NewReader(text))
			decoder.UseNumber()
			var values []any
			expect.NoError(t, decoder.Decode(&values))
			for _, value := range values {
				expect.Equal(t, want, test.check(value), "%s: %v is accepted", name, value)
			}
		}
	}
}

// TestNoJSON leaves everything as it is if what is observed can't be encoded.
func TestNoJSON(t *testing.T) {
	p := server{Ratio: PointerTo(1.5)}
	o := (observedServer{Ratio: PointerTo(math.NaN()), Size: PointerTo[int64](3)})
	expect.True(t, !LateInitialize(&serverRows, &p, o) && p.Size == nil, "LateInitialize made %+v", p)
}

// TestManyAtOnce has several reconcilers at work with one table.
func TestManyAtOnce(t *testing.T) {
	table := Table{Rows: serverRows.Rows}
	done := make(chan string)
	for i := range 8 {
		go func() {
			p := server{}
			LateInitialize(&table, &p, observedServer{Size: PointerTo(int64(i + 1))})
			done <- fmt.Sprint(Diff(&table, &p, observedServer{Size: PointerTo(int64(i + 2))}))
		}()
	}
	for range 8 {
		expect.Equal(t, "[size]", <-done)
	}
}

// formats have texts that they accept, by the names that the API server knows.
var formats = map[string][]string{
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
}

// TestFormats checks that formats are recognized.
func TestFormats(t *testing.T) {
	for format, valid := range formats {
		for _, text := range valid {
			expect.True(t, Format(format)(text), "%s: %q is refused", format, text)
		}
	}
}

// FuzzFormats checks that no format accepts what the API server refuses.
func FuzzFormats(f *testing.F) {
	for _, text := range []string{
		"", "a", "ü", "YQ==", "YQ=", "10.0.0.0/16", "10.0.0.0", "10.0.0.0/33", "010.0.0.1", "fe80::1%eth0/64", "2023-02-29", "2024-02-29T00:00:00",
		"2024-02-29T24:00:00Z", "2024-02-29T00:00:00,5Z", "1", "1 day", "-1s", "10.0.0", "::ffff:10.0.0.1", "fe80::1%eth0", "00", "://", "mailto:a",
		"123e4567", "123e4567-e89b-12d3-a456-42661417400g", "123e4567e89b-12d3-a456-4266-14174000-",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for format := range formats {
			expect.True(t, !Format(format)(text) || strfmt.Default.Validates(format, text), "%s: the API server refuses %q", format, text)
		}
	})
}
