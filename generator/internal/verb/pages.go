package verb

import (
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/engine"
	"github.com/mrgen-io/mrgen/generator/internal/report/docs"
)

const codeDocs diag.Code = "docs"

// AddPages adds reference pages to what a run has written, if there is a folder for them. It
// returns the folders for documents in which files may be stale.
func AddPages(r engine.Run) ([]string, diag.List, error) {
	folders, dir := r.Settings.OutputFolders(), r.Settings.DocsDir
	if dir == "" {
		return folders, nil, nil
	}
	// There may be no index yet, which then names no package.
	index, _ := os.ReadFile(filepath.Join(r.Root, filepath.FromSlash(path.Join(dir, docs.Index))))
	if left := artifact.OtherSources(r.Root, index, r.Covers); len(left) > 0 {
		others := slices.DeleteFunc(folders, func(folder string) bool { return folder == dir })
		return others, diag.List{diag.Warningf(diag.Position{File: dir}, codeDocs,
			"the reference pages stay as they are, since they are also about the package in %s, which the patterns leave out: generate all packages", left[0])}, nil
	}
	Link(r)
	for name, content := range docs.Markdown(r.Kinds) {
		if err := r.Output.Artifacts.Add(path.Join(dir, name), content); err != nil {
			return nil, nil, err
		}
	}
	return folders, nil, nil
}

// Link adds to the kinds of a run what they say of each other, and what an SDK calls their fields.
func Link(r engine.Run) {
	docs.Link(r.Kinds)
	sent, observed := map[diag.Position][]string{}, map[diag.Position][]string{}
	for _, m := range r.Mappings {
		names := observed
		if m.Sent {
			names = sent
		}
		if !slices.Contains(names[m.Pos], m.SDK) {
			names[m.Pos] = append(names[m.Pos], m.SDK)
		}
	}
	docs.AddSDK(r.Kinds, sent, observed)
}
