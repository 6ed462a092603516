package lintrules

import (
	"bytes"
	"context"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	manifests "github.com/mrgen-io/mrgen/generator/internal/review/examples"
	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
	"github.com/mrgen-io/mrgen/generator/internal/review/validobject"
	"github.com/mrgen-io/mrgen/generator/internal/stage"
	"github.com/mrgen-io/mrgen/markers"
)

var exampleManifests = &linter.Rule{
	Name:     "example-manifests",
	Doc:      "The API server accepts the manifests below examples, and they name configurations and keys that others have.",
	Source:   linter.Source{Name: "mrgen, tutorial", URL: "https://github.com/mrgen-io/mrgen/blob/main/docs/guide/tutorial.md"},
	Why:      "Users begin with a copy of an example.",
	Severity: linter.Warning,
	Run:      checkExampleManifests,
}

func checkExampleManifests(p *linter.Pass) {
	checkExampleReferences(p)
	checkGone(p)
	for _, f := range p.ManagedFields() {
		checkExampleValue(p, f)
	}
	var definitions stage.Definitions
	for _, k := range p.Kinds {
		if !slices.ContainsFunc(definitions, func(d stage.Definition) bool { return d.CRD == k.CRD }) {
			definitions = append(definitions, *k.Definition)
		}
	}
	isMade := func(content []byte) bool {
		return slices.ContainsFunc(p.Kinds, func(k *linter.Kind) bool {
			return bytes.Contains(content, []byte(k.CRD.Spec.Group+"/"+k.APIVersion().Name+"\nkind: "+k.Object.Name+"\n"))
		})
	}
	isKnown := func(content []byte) bool { // a kind with errors has no schema to judge by
		return (len(p.Unread) == 0 || isMade(content)) && !slices.ContainsFunc(p.Missing, func(o *model.Object) bool {
			return regexp.MustCompile(`(?m)^kind: *["']?` + o.Name + `\b`).Match(content)
		})
	}
	problems, _ := manifests.Problems(context.Background(), p.Root, "examples", definitions, isKnown) // schemas that can't be compiled have errors of their own
	for _, problem := range problems {
		if artifact.Owned([]byte(p.Text(problem.Pos.File))) {
			message := problem.Message[:strings.LastIndex(problem.Message, ": ")] // without what an author does to a manifest by hand
			p.Written(problem.Pos, problem.Message, "%s: run mrgen examples, or delete it if the kind is gone", message)
			continue
		}
		message, remedy, _ := strings.Cut(problem.Message, ": ")
		p.File(problem.Pos, message, nil, "%s: %s", message, remedy)
	}
}

// checkGone reports examples that mrgen wrote from packages which are gone, with all kinds of their group.
func checkGone(p *linter.Pass) {
	for name := range p.Below("examples") {
		folders, isOwned := artifact.ParseHeader([]byte(p.Text(name)))
		if isOwned && len(folders) > 0 && !slices.ContainsFunc(folders, p.Exists) {
			// in the folder, since all examples of a group may be gone
			p.File(diag.Position{File: path.Dir(name)}, ".", nil, "mrgen wrote %s from %s, which is gone: delete it", path.Base(name), strings.Join(folders, " and "))
		}
	}
}

// checkExampleValue reports an example in a marker that the field doesn't take.
func checkExampleValue(p *linter.Pass, f *linter.Field) {
	m, at := f.OwnMarker(markers.Example), f.Cursor()
	if m == nil || at.Schema == nil {
		return
	}
	sampler := validobject.Sampler{}
	value, _ := sampler.Example(at)
	if len(sampler.Problems) > 0 || !validobject.Accepts(context.Background(), at, value) {
		p.At(f, m.Pos, f.Markers, nil, "%s takes no %s: correct the example", f.Name, m.Value.Text(""))
	}
}
