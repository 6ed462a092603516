package goedit

import (
	"testing"

	"github.com/mrgen-io/mrgen/testdata/expect"
)

func TestAddOption(t *testing.T) {
	for _, test := range []struct{ tag, want string }{
		{"`json:\"a\"`", "`json:\"a,omitempty\"`"},
		{"`yaml:\"a\" json:\"a\" xml:\"a\"`", "`yaml:\"a\" json:\"a,omitempty\" xml:\"a\"`"},
		{"`json:\"a,string\"`", "`json:\"a,string,omitempty\"`"},
		{"`json:\"a,\"`", "`json:\"a,omitempty\"`"},
		{"`json:\"\"`", "`json:\",omitempty\"`"},
		{"`x:\"1\"\r json:\"a\"`", "`x:\"1\"\r json:\"a,omitempty\"`"},
		{"`x:\"1\"\tjson:\"a\"`", "`x:\"1\"\tjson:\"a\"`"}, // reflect takes no other space
		{`"json:\"a\""`, `"json:\"a,omitempty\""`},
		{`"é:\"x\" json:\"é\""`, `"é:\"x\" json:\"é,omitempty\""`},
		{"`json:\"a,omitempty\"`", "`json:\"a,omitempty\"`"},
		{"`yaml:\"a\"`", "`yaml:\"a\"`"},
		{"`json`", "`json`"},
		{"`json:\"a`", "`json:\"a`"},
		{"``", "``"},
		{`""`, `""`},
	} {
		const before, after = "package p\n\ntype T struct {\n\tA int ", "\n}\n"
		f := expect.Value(Parse("", "p.go", []byte(before+test.tag+after)))(t)
		f.Field(4, 2).AddOption("omitempty")
		got, err := f.Edited()
		expect.True(t, err == nil && string(got) == before+test.want+after, "%s: got %s (%v), want %s", test.tag, got, err, test.want)
	}
}
