package goedit

import (
	"bytes"
	"slices"
	"testing"

	"github.com/mrgen-io/mrgen/generator/internal/textedit"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

func TestText(t *testing.T) {
	type edit struct {
		start, end int
		text       string
	}
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
		edited := NewText([]byte(text))
		for _, e := range test.edits {
			edited.replace(e.start, e.end, e.text)
		}
		got, err := edited.Bytes()
		expect.True(t, string(got) == test.want && (err == nil) == (test.want != ""), "%s: got %q (%v), want %q", test.name, got, err, test.want)
	}
}

// TestLines checks that lines keep the line breaks that they have, and what has none gets
// none.
func TestLines(t *testing.T) {
	const content = "one\r\n\ntwo\nthree\r"
	text := NewText([]byte(content))
	for n, want := range []string{"", "one", "", "two", "three", ""} {
		expect.Equal(t, want, text.Line(n), "line %d", n)
	}
	text.ReplaceLine(1, "1", "1.5")
	text.RemoveLine(2)
	text.ReplaceLine(4, "3")
	text.RemoveLine(5) // there is none
	for n, want := range []bool{false, true, true, false, true, false} {
		expect.Equal(t, want, text.isEdited(n), "that line %d is edited", n)
	}
	got, err := text.Bytes()
	expect.True(t, err == nil && string(got) == "1\r\n1.5\r\ntwo\n3\r", "got %q (%v)", got, err)
}

// FuzzText checks that bytes which no edit covers stay, in their order.
func FuzzText(f *testing.F) {
	f.Add([]byte("one two three"), []byte{0, 3, 4, 4}, "x")
	f.Add([]byte(""), []byte{0, 0}, "")
	f.Fuzz(func(t *testing.T, text, places []byte, replacement string) {
		var edits []textedit.Edit
		covered := make([]bool, len(text))
		overlap := false
		for place := range slices.Chunk(places, 2) {
			if len(place) < 2 || int(place[0]) > int(place[1]) || int(place[1]) > len(text) {
				return
			}
			edits = append(edits, textedit.Edit{Start: int(place[0]), End: int(place[1]), Text: replacement})
			for i := place[0]; i < place[1]; i++ {
				overlap = overlap || covered[i]
				covered[i] = true
			}
		}
		edited, err := (&Text{content: text, edits: edits}).Bytes()
		if err != nil {
			// An insertion inside of what is replaced overlaps it, too.
			expect.Must(t, overlap || slices.ContainsFunc(edits, func(e textedit.Edit) bool { return e.Start == e.End }), "%v", err)
			return
		}
		expect.Must(t, !overlap, "edits that overlap are made")
		size := len(text)
		for _, e := range edits {
			size += len(e.Text) - (e.End - e.Start)
		}
		expect.True(t, len(edited) == size, "%d bytes, want %d", len(edited), size)
		rest := edited
		for i, b := range text {
			if covered[i] {
				continue
			}
			at := bytes.IndexByte(rest, b)
			expect.Must(t, at >= 0, "%q becomes %q, without byte %d", text, edited, i)
			rest = rest[at+1:]
		}
	})
}
