package scaffold

import "testing"
import "github.com/mrgen-io/mrgen/testdata/expect"

// TestUncompilable checks whose fault code is that doesn't compile.
func TestUncompilable(t *testing.T) {
	for problem, want := range map[string]string{
		"internal/a.go: A redeclared in this block":    "Bucket can't be added, since it would not compile: internal/a.go: A redeclared in this block [scaffold]",
		"internal/a.go: undefined: clients.IsNotFound": "Bucket can't be added, since its code would use clients.IsNotFound, which doesn't exist: declare it if the package is yours, or get a newer version of its module [scaffold]",
		"internal/a.go: undefined: govultr":            "Bucket can't be added, since mrgen would write code that doesn't compile: internal/a.go: undefined: govultr: report this as a bug of mrgen [scaffold]",
	} {
		got := uncompilable("Bucket", []string{problem})
		expect.True(t, len(got) == 1 && got[0].String()+" ["+string(got[0].Code)+"]" == want, "got %v, want %s", got, want)
	}
	got := uncompilable("Bucket", nil)
	expect.True(t, len(got) == 0, "got %v without a problem", got)
}
