package fixes

import (
	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/source/apitypes"
)

// Markers corrects misspelt markers. It returns the edited files, or none if a diagnostic is an error.
func Markers(root string, corrections []apitypes.Correction) (*artifact.Set, diag.List, error) {
	e := newEditor(root)
	for _, c := range corrections {
		f := e.open(c.Pos.File)
		if f == nil {
			continue
		}
		if !f.Replace(c.Pos.Line, c.Pos.Column, c.Old, c.New) {
			e.errorf(c.Reported, "the marker cannot be edited, since it is not at this place: remove the line directives of the file")
		}
	}
	return e.set()
}
