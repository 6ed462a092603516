package fix

import (
	"bytes"

	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/diag"
	"github.com/mrgen-io/mrgen/generator/internal/load"
)

// Markers puts misspelt markers of the module with that root right. It returns the
// edited files, none if a diagnostic is an error.
func Markers(root string, corrections []load.Correction) (*artifact.Set, diag.List, error) {
	e := newEditor(root)
	for _, c := range corrections {
		f := e.open(c.Pos.File)
		if f == nil {
			continue
		}
		if at, found := f.find(c); found {
			f.edits = append(f.edits, edit{start: at, end: at + len(c.Old), text: c.New})
		} else {
			e.errorf(c.Reported, "the marker cannot be edited, since it is not at this place: remove the line directives of the file")
		}
	}
	return e.set()
}

// find returns where in the file the text of a marker is.
func (f *file) find(c load.Correction) (offset int, found bool) {
	if c.Pos.Line > f.tokens.LineCount() {
		return 0, false
	}
	at := f.offset(f.tokens.LineStart(c.Pos.Line)) + c.Pos.Column - 1
	return at, at <= len(f.content) && bytes.HasPrefix(f.content[at:], []byte(c.Old))
}
