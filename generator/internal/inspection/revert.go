package inspection

import (
	"context"
	"os"
	"path/filepath"
	"slices"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/run"
)

// Revert undoes an applied plan: it restores the old content of files, and removes the files and folders that the plan created. A
// command that applies several plans calls it if a later one fails.
func Revert(p *artifact.Plan) diag.List {
	back := &artifact.Plan{Plan: run.Plan{Root: p.Root, Folders: p.Folders}}
	for _, c := range p.Changes {
		switch c.Action {
		case run.Create:
			back.Changes = append(back.Changes, run.Change{Path: c.Path, Action: run.Delete, Old: c.New})
		case run.Update:
			back.Changes = append(back.Changes, run.Change{Path: c.Path, Action: run.Update, Old: c.New, New: c.Old})
		case run.Delete:
			back.Changes = append(back.Changes, run.Change{Path: c.Path, Action: run.Create, New: c.Old})
		}
	}
	problems, err := back.Apply(context.Background())
	if err != nil {
		problems = append(problems, diag.Errorf(diag.Position{}, artifact.CodeWrite, "%v", err))
	}
	for _, folder := range slices.Backward(p.Created) {
		_ = os.Remove(filepath.Join(p.Root, folder)) // fails if another process uses it, and may
	}
	return problems
}
