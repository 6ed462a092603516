package lateinit

import (
	"testing"

	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
)

// TestNames holds how names of types become those of functions and variables.
func TestNames(t *testing.T) {
	for name, want := range map[string][2]string{
		"VPCParameters": {"VPCParameters", "vpcParameters"}, "Tag": {"Tag", "tag"}, "ID": {"ID", "id"}, "A": {"A", "a"},
		"IPv4": {"IPv4", "iPv4"}, "tag": {"Tag", "tag"}, "öffnung": {"Öffnung", "öffnung"}, "HTTPS2": {"HTTPS2", "https2"}, "aB": {"AB", "aB"},
	} {
		if got := [2]string{gosyntax.Exported(name), unexported(name)}; got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}
