package v1alpha1_test

import (
	"testing"

	"github.com/mrgen-io/provider-runtime-v2/apis/v1alpha1"
)

// TestGuide runs the code that docs/guide/connection-details.md shows.
func TestGuide(t *testing.T) {
	key := struct{ ID, Secret string }{"reader", "r"}
	details := v1alpha1.BucketConnectionDetails{
		AccessKey: map[string][]byte{key.ID: []byte(key.Secret)}, // accessKey.<ID>
	}
	if got := details.ConnectionDetails(); len(got) != 1 || string(got["accessKey.reader"]) != "r" {
		t.Errorf("got %v", got)
	}
}
