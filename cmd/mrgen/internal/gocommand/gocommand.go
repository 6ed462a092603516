// Package gocommand tells scripts in tests where the go command has its caches. It is for tests alone.
package gocommand

import (
	"encoding/json"
	"os/exec"
	"testing"
)

// Environment returns the settings of the go command that say where modules and
// built packages are. Scripts start with an empty environment.
func Environment(t *testing.T) map[string]string {
	t.Helper()
	out, err := exec.Command("go", "env", "-json",
		"GOCACHE", "GOMODCACHE", "GOPROXY", "GOSUMDB", "GOPRIVATE", "GONOPROXY", "GONOSUMDB", "GOTOOLCHAIN", "CGO_ENABLED").Output()
	if err != nil {
		t.Fatal(err)
	}
	var environment map[string]string
	if err := json.Unmarshal(out, &environment); err != nil {
		t.Fatal(err)
	}
	return environment
}
