package cli

import (
	"github.com/spf13/cobra"

	"github.com/mrgen-io/mrgen/generator/scaffold"
)

func newAddScopeCommand() *cobra.Command {
	var options scaffold.ScopesOptions
	cmd := &cobra.Command{
		Use:   "scope",
		Short: "Have mrgen write one scope of all kinds from the other",
		Long: `scope adds scopes to mrgen.yaml, so that mrgen generate writes the kinds of one scope, and
their controllers, from those of the other.

If all kinds are cluster scoped, it makes namespaced source of them, which is what you
write from then on: types, ProviderConfigs, controllers and tests move to folders called
namespaced, and their packages are added to the lists that have the cluster scoped ones.
mrgen writes the cluster scoped kinds, in the folders that they are in. A warning says
where something is lost, as the namespace of a reference, and where a decision is left to
you. The groups of the namespaced kinds have the label m, as storage.m.example.org.

If a provider has both scopes by hand, it adds the settings alone: mrgen generate names
what you declare in both.

It writes nothing if there is an error. With --diff it writes nothing, and prints a diff.`,
		Example: `  mrgen add scope

  # With another group than storage.m.example.org:
  mrgen add scope --groups=storage.example.org=storage.namespaced.example.org`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			options.DryRun = wantsDiff(cmd)
			return change(cmd, &options.Options, false, func() (scaffold.Result, error) { return scaffold.AddScope(cmd.Context(), options) })
		},
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().StringToStringVar(&options.Groups, "groups", nil, "groups of namespaced kinds, as OLD=NEW")
	addDiffFlag(cmd.Flags())
	return cmd
}
