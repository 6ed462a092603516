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
		Short: "Make the Crossplane package of the provider, or check one",
		Long: `package builds the program of the provider for each platform, and writes a Crossplane package:
an image for each, with the program, and in a layer of its own package.yaml, which has
crossplane.yaml and all definitions. Examples and docs are in further layers. It takes neither
docker nor Crossplane's command line. The files that generate writes must be up to date.

The same source makes the same digest, with the same mrgen and Go: the Go of toolchain in
go.mod, if that names one. The file is an OCI layout with all platforms; for what docker load
and crossplane xpkg push read, it has the image for linux/amd64. With --push, the package goes to
a registry, too, with the credentials that docker login keeps.

With --base, the program is put on another image, which needs a digest. Without, there is nothing
below it but the certificates of public authorities. It never runs as root.

With --group, the package has the kinds of one API group, and depends on one with the configuration
of the provider, which --group=config makes.

With --check, each FILE is a package that exists: package says what Crossplane and the API server
would refuse, which content isn't what its digest stands for, and what users would trip over.`,
		Example: `  # Write provider-example.xpkg, in a provider of that name:
  mrgen package

  # A release:
  mrgen package --ldflags="-X github.com/example/provider-example/internal/version.Version=v1.0.0" --push=ghcr.io/example/provider-example:v1.0.0

  # What anybody has built:
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
	flags.BoolVar(&check, "check", false, "check packages that exist")
	flags.StringVarP(&options.File, "file", "f", "", "where to write the package, in the module or in another folder that exists; by default NAME.xpkg")
	flags.StringVar(&push, "push", "", "where to push it to, as REGISTRY/NAME:VERSION")
	flags.StringVar(&options.Program, "program", options.Program, "Go package of the program")
	flags.StringVar(&options.LDFlags, "ldflags", "", "arguments of the Go linker")
	flags.StringSliceVar(&options.Platforms, "platform", options.Platforms, "platforms, separated by commas")
	flags.StringVar(&options.Base, "base", "", "image below the program, with its digest")
	flags.StringVar(&options.Folder, "package-root", options.Folder, "folder with crossplane.yaml and the definitions")
	flags.StringVar(&options.Examples, "examples-root", options.Examples, "folder with examples, which need not exist")
	flags.StringVar(&options.Docs, "docs-root", options.Docs, "folder with documentation, which need not exist")
	flags.StringVar(&options.Family.Group, "group", "", "API group whose kinds the package has, or its first label; or config")
	flags.StringVar(&options.Family.Registry, "registry", "", "where the packages of other groups are, as ghcr.io/example")
	flags.StringVar(&options.Family.Version, "version", "", "version of the packages of other groups")
	addCacheFlag(flags)
	return cmd
}

func checkPackages(cmd *cobra.Command, files []string) error {
	if len(files) == 0 {
		return errors.New("mrgen package --check needs at least one FILE")
	}
	var diags diag.List
	for _, file := range files {
		diags = append(diags, xpkg.Check(cmd.Context(), file)...)
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
