// Package coverage lists the fields of an SDK that the kinds of a provider show and set.
package coverage

import (
	"context"
	"os"
	"path/filepath"
	"slices"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/extensions/sdkconversion"
	"github.com/mrgen-io/mrgen/generator/internal/git"
	"github.com/mrgen-io/mrgen/generator/internal/inspection"
	"github.com/mrgen-io/mrgen/generator/internal/source/modules"
	"github.com/mrgen-io/mrgen/generator/internal/stagerunner"
	"github.com/mrgen-io/mrgen/generator/provider"
)

const codeCoverage diag.Code = "coverage"

// A Struct is a struct of an SDK that a conversion makes or reads.
type Struct struct {
	// Method is the name of the conversion, Name the name of the struct with its package, and Sent is set for
	// requests.
	Method string `json:"method"`
	Name   string `json:"struct"`
	Sent   bool   `json:"sent"`
	// Fields are the Go names of its fields, and Left the ones without a counterpart in any kind.
	Fields []string `json:"fields"`
	Left   []string `json:"left,omitempty"`
}

// Find lists the fields of an SDK that the kinds show and set, by the conversions in the packages of
// [provider.Options.ConvertPackages]. It writes nothing.
func Find(ctx context.Context, options provider.Options) ([]Struct, diag.List, error) {
	var structs []Struct
	composed := options.Run()
	for i, e := range composed.Extensions {
		settings, isConversion := e.(stagerunner.Extension).Settings.(sdkconversion.Settings)
		if isConversion {
			composed.Extensions[i] = sdkconversion.Extension(settings, func(r sdkconversion.Result) {
				structs = inspection.Each(r.Structs, func(s sdkconversion.Struct) Struct { return Struct(s) })
			})
		}
	}
	_, diags, err := inspection.Evaluate(ctx, composed)
	if err != nil || diags.HasErrors() {
		return nil, diags.Sorted(), err
	}
	return structs, nil, nil
}

// FindAt is [Find] at a revision of the repository, such as a tag, with the same options.
func FindAt(ctx context.Context, options provider.Options, revision string) ([]Struct, diag.List, error) {
	root, diags := modules.FindRoot(options.Dir)
	if diags.HasErrors() {
		return nil, diags.Sorted(), nil
	}
	refuse := func(format string, args ...any) ([]Struct, diag.List, error) {
		return nil, diag.List{diag.Errorf(diag.Position{}, codeCoverage, format, args...)}.Sorted(), nil
	}
	repository := git.Repository{Dir: root}
	commit, err := repository.Resolve(ctx, revision)
	if git.IsUntrusted(err) {
		return refuse("%v", err)
	}
	if err != nil {
		return refuse("%s is not a revision of this repository: name one, or run git fetch --tags", revision)
	}
	// Type-checking may need any file, go.mod and embedded ones included.
	files, err := repository.Revision(ctx, commit, []string{"."}, func(string) bool { return true })
	if err != nil {
		return refuse("the files of %s can't be read: %v", revision, err)
	}
	if options.Dir, err = os.MkdirTemp("", "mrgen-coverage-"); err != nil {
		return refuse("there is no place for the files of %s: %v", revision, diag.Cause(err))
	}
	defer func() { _ = os.RemoveAll(options.Dir) }()
	for _, f := range files {
		file := filepath.Join(options.Dir, filepath.FromSlash(f.Name))
		err := os.MkdirAll(filepath.Dir(file), 0o755)
		if err == nil {
			err = os.WriteFile(file, f.Content, 0o644)
		}
		if err != nil {
			return refuse("the files of %s can't be written: %v", revision, diag.Cause(err))
		}
	}
	structs, found, err := Find(ctx, options)
	if found.HasErrors() {
		return refuse("the conversions of %s can't be read: %s", revision,
			found[slices.IndexFunc(found, func(d diag.Diagnostic) bool { return d.Severity == diag.Error })])
	}
	return structs, nil, err
}
