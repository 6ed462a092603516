// Command library does what mrgen generate does, with a stage of its own.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"

	"example.org/library/roles"

	"github.com/mrgen-io/mrgen/generator"
	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/settings"
	"github.com/mrgen-io/mrgen/generator/stage"
)

func main() {
	cache := flag.String("cache", "", "folder for what runs remember")
	flag.Parse()
	if err := run(context.Background(), *cache); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}

func run(ctx context.Context, cache string) error {
	root, diags := generator.FindModule(".")
	if diags.HasErrors() {
		return refused(diags)
	}
	s, diags := settings.Read(root)
	if len(diags) > 0 {
		return refused(diags)
	}
	s.Options.CacheDir = cache
	s.Options.Stages = []stage.Stage{roles.Stage("package/rbac")}

	result, err := generator.Generate(ctx, s.Options)
	if err != nil {
		return err
	}
	if result.Diagnostics.HasErrors() {
		return refused(result.Diagnostics)
	}
	show(result.Diagnostics)
	if diags, err := result.Apply(ctx); err != nil || diags.HasErrors() {
		show(diags)
		return err
	}
	result.Remember()
	for _, change := range result.Changes() {
		fmt.Println(change.Action, change.Path)
	}
	return nil
}

func refused(diags diag.List) error {
	show(diags)
	return fmt.Errorf("nothing was written")
}

func show(diags diag.List) {
	for _, d := range diags {
		fmt.Println(d)
	}
}
