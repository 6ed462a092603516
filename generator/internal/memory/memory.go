// Package memory remembers what a run made of its input, by content, so that the next
// run need not do again what can't have changed.
//
// The packages of a run are divided into units: as far as their text says, what is
// written for the packages of a unit depends on these, on what is declared in packages
// that their markers name, and on nothing else in the module. Anything else that a run
// reads concerns all units. What packages import, name in markers, and give as their API
// group decides on the division into units. That structure, the settings of the run, the
// versions of modules, and mrgen itself make one key. The source in the packages of a unit
// is the key of the unit. Whether declarations have changed that markers elsewhere name
// is known once their packages have been loaded.
package memory

import (
	"maps"
	"path"
	"slices"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/importgraph"
	"github.com/mrgen-io/mrgen/generator/internal/parallel"
	"github.com/mrgen-io/mrgen/generator/internal/source/load"
	"github.com/mrgen-io/mrgen/generator/internal/source/readlog"
)

// A Record is what is remembered of a run without errors.
type Record struct {
	// Structure is the key of all that concerns every unit.
	Structure string
	// Units are by name, which is the first of their folders.
	Units map[string]*Unit
	// Declared are hashes of what the output for other packages may depend on, by folder.
	Declared map[string]string
	// Cyclic are the packages that import each other, with the references between them.
	Cyclic importgraph.Cyclic
	// Needed are the packages of other modules that the run needed besides those that its packages
	// import. They are only a hint for the next run.
	Needed []string
	// Inputs are those that neither the structure nor the key of a unit covers, such as
	// packages in folders that replace modules. Their paths are relative to the root.
	Inputs []readlog.Input
}

// A Unit is what a run made of some packages.
type Unit struct {
	// Key is the hash of the packages' source.
	Key string
	// Outputs are the hashes of the files that were written for them, by path.
	Outputs map[string]string
	// Warnings are those in the files of the packages.
	Warnings []diag.Diagnostic
}

// Changes are what has changed since a record was made.
type Changes struct {
	// All is set if everything has to be done again. Otherwise Stale are the folders to
	// run over.
	All   bool
	Stale []string
	// Outputs are the files of the other units, which are up to date, and Warnings those
	// in their packages.
	Outputs  []string
	Warnings diag.List
}

// Compare returns what has changed since a record was made: everything, if it is nil. It
// reads the files that the record says were written.
func (t *Tree) Compare(r *Record) Changes {
	if r == nil || r.Structure != t.Structure { // which has the same units
		return Changes{All: true}
	}
	written := map[string]string{}
	for _, u := range r.Units {
		maps.Copy(written, u.Outputs)
	}
	if !t.wroteAll(written) {
		return Changes{All: true}
	}
	places := portable(t.scope.Root())
	read := make([]readlog.Input, len(r.Inputs))
	for i, in := range r.Inputs {
		read[i] = places.here(in)
	}
	if readlog.Changed(read, t.hides) {
		return Changes{All: true}
	}
	unmodified := t.unmodified(written)
	var c Changes
	for _, name := range slices.Sorted(maps.Keys(t.units)) {
		u, old := t.units[name], r.Units[name]
		switch {
		case old.Key == u.key && unmodified(old.Outputs):
			c.Outputs = slices.AppendSeq(c.Outputs, maps.Keys(old.Outputs))
			c.Warnings = append(c.Warnings, old.Warnings...)
		case len(u.folders) == 0:
			return Changes{All: true} // the files that belong to no package
		default:
			c.Stale = append(c.Stale, u.folders...)
		}
	}
	slices.Sort(c.Outputs)
	c.Outputs = slices.Compact(c.Outputs) // several units may need a file
	return c
}

// Confirms reports whether packages that were loaded again declare the same as when the
// record was made, so that packages which name them in markers are up to date, and import the same,
// so that cycles are where they were.
func (r *Record) Confirms(declared map[string]string) bool {
	for folder, key := range declared {
		if r.Declared[folder] != key {
			return false
		}
	}
	return true
}

// A Run is the result of a run without errors.
type Run struct {
	// Files are those to have on disk, by path.
	Files map[string][]byte
	// Shared are the folders of the packages that need a file which several may need.
	Shared map[string][]string
	// Warnings are all of the run.
	Warnings diag.List
	// Declared and Cyclic are as in [Record]. A run that leaves out units doesn't know Cyclic.
	Declared map[string]string
	Cyclic   importgraph.Cyclic
	// Dependencies are the packages that were read, and Needed is as in [Record].
	Dependencies load.Dependencies
	Needed       []string
}

// Record returns the record of a run. Units that the run left out keep what the last
// record has of them. It returns nil if a file or a warning belongs to no unit of the run,
// or if something that was read has changed since the run began.
func (t *Tree) Record(last *Record, c Changes, run Run) *Record {
	if !t.log.IsReliable() {
		return nil
	}
	r := &Record{Structure: t.Structure, Units: map[string]*Unit{}, Declared: map[string]string{}, Cyclic: run.Cyclic, Needed: run.Needed}
	read, places := t.otherInputs(run.Dependencies), portable(t.scope.Root())
	for i := range read {
		read[i] = places.input(read[i])
	}
	if !c.All {
		maps.Copy(r.Declared, last.Declared)
		r.Cyclic = last.Cyclic
		read = append(read, last.Inputs...)
	}
	var ok bool
	if r.Inputs, ok = readlog.Merge(read); !ok {
		return nil
	}
	maps.Copy(r.Declared, run.Declared)
	for name, u := range t.units {
		if !c.All && !slices.ContainsFunc(u.folders, func(folder string) bool { return slices.Contains(c.Stale, folder) }) {
			r.Units[name] = last.Units[name]
			continue
		}
		r.Units[name] = &Unit{Key: u.key, Outputs: map[string]string{}}
	}
	files := slices.Collect(maps.Keys(run.Files))
	hashes := make([]string, len(files))
	parallel.Do(len(files), func(i int) { hashes[i] = readlog.Hash(run.Files[files[i]]) })
	for i, file := range files {
		names := []string{t.unitOf(file, run.Files[file])}
		if folders := run.Shared[file]; folders != nil {
			names = nil
			for _, folder := range folders {
				names = append(names, t.unitNames[folder])
			}
		}
		for _, name := range names {
			unit := r.Units[name]
			if unit == nil {
				return nil
			}
			unit.Outputs[file] = hashes[i]
		}
	}
	for _, d := range run.Warnings {
		name := t.unitNames[path.Dir(d.Pos.File)]
		unit := r.Units[name]
		if unit == nil || d.Pos.File == "" || name == "" {
			return nil
		}
		// A warning about a copy is at its source, which the run may have left out.
		if !slices.Contains(unit.Warnings, d) {
			unit.Warnings = append(unit.Warnings, d)
		}
	}
	return r
}
