package scopecopies

import (
	"go/build"
	"io"
	"strings"
)

// isConstrained reports whether the name of a file limits it to some systems. The name of its copy
// wouldn't: the go command reads names up to the first dot.
func isConstrained(name string) bool {
	none := build.Context{GOOS: "none", GOARCH: "none", Compiler: "gc", OpenFile: func(string) (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader("package p\n")), nil
	}}
	matches, err := none.MatchFile("", name)
	return err == nil && !matches
}
