package generator

import (
	"cmp"
	"context"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/engine"
	"github.com/mrgen-io/mrgen/generator/internal/report/docs"
	"github.com/mrgen-io/mrgen/generator/run"
)

const codeDocs diag.Code = "docs"

// Docs makes reference pages of the selected kinds, and compares them with the disk: Markdown in
// [run.Options.DocsDir], or docs/api if that is empty, or if a file for HTML is named, one page there,
// which needs no other file. It writes nothing. Mistakes of the user are in the diagnostics; an error
// is a bug in mrgen or a cancelled context.
func Docs(ctx context.Context, options run.Options, htmlFile string) (Result, error) {
	options.DocsDir = cmp.Or(options.DocsDir, "docs/api")
	r, diags, err := evaluate(ctx, options)
	if err != nil || diags.HasErrors() {
		return Result{Diagnostics: diags.Sorted()}, err
	}
	if htmlFile == "" {
		r.Output.Artifacts = &artifact.Set{}
		folders, problems, err := addPages(r)
		if err != nil {
			return Result{}, err
		}
		folders = slices.DeleteFunc(folders, func(folder string) bool { return folder != r.Settings.DocsDir })
		return newResult(r.Root, r.Output.Artifacts, append(diags, problems...), artifact.PlanOptions{DocumentFolders: folders, InScope: r.Covers}), nil
	}
	htmlFile, problems := artifact.Local(htmlFile)
	if diags = append(diags, problems...); diags.HasErrors() {
		return Result{Diagnostics: diags.Sorted()}, nil
	}
	link(r)
	page, err := docs.HTML(r.Kinds)
	if err != nil {
		return Result{}, err
	}
	plan, problems, err := planFiles(r.Root, map[string][]byte{htmlFile: page})
	if diags = append(diags, problems...); err != nil || diags.HasErrors() {
		return Result{Diagnostics: diags.Sorted()}, err
	}
	return Result{Diagnostics: diags.Sorted(), plan: plan}, nil
}

// addPages adds reference pages to what a run has written, if there is a folder for them. It
// returns the folders for documents in which files may be stale.
func addPages(r engine.Run) ([]string, diag.List, error) {
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
	link(r)
	for name, content := range docs.Markdown(r.Kinds) {
		if err := r.Output.Artifacts.Add(path.Join(dir, name), content); err != nil {
			return nil, nil, err
		}
	}
	return folders, nil, nil
}

// link adds to the kinds of a run what they say of each other, and what an SDK calls their fields.
func link(r engine.Run) {
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
