package compare

import (
	"reflect"
	"testing"
)

// TestValueChanges holds which fields differ, and that null is no value.
func TestValueChanges(t *testing.T) {
	was := map[string]any{"spec": map[string]any{"name": "a", "other": "b"}}
	is := map[string]any{"spec": map[string]any{"name": "a", "size": int64(7)}}
	want := []valueChange{{"spec.other", "b", nil}, {"spec.size", nil, int64(7)}}
	if got := valueChanges("", was, is); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if len(valueChanges("", map[string]any{"a": nil, "l": []any{int64(1)}}, map[string]any{"l": []any{int64(1)}})) > 0 {
		t.Error("null is a value")
	}
}
