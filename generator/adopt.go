package generator

import (
	"context"
	"slices"

	"github.com/mrgen-io/mrgen/generator/internal/adopt"
	"github.com/mrgen-io/mrgen/generator/internal/diag"
	"github.com/mrgen-io/mrgen/generator/internal/load"
)

// A Difference says in what a generated file differs from what controller-gen or
// angryjet wrote.
type Difference = adopt.Difference

// The differences: in the line that says who wrote the file, in controller-gen's
// annotation with its version too, or in what the file says.
const (
	HeaderDiffers     = adopt.Header
	AnnotationDiffers = adopt.Annotation
	ContentDiffers    = adopt.Content
)

// An Adoption is what it takes to have mrgen generate what controller-gen and
// angryjet did.
type Adoption struct {
	Result
	// Own are the paths of the files among the changes that are not generated:
	// mrgen.yaml, and those with directives.
	Own map[string]bool
}

// Difference returns in what a generated file among the changes differs from what it
// replaces.
func (a Adoption) Difference(change Change) Difference { return adopt.Compare(change.Old, change.New) }

// Adopt returns the settings that stand for the directives of the module around dir
// that run controller-gen and angryjet, those files with the given directive in their
// place, and what [Generate] makes of the types then. It writes nothing. Mistakes of
// the user are in the diagnostics; an error is a bug of mrgen or a cancelled context.
func Adopt(ctx context.Context, dir, directive string) (Adoption, error) {
	root, found := FindModule(dir)
	diags := diag.List(found)
	if diags.HasErrors() {
		return refusedAdoption(diags), nil
	}
	settings, files, diags := adopt.Read(root, directive)
	if diags.HasErrors() {
		return refusedAdoption(diags), nil
	}
	options := DefaultOptions()
	options.Dir = root
	options.Packages = settings.Packages
	options.HeaderFile = settings.HeaderFile
	options.CRDDir = settings.CRDDir
	options.AllowDangerousTypes = settings.AllowDangerousTypes
	options.MaxDescription = settings.MaxDescription
	options.RequiredRules, options.ImmutableRules = false, false
	// The tools before passed over what is misspelt.
	options.MisspeltMarkers = true
	r, problems, err := evaluate(ctx, options)
	diags = append(diags, problems...)
	if err != nil || diags.HasErrors() {
		return refusedAdoption(diags), err
	}
	settings.MisspeltMarkers = slices.ContainsFunc(problems, func(d diag.Diagnostic) bool { return d.Code == load.CodeMisspelt })
	files[adopt.SettingsFile] = settings.YAML()
	own := map[string]bool{}
	for name, content := range files {
		own[name] = true
		if err := r.output.Artifacts.Add(name, content); err != nil {
			return Adoption{}, err
		}
	}
	return Adoption{Result: r.result(diags, nil), Own: own}, nil
}

func refusedAdoption(diags diag.List) Adoption {
	return Adoption{Result: Result{Diagnostics: diags.Sorted()}}
}
