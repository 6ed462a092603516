package controlplane

import (
	"strings"
	"testing"
)

// TestOtherVersions holds what is required for another version of a server.
func TestOtherVersions(t *testing.T) {
	const head = "module m\n\ngo 1.26.0\n\ntool a/b\n"
	got := requireKubernetes(head+"\nrequire (\n\tk8s.io/kubernetes v1.36.3\n\tother v0.1.0\n)\n\n// Staging.\nreplace (\n\tk8s.io/api => k8s.io/api v0.36.3\n)\n", "v1.37.2")
	if want := head + "\nrequire k8s.io/kubernetes v1.37.2\n\nreplace (\n\tk8s.io/api => k8s.io/api v0.37.2\n)\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	got = requireCrossplane(head+"\nrequire (\n\tother v0.1.0\n)\n", "v2.3.3")
	if !strings.HasPrefix(got, head+"\nrequire (\n") || strings.Count(got, "v2.3.3") != 2 || strings.Contains(got, "other") {
		t.Errorf("got %q", got)
	}
}
