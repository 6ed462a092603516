// Package incremental drives the engine. It compares the input of a run with that of an earlier
// one, evaluates only what has changed, and evaluates large providers in batches.
package incremental

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/engine"
	"github.com/mrgen-io/mrgen/generator/internal/memory"
	"github.com/mrgen-io/mrgen/generator/internal/pipeline"
	"github.com/mrgen-io/mrgen/generator/internal/source/modules"
	"github.com/mrgen-io/mrgen/generator/internal/source/readlog"
	"github.com/mrgen-io/mrgen/generator/run"
)

// A Memory has the record of an earlier run, if there is one.
type Memory struct {
	// Root is the folder of the module, and Settings are the resolved options.
	Root     string
	Settings pipeline.Options

	engine  engine.Engine
	options run.Options
	// diags say what is wrong with the options and with what is copied, and scope is nil if that
	// leaves no packages to look at.
	diags diag.List
	scope *modules.Scope
	store memory.Store
	// key identifies records of runs with these options in this checkout, and shared those of any
	// checkout. last is the record, or nil.
	key, shared string
	last        *memory.Record
	// records is set if runs may be recorded, and log logs what the run reads then.
	records bool
	log     *readlog.Log
	// tree is the input of the run, or nil if that can't be read.
	tree    *memory.Tree
	changes memory.Changes
}

// Open resolves the options of a run. It compares the input with that of the last run, if the options
// have a folder for records. If there are errors in the options or the source, everything is left to do.
func Open(ctx context.Context, e engine.Engine, options run.Options) *Memory {
	m := &Memory{engine: e, options: options, store: memory.Store{Dir: options.CacheDir}, changes: memory.Changes{All: true}}
	if m.Root, m.diags = modules.FindRoot(options.Dir); m.diags.HasErrors() {
		return m
	}
	m.Settings, m.diags = e.Settings(m.Root, options)
	var log *readlog.Log
	isWatched := !slices.ContainsFunc(options.Packages, isUnwatched)
	if options.CacheDir != "" && isWatched {
		log = readlog.NewLog(func(file string) bool {
			return m.scope != nil && m.scope.Hides(file) || engine.IsConversions(m.Root, file)
		})
	}
	copies, problems := m.makeCopies(log)
	m.diags = append(m.diags, problems...)
	if !problems.HasErrors() {
		m.scope, problems = modules.New(e.ScopeOptions(m.Root, options, m.Settings.Registry, copies))
		m.diags = append(m.diags, problems...)
	}
	if m.diags.HasErrors() || !isWatched || m.scope.FollowsLinks { // a wildcard doesn't
		return m
	}
	key := m.identify(log)
	tree, err := memory.NewTree(ctx, log, m.scope, key, m.Settings.OutputFolders())
	if err != nil {
		m.records = false
		return m
	}
	m.log, m.tree = log, tree
	if m.records {
		m.changes = tree.Compare(m.last)
	}
	return m
}

// identify finds the record of an earlier run. It returns what a record depends on besides the
// source: the options, and the environment.
func (m *Memory) identify(log *readlog.Log) string {
	if m.options.CacheDir == "" {
		return ""
	}
	options := m.options
	options.Dir, options.CacheDir = fmt.Sprint(m.scope.Modules), ""
	asked, _ := json.Marshal(options) // texts, numbers and positions
	key, ok := memory.Environment(log, m.scope)
	if !ok {
		return ""
	}
	// Each set of options has a record of its own, so that two commands in a module don't
	// overwrite each other's, and so has each checkout. A checkout that is new begins with what
	// another one has.
	m.records, m.shared = true, readlog.Hash(asked)
	m.key = readlog.Hash([]byte(m.shared + m.Root))
	if m.last = m.store.Load(m.key); m.last == nil {
		m.last = m.store.Load(m.shared)
	}
	key += m.shared
	key += m.engine.ClientsKey(m.Root, options, log)
	if options.HeaderFile != "" {
		_, hash, _ := log.ReadFile(engine.HeaderFile(m.Root, options)) // the run reads it again
		key += hash
	}
	return key
}

// copied are files that are made of others, as they are saved.
type copied struct {
	Fingerprint string
	Files       map[string]*modules.Copy
	Diags       diag.List
}

// makeCopies returns the files that are made of others: those of the last run, if what they are
// made of is the same.
func (m *Memory) makeCopies(log *readlog.Log) (map[string]*modules.Copy, diag.List) {
	program, ok := "", m.options.CacheDir != "" && len(m.options.Scopes) > 0
	if ok {
		program, ok = memory.Program()
	}
	if !ok {
		return m.engine.Copies(m.Root, m.options, log)
	}
	settings, _ := json.Marshal(m.options.Scopes) // texts and positions
	key := readlog.Hash(fmt.Append(nil, "copies", m.Root, string(settings)))
	fingerprint := m.engine.CopiesFingerprint(m.Root, m.options, log) + program
	var last copied
	if m.store.LoadInto(key, &last) && last.Fingerprint == fingerprint {
		return last.Files, last.Diags
	}
	files, diags := m.engine.Copies(m.Root, m.options, log)
	if !diags.HasErrors() {
		m.store.Save(copied{fingerprint, files, diags}, key)
	}
	return files, diags
}

