package main

import (
	"go/format"
	"os"
	"path/filepath"
	"testing"
)

// TestSlips has the Go parser read a file with each slip: it is another file, and Go.
func TestSlips(t *testing.T) {
	dir := t.TempDir()
	content := "package p\n\nvar names = []string{\"a\", \"b\"}\n\nfunc f(n int, is bool) int {\n\tif n > 0 && !is {\n\t\tn += 1\n\t}\n\tswitch {\n\tcase n == 2:\n\t\treturn 0\n\t}\n" +
		"\tfor n < 9 {\n\t\tn++\n\t\tbreak\n\t}\n\treturn n\n}\n"
	if err := os.WriteFile(filepath.Join(dir, "p.go"), []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	slips, err := slipsIn(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(slips) < 18 {
		t.Errorf("there are %d slips", len(slips))
	}
	for _, s := range slips {
		edited := string(s.content[:s.begin]) + s.text + string(s.content[s.end:])
		if edited == content {
			t.Errorf("%s changes nothing", s.description)
		}
		if _, err := format.Source([]byte(edited)); err != nil {
			t.Errorf("%s: %v", s.description, err)
		}
	}
}

// TestIsUnlikely judges samples by the tails of binomial distributions.
func TestIsUnlikely(t *testing.T) {
	for _, test := range []struct {
		share    share
		sample   result
		packages int
		unlikely bool
	}{
		{share{noticed: 27, tried: 30}, result{40, 40}, 1, false},
		{share{noticed: 27, tried: 30}, result{32, 40}, 1, false},
		{share{noticed: 27, tried: 30}, result{27, 40}, 1, true},
		{share{noticed: 30, tried: 30}, result{9, 10}, 1, false},
		{share{noticed: 30, tried: 30}, result{6, 10}, 1, true},
		{share{noticed: 27, tried: 30}, result{0, 0}, 1, false},
		{share{}, result{0, 10}, 1, false},
		{share{noticed: 25, tried: 30}, result{2, 6}, 1, true},
		{share{noticed: 25, tried: 30}, result{2, 6}, 7, false},
		{share{noticed: 25, tried: 30}, result{1, 6}, 7, true},
	} {
		if got := test.share.isUnlikely(test.sample, test.packages); got != test.unlikely {
			t.Errorf("%v after %v, in one of %d packages, is unlikely: %t", test.sample, test.share, test.packages, got)
		}
	}
}
