package compare

import (
	"encoding/json"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/mrgen-io/mrgen/testdata/budget"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

// TestValueChanges holds which fields differ, and that null is no value.
func TestValueChanges(t *testing.T) {
	was := map[string]any{"spec": map[string]any{"name": "a", "other": "b"}}
	is := map[string]any{"spec": map[string]any{"name": "a", "size": int64(7)}}
	want := []valueChange{{"spec.other", "b", nil}, {"spec.size", nil, int64(7)}}
	expect.Equal(t, want, valueChanges("", was, is))
	expect.True(t, len(valueChanges("", map[string]any{"a": nil, "l": []any{int64(1)}}, map[string]any{"l": []any{int64(1)}})) == 0, "null is a value")
}

// TestValueChangesAtRandom makes the changes of random values, which encoding/json then writes as it does the changed value. Values that
// are the same have none, nor do objects and lists of one length that both have.
func TestValueChangesAtRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range budget.Of(500, 20000) {
		was := map[string]any{"top": randomValue(r, 3)}
		is := map[string]any{"top": nearly(r, was["top"])}
		before, want := encoded(t, was), encoded(t, is)
		changes := valueChanges("", was, is)
		var changed any = decoded(t, before)
		for _, c := range changes {
			expect.True(t, encoded(t, c.was) != encoded(t, c.is), "%s of %s and %s isn't changed", c.field, before, want)
			_, wasObject := c.was.(map[string]any)
			_, isObject := c.is.(map[string]any)
			expect.True(t, !wasObject || !isObject, "%s of %s and %s is an object in both", c.field, before, want)
			old, wasList := c.was.([]any)
			now, isList := c.is.([]any)
			expect.True(t, !wasList || !isList || len(old) != len(now), "%s of %s and %s is a list of one length in both", c.field, before, want)
			changed = changeAt(changed, strings.FieldsFunc(strings.NewReplacer("[", ".#", "]", "").Replace(c.field), func(r rune) bool { return r == '.' }), c.is)
		}
		got := encoded(t, changed)
		expect.Must(t, got == want, "the changes %v of %s come to %s, want %s", changes, before, got, want)
	}
}

// randomValue returns a value of JSON without null, which stands for no value.
func randomValue(r *rand.Rand, depth int) any {
	switch n := r.IntN(6); {
	case n == 0 && depth > 0:
		list := []any{}
		for range r.IntN(3) {
			list = append(list, randomValue(r, depth-1))
		}
		return list
	case n < 4 && depth > 0:
		object := map[string]any{}
		for range r.IntN(4) {
			object[string(rune('a'+r.IntN(3)))] = randomValue(r, depth-1)
		}
		return object
	case n == 4:
		return r.IntN(2) == 0
	}
	return strconv.Itoa(r.IntN(2))
}

// nearly returns a value that has much in common with another one.
func nearly(r *rand.Rand, of any) any {
	if r.IntN(5) == 0 {
		return randomValue(r, 2)
	}
	switch of := of.(type) {
	case map[string]any:
		object := map[string]any{}
		for name, value := range of {
			if r.IntN(6) > 0 {
				object[name] = nearly(r, value)
			}
		}
		return object
	case []any:
		list := []any{}
		for _, value := range of {
			list = append(list, nearly(r, value))
		}
		return list
	}
	return of
}

// changeAt returns a value with another one at the place that names, and numbers after a hash sign, lead to.
func changeAt(in any, to []string, value any) any {
	if len(to) == 0 {
		return value
	}
	if number, isIndex := strings.CutPrefix(to[0], "#"); isIndex {
		at, _ := strconv.Atoi(number)
		list := in.([]any)
		list[at] = changeAt(list[at], to[1:], value)
		return list
	}
	object := in.(map[string]any)
	if object[to[0]] = changeAt(object[to[0]], to[1:], value); object[to[0]] == nil {
		delete(object, to[0])
	}
	return object
}

func encoded(t *testing.T, value any) string {
	t.Helper()
	text := expect.Value(json.Marshal(value))(t)
	return string(text)
}

func decoded(t *testing.T, text string) (value any) {
	t.Helper()
	expect.NoError(t, json.Unmarshal([]byte(text), &value))
	return value
}
