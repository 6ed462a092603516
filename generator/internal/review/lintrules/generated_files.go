package lintrules

import (
	"context"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
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
	checkIgnored(p, generated)
	if p.PackageDir() != "." {
		checkLeft(p)
	}
}

// checkIgnored reports generated files that git ignores, at the pattern.
func checkIgnored(p *linter.Pass, generated []string) {
	// Each line has the file with the pattern, its line, the pattern and the ignored file. Without a repository, there is none.
	output, _ := git.Run(context.Background(), p.Root, append([]string{"check-ignore", "--verbose", "--"}, generated...)...)
	for line := range strings.Lines(string(output)) {
		rule, name, _ := strings.Cut(strings.TrimSpace(line), "\t")
		parts := strings.SplitN(rule, ":", 3)
		number, err := strconv.Atoi(parts[min(1, len(parts)-1)])
		if err == nil && filepath.IsLocal(parts[0]) {
			p.File(diag.Position{File: parts[0], Line: number}, parts[len(parts)-1], nil, "git ignores %s, so that clones lack it: correct the pattern, and add the file", name)
		}
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
