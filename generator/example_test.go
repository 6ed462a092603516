package generator_test

import (
	"context"
	"fmt"

	"github.com/mrgen-io/mrgen/generator"
	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/settings"
	"github.com/mrgen-io/mrgen/generator/stage"
)

// What mrgen verify does: with the settings in mrgen.yaml, are the files up to date?
func Example() {
	root, diags := generator.FindModule("../testdata/provider-runtime-v2/apis")
	if diags.HasErrors() {
		fmt.Println(diags)
		return
	}
	s, diags := settings.Read(root)
	if len(diags) > 0 {
		fmt.Println(diags)
		return
	}
	result, err := generator.Generate(context.Background(), s.Options)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, d := range result.Diagnostics {
		fmt.Println(d)
	}
	for _, change := range result.Changes() {
		fmt.Println(change.Action, change.Path)
	}
	fmt.Println(len(result.Changes()), "files are out of date")
	// Output: 0 files are out of date
}

// A stage that warns of kinds without a comment, which is what kubectl explain shows.
func ExampleStage() {
	noComment := stage.Stage{
		Name:    "comments",
		Doc:     "Warns of kinds without a comment.",
		Version: "1",
		Run: func(_ context.Context, model *stage.Model) (stage.Output, error) {
			var output stage.Output
			for _, pkg := range model.Packages {
				for _, kind := range pkg.Kinds {
					if kind.Type.Doc == "" {
						output.Diagnostics = append(output.Diagnostics, diag.Diagnostic{
							Pos: kind.Type.Pos, Severity: diag.Warning, Code: "no-comment", Message: kind.Name + " has no comment: say what it is",
						})
					}
				}
			}
			return output, nil
		},
	}
	s, _ := settings.Read("../testdata/provider-runtime-v2")
	s.Options.Stages = []stage.Stage{noComment}
	result, err := generator.Generate(context.Background(), s.Options)
	fmt.Println(len(result.Diagnostics), "kinds lack a comment", err)
	// Output: 0 kinds lack a comment <nil>
}
