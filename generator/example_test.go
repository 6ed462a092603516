package generator_test

import (
	"context"
	"fmt"

	"github.com/mrgen-io/mrgen/generator"
	"github.com/mrgen-io/mrgen/generator/settings"
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
	result, err := generator.Generate(context.Background(), s.Options.Run())
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
