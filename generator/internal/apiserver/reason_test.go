package apiserver

import (
	"strings"
	"testing"

	"github.com/mrgen-io/mrgen/testdata/expect"
)

func TestOneLine(t *testing.T) {
	tests := map[string]string{
		"": "", "plain": "plain", "two\nlines\n": "two lines", "a\r\nb": "a b",
		"compilation failed: ERROR: <input>:1:6: undefined field 'x'\n | self.x\n | .....^": "compilation failed: ERROR: <input>:1:6: undefined field 'x'",
		"ERROR: <input>:1:1: a\n | a b\n | ^\nERROR: <input>:1:3: b\n | a b\n | ..^":        "ERROR: <input>:1:1: a; <input>:1:3: b",
		"applied to '(selfType123456789.spec, string)'":                                     "applied to '(self.spec, string)'",
		"undeclared reference to 'myselfType1'":                                             "undeclared reference to 'myselfType1'",
	}
	for message, want := range tests {
		expect.Equal(t, want, oneLine(message), "oneLine(%q)", message)
	}
}

func FuzzOneLine(f *testing.F) {
	f.Add("compilation failed: ERROR: <input>:1:6: undefined field 'x'\n | self.x\n | .....^")
	f.Fuzz(func(t *testing.T, message string) {
		got := oneLine(message)
		expect.True(t, !strings.Contains(got, "\n"), "oneLine(%q) = %q", message, got)
	})
}
