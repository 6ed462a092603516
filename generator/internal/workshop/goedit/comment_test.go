package goedit

import (
	"testing"

	"github.com/mrgen-io/mrgen/testdata/expect"
)

func TestComment(t *testing.T) {
	got := Comment("NetworkSelector selects a reference to a Network to retrieve Network and NetworkName.")
	want := []string{"// NetworkSelector selects a reference to a Network to retrieve Network and", "// NetworkName."}
	expect.Equal(t, want, got)
}
