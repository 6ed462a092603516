package driver

import (
	"context"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/pipeline"
	"github.com/mrgen-io/mrgen/generator/internal/review/docs"
	"github.com/mrgen-io/mrgen/generator/internal/sdk"
)

const codeDocs diag.Code = "docs"

// pages writes reference pages. They say which kinds refer to one, which no unit knows: what there is to say of
// the kinds of each is kept.
var pages = pipeline.Stage{
	Name:     "pages",
	Doc:      "Writes reference pages of the kinds.",
	Requires: []reflect.Type{reflect.TypeFor[pipeline.Definitions]()},
	Kept:     reflect.TypeFor[[]*docs.Kind](),
	Run: func(ctx context.Context, pass *pipeline.Pass) error {
		kinds, err := docs.Describe(ctx, pipeline.ResultOf[pipeline.Definitions](pass))
		pipeline.Keep(pass, kinds)
		return err
	},
	Finish: func(_ context.Context, w *pipeline.Whole) error {
		files, diags := Pages(w, slices.Concat(pipeline.Kept[[]*docs.Kind](w)...))
		w.Report(diags...)
		for name, content := range files {
			if err := w.Emit(name, content); err != nil {
				return err
			}
		}
		return nil
	},
}

// Pages returns the reference pages of kinds, by path. There are none, and those on disk stay, if these are
// also about packages that the run leaves out.
func Pages(w *pipeline.Whole, kinds []*docs.Kind) (map[string][]byte, diag.List) {
	dir := w.Options.DocsDir
	// There may be no index yet, which then names no package.
	index, _ := os.ReadFile(filepath.Join(w.Root, filepath.FromSlash(path.Join(dir, docs.Index))))
	if left := artifact.OtherSources(w.Root, index, w.Covers); len(left) > 0 {
		w.Leave(dir)
		return nil, diag.List{diag.Warningf(diag.Position{File: dir}, codeDocs,
			"the reference pages stay as they are, since they are also about the package in %s, which the patterns leave out: generate all packages", left[0])}
	}
	Link(kinds, w.Mappings)
	files := map[string][]byte{}
	for name, content := range docs.Markdown(kinds) {
		files[path.Join(dir, name)] = content
	}
	return files, nil
}

// Link adds to kinds what they say of each other, and what an SDK calls their fields.
func Link(kinds []*docs.Kind, mappings []sdk.Mapping) {
	docs.Link(kinds)
	sent, observed := map[diag.Position][]string{}, map[diag.Position][]string{}
	for _, m := range mappings {
		names := observed
		if m.Sent {
			names = sent
		}
		if !slices.Contains(names[m.Pos], m.SDK) {
			names[m.Pos] = append(names[m.Pos], m.SDK)
		}
	}
	docs.AddSDK(kinds, sent, observed)
}
