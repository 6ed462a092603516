package lintrules

import (
	"context"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/git"
	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
)

var generatedFiles = &linter.Rule{
	Name:     "generated-files",
	Doc:      "Generated files are in the folders that mrgen keeps up to date, and git has them.",
	Source:   linter.Source{Name: "mrgen, CI", URL: "https://github.com/mrgen-io/mrgen/blob/main/docs/guide/ci.md"},
	Why:      "The package ships outdated definitions, and a clone lacks files, while everything is right on the author's machine.",
	Severity: linter.Warning,
	Run:      checkGeneratedFiles,
}

func checkGeneratedFiles(p *linter.Pass) {
	folders := slices.Clone(p.DefinitionFolders)
	for _, k := range p.Kinds {
		folders = append(folders, k.Object.Package.Dir)
	}
	var generated []string
	slices.Sort(folders) // versions of kinds share packages
	for _, folder := range slices.Compact(folders) {
		entries, _ := os.ReadDir(filepath.Join(p.Root, filepath.FromSlash(folder))) // it may not be written yet
		for _, entry := range entries {
			if name := path.Join(folder, entry.Name()); artifact.Owned([]byte(p.Text(name))) {
				generated = append(generated, name)
			}
		}
	}
	for _, i := range git.IgnoredFiles(context.Background(), p.Root, generated) {
		p.File(diag.Position{File: i.File, Line: i.Line}, i.Pattern, nil, "git ignores %s, so that clones lack it: correct the pattern, and add the file", i.Name)
	}
	if p.PackageDir() != "." {
		checkLeft(p)
	}
}

// checkLeft reports definitions in the package that mrgen wrote and doesn't update.
func checkLeft(p *linter.Pass) {
	_ = filepath.WalkDir(filepath.Join(p.Root, filepath.FromSlash(p.PackageDir())), func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasPrefix(path.Ext(entry.Name()), ".y") {
			return nil //nolint:nilerr // what can't be read isn't judged
		}
		rel, _ := filepath.Rel(p.Root, file)
		name := filepath.ToSlash(rel)
		isKept := slices.Contains(p.DefinitionFolders, path.Dir(name)) && artifact.IsDocument(name)
		if !isKept && artifact.Owned([]byte(p.Text(name))) {
			// in the folder, since findings in generated files are left out
			p.File(diag.Position{File: path.Dir(name)}, ".", nil, "mrgen wrote %s, and doesn't update it any more: delete it", name)
		}
		return nil
	})
}
