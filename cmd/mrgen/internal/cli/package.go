package cli

import (
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/xpkg"
)

func newPackageCommand() *cobra.Command {
	options := xpkg.Default()
	check, push := false, ""
	cmd := &cobra.Command{
		Use:   "package [FILE...]",
		Short: "Build, push or check a Crossplane package",
		Long: `package builds the provider for each platform and writes a Crossplane package, without docker or the
crossplane CLI. Generated files must be up to date. The same source, mrgen and Go give the same
digest. The file is an OCI layout, which docker load reads, too. --push uses docker's credentials.

With --group, it has the kinds of one API group; --group=config makes the one on which these depend.
With --check, it reports what Crossplane and the API server would refuse in existing packages.`,
		Example: `  # Write provider-example.xpkg, in a provider of that name:
  mrgen package

  # A release:
  mrgen package --ldflags="-X github.com/example/provider-example/internal/version.Version=v1.0.0" --push=ghcr.io/example/provider-example:v1.0.0

  mrgen package --check provider-example.xpkg`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if check {
				return checkPackages(cmd, args)
			}
			if err := noArguments(cmd, args); err != nil {
				return err
			}
			return makePackage(cmd, options, push)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.BoolVar(&check, "check", false, "check existing packages")
	flags.StringVarP(&options.File, "file", "f", "", "file to write; default: NAME.xpkg")
	flags.StringVar(&push, "push", "", "push to REGISTRY/NAME:VERSION")
	flags.StringVar(&options.Program, "program", options.Program, "Go package of the program")
	flags.StringVar(&options.LDFlags, "ldflags", "", "arguments of the Go linker")
	flags.StringSliceVar(&options.Platforms, "platform", options.Platforms, "platforms, separated by commas")
	flags.StringVar(&options.Base, "base", "", "base image with its digest; default: certificate authorities only")
	flags.StringVar(&options.Folder, "package-root", options.Folder, "folder with crossplane.yaml and the definitions")
	flags.StringVar(&options.Examples, "examples-root", options.Examples, "folder with examples, if any")
	flags.StringVar(&options.Docs, "docs-root", options.Docs, "folder with documentation, if any")
	flags.StringVar(&options.Family.Group, "group", "", "API group, or its first word, of the kinds to include; or config")
	flags.StringVar(&options.Family.Registry, "registry", "", "registry of the packages of other groups, such as ghcr.io/example")
	flags.StringVar(&options.Family.Version, "version", "", "version of the packages of other groups")
	addCacheFlag(flags)
	return cmd
}

// mostProblems is how many problems of a package are shown.
const mostProblems = 50

func checkPackages(cmd *cobra.Command, files []string) error {
	if len(files) == 0 {
		return errors.New("mrgen package --check needs at least one FILE")
	}
	var diags diag.List
	for _, file := range files {
		found := xpkg.Check(cmd.Context(), file)
		if more := len(found) - mostProblems; more > 0 {
			found = append(found[:mostProblems], unusable(diag.Position{File: file}, "%d more problems are not shown: correct these first", more))
		}
		diags = append(diags, found...)
	}
	return diagnose(cmd, diags)
}

func makePackage(cmd *cobra.Command, options xpkg.Options, push string) error {
	root, s, diags := moduleSettings(cmd, nil)
	if diags.HasErrors() {
		return diagnose(cmd, diags)
	}
	s.Options.Dir, s.Options.CacheDir = root, cacheFor(cmd)
	var saying sync.Mutex
	options.Building = func(platform string) {
		saying.Lock()
		defer saying.Unlock()
		say(cmd, "building %s for %s", options.Program, platform)
	}
	made, err := xpkg.Make(cmd.Context(), s.Options, options)
	if err != nil || cmd.Context().Err() != nil {
		return ours(cmd, err)
	}
	if err := diagnose(cmd, made.Diagnostics); err != nil {
		return err
	}
	diags, err = made.Apply(cmd.Context())
	if err != nil {
		return ours(cmd, err)
	}
	if err := diagnose(cmd, diags); err != nil {
		return err
	}
	say(cmd, "%s with %s, for %s", made.File, count(made.Definitions, "definition"), strings.Join(options.Platforms, " and "))
	if push == "" {
		return tell(cmd, fmt.Appendln(nil, made.Digest))
	}
	pushed, diags := made.Push(cmd.Context(), push)
	if err := diagnose(cmd, diags); err != nil {
		return err
	}
	return tell(cmd, fmt.Appendln(nil, pushed))
}
