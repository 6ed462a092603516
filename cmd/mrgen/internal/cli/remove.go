package cli

import (
	"github.com/spf13/cobra"

	"github.com/mrgen-io/mrgen/generator/scaffold"
)

func newRemoveCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "remove",
		Short:   "Remove from a provider",
		Example: "  mrgen remove kind Bucket --group=storage",
	}
	cmd.AddCommand(newRemoveKindCommand(), newRemoveProviderConfigCommand())
	requireCommand(cmd)
	return cmd
}

func newRemoveKindCommand() *cobra.Command {
	var options scaffold.RemoveOptions
	cmd := &cobra.Command{
		Use:   "kind NAME",
		Short: "Remove a kind of managed resource, or a version of one",
		Long: `kind undoes what mrgen add kind does: it removes the types of a managed resource, its
controller with tests, the example manifest and what is generated from the types, and
takes the kind out of what registers it and sets up its controller. A provider of both
scopes loses the kind in both. If the last version stays, so does the controller.

If something refers to the kind, all places are listed, and nothing is removed: reference
markers and other Go code, and manifests, such as compositions below examples. Objects
in a cluster are not looked for: mrgen breaking says what a release would break.

Files that you have changed since mrgen wrote them have to be committed, so that you can
have them back, and a version that is served can't be removed from a definition, since
objects may be stored in it. With --force neither counts, and manifests that have the kind
stay as they are.`,
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
	cmd.Flags().StringVar(&options.Group, "group", "", "first word of the API group, such as storage")
	cmd.Flags().StringVar(&options.Version, "version", "", "version of the API, such as v1alpha1; all if it is not set")
	cmd.Flags().BoolVar(&options.Force, forceFlag, false, "remove what is not committed, what manifests have, and versions that are served")
	addDiffFlag(cmd.Flags())
	requireFlags(cmd, "group")
	return cmd
}

func newRemoveProviderConfigCommand() *cobra.Command {
	var options scaffold.RemoveConfigOptions
	cmd := &cobra.Command{
		Use:   "providerconfig",
		Short: "Remove the ProviderConfigs of a provider",
		Long: `providerconfig undoes what mrgen add providerconfig does: it removes the types of ProviderConfigs and
of what notes their use, in all scopes, the controller that keeps those in use, and what is
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
