package stagerunner

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
	"github.com/mrgen-io/mrgen/generator/internal/extensions/sdkconversion"
	"github.com/mrgen-io/mrgen/generator/internal/parallel"
	"github.com/mrgen-io/mrgen/generator/internal/source/load"
	"github.com/mrgen-io/mrgen/generator/internal/source/modules"
	"github.com/mrgen-io/mrgen/generator/internal/source/readlog"
	"github.com/mrgen-io/mrgen/generator/run"
)

// isConversions reports whether mrgen writes the conversions of a package into a file.
func isConversions(name string) bool {
	return name == sdkconversion.FileName || name == sdkconversion.TestFileName
}

// isConversionsOf reports whether the file with an absolute path is such a file of a module. Unlike other output, the go
// command reads these files, since hand-written code calls their functions.
func isConversionsOf(root, file string) bool {
	return isConversions(filepath.Base(file)) && strings.HasPrefix(file, root+string(filepath.Separator))
}

// writtenConversions returns the files with conversions that earlier runs wrote, with any settings.
func writtenConversions(root string) []string {
	var written []string
	modules.EachFolder(root, ".", func(folder string, names []string) {
		for _, name := range names {
			if !isConversions(name) {
				continue
			}
			if content, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(folder), name)); err == nil && artifact.Owned(content) {
				written = append(written, path.Join(folder, name))
			}
		}
	})
	return written
}

// clientsOf returns the folders of packages that declare conversions, sorted. It looks into the folders that the
// patterns cover, and at copies for the other scope, without tests and generated files.
func clientsOf(o run.Options, root string, copies map[string]*modules.Copy, log *readlog.Log) []string {
	clients := map[string]bool{}
	covers := modules.Matcher(o.ConvertPackages)
	seen := map[string]bool{}
	// A folder that wildcards ignore, such as testdata, counts if a pattern names it.
	for _, pattern := range o.ConvertPackages {
		modules.EachFolder(root, firstFolder(pattern), func(folder string, names []string) {
			if !covers(folder) || seen[folder] {
				return
			}
			seen[folder] = true
			for _, name := range names {
				if isConversions(name) || readlog.IsTest(name) || strings.HasPrefix(name, modules.CopyPrefix) {
					continue
				}
				// The go command reports files that can't be read, if they matter.
				content, _, err := log.ReadFile(filepath.Join(root, filepath.FromSlash(folder), name))
				if err == nil && sdkconversion.Declares(content) {
					clients[folder] = true
				}
			}
		})
	}
	for name, copied := range copies {
		if dir := path.Dir(name); covers(dir) && !readlog.IsTest(name) && sdkconversion.Declares(copied.Content) {
			clients[dir] = true
		}
	}
	return slices.Sorted(maps.Keys(clients))
}

// addConversions adds the files with the conversions that packages of clients declare.
func (e Runner) addConversions(ctx context.Context, r *Run, sc *modules.Scope, log *readlog.Log) (diag.List, error) {
	options := r.Settings.Options
	if len(options.ConvertPackages) == 0 {
		return nil, nil
	}
	if diags := missingClients(r.Root, options); diags.HasErrors() {
		return diags, nil
	}
	covers, covered := modules.Matcher(options.ConvertPackages), r.Covers
	r.Covers = func(dir string) bool { return covers(dir) || covered(dir) }
	folders := clientsOf(options, r.Root, sc.Options.Copies, log)
	if len(folders) == 0 {
		return nil, nil
	}
	// The packages are checked as they are once the run has written its files.
	defer options.Begin("convert")()
	program, diags := load.ListWritten(ctx, sc.Written(r.goFiles(sc), folders), nil, log)
	if diags.HasErrors() || ctx.Err() != nil {
		return diags, ctx.Err()
	}
	var apis parallel.Memo[string, bool]
	result, problems, err := sdkconversion.Convert(ctx, program, folders, sdkconversion.Options{
		Header: r.Settings.Header, Tests: options.ConvertTests,
		IsAPI: func(importPath string) bool {
			return apis.Get(importPath, func() bool {
				code := program.Find(folders[0], importPath)
				return code != nil && code.Dir != "" && code.IsAPI()
			})
		},
	})
	diags = append(diags, problems...)
	if err != nil {
		return diags, err
	}
	for name, content := range result.Files {
		if err := r.Output.Artifacts.Add(name, content); err != nil {
			return diags, err
		}
	}
	r.Mappings, r.SDK = result.Mappings, result.Structs
	return diags, nil
}

// missingClients reports patterns that begin with a folder that doesn't exist.
func missingClients(root string, options run.Options) diag.List {
	var diags diag.List
	for _, pattern := range options.ConvertPackages {
		if info, err := os.Stat(filepath.Join(root, firstFolder(pattern))); err != nil || !info.IsDir() {
			diags = append(diags, diag.Errorf(diag.Position{File: pattern}, CodeOption, "convert.packages: there is no such folder: name those whose packages declare conversions, such as ./internal/clients/..."))
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
