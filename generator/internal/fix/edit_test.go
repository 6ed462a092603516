package fix

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestApply(t *testing.T) {
	const text = "one two three"
	for _, test := range []struct {
		name  string
		edits []edit
		want  string
	}{
		{"none", nil, text},
		{"insertions at one place keep their order", []edit{{3, 3, ","}, {3, 3, ";"}}, "one,; two three"},
		{"edits may be listed in any order", []edit{{8, 13, "3"}, {0, 3, "1"}}, "1 two 3"},
		{"an insertion comes before what is replaced there", []edit{{4, 7, "2"}, {4, 4, "("}}, "one (2 three"},
		{"neighbours", []edit{{0, 4, ""}, {4, 8, ""}}, "three"},
		{"at the ends", []edit{{13, 13, "."}, {0, 0, ">"}}, ">one two three."},
		{"overlap", []edit{{0, 5, ""}, {4, 8, ""}}, ""},
		{"outside", []edit{{13, 14, ""}}, ""},
		{"backwards", []edit{{3, 2, ""}}, ""},
	} {
		got, err := apply([]byte(text), test.edits)
		if string(got) != test.want || (err == nil) != (test.want != "") {
			t.Errorf("%s: got %q (%v), want %q", test.name, got, err, test.want)
		}
	}
}

// FuzzApply checks that bytes which no edit covers stay, in their order.
func FuzzApply(f *testing.F) {
	f.Add([]byte("one two three"), []byte{0, 3, 4, 4}, "x")
	f.Add([]byte(""), []byte{0, 0}, "")
	f.Fuzz(func(t *testing.T, text, places []byte, replacement string) {
		var edits []edit
		covered := make([]bool, len(text))
		overlap := false
		for place := range slices.Chunk(places, 2) {
			if len(place) < 2 || int(place[0]) > int(place[1]) || int(place[1]) > len(text) {
				return
			}
			edits = append(edits, edit{int(place[0]), int(place[1]), replacement})
			for i := place[0]; i < place[1]; i++ {
				overlap = overlap || covered[i]
				covered[i] = true
			}
		}
		edited, err := apply(text, edits)
		if err != nil {
			// An insertion inside of what is replaced overlaps it, too.
			if !overlap && !slices.ContainsFunc(edits, func(e edit) bool { return e.start == e.end }) {
				t.Fatal(err)
			}
			return
		}
		if overlap {
			t.Fatal("edits that overlap are made")
		}
		size := len(text)
		for _, e := range edits {
			size += len(e.text) - (e.end - e.start)
		}
		if len(edited) != size {
			t.Errorf("%d bytes, want %d", len(edited), size)
		}
		rest := edited
		for i, b := range text {
			if covered[i] {
				continue
			}
			at := bytes.IndexByte(rest, b)
			if at < 0 {
				t.Fatalf("%q becomes %q, without byte %d", text, edited, i)
			}
			rest = rest[at+1:]
		}
	})
}

// FuzzFile adds a comment before and a field after each field of any source, and
// omitempty to each tag: the source still parses, and has all that it had.
func FuzzFile(f *testing.F) {
	for _, source := range []string{
		"package p\n\ntype T struct {\n\tA int `json:\"a\"` // c\n\tB, C string\n}\n",
		"package p\r\n\r\ntype T struct {\r\n\tA int `json:\"a\"`\r\n}\r\n",
		"package p;type T struct{A struct{B int/* c\n*/};C int\"json:\\\"c\\\"\"}",
		"\ufeffpackage p\n\nvar v = struct{ A int }{1}\n\nfunc f(s struct{ A int }) { type t struct{ B []struct{ C int } } }\n",
		"package p\ntype T struct {\n//line a.go:7\nA int\n}",
		"package p\ntype T struct {\n\tA int `a:\"b\"\r\n json:\"a,b\"`\n}",
	} {
		f.Add(source)
	}
	f.Fuzz(func(t *testing.T, source string) {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "p.go"), []byte(source), 0o600); err != nil {
			t.Fatal(err)
		}
		parsed, err := openFile(dir, "p.go")
		if err != nil {
			return
		}
		seen := map[*field]bool{}
		for _, d := range parsed.fields {
			if !seen[d] {
				seen[d] = true
				d.insertBefore("// Y is new.")
				d.addOption("omitempty")
				d.insertAfter([][]string{{"// X is new.", fmt.Sprintf("X%d int", len(seen))}})
			}
		}
		edited, err := parsed.edited()
		if err != nil {
			t.Fatalf("%v:\n%q", err, source)
		}
		if n := strings.Count(string(edited), "// X is new.") - strings.Count(source, "// X is new."); n != len(seen) {
			t.Errorf("%d fields are added, want %d", n, len(seen))
		}
		rest := strings.Join(strings.Fields(string(edited)), "")
		for _, r := range strings.Join(strings.Fields(source), "") {
			at := strings.IndexRune(rest, r)
			if at < 0 {
				t.Fatalf("%q has lost %q:\n%q", source, r, edited)
			}
			rest = rest[at+1:]
		}
	})
}
