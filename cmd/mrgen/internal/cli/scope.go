package cli

import (
	"github.com/spf13/cobra"

	"github.com/mrgen-io/mrgen/generator/scaffold"
)

func newAddScopeCommand() *cobra.Command {
	var options scaffold.ScopesOptions
	cmd := &cobra.Command{
		Use:   "scope",
		Short: "Generate one scope of all kinds from the other",
		Long: `scope adds scopes to mrgen.yaml, so that mrgen generate writes the kinds of one scope, and their
controllers, from those of the other.

If all kinds are cluster scoped, it makes namespaced source of them, which you write from then on:
types, ProviderConfigs, controllers and tests move to folders called namespaced. mrgen writes the
cluster-scoped kinds in the folders where they are. A warning names what is lost, such as the
namespace of a reference, and what you have to decide. Groups of namespaced kinds have the label m,
as in storage.m.example.org.

If all kinds are namespaced, they stay where they are, and mrgen writes cluster-scoped ones to
folders called cluster. ProviderConfigs of that scope, and their controller, are written once, and
yours. The groups have the label cluster, as in storage.cluster.example.org, or lose the label m.

If a provider has both scopes by hand, it only adds the settings: mrgen generate then names what
you declare in both. If there is an error, it writes nothing.`,
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
	cmd.Flags().StringToStringVar(&options.Groups, "groups", nil, "groups of the kinds of the new scope, as OLD=NEW")
	addDiffFlag(cmd.Flags())
	return cmd
}
