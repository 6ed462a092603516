package engine

import (
	"context"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/diag"
	"github.com/mrgen-io/mrgen/generator/internal/sdk"
	"github.com/mrgen-io/mrgen/generator/internal/source/inputs"
	"github.com/mrgen-io/mrgen/generator/internal/source/load"
	"github.com/mrgen-io/mrgen/generator/internal/source/scope"
	"github.com/mrgen-io/mrgen/markers"
)

// clients returns the folders whose packages may declare conversions, and the Go files in them by path,
// without tests and generated files. Copies of the other scope are among them.
func clients(root string, options Options, copies map[string]*scope.Copy, log *inputs.Log) map[string][]string {
	found := map[string][]string{}
	walkClients(root, options, func(name string) {
		if isClientFile(name) {
			found[path.Dir(name)] = append(found[path.Dir(name)], name)
		}
	})
	covers := scope.Matcher(options.ConvertPackages)
	for name := range copies {
		if dir := path.Dir(name); covers(dir) && !strings.HasSuffix(name, "_test.go") {
			found[dir] = append(found[dir], name)
		}
	}
	maps.DeleteFunc(found, func(_ string, names []string) bool {
		return !slices.ContainsFunc(names, func(name string) bool {
			if c := copies[name]; c != nil {
				return sdk.Declares(c.Content)
			}
			content, _, err := log.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
			return err == nil && sdk.Declares(content)
		})
	})
	return found
}

func isClientFile(name string) bool {
	return strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") && path.Base(name) != sdk.FileName && !strings.HasPrefix(path.Base(name), scope.CopyPrefix)
}

// ClientsKey identifies the files that may declare conversions.
func (e Engine) ClientsKey(root string, options Options, log *inputs.Log) string {
	var key []string
	for dir, names := range clients(root, options, nil, log) {
		for _, name := range names {
			_, hash, _ := log.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
			key = append(key, dir+" "+name+" "+hash)
		}
	}
	slices.Sort(key)
	return strings.Join(key, "\n")
}

// AddConversions adds the files with the conversions that packages of clients declare. They see the
// packages as they are once the run has written its files.
func (e Engine) AddConversions(ctx context.Context, r *Run, sc *scope.Scope, options Options, log *inputs.Log) (diag.List, error) {
	if len(options.ConvertPackages) == 0 {
		return nil, nil
	}
	if diags := missingClients(r.Root, options); diags.HasErrors() {
		return diags, nil
	}
	covers := scope.Matcher(options.ConvertPackages)
	covered := r.Covers
	r.Covers = func(dir string) bool { return covers(dir) || covered(dir) }
	r.Generated = append(r.Generated, writtenConversions(r.Root, options)...)
	folders := slices.Sorted(maps.Keys(clients(r.Root, options, sc.Options.Copies, nil)))
	if len(folders) == 0 {
		return nil, nil
	}
	r.Settings.OnStage("convert")
	files := map[string][]byte{}
	for name, c := range sc.Options.Copies {
		files[name] = c.Content
	}
	for name, content := range r.Output.Artifacts.Files() {
		if path.Ext(name) == ".go" {
			files[name] = content
		}
	}
	seen := *sc
	seen.Generated = slices.Concat(sc.Generated, writtenConversions(r.Root, options))
	program, diags := load.ListWritten(ctx, seen.Written(files, folders), log)
	if diags.HasErrors() || ctx.Err() != nil {
		return diags, ctx.Err()
	}
	result, problems, err := sdk.Convert(ctx, program, folders, sdk.Options{Header: r.Settings.Header, Tests: options.ConvertTests, IsAPI: apiPackages(r.Root, sc.Options.Copies)})
	diags = append(diags, problems...)
	if err != nil {
		return diags, err
	}
	read := program.Dependencies()
	for dir := range read.Imports {
		read.Named[dir] = true // no text in the API packages says so
	}
	r.Read.Add(read)
	for name, content := range result.Files {
		if err := r.Output.Artifacts.Add(name, content); err != nil {
			return diags, err
		}
		r.Output.Shared[name] = []string{""} // which depends on more than a unit
	}
	r.Mappings, r.SDK = result.Mappings, result.Structs
	return diags, nil
}

// missingClients reports patterns that begin with a folder that doesn't exist.
func missingClients(root string, options Options) diag.List {
	var diags diag.List
	for _, pattern := range options.ConvertPackages {
		if info, err := os.Stat(filepath.Join(root, firstFolder(pattern))); err != nil || !info.IsDir() {
			diags = append(diags, diag.Errorf(diag.Position{File: pattern}, CodeOption, "convert.packages: there is no such folder: name those whose packages declare conversions, such as ./internal/clients/..."))
		}
	}
	return diags
}

// firstFolder returns the folder that a pattern of packages begins with.
func firstFolder(pattern string) string {
	first, _, _ := strings.Cut(path.Clean(filepath.ToSlash(pattern)), "...")
	return path.Clean(first)
}

// writtenConversions returns the files with conversions that earlier runs wrote.
func writtenConversions(root string, options Options) []string {
	var found []string
	walkClients(root, options, func(name string) {
		if slices.Contains([]string{sdk.FileName, sdk.TestFileName}, path.Base(name)) {
			if content, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name))); err == nil && artifact.Owned(content) {
				found = append(found, name)
			}
		}
	})
	return found
}

// walkClients calls a function with the files in the folders that the patterns cover, each once.
func walkClients(root string, options Options, visit func(name string)) {
	covers, seen := scope.Matcher(options.ConvertPackages), map[string]bool{}
	for _, pattern := range options.ConvertPackages {
		// What can't be read is for the go command to report, if it matters.
		_ = fs.WalkDir(os.DirFS(root), firstFolder(pattern), func(name string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return fs.SkipDir
			case entry.IsDir() && name != "." && scope.IsIgnored(entry.Name()):
				return fs.SkipDir
			case !entry.IsDir() && covers(path.Dir(name)) && !seen[name]:
				seen[name] = true
				visit(name)
			}
			return nil
		})
	}
}

// apiPackages returns what tells whether a package of the module declares kinds, or types of them.
func apiPackages(root string, copies map[string]*scope.Copy) func(importPath string) bool {
	module, known := scope.ModulePath(root), map[string]bool{}
	for name, c := range copies {
		if c.API {
			known[path.Dir(name)] = true
		}
	}
	return func(importPath string) bool {
		dir, below := strings.CutPrefix(importPath, module+"/")
		if !below {
			return false
		}
		if is, found := known[dir]; found {
			return is
		}
		names, _ := filepath.Glob(filepath.Join(root, filepath.FromSlash(dir), "*.go"))
		known[dir] = slices.ContainsFunc(names, func(name string) bool {
			content, err := os.ReadFile(name)
			return err == nil && (strings.Contains(string(content), "+"+markers.GroupName+"=") || strings.Contains(string(content), "+"+markers.ObjectPrefix))
		})
		return known[dir]
	}
}
