package run

import "slices"

// An Action is the effect of a run on a file.
type Action string

const (
	// Create writes a file that does not exist.
	Create Action = "create"
	// Update replaces the content of a file.
	Update Action = "update"
	// Unchanged leaves a file as it is, because its content is right.
	Unchanged Action = "unchanged"
	// Delete removes a stale file: an earlier run wrote it, and this one doesn't.
	Delete Action = "delete"
)

// A Change is a file and its Action.
type Change struct {
	// Path is slash-separated and relative to the module root.
	Path   string
	Action Action
	// Old is the content on disk, nil if the file is created.
	Old []byte
	// New is the content that the file gets, nil if it is deleted.
	New []byte
	// Reason says why a stale file is deleted. It is empty for other changes.
	Reason string
}

// A Plan holds the effects of a run on the files of a module.
type Plan struct {
	// Root is the module root.
	Root string
	// Changes has an entry for each file, also for unchanged ones, sorted by path.
	Changes []Change
	// Folders are the output folders, sorted. The temporary files of killed runs are removed from them.
	Folders []string
}

// Changed returns the changes of files that differ from the disk. A nil plan has no changes.
func (p *Plan) Changed() []Change {
	if p == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(p.Changes), func(c Change) bool { return c.Action == Unchanged })
}
