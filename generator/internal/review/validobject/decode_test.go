package validobject_test

import (
	"testing"

	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/review/validobject"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

// TestUndecodable holds which values clients in Go can read.
func TestUndecodable(t *testing.T) {
	basic := func(name string) *model.Type { return &model.Type{Kind: model.Basic, Basic: name} }
	known := func(path, name string) *model.Type {
		return &model.Type{Kind: model.Struct, Package: path, Name: name, Marshals: true, Unmarshals: true}
	}
	pointer := func(to *model.Type) *model.Type { return &model.Type{Kind: model.Pointer, Elem: to} }
	const meta = "k8s.io/apimachinery/pkg/apis/meta/v1"
	rule := &model.Type{Kind: model.Struct, Name: "Rule", Fields: []*model.Field{{Name: "Days", JSONName: "days", Type: basic("int32")}}}
	for name, test := range map[string]struct {
		of    *model.Type
		value any
		want  string
	}{
		"no type":            {nil, "a", ""},
		"text":               {basic("string"), "a", ""},
		"no text":            {basic("string"), int64(1), ": no client in Go can read 1 as string: cannot unmarshal number into Go value of type string"},
		"range":              {basic("uint8"), int64(256), ": no client in Go can read 256 as uint8: cannot unmarshal number 256 into Go value of type uint8"},
		"whole number":       {basic("int64"), 1.5, ": no client in Go can read 1.5 as int64: cannot unmarshal number 1.5 into Go value of type int64"},
		"null":               {pointer(basic("int64")), nil, ""},
		"duration":           {pointer(known(meta, "Duration")), "1h", ""},
		"no duration":        {pointer(known(meta, "Duration")), "example", `: no client in Go can read "example" as Duration: time: invalid duration "example"`},
		"empty duration":     {known(meta, "Duration"), "", `: no client in Go can read "" as Duration: time: invalid duration ""`},
		"time":               {known(meta, "Time"), "2026-01-01T00:00:00Z", ""},
		"no time":            {known(meta, "Time"), "2026-01-01", `: no client in Go can read "2026-01-01" as Time: parsing time "2026-01-01" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "T"`},
		"exact time":         {known(meta, "MicroTime"), "2026-01-01T00:00:00.000000Z", ""},
		"no exact time":      {known(meta, "MicroTime"), "2026-01-01T00:00:00Z", `: no client in Go can read "2026-01-01T00:00:00Z" as MicroTime: parsing time "2026-01-01T00:00:00Z" as "2006-01-02T15:04:05.000000Z07:00": cannot parse "Z" as ".000000"`},
		"quantity":           {known("k8s.io/apimachinery/pkg/api/resource", "Quantity"), int64(5), ""},
		"no quantity":        {known("k8s.io/apimachinery/pkg/api/resource", "Quantity"), "much", `: no client in Go can read "much" as Quantity: quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'`},
		"port":               {known("k8s.io/apimachinery/pkg/util/intstr", "IntOrString"), "http", ""},
		"no port":            {known("k8s.io/apimachinery/pkg/util/intstr", "IntOrString"), true, ": no client in Go can read true as IntOrString: cannot unmarshal bool into Go value of type int32"},
		"address":            {known("net/netip", "Addr"), "10.0.0.1", ""},
		"no address":         {known("net/netip", "Addr"), "10.0.0.0/8", `: no client in Go can read "10.0.0.0/8" as Addr: ParseAddr("10.0.0.0/8"): unexpected character (at "/8")`},
		"bytes":              {&model.Type{Kind: model.Slice, Elem: basic("uint8")}, "YQ==", ""},
		"no bytes":           {&model.Type{Kind: model.Slice, Elem: basic("uint8")}, "example", `: no client in Go can read "example" as []byte: illegal base64 data at input byte 4`},
		"what we can't know": {&model.Type{Kind: model.Struct, Package: "example.org/angle", Name: "Angle", Unmarshals: true}, "a", ""},
		"in lists and maps": {
			&model.Type{Kind: model.Slice, Elem: &model.Type{Kind: model.Map, Key: basic("string"), Elem: rule}},
			[]any{map[string]any{}, map[string]any{"a.b": map[string]any{"days": "seven", "other": int64(1)}}},
			`[1][a.b].days: no client in Go can read "seven" as int32: cannot unmarshal string into Go value of type int32`},
	} {
		t.Run(name, func(t *testing.T) {
			got := ""
			for _, m := range validobject.Undecodable(test.of, test.value) {
				got += m.Field + ": " + m.Reason
			}
			expect.Equal(t, test.want, got)
		})
	}
}
