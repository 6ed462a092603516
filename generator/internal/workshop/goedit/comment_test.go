package goedit

import (
	"slices"
	"testing"
)

func TestComment(t *testing.T) {
	got := Comment("NetworkSelector selects a reference to a Network to retrieve Network and NetworkName.")
	want := []string{"// NetworkSelector selects a reference to a Network to retrieve Network and", "// NetworkName."}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
