package pipeline

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/generator/internal/model"
)

// CodeStage is the code of diagnostics about stages of other programs.
const CodeStage diag.Code = "stage"

// A Stage makes one kind of output.
type Stage struct {
	// Name of the stage, in lower case.
	Name string
	// Doc says in one sentence what the stage emits.
	Doc string
	// GoFiles are the Go files that the stage writes. No other stage writes files of
	// these names, and no run reads those that mrgen wrote.
	GoFiles []GoFile
	// Off says, as an imperative, how authors have the stage write nothing. It may be empty.
	Off string
	// Requires are the types of the results that the stage reads, each by [ResultOf]. It
	// doesn't run if the stage that was to make one of them has failed.
	Requires []reflect.Type
	// Result is the type of what the stage makes for others, by [Provide]. It is nil if that
	// is nothing but files.
	Result reflect.Type
	// Declares returns the types, among those that a model lacks, that the stage declares in
	// its files. These are added to the source in memory when the stage is done: later
	// stages work on the types, and don't run if they can't be declared. It is nil if the
	// stage declares none.
	Declares func(*model.Model) []flavor.TypeName
	// External is set for a stage of another program.
	External *External
	// Run is the first half of the stage. It emits its output for a unit through the pass, and may be called
	// for several units at a time. Mistakes of the user are reported there; an error is a mistake of ours.
	Run func(context.Context, *Pass) error
	// Finish is the second half, if there is one. It emits what the stage makes of all units together, once all
	// stages have run on all of them without errors, and nothing else is left of them than what Run has kept by
	// [Keep]. A run after an edit then has all units.
	Finish func(context.Context, *Whole) error
	// Kept is the type of what Run keeps of a unit, for Finish or for whoever has the output. It is nil if that
	// is nothing.
	Kept reflect.Type
}

// An External says how mrgen has to treat a stage of another program.
type External struct {
	// Version identifies what the stage makes of a model. If it is empty, nobody knows, and no
	// run is remembered.
	Version string
	// Folder is the one for the stage's documents, or "".
	Folder string
}

// Externals returns the stages of other programs.
func Externals(stages []Stage) []Stage {
	return slices.DeleteFunc(slices.Clone(stages), func(s Stage) bool { return s.External == nil })
}

// A GoFile is a file that a stage writes into API packages.
type GoFile struct {
	// Name of the file, without a folder.
	Name string
	// ForeignImports is set if the file imports packages that the types which it is made for
	// don't need. It is hidden in packages that the run leaves out, too, so that it never
	// decides on itself.
	ForeignImports bool
	// OwnPackage is set if the file is in a package of its own, at the path that the options name,
	// and not part of an API package.
	OwnPackage bool
}

// Declaring returns the stages that declare types.
func Declaring(stages []Stage) []Stage {
	return slices.DeleteFunc(slices.Clone(stages), func(s Stage) bool { return s.Declares == nil })
}

// DeclaredLater returns the function that says which types the stages declare, see
// [Stage.Declares], or nil if they declare none.
func DeclaredLater(stages []Stage) func(*model.Model) []flavor.TypeName {
	stages = Declaring(stages)
	if len(stages) == 0 {
		return nil
	}
	return func(m *model.Model) []flavor.TypeName {
		var names []flavor.TypeName
		for _, s := range stages {
			names = append(names, s.Declares(m)...)
		}
		return names
	}
}

// Providing returns the stage with results of a type.
func Providing[T any](stages []Stage) []Stage {
	return slices.DeleteFunc(slices.Clone(stages), func(s Stage) bool { return s.Result != reflect.TypeFor[T]() })
}

// GoFiles returns the names of the Go files that the stages write.
func GoFiles(stages []Stage) []string {
	return fileNames(stages, func(GoFile) bool { return true })
}

// Importers returns the names of the Go files that add imports.
func Importers(stages []Stage) []string {
	return fileNames(stages, func(f GoFile) bool { return f.ForeignImports })
}

// OwnFiles returns the names of the Go files that make packages of their own.
func OwnFiles(stages []Stage) []string {
	return fileNames(stages, func(f GoFile) bool { return f.OwnPackage })
}

func fileNames(stages []Stage, which func(GoFile) bool) []string {
	var names []string
	for _, s := range stages {
		for _, f := range s.GoFiles {
			if which(f) {
				names = append(names, f.Name)
			}
		}
	}
	return names
}

// Validate reports mistakes in a list of stages: an empty or doubled name, no
// documentation, no Run function, a Finish function that nothing is kept for, a Go file or a result that two stages make, a result
// that is required before any stage has made it, two files that are packages of their own.
func Validate(stages []Stage) error {
	names, files, results := map[string]bool{}, map[string]string{}, map[reflect.Type]string{}
	for _, s := range stages {
		switch {
		case s.Name == "" || s.Name != strings.ToLower(s.Name):
			return fmt.Errorf("stage %q: the name must be in lower case", s.Name)
		case names[s.Name]:
			return fmt.Errorf("stage %s is listed twice", s.Name)
		case !strings.HasSuffix(s.Doc, "."):
			return fmt.Errorf("stage %s: the documentation must be a sentence", s.Name)
		case s.Run == nil:
			return fmt.Errorf("stage %s has no Run function", s.Name)
		case s.Finish != nil && s.Kept == nil:
			return fmt.Errorf("stage %s has Finish, and keeps nothing for it", s.Name)
		}
		names[s.Name] = true
		for _, file := range GoFiles([]Stage{s}) {
			if other, taken := files[file]; taken {
				return fmt.Errorf("stages %s and %s both write %s", other, s.Name, file)
			}
			if s.External != nil && !strings.HasPrefix(file, "zz_generated.") {
				return fmt.Errorf("stage %s: the name %s must begin with zz_generated., so that no author has such a file", s.Name, file)
			}
			files[file] = s.Name
		}
		for _, required := range s.Requires {
			if results[required] == "" {
				return fmt.Errorf("stage %s requires %v, which no stage before it makes", s.Name, required)
			}
		}
		if other := results[s.Result]; s.Result != nil && other != "" {
			return fmt.Errorf("stages %s and %s both make %v", other, s.Name, s.Result)
		}
		results[s.Result] = s.Name
	}
	return nil
}
