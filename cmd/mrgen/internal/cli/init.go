package cli

import (
	"fmt"
	"path/filepath"
	"runtime/debug"

	"github.com/spf13/cobra"
	"golang.org/x/mod/semver"

	"github.com/mrgen-io/mrgen/generator"
	"github.com/mrgen-io/mrgen/generator/scaffold"
)

func newInitCommand() *cobra.Command {
	options := scaffold.InitOptions{Scope: scaffold.Namespaced}
	cmd := &cobra.Command{
		Use:   "init DIR",
		Short: "Create a provider",
		Long: `init writes a provider that builds: its configuration, the program, settings for continuous
integration, and everything that generate makes of it. go.mod and go.sum pin all modules. Add
kinds with mrgen add kind.

DIR may exist: files in it are left alone, and named. An interrupted init leaves DIR as it was.

With --scope=both, each kind exists twice. You write the namespaced one, in the group with m after
the first word, as in example.m.crossplane.io. mrgen generate writes the cluster-scoped kind and
its controller, in the given group.`,
		Example: `  # A provider of namespaced managed resources, in a new folder:
  mrgen init provider-example --module=github.com/example/provider-example --group=example.crossplane.io

  # In the clone of an empty repository:
  mrgen init . --module=github.com/example/provider-example --group=example.crossplane.io`,
		Args: oneArgument("DIR"),
		RunE: func(cmd *cobra.Command, args []string) error {
			options.Dir = args[0]
			options.MrgenVersion = ownVersion()
			options.DryRun = wantsDiff(cmd)
			return initialize(cmd, options)
		},
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().StringVar(&options.Module, "module", "", "path of the Go module, such as github.com/example/provider-example")
	cmd.Flags().StringVar(&options.Group, "group", "", "end of all API groups, such as example.crossplane.io")
	cmd.Flags().StringVar(&options.Scope, "scope", options.Scope, "namespaced, cluster or both")
	cmd.Flags().StringVar(&options.Name, "name", "", "name of the provider; default: the last element of the module path")
	complete(cmd, "scope",
		cobra.FixedCompletions([]string{scaffold.Namespaced, scaffold.Cluster, scaffold.Both}, cobra.ShellCompDirectiveNoFileComp))
	addDiffFlag(cmd.Flags())
	requireFlags(cmd, "module", "group")
	return cmd
}

func initialize(cmd *cobra.Command, options scaffold.InitOptions) error {
	finishes(cmd)
	options.OnStep = newProgress(cmd).step
	done, err := scaffold.Init(cmd.Context(), options)
	if err != nil {
		return ours(cmd, err)
	}
	if err := printScaffolding(cmd, options.Dir, done); err != nil || wantsDiff(cmd) {
		return err
	}
	say(cmd, "%s below %s", summary(done.Changes), filepath.ToSlash(options.Dir))
	sayUnpinned(cmd, "apis/generate.go and the Makefile run")
	say(cmd, "Next: add a kind, from that folder: mrgen add kind Bucket --group=storage --version=v1alpha1")
	return nil
}

// printScaffolding prints the files that were written below a folder, and the existing ones that were left
// alone.
func printScaffolding(cmd *cobra.Command, dir string, done scaffold.Result) error {
	if err := diagnose(cmd, done.Diagnostics); err != nil {
		return err
	}
	if wantsDiff(cmd) {
		return writeDiff(cmd, generator.Diff(done.Changes))
	}
	return printChanges(cmd, dir, done.Changes, done.Left...)
}

// ownVersion returns the version of this program that others can run, or "".
func ownVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	return published(info.Main.Version)
}

// published returns a version that the go command can download: a release or a commit. For changed source, it
// returns "".
func published(version string) string {
	if semver.IsValid(version) && semver.Build(version) == "" { // +dirty is build metadata
		return version
	}
	return ""
}

// sayUnpinned warns that written files run mrgen without a version, if this program doesn't know its own.
func sayUnpinned(cmd *cobra.Command, where string) {
	if ownVersion() == "" {
		say(cmd, "This build of mrgen has no version: %s the mrgen on PATH, and not a pinned one", where)
	}
}

// oneArgument requires a single argument. The name stands for it in errors.
func oneArgument(name string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch len(args) {
		case 1:
			return nil
		case 0:
			return fmt.Errorf("%s needs %s", cmd.CommandPath(), name)
		default:
			return fmt.Errorf("%s takes one %s, but got %q as well", cmd.CommandPath(), name, args[1])
		}
	}
}

// requireFlags makes a command fail without the flags.
func requireFlags(cmd *cobra.Command, names ...string) {
	run := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		for _, name := range names {
			if !cmd.Flags().Changed(name) {
				return fmt.Errorf("%s needs --%s: %s", cmd.CommandPath(), name, cmd.Flags().Lookup(name).Usage)
			}
		}
		return run(cmd, args)
	}
}
