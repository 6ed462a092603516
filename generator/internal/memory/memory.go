// Package memory detects whether anything has changed since the last run: the files that it read, the environment, or
// the files that it wrote. If so, the next run does everything again.
package memory

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/parallel"
	"github.com/mrgen-io/mrgen/generator/internal/source/modules"
	"github.com/mrgen-io/mrgen/generator/internal/source/readlog"
	"github.com/mrgen-io/mrgen/generator/run"
)

// A Record describes a run without errors.
type Record struct {
	// Inputs are the files and folders that the run read.
	Inputs []readlog.Input
	// Outputs are the hashes of the written files, by path, and Warnings are the warnings of the run.
	Outputs  map[string]string
	Warnings diag.List
}

// A Memory holds the record of the last run over a module with some options.
type Memory struct {
	store Store
	// name is the record's name in the store: the hash of everything that a run depends on besides files.
	name string
	// scope are the packages of the run, without copies for another scope, and folders are the output folders for
	// documents.
	scope   *modules.Scope
	folders []string
	log     *readlog.Log
	// last is the record, or nil.
	last *Record
}

// Open reads the record of the last run, with the log of the run that begins. It returns nil if nothing can be
// remembered: the options name no folder for records, or a run depends on something that the log can't record.
func Open(options run.Options, sc *modules.Scope, documentFolders []string, log *readlog.Log) *Memory {
	if options.CacheDir == "" || sc == nil || sc.Unlisted { // Unlisted: names would miss files that the run reads
		return nil
	}
	environment, goWork, ok := Environment(log)
	if !ok {
		return nil
	}
	readModules(log, goWork, sc.Root(), sc.Modules)
	m := &Memory{store: Store{Dir: options.CacheDir}, scope: sc, folders: documentFolders, log: log}
	options.Dir, options.CacheDir = sc.Root(), ""
	asked, _ := json.Marshal(options) // only texts, numbers and positions
	// Each set of options has a record of its own, so that two commands in a module don't overwrite each other's.
	m.name = readlog.Hash(append(asked, environment...))
	if last := (&Record{}); m.store.LoadInto(m.name, last) {
		m.last = last
	}
	return m
}

// IsCurrent reports whether nothing has changed since the last run.
func (m *Memory) IsCurrent() bool {
	// Cheap comparisons come first; reading all inputs and outputs comes last.
	if m == nil || m.last == nil {
		return false
	}
	return m.wroteAll() && !readlog.Changed(m.last.Inputs, m.log.Hides) && m.unmodified()
}

// Outputs returns the files of the last run, by path, each with the hash of its content.
func (m *Memory) Outputs() map[string]string { return m.last.Outputs }

// Warnings returns the warnings of the last run.
func (m *Memory) Warnings() diag.List { return slices.Clone(m.last.Warnings) }

// State identifies the input and the output of the last run, which may be the one that [Memory.Record] has recorded. It
// is empty without a record.
func (m *Memory) State() string {
	if m == nil || m.last == nil {
		return ""
	}
	record, _ := json.Marshal(m.last) // texts and positions
	return readlog.Hash(append(record, m.name...))
}

// Recall reads the value that was kept under a name. It returns false if no value was kept.
func (m *Memory) Recall(name string, value any) bool {
	return m != nil && m.store.LoadInto(name, value)
}

// Keep keeps a value under a name.
func (m *Memory) Keep(name string, value any) {
	if m != nil {
		m.store.Save(value, name)
	}
}

// Record makes the record of a run without errors, from its files and its warnings. It returns a function that writes
// the record. Call it before the files are written: these change the folders that were read.
func (m *Memory) Record(files map[string][]byte, warnings diag.List) (remember func()) {
	switch {
	case m == nil:
		return func() {}
	case !m.log.IsReliable(): // an input has changed since the run began
		m.last = nil
		return func() { m.store.Remove(m.name) }
	}
	record := &Record{Inputs: m.log.Inputs(), Outputs: map[string]string{}, Warnings: warnings}
	names := slices.Collect(maps.Keys(files))
	hashes := make([]string, len(names))
	parallel.Do(len(names), func(i int) { hashes[i] = readlog.Hash(files[names[i]]) })
	for i, name := range names {
		record.Outputs[name] = hashes[i]
	}
	m.last = record
	return func() { m.store.Save(record, m.name) }
}
