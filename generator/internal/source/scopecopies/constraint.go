package scopecopies

import (
	"go/build"
	"go/build/constraint"
	"io"
	"strings"
)

// nameConstraint returns the build constraint that the name of a file implies, or "". The name of its
// copy implies none, since the go command reads names up to the first dot.
func nameConstraint(name string) string {
	matches := func(goos, goarch string) bool {
		context := build.Context{GOOS: goos, GOARCH: goarch, Compiler: "gc", OpenFile: func(string) (io.ReadCloser, error) {
			return io.NopCloser(strings.NewReader("package p\n")), nil
		}}
		match, err := context.MatchFile("", name)
		return err == nil && match
	}
	if matches("none", "none") {
		return ""
	}
	name, _, _ = strings.Cut(name, ".")
	words := strings.Split(strings.TrimSuffix(name, "_test"), "_")
	last := words[len(words)-1]
	if len(words) > 2 && matches(words[len(words)-2], last) {
		return words[len(words)-2] + " && " + last
	}
	return last
}

// constrain adds build tags to the constraint of a file, or returns a constraint for its header.
func (r *rewriter) constrain(tags string) string {
	line := constraintOf(r.file.syntax)
	if line == nil {
		return "//go:build " + tags + "\n\n"
	}
	if expression, err := constraint.Parse(line.Text); err == nil { // or else the go command reports it
		r.replace(line, "//go:build ("+expression.String()+") && "+tags)
	}
	return ""
}
