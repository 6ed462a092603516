package gosrc_test

import (
	"testing"

	"github.com/mrgen-io/mrgen/generator/internal/render/gosrc"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

// TestHeader reads headers, good and bad.
func TestHeader(t *testing.T) {
	const noComment = "the header is not a Go comment: begin each line with //, or put all of it between /* and */"
	for content, want := range map[string][]string{
		"":                       nil,
		"\n\n":                   nil,
		"// A licence\n// of us": nil,
		"/*\nA licence,\npackage by package.\n*/\n":          nil,
		"// a\r\n\r\n/* b */ // c\r\n":                       nil,
		"//nolint:all\n// see go:build\n// a line of text\n": nil,
		"/* open\nfor ever":                                  {"h.txt:1:1: the header is not a Go comment, comment not terminated: begin each line with //, or put all of it between /* and */"},
		"// a\n\nA licence\n":                                {"h.txt:3:1: " + noComment},
		"# A licence\n":                                      {"h.txt:1:1: the header is not a Go comment, illegal character U+0023 '#': begin each line with //, or put all of it between /* and */"},
		"// a\npackage b\n":                                  {"h.txt:2:1: " + noComment},
		"// a\n; // b\n":                                     {"h.txt:2:1: " + noComment},
		"/* a */ b":                                          {"h.txt:1:9: " + noComment},
		"// a\x00b":                                          {"h.txt:1:5: the header is not a Go comment, illegal character NUL: begin each line with //, or put all of it between /* and */"},
		"// a\n//go:build foo\n//go:generate rm -rf /\n// +build a": {"h.txt:2:1: //go:build in the header would have an effect on every generated file: leave it out", "h.txt:3:1: //go:generate in the header would have an effect on every generated file: leave it out", "h.txt:4:1: // +build in the header would have an effect on every generated file: leave it out"},
		"//line a.go:7\n/*line b.go:7:1*/\n":                        {"h.txt:1:1: //line in the header would have an effect on every generated file: leave it out", "h.txt:2:1: /*line in the header would have an effect on every generated file: leave it out"},
	} {
		expect.Equal(t, want, expect.Strings(gosrc.CheckHeader("h.txt", []byte(content))), "%q", content)
	}
}
