package lint

import (
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/mrgen-io/mrgen/generator/internal/memory"
	"github.com/mrgen-io/mrgen/generator/internal/parallel"
	"github.com/mrgen-io/mrgen/generator/internal/source/goenv"
	"github.com/mrgen-io/mrgen/generator/internal/source/readlog"
	"github.com/mrgen-io/mrgen/generator/run"
)

// storeOf returns where the result of a run over controllers is kept, and the key of this one: all files of
// the module that a run reads, and of those in folders that replace others, the options, and the
// environment. The key is empty if nothing is to be kept.
func storeOf(root string, options run.Options, opts Options) (memory.Store, string) {
	store := memory.Store{Dir: options.CacheDir}
	if options.CacheDir == "" || len(opts.Controllers) == 0 || opts.WriteBaseline {
		return store, ""
	}
	environment, _, known := memory.Environment(nil)
	options.Dir, options.CacheDir = root, ""
	asked, err := json.Marshal([]any{options, opts})
	folders, found := foldersOf(root)
	if !known || err != nil || !found {
		return store, ""
	}
	var files []string
	for _, folder := range folders {
		// What can't be read has no part in the key: the run reports it.
		_ = filepath.WalkDir(folder, func(file string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil:
			case entry.IsDir() && file != folder && strings.HasPrefix(entry.Name(), "."):
				return fs.SkipDir
			case !entry.IsDir() && slices.Contains([]string{".go", ".mod", ".sum", ".yaml", ".yml", ".json", ".txt"}, filepath.Ext(file)):
				files = append(files, file)
			}
			return nil
		})
	}
	if opts.Baseline != "" {
		files = append(files, filepath.Join(root, filepath.FromSlash(opts.Baseline)))
	}
	parts := make([]string, len(files))
	parallel.Do(len(files), func(i int) {
		content, _ := os.ReadFile(files[i])
		parts[i] = files[i] + " " + readlog.Hash(content)
	})
	return store, readlog.Hash(append([]byte("lint\n"+environment+strings.Join(parts, "\n")), asked...))
}

// foldersOf returns the folder of the module, and those that replace others. It returns false if go.mod
// can't be read, or the module is one of a workspace.
func foldersOf(root string) ([]string, bool) {
	if work := goenv.Workspace(context.Background(), root); work != "" && work != "off" {
		return nil, false
	}
	content, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return nil, false
	}
	file, err := modfile.Parse("go.mod", content, nil)
	if err != nil {
		return nil, false
	}
	folders := []string{root}
	for _, r := range file.Replace {
		switch {
		case r.New.Version != "":
		case filepath.IsAbs(r.New.Path):
			folders = append(folders, r.New.Path)
		default:
			folders = append(folders, filepath.Join(root, filepath.FromSlash(r.New.Path)))
		}
	}
	return folders, true
}
