package report

import (
	"cmp"
	"context"
	"slices"

	"github.com/mrgen-io/mrgen/generator"
	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/driver"
	"github.com/mrgen-io/mrgen/generator/internal/review/docs"
	"github.com/mrgen-io/mrgen/generator/run"
)

const codeDocs diag.Code = "docs"

// Docs makes reference pages of the selected kinds, and compares them with the disk: Markdown in
// [run.Options.DocsDir], or docs/api if that is empty, or if a file for HTML is named, one page there,
// which needs no other file. It writes nothing. Mistakes of the user are in the diagnostics; an error
// is a bug in mrgen or a cancelled context.
func Docs(ctx context.Context, options run.Options, htmlFile string) (generator.Result, error) {
	options.DocsDir = cmp.Or(options.DocsDir, "docs/api")
	r, diags, err := driver.Ask(ctx, options, docs.Describe)
	if err != nil || diags.HasErrors() {
		return generator.Result{Diagnostics: diags.Sorted()}, err
	}
	kinds := slices.Concat(r.Units...)
	if htmlFile == "" {
		pages, problems := driver.Pages(r.Whole, kinds)
		files := &artifact.Set{}
		for name, content := range pages {
			if err := files.Add(name, content); err != nil {
				return generator.Result{}, err
			}
		}
		folders := slices.DeleteFunc([]string{r.Settings.DocsDir}, func(string) bool { return problems != nil })
		return generator.NewResult(driver.NewResult(r.Root, files, append(diags, problems...), artifact.PlanOptions{DocumentFolders: folders, InScope: r.Covers})), nil
	}
	htmlFile, problems := artifact.Local(htmlFile)
	if diags = append(diags, problems...); diags.HasErrors() {
		return generator.Result{Diagnostics: diags.Sorted()}, nil
	}
	driver.Link(kinds, r.Mappings)
	page, err := docs.HTML(kinds)
	if err != nil {
		return generator.Result{}, err
	}
	plan, problems, err := driver.PlanFiles(r.Root, map[string][]byte{htmlFile: page})
	if diags = append(diags, problems...); err != nil || diags.HasErrors() {
		return generator.Result{Diagnostics: diags.Sorted()}, err
	}
	return generator.NewResult(driver.Result{Diagnostics: diags.Sorted(), Plan: plan}), nil
}
