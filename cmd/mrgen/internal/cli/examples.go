package cli

import (
	"github.com/spf13/cobra"

	"github.com/mrgen-io/mrgen/generator/report"
	"github.com/mrgen-io/mrgen/generator/scaffold"
	"github.com/mrgen-io/mrgen/generator/settings"
)

func newExamplesCommand() *cobra.Command {
	dir := "examples"
	cmd := &cobra.Command{
		Use:   "examples [packages]",
		Short: "Write example manifests that the API server accepts",
		Long: `examples writes two manifests for each managed kind to <dir>/<group>/<version>: <kind>.yaml creates
an external resource, and <kind>-observe.yaml observes one.

Values come from +mrgen:example markers, from examples and enums of the schema, or are made up. The
API server's own validation has accepted each manifest. If nothing valid is found, a warning names
the field that needs a marker, and the manifest is left out. Kinds with +mrgen:connectionDetail name
a secret.

To maintain a manifest by hand, remove its first line. Problems with such objects are warnings.`,
		Example: `  mrgen examples ./apis/...`,
		RunE:    func(cmd *cobra.Command, args []string) error { return examples(cmd, args, dir) },
	}
	addFlags(cmd.Flags(), dangerousFlag, markersFlag, minKubernetesFlag)
	cmd.Flags().Var(settings.Folder(&dir), "dir", "folder for manifests")
	addDiffFlag(cmd.Flags())
	return cmd
}

func examples(cmd *cobra.Command, args []string, dir string) error {
	_, s, diags := moduleSettings(cmd, args)
	if diags.HasErrors() {
		return diagnose(cmd, diags)
	}
	manifests, err := report.Examples(cmd.Context(), s.Options.Run(), dir)
	if err != nil || cmd.Context().Err() != nil {
		return ours(cmd, err)
	}
	diags = s.Place(manifests.Diagnostics)
	changes := manifests.Changes()
	if !wantsDiff(cmd) && !diags.HasErrors() {
		problems, err := manifests.Apply(cmd.Context())
		if err != nil {
			return ours(cmd, err)
		}
		diags = append(diags, problems...)
	}
	return printScaffolding(cmd, "", scaffold.Result{Diagnostics: diags, Changes: changes, Left: manifests.Left})
}