// isUnwatched reports whether a pattern names folders that no wildcard covers, where changes go
// unnoticed.
func isUnwatched(pattern string) bool {
	return filepath.IsAbs(pattern) || slices.ContainsFunc(strings.Split(filepath.ToSlash(pattern), "/"), func(name string) bool {
		return strings.Trim(name, ".") != "" && modules.IsIgnored(name)
	})
}

// IsUpToDate reports whether nothing has changed since the last run.
func (m *Memory) IsUpToDate() bool { return !m.changes.All && len(m.changes.Stale) == 0 }

// Stale returns the folders of the packages that have changed. All is set if everything must be
// evaluated.
func (m *Memory) Stale() (all bool, folders []string) { return m.changes.All, m.changes.Stale }

// EvaluateAll has [Memory.Evaluate] evaluate all packages, whatever has changed.
func (m *Memory) EvaluateAll() { m.changes = memory.Changes{All: true} }

// State identifies the input and the output of the last run, which [Memory.Record] may have made
// the last one. It is empty if there is no record.
func (m *Memory) State() string {
	if m.last == nil {
		return ""
	}
	record, _ := json.Marshal(m.last) // texts and positions
	return readlog.Hash(record)
}

// Recall reads what was kept under a name. It returns false if there is nothing.
func (m *Memory) Recall(name string, value any) bool {
	return m.records && m.store.LoadInto(name, value)
}

// Keep keeps a value under a name.
func (m *Memory) Keep(name string, value any) {
	if m.records {
		m.store.Save(value, name)
	}
}

// Warnings returns the recorded warnings of the packages that the run skips.
func (m *Memory) Warnings() diag.List { return slices.Clone(m.changes.Warnings) }

// UpToDate returns the files that the run skips, since they are up to date.
func (m *Memory) UpToDate() []string { return slices.Clone(m.changes.Outputs) }

// Evaluate runs the stages on the packages that have changed. If they have errors, it evaluates
// all packages at once, so that diagnostics depend neither on earlier runs nor on batches.
func (m *Memory) Evaluate(ctx context.Context) (engine.Run, diag.List, error) {
	if !m.changes.All && m.leavesCycles() {
		m.EvaluateAll()
	}
	if !m.changes.All {
		r, diags, err := m.evaluate(ctx, m.tree.Batches(m.changes.Stale, BatchSize), m.last.Cyclic)
		if err != nil || !diags.HasErrors() && m.last.Confirms(r.Output.Declared) {
			return r, diags, err
		}
		m.EvaluateAll()
	}
	if batches := m.Batches(); len(batches) > 1 {
		cyclic := m.tree.Cyclic()
		r, diags, err := m.evaluate(ctx, batches, cyclic)
		if err == nil && !diags.HasErrors() && !r.Output.Imports.Agrees(cyclic) {
			// Which packages import each other is only certain now.
			cyclic = r.Output.Imports.Cyclic()
			r, diags, err = m.evaluate(ctx, batches, cyclic)
		}
		if err != nil || !diags.HasErrors() && r.Output.Imports.Agrees(cyclic) {
			return r, diags, err
		}
	}
	return m.evaluate(ctx, [][]string{nil}, nil)
}

// leavesCycles reports whether no part of the packages can be worked on alone: of what packages outside the run
// refer to, which may close a cycle, nothing is remembered.
func (m *Memory) leavesCycles() bool {
	return m.Settings.Registry != nil && !m.tree.CoversCycles()
}

// expected returns the packages that the run is expected to need besides: what their text says, and what
// the last run needed.
func (m *Memory) expected() []string {
	folders := m.changes.Stale
	if m.changes.All {
		folders = m.tree.Covered()
	}
	needed := m.tree.Needed(folders)
	if m.last != nil {
		needed = append(needed, m.last.Needed...)
	}
	return needed
}

// Record makes the record of a run without errors, and of its warnings, and returns a function
// that writes it. It must be called before the files of the run are written, since these change
// the folders that were read.
func (m *Memory) Record(r engine.Run, warnings diag.List) (remember func()) {
	if !m.records {
		return func() {}
	}
	made := memory.Run{Files: maps.Collect(r.Output.Artifacts.Files()), Shared: r.Output.Shared, Warnings: warnings, Declared: r.Output.Declared, Cyclic: r.Output.Imports.Cyclic(), Dependencies: r.Read, Needed: r.Needed}
	record := m.tree.Record(m.last, m.changes, made)
	m.last = record
	if record == nil {
		return func() { m.store.Remove(m.key, m.shared) }
	}
	return func() { m.store.Save(record, m.key, m.shared) }
}
