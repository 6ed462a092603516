package cli

import (
	"github.com/spf13/cobra"

	"github.com/mrgen-io/mrgen/generator/scaffold"
)

func newRemoveCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "remove",
		Short:   "Remove a kind or a version",
		Example: "  mrgen remove kind Bucket --group=storage",
	}
	cmd.AddCommand(newRemoveKindCommand(), newRemoveProviderConfigCommand())
	return cmd
}

func newRemoveKindCommand() *cobra.Command {
	var options scaffold.RemoveOptions
	cmd := &cobra.Command{
		Use:   "kind NAME",
		Short: "Remove a kind of managed resource, or a version of one",
		Long: `kind undoes mrgen add kind: it removes the types, the controller with tests, the example manifest
and generated files, and unregisters the kind. A provider of both scopes loses the kind in both. If
one version goes and others stay, so does the controller.

If anything refers to the kind, it lists all places and removes nothing: reference markers, other
Go code, and manifests such as compositions below examples. It doesn't look into clusters: see
mrgen breaking.

Files with uncommitted changes and versions that are served can't be removed without --force.`,
		Example: `  # What would be removed?
  mrgen remove kind Bucket --group=storage --diff

  # One version:
  mrgen remove kind Bucket --group=storage --version=v1alpha1`,
		Args:              oneArgument("NAME"),
		ValidArgsFunction: completeKinds,
		RunE: func(cmd *cobra.Command, args []string) error {
			options.Kind, options.DryRun = args[0], wantsDiff(cmd)
			return addTo(cmd, &options.Options, func() (scaffold.Result, error) { return scaffold.RemoveKind(cmd.Context(), options) })
		},
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().StringVar(&options.Group, "group", "", "first word of the API group, such as storage, or all of it")
	cmd.Flags().StringVar(&options.Version, "version", "", "version to remove; default: all")
	cmd.Flags().BoolVar(&options.Force, forceFlag, false, "also remove uncommitted files, kinds in manifests, and served versions")
	addDiffFlag(cmd.Flags())
	requireFlags(cmd, "group")
	return cmd
}

func newRemoveProviderConfigCommand() *cobra.Command {
	var options scaffold.RemoveConfigOptions
	cmd := &cobra.Command{
		Use:   "providerconfig",
		Short: "Remove the ProviderConfigs of a provider",
		Long: `providerconfig undoes what mrgen add providerconfig does: it removes the types of ProviderConfigs
and of what notes their use, in all scopes, the controller that keeps those in use, and what is
generated from the types, and takes them out of what registers them.

If something refers to them, all places are listed, and nothing is removed: controllers that
read credentials, other Go code, and manifests. Files that you have changed since mrgen wrote
them have to be committed. With --force neither they nor manifests count.`,
		Example: `  # What would be removed?
  mrgen remove providerconfig --diff`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			options.DryRun = wantsDiff(cmd)
			return addTo(cmd, &options.Options, func() (scaffold.Result, error) { return scaffold.RemoveProviderConfig(cmd.Context(), options) })
		},
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().BoolVar(&options.Force, forceFlag, false, "remove what is not committed, and what manifests have")
	addDiffFlag(cmd.Flags())
	return cmd
}
