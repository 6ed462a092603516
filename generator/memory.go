package generator

import (
	"context"
	"encoding/json"
	"iter"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/cache"
	"github.com/mrgen-io/mrgen/generator/internal/diag"
	"github.com/mrgen-io/mrgen/generator/internal/inputs"
	"github.com/mrgen-io/mrgen/generator/internal/load"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/pipeline"
)

// memory is what a run knows of earlier ones, if anything.
type memory struct {
	options  Options
	root     string
	settings pipeline.Options
	store    cache.Store
	// key is that of the record of such runs, and last that record, or nil.
	key  string
	last *cache.Record
	// log has what the run reads, and list lists its packages, if anything may be
	// remembered.
	log  *inputs.Log
	list lister
	// tree is the input of the run, or nil if nothing is remembered.
	tree    *cache.Tree
	verdict cache.Verdict
}

// openMemory compares the input of a run with that of the last one. Whatever is wrong
// with the options or the source is for the run to report: then all is to be done.
func openMemory(ctx context.Context, options Options) *memory {
	m := &memory{options: options, store: cache.Store{Dir: options.CacheDir}, verdict: cache.Verdict{All: true}}
	if options.CacheDir == "" || slices.ContainsFunc(options.Packages, isUnwatched) {
		return m
	}
	root, diags := load.FindRoot(options.Dir)
	if diags.HasErrors() {
		return m
	}
	settings, diags := pipelineOptions(root, options)
	if diags.HasErrors() {
		return m
	}
	selected := loadOptions(root, options, settings.Registry)
	layout, diags := load.NewLayout(selected)
	if diags.HasErrors() {
		return m
	}
	if layout.FollowsLinks() {
		return m // a wildcard doesn't
	}
	options.Dir, options.CacheDir, options.KeepSchemas = root, "", false
	asked, err := json.Marshal(options)
	if err != nil {
		return m
	}
	// One record for all that is asked in the same way, so that two commands in a
	// module don't forget each other's.
	m.key = inputs.Hash(asked)
	m.last = m.store.Load(m.key)
	log := inputs.NewLog(layout.Hides)
	key, ok := cache.Environment(log, root, slices.Sorted(maps.Keys(layout.Modules)))
	if !ok {
		return m
	}
	key += m.key
	if options.HeaderFile != "" {
		_, hash, _ := log.ReadFile(headerFile(root, options)) // the run reads it again
		key += hash
	}
	tree, err := cache.NewTree(ctx, log, root, layout, key, outputFolders(settings))
	if err != nil {
		return m
	}
	selected.Inputs = log
	m.list = sync.OnceValues(func() (*load.Listing, diag.List) { return load.List(ctx, selected) })
	m.root, m.settings, m.log, m.tree = root, settings, log, tree
	m.verdict = tree.Compare(m.last)
	return m
}

// isUnwatched reports whether a pattern names folders that no wildcard covers, which
// changes are not looked for in.
func isUnwatched(pattern string) bool {
	return filepath.IsAbs(pattern) || slices.ContainsFunc(strings.Split(filepath.ToSlash(pattern), "/"), func(name string) bool {
		return strings.Trim(name, ".") != "" && load.IsIgnored(name)
	})
}

// remembersAll reports whether nothing has changed since the last run.
func (m *memory) remembersAll() bool { return !m.verdict.All && len(m.verdict.Stale) == 0 }

// recall returns the result of a run that has nothing to do.
func (m *memory) recall() Result {
	diags := append(slices.Clone(m.verdict.Warnings), checkPackage(m.root, m.settings, m.verdict.Outputs)...)
	return Result{Diagnostics: diags.Sorted(), plan: &artifact.Plan{Root: m.root}}
}

// evaluate runs the stages on the packages for which there is something to do. If
// anything is wrong with them, all packages of the run are looked at, so that what is
// reported does not depend on earlier runs.
func (m *memory) evaluate(ctx context.Context) (run, diag.List, error) {
	if !m.verdict.All && m.tree.Size() <= batchSize {
		// To load part of a small provider takes longer than all of it: what markers name
		// in other packages is listed by the go command in a second call.
		m.verdict = cache.Verdict{All: true}
	}
	if !m.verdict.All {
		options := m.options
		options.Packages = nil
		for _, dir := range m.verdict.Stale {
			options.Packages = append(options.Packages, "./"+path.Clean(dir))
		}
		r, diags, err := evaluateSelected(ctx, options, selection{part: true, inputs: m.log})
		if err != nil || !diags.HasErrors() && m.last.Confirms(r.declared) {
			return r, diags, err
		}
		m.verdict = cache.Verdict{All: true}
	}
	if batches := m.batches(); len(batches) > 1 {
		if r, diags, err := m.evaluateBatches(ctx, batches); err != nil || !diags.HasErrors() {
			return r, diags, err
		}
		m.list = nil // what was loaded in batches is not as it was listed
	}
	return evaluateSelected(ctx, m.options, selection{inputs: m.log, list: m.list})
}

// current are the files that the run leaves out since they are up to date.
func (m *memory) current() map[string]bool {
	current := map[string]bool{}
	for _, file := range m.verdict.Outputs {
		current[file] = true
	}
	return current
}

// record remembers a run without errors.
func (m *memory) record(r run, warnings diag.List) {
	if m.tree == nil {
		return
	}
	made := cache.Run{Files: r.output.Artifacts.Files(), Warnings: warnings, Declared: r.declared, Dependencies: r.read}
	if record := m.tree.Record(m.last, m.verdict, made); record != nil {
		m.store.Save(m.key, record)
	} else {
		m.store.Remove(m.key)
	}
}

// declared returns keys of what the packages of a model declare that others may name
// in markers, by folder.
func declared(m *model.Model) map[string]string {
	keys := map[string]string{}
	for _, p := range m.Packages {
		keys[p.Dir] = inputs.Hash([]byte(p.Declarations()))
	}
	return keys
}

// keys returns the keys of a sequence.
func keys[K, V any](pairs iter.Seq2[K, V]) iter.Seq[K] {
	return func(yield func(K) bool) {
		for key := range pairs {
			if !yield(key) {
				return
			}
		}
	}
}
