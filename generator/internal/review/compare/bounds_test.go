package compare

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
	"github.com/mrgen-io/mrgen/generator/internal/review/bounds"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

// TestBounds holds by the API server that a schema refuses no value that another accepts if no bound is tighter, and that
// a tightened schema accepts what both accept.
func TestBounds(t *testing.T) {
	values := map[string][]any{"string": {"", "a", "ab", "abc"}, "array": {[]any{}, []any{"a"}, []any{"a", "a"}, []any{"a", "a", "a"}},
		"object": {map[string]any{}, map[string]any{"a": "a"}, map[string]any{"a": "a", "b": "b"}}, "integer": {int64(0), int64(1), int64(2), int64(3)}}
	values["number"] = append([]any{0.5, 1.5, 2.5}, values["integer"]...)
	compared := 0
	for of, list := range values {
		r := rand.New(rand.NewPCG(1, 2))
		bounded := func() *schema.Props {
			s := &schema.Props{Type: of, ExclusiveMaximum: r.IntN(2) == 0, ExclusiveMinimum: r.IntN(2) == 0}
			for _, k := range schema.Keywords {
				if isOf := k.Limits == of || k.Limits == "number" && of == "integer"; !isOf || r.IntN(3) == 0 {
					continue
				}
				v := k.In(s)
				v.Set(reflect.New(v.Type().Elem()))
				v.Elem().Set(reflect.ValueOf(r.IntN(4)).Convert(v.Type().Elem()))
			}
			return s
		}
		for range 100 {
			a, b := bounded(), bounded()
			tightened, isTighter := new(*b), false
			bounds.Tighten(tightened, a)
			for _, k := range schema.Keywords {
				isTighter = isTighter || k.Sign != 0 && bounds.IsTighter(k, a, b)
			}
			for _, value := range list {
				accepts := func(s *schema.Props) bool { return apiserver.Upstream{}.Accepts(t.Context(), s, value) }
				byA, byB := accepts(a), accepts(b)
				expect.Must(t, !byB || byA || isTighter, "%v: only %v refuses it, which isn't tighter than %v", value, a, b)
				got := accepts(tightened)
				expect.Must(t, got == (byA && byB), "%v: %v accepts it: %t, and %v and %v %t and %t", value, tightened, got, a, b, byA, byB)
				compared++
			}
		}
	}
	expect.True(t, compared != 0, "nothing was compared")
}
