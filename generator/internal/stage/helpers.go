package stage

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/source/modules"
	"github.com/mrgen-io/mrgen/generator/run"
)

// HelperCalls are the functions in a package of helpers that generated code calls.
type HelperCalls struct {
	Package *modules.OwnPackage
	// Functions are the names of the called functions, sorted.
	Functions []string
}

// A Helpers is the package of helpers as one API package sees it. It notes the functions that the API package calls, and
// is not safe for concurrent use.
type Helpers struct {
	of    *modules.OwnPackage
	names map[string]bool
}

// NewHelpers returns a package of helpers without calls.
func NewHelpers(of *modules.OwnPackage) *Helpers { return &Helpers{of: of, names: map[string]bool{}} }

// Import returns the package.
func (h *Helpers) Import() flavor.Import { return flavor.Import{Path: h.of.Path, Alias: h.of.Name} }

// Call notes a call of a function, and returns its name.
func (h *Helpers) Call(name string) string {
	h.names[name] = true
	return name
}

// Helpers returns the package of helpers for code that is generated into a package, in the same module.
func (p *Pass) Helpers(of *model.Package) *Helpers {
	home, module := ".", strings.TrimSuffix(of.Path, "/"+of.Dir)
	if program := p.Source.Program; program != nil {
		home = program.Scope.ModuleOf(of.Dir)
		module, _ = program.Module(home)
	}
	folder := cmp.Or(p.Options.Helpers, run.DefaultHelpers)
	own := &modules.OwnPackage{Path: path.Join(module, folder), Name: path.Base(folder), Dir: path.Join(home, folder)}
	helpers, _ := p.helpers.LoadOrStore(of.Dir, NewHelpers(own))
	return helpers.(*Helpers)
}

// HelperCalls returns the functions that the code of all packages calls, by the path of their package.
func (p *Pass) HelperCalls() []HelperCalls {
	byPath := map[string]HelperCalls{}
	for _, value := range p.helpers.Range {
		h := value.(*Helpers)
		if len(h.names) == 0 { // the package was asked for, and not called
			continue
		}
		calls := byPath[h.of.Path]
		names := slices.AppendSeq(calls.Functions, maps.Keys(h.names))
		slices.Sort(names)
		byPath[h.of.Path] = HelperCalls{h.of, slices.Compact(names)}
	}
	return slices.SortedFunc(maps.Values(byPath), func(a, b HelperCalls) int { return cmp.Compare(a.Package.Path, b.Package.Path) })
}
