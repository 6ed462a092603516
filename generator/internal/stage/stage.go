package stage

import (
	"context"
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
	// GoFiles are the Go files that the stage writes. No other stage writes files with these names, and no run reads the
	// ones that mrgen wrote.
	GoFiles []GoFile
	// Off says, as an imperative, how authors disable the output of the stage. It may be empty.
	Off string
	// ReadsDefinitions is set if the stage reads [Pass.Definitions]. It doesn't run if the stage that makes them has
	// failed.
	ReadsDefinitions bool
	// Declares returns the types that a model lacks and that the stage declares in its files. These files are added to
	// the source in memory when the stage is done: later stages work on the types, and don't run if the types can't be
	// declared. It is nil if the stage doesn't declare types.
	Declares func(*model.Model) []flavor.TypeName
	// Run emits the output for a unit through the pass, and may be called for several units at a time. It reports
	// mistakes of the user there; an error is a bug in mrgen.
	Run func(context.Context, *Pass) error
}

// A GoFile is a file that a stage writes into API packages.
type GoFile struct {
	// Name of the file, without a folder.
	Name string
	// ForeignImports is set if the file imports packages that the types it is made for don't need. It is also hidden in
	// packages outside the run, so that it never influences its own content.
	ForeignImports bool
	// OwnPackage is set if the file is in a package of its own, at the path in the options, and not part of an API
	// package.
	OwnPackage bool
}

// Declaring returns the stages that declare types.
func Declaring(stages []Stage) []Stage {
	return slices.DeleteFunc(slices.Clone(stages), func(s Stage) bool { return s.Declares == nil })
}

// DeclaredLater returns the function for the types that the stages declare, see [Stage.Declares], or nil if they declare
// none.
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

// GoFiles returns the names of the Go files that the stages write.
func GoFiles(stages []Stage) []string { return fileNames(stages, func(GoFile) bool { return true }) }

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
