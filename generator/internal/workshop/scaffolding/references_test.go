package scaffolding

import (
	"slices"
	"testing"
)

// TestReferencesInGo holds that each name of what is deleted is found, however deep in an expression, and no
// name that is selected from something else.
func TestReferencesInGo(t *testing.T) {
	r := &removal{
		addition: addition{provider: Provider{Module: "example.org/p"}, kind: Kind{Name: "Bucket"}},
		names:    map[string]map[string]bool{"apis/v1": {"Bucket": true, "BucketList": true, "NewBucket": true}},
		gone:     map[string]bool{"example.org/p/internal/bucket": true},
	}
	for _, tt := range []struct {
		folder, code string
		want         []int // columns in the line of the code
	}{
		{"internal/uses", "var a v1.Bucket", []int{7}},
		{"internal/uses", "var a = v1.NewBucket().Name.First", []int{9}},
		{"internal/uses", "var a = v1.Bucket{}.Spec.Region", []int{9}},
		{"internal/uses", "var a = f(v1.BucketList{}.Items[0].Name, v1.Other{})", []int{11}},
		{"internal/uses", "var a = v1.Other.Bucket.Name", nil},
		{"internal/uses", "var Bucket = other.Bucket", nil},
		{"apis/v1", "var a Bucket", []int{7}},
		{"apis/v1", "var a = NewBucket().Name.First", []int{9}},
		{"apis/v1", "var a = Bucket.Name", []int{9}},
		{"apis/v1", "var a = other.Bucket.NewBucket", nil},
		{"apis/v1", "func f(Bucket string) string { return Bucket }", nil},
	} {
		source := "package p\nimport \"example.org/p/apis/v1\"\n" + tt.code + "\n"
		var got []int
		for _, at := range r.inGo(tt.folder+"/a.go", []byte(source)) {
			got = append(got, at.Column)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s in %s: got columns %v, want %v", tt.code, tt.folder, got, tt.want)
		}
	}
	if got := r.inGo("main.go", []byte("package p\nimport _ \"example.org/p/internal/bucket\"\n")); len(got) != 1 || got[0].Line != 2 {
		t.Errorf("the import of a package that is deleted: got %v", got)
	}
}
