// Package cache remembers what a run made of its input, by content, so that the next
// run need not do again what can't have changed.
//
// The packages of a run are divided into units: what is written for the packages of
// one unit depends on them, and on what others that they name in markers declare, and
// on nothing else in the module, as far as their text tells. What a run has read beyond
// that concerns all units. Which packages make a unit depends on what all of them
// import, name in markers, and give as their API group. That structure, the settings
// of the run, the versions of modules and mrgen itself are one key, and what is in the
// packages of a unit is the key of the unit. Whether the declarations have changed that
// others may name is known when the packages with these have been loaded.
package cache

import (
	"iter"
	"maps"
	"path"
	"slices"

	"github.com/mrgen-io/mrgen/generator/internal/diag"
	"github.com/mrgen-io/mrgen/generator/internal/inputs"
	"github.com/mrgen-io/mrgen/generator/internal/load"
)

// A Record is what a run without errors left behind.
type Record struct {
	// Structure is the key of everything that concerns all units.
	Structure string
	// Units are by their name, the first of their folders.
	Units map[string]*Unit
	// Declared are keys of what packages may name of each other in markers, by folder.
	Declared map[string]string
	// Inputs are what was read that neither the structure nor the key of a unit covers,
	// such as packages of modules elsewhere.
	Inputs []inputs.Input
}

// A Unit is what a run made of some packages.
type Unit struct {
	// Key is that of the packages' content.
	Key string
	// Outputs are the hashes of the files that were written for them, by path.
	Outputs map[string]string
	// Warnings are those in the files of the packages.
	Warnings []diag.Diagnostic
}

// A Verdict is what must be done again.
type Verdict struct {
	// All is set if everything must, and Stale are the folders to run over else.
	All   bool
	Stale []string
	// Outputs are the files of the other units, all of them up to date, and Warnings
	// those of the other units.
	Outputs  []string
	Warnings diag.List
}

// Compare tells what has changed since a record was made. A nil record means that
// everything has. It reads the files that the record says were written.
func (t *Tree) Compare(r *Record) Verdict {
	if r == nil || r.Structure != t.Structure || len(r.Units) != len(t.units) {
		return Verdict{All: true}
	}
	written := map[string]string{}
	for _, u := range r.Units {
		maps.Copy(written, u.Outputs)
	}
	if !t.owns(written) {
		return Verdict{All: true}
	}
	if inputs.Changed(r.Inputs, t.layout.Hides) {
		return Verdict{All: true}
	}
	intact := t.intact(written)
	var v Verdict
	for _, name := range slices.Sorted(maps.Keys(t.units)) {
		u, old := t.units[name], r.Units[name]
		switch {
		case old == nil:
			return Verdict{All: true}
		case old.Key == u.key && intact(old.Outputs):
			v.Outputs = slices.AppendSeq(v.Outputs, maps.Keys(old.Outputs))
			v.Warnings = append(v.Warnings, old.Warnings...)
		case len(u.folders) == 0:
			return Verdict{All: true} // what belongs to no package
		default:
			v.Stale = append(v.Stale, u.folders...)
		}
	}
	slices.Sort(v.Outputs)
	return v
}

// Confirms reports whether packages that were loaded again declare what they did when
// a record was made, so that others need not be looked at.
func (r *Record) Confirms(declared map[string]string) bool {
	for folder, key := range declared {
		if r.Declared[folder] != key {
			return false
		}
	}
	return true
}

// A Run is what a run has made.
type Run struct {
	// Files are those that it would have on disk.
	Files iter.Seq2[string, []byte]
	// Warnings are all that it has to say.
	Warnings diag.List
	// Declared are as in [Record].
	Declared map[string]string
	// Dependencies are the packages that it has read.
	Dependencies load.Dependencies
}

// Record returns the record of a run: what is new is the run's, and the rest is that of
// the units that it left out. It returns nil if a file or a warning belongs to no unit
// of the run, or something that was read has changed since the run began.
func (t *Tree) Record(last *Record, v Verdict, run Run) *Record {
	if !t.log.Settled() {
		return nil
	}
	r := &Record{Structure: t.Structure, Units: map[string]*Unit{}, Declared: map[string]string{}}
	read := t.otherInputs(run.Dependencies)
	if !v.All {
		maps.Copy(r.Declared, last.Declared)
		read = append(read, last.Inputs...)
	}
	var ok bool
	if r.Inputs, ok = inputs.Merge(read); !ok {
		return nil
	}
	maps.Copy(r.Declared, run.Declared)
	for name, u := range t.units {
		if !v.All && !slices.ContainsFunc(u.folders, func(folder string) bool { return slices.Contains(v.Stale, folder) }) {
			r.Units[name] = last.Units[name]
			continue
		}
		r.Units[name] = &Unit{Key: u.key, Outputs: map[string]string{}}
	}
	keys := hashAll(run.Files)
	for file, content := range run.Files {
		unit := r.Units[t.unitOf(file, content)]
		if unit == nil {
			return nil
		}
		unit.Outputs[file] = keys[file]
	}
	for _, d := range run.Warnings {
		unit := r.Units[t.home[path.Dir(d.Pos.File)]]
		if unit == nil || d.Pos.File == "" || t.home[path.Dir(d.Pos.File)] == "" {
			return nil
		}
		unit.Warnings = append(unit.Warnings, d)
	}
	return r
}
