package linter

import "testing"

// TestRequiresOmitZero holds which modules can have omitzero in place of omitempty.
func TestRequiresOmitZero(t *testing.T) {
	for name, test := range map[string]struct {
		goMod string
		want  bool
	}{
		"first versions":      {"go 1.24\nrequire k8s.io/apimachinery v0.34.0", true},
		"later versions":      {"go 1.26.0\nrequire k8s.io/apimachinery v0.37.2 // indirect", true},
		"older library":       {"go 1.24\nrequire k8s.io/apimachinery v0.33.4", false},
		"prerelease":          {"go 1.24\nrequire k8s.io/apimachinery v0.34.0-alpha.1", false},
		"no library":          {"go 1.24\nrequire k8s.io/api v0.34.0", false},
		"replaced by older":   {"go 1.24\nrequire k8s.io/apimachinery v0.34.0\nreplace k8s.io/apimachinery => k8s.io/apimachinery v0.33.0", false},
		"replaced by newer":   {"go 1.24\nrequire k8s.io/apimachinery v0.33.0\nreplace k8s.io/apimachinery => example.org/apimachinery v0.35.0", true},
		"replaced by folder":  {"go 1.24\nrequire k8s.io/apimachinery v0.34.0\nreplace k8s.io/apimachinery => ../apimachinery", true},
		"replaced by old one": {"go 1.24\nrequire k8s.io/apimachinery v0.33.0\nreplace k8s.io/apimachinery => ../apimachinery", false},
		"broken":              {"go 1.24\nrequire", false},
		"nothing":             {"", false},
	} {
		if got := requiresOmitZero([]byte("module example.org/provider\n" + test.goMod + "\n")); got != test.want {
			t.Errorf("%s: got %t, want %t", name, got, test.want)
		}
	}
}
