package pipeline

import (
	"context"
	"reflect"
	"slices"

	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/generator/internal/model"
)

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
	// Run emits the output for a unit through the pass, and may be called for several units at a time.
	// Mistakes of the user are reported there; an error is a mistake of ours.
	Run func(context.Context, *Pass) error
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
