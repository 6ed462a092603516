// Package helpers emits the package of a module that has the functions which generated code calls,
// whatever the types. Package functions, below, is the original.
package helpers

import (
	"context"
	"path"

	"github.com/mrgen-io/mrgen/generator/internal/stage"
)

// Stage writes the functions that the code of earlier stages calls, and what these need. Each module
// has one package of them, which all its API packages import.
var Stage = stage.Stage{
	Name:    "helpers",
	Doc:     "Writes the package with the functions that generated code calls.",
	GoFiles: goFiles(),
	Run:     run,
}

func run(_ context.Context, pass *stage.Pass) error {
	var names []string
	for _, f := range goFiles() {
		names = append(names, f.Name)
	}
	for _, calls := range pass.HelperCalls() {
		if problems := calls.Package.Check(pass.Source.Program.Scope.Root(), names, "helpers"); len(problems) > 0 {
			pass.Report(problems...)
			continue
		}
		for _, name := range needed(calls.Functions) {
			content, err := source(name, calls.Package.Path, calls.Package.Name, pass.Options.Header)
			if err != nil {
				return err
			}
			if err := pass.Emit(path.Join(calls.Package.Dir, name), content); err != nil {
				return err
			}
		}
	}
	return nil
}
