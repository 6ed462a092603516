package v1alpha1

import (
	"reflect"
	"testing"
)

// TestBucketConnectionDetails covers keys that are only known at run time.
func TestBucketConnectionDetails(t *testing.T) {
	got := BucketConnectionDetails{
		Endpoint: []byte("https://example.org/bucket"),
		AccessKey: map[string][]byte{
			"reader": []byte("r"),
			"writer": []byte("w"),
			"former": {},
		},
	}.ConnectionDetails()
	want := map[string][]byte{
		"endpoint":         []byte("https://example.org/bucket"),
		"accessKey.reader": []byte("r"),
		"accessKey.writer": []byte("w"),
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
