package sdkconversion

import (
	"context"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/parallel"
	"github.com/mrgen-io/mrgen/generator/internal/provenance"
	"github.com/mrgen-io/mrgen/generator/internal/source/load"
	"github.com/mrgen-io/mrgen/generator/internal/source/modules"
	"github.com/mrgen-io/mrgen/generator/internal/source/readlog"
	"github.com/mrgen-io/mrgen/generator/internal/stagerunner"
	"github.com/mrgen-io/mrgen/markers"
)

// Settings say where conversions are declared.
type Settings struct {
	// Packages are the patterns of packages whose interfaces declare conversions. If it is empty, no package is searched.
	Packages []string
}

// Extension returns the extension that adds conversions to a run. If it is not nil, converted is called with them.
func Extension(settings Settings, converted func(Result)) stagerunner.Extension {
	return stagerunner.Extension{
		Settings: settings,
		Files:    []string{FileName},
		Finish: func(ctx context.Context, f *stagerunner.Finishing) (diag.List, error) {
			if diags := settings.explain(f); len(settings.Packages) == 0 || diags.HasErrors() {
				return diags, nil
			}
			result, diags, err := settings.add(ctx, f)
			if converted != nil {
				converted(result)
			}
			return diags, err
		},
	}
}

// explain says why the files of earlier runs are no longer written, for those that aren't. It reports files that packages
// still need.
func (s Settings) explain(f *stagerunner.Finishing) diag.List {
	covers := modules.Matcher(s.Packages)
	var leftOut []string
	for _, name := range f.Generated {
		switch dir := path.Dir(name); {
		case path.Base(name) != FileName:
		case !covers(dir):
			f.Reasons[name] = "convert.packages doesn't cover " + dir
			if len(s.Packages) == 0 { // the setting is gone as a whole
				continue
			}
			if clients, _ := clientsOf([]string{dir}, f.Root, f.Scope.Options.Copies, f.Log); len(clients) > 0 {
				leftOut = append(leftOut, dir)
			}
		default:
			f.Reasons[name] = "no interface in " + dir + " has the marker +" + markers.Convert
		}
	}
	switch n := len(leftOut); n {
	case 0:
		return nil
	case 1:
		return diag.List{diag.Errorf(diag.Position{File: s.Packages[0]}, stagerunner.CodeOption,
			"convert.packages leaves out %s, which has the marker +%s: add the folder, or remove the marker", leftOut[0], markers.Convert)}
	default:
		return diag.List{diag.Errorf(diag.Position{File: s.Packages[0]}, stagerunner.CodeOption,
			"convert.packages leaves out %d folders with the marker +%s, such as %s: add them", n, markers.Convert, leftOut[0])}
	}
}

// clientsOf returns the folders of packages that declare conversions, sorted. It looks into the folders that the
// patterns cover, and at copies for the other scope, without tests and generated files.
func clientsOf(patterns []string, root string, copies map[string]*modules.Copy, log *readlog.Log) ([]string, diag.List) {
	clients := map[string]bool{}
	var diags diag.List
	covers := modules.Matcher(patterns)
	seen := map[string]bool{}
	// A folder that wildcards ignore, such as testdata, counts if a pattern names it.
	for _, pattern := range patterns {
		modules.EachFolder(root, firstFolder(pattern), func(folder string, names []string) {
			if !covers(folder) || seen[folder] {
				return
			}
			seen[folder] = true
			for _, name := range names {
				if readlog.IsTest(name) || strings.HasPrefix(name, "zz_generated.") {
					continue
				}
				// The go command reports files that can't be read, if they matter.
				content, _, err := log.ReadFile(filepath.Join(root, filepath.FromSlash(folder), name))
				switch {
				case err == nil && artifact.Owned(content):
					diags = append(diags, artifact.Renamed(path.Join(folder, name)))
				case err == nil && Declares(content):
					clients[folder] = true
				}
			}
		})
	}
	for name, copied := range copies {
		if dir := path.Dir(name); covers(dir) && !readlog.IsTest(name) && Declares(copied.Content) {
			clients[dir] = true
		}
	}
	return slices.Sorted(maps.Keys(clients)), diags
}

// add adds the files with the conversions that packages of clients declare.
func (s Settings) add(ctx context.Context, f *stagerunner.Finishing) (Result, diag.List, error) {
	if diags := missingClients(f.Root, s.Packages); diags.HasErrors() {
		return Result{}, diags, nil
	}
	covers, covered := modules.Matcher(s.Packages), f.Covers
	f.Covers = func(dir string) bool { return covers(dir) || covered(dir) }
	folders, diags := clientsOf(s.Packages, f.Root, f.Scope.Options.Copies, f.Log)
	if len(folders) == 0 || diags.HasErrors() {
		return Result{}, diags, nil
	}
	// The packages are checked as they are once the run has written its files.
	defer f.Settings.Begin("convert")()
	program, diags := load.ListWritten(ctx, f.Scope.Written(f.GoFiles(), folders), nil, f.Log)
	if diags.HasErrors() || ctx.Err() != nil {
		return Result{}, diags, ctx.Err()
	}
	var apis parallel.Memo[string, bool]
	result, problems, err := Convert(ctx, program, folders, Options{
		Header: f.Settings.Header,
		IsAPI: func(importPath string) bool {
			return apis.Get(importPath, func() bool {
				pkg := program.Find(folders[0], importPath)
				return pkg != nil && pkg.Dir != "" && pkg.IsAPI()
			})
		},
	})
	if diags = append(diags, problems...); err != nil {
		return Result{}, diags, err
	}
	for name, content := range result.Files {
		if err := f.Output.Artifacts.Add(name, content); err != nil {
			return Result{}, diags, err
		}
	}
	for _, m := range result.Mappings {
		f.Notes = append(f.Notes, provenance.Note{Pos: m.Pos, Fact: m.fact()})
	}
	return result, diags, nil
}

// fact says what a method does with a field.
func (m Mapping) fact() string {
	if m.Sent {
		return "is sent by " + m.Method + " as " + m.SDK
	}
	return "is observed by " + m.Method + " from " + m.SDK
}

// missingClients reports patterns that begin with a folder that doesn't exist.
func missingClients(root string, patterns []string) diag.List {
	var diags diag.List
	for _, pattern := range patterns {
		if info, err := os.Stat(filepath.Join(root, firstFolder(pattern))); err != nil || !info.IsDir() {
			diags = append(diags, diag.Errorf(diag.Position{File: pattern}, stagerunner.CodeOption, "convert.packages: there is no such folder: name those whose packages declare conversions, such as ./internal/clients/..."))
		}
	}
	return diags
}

// firstFolder returns the folder at the beginning of a pattern of packages.
func firstFolder(pattern string) string {
	first, _, hasWildcard := strings.Cut(path.Clean(filepath.ToSlash(pattern)), "...")
	if hasWildcard && !strings.HasSuffix(first, "/") {
		first = path.Dir(first) // the last element is only the beginning of a name
	}
	return path.Clean(first)
}
