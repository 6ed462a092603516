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
		Short: "Write manifests of managed resources",
		Long: `examples writes two manifests for each managed kind: one with what is needed to
create an external resource, and one that observes a resource that exists. They are
<dir>/<group>/<version>/<kind>.yaml and <kind>-observe.yaml.

Values come from +mrgen:example markers, from the schema's examples and enums, or are
made up: from patterns, say. A manifest has what rules demand, such as one of several
fields, the API server's own validation has accepted it, and clients in Go can read it:
"example" is not a duration. Fields with a default are left out, and fields with a
reference are set by it. Where mrgen finds nothing that is valid, a warning names the
field and asks for a marker, that manifest is left out, and the others are written. If an
earlier run wrote it, and it is not valid any more, a warning names the file, which stays.

To change a manifest by hand, remove its first line: mrgen then leaves it alone. What is
wrong with objects that you keep in the folder is a warning at their file and field.
Packages default to ./...

` + settingsHelp(),
		Example: `  mrgen examples ./apis/...`,
		RunE:    func(cmd *cobra.Command, args []string) error { return examples(cmd, args, dir) },
	}
	addFlags(cmd.Flags())
	cmd.Flags().Var(settings.Folder(&dir), "dir", "folder for manifests")
	addDiffFlag(cmd.Flags())
	return cmd
}

func examples(cmd *cobra.Command, args []string, dir string) error {
	_, s, diags := moduleSettings(cmd, args)
	var manifests report.Manifests
	if !diags.HasErrors() {
		var err error
		if manifests, err = report.Examples(cmd.Context(), s.Options, dir); err != nil || cmd.Context().Err() != nil {
			return ours(cmd, err)
		}
		diags = manifests.Diagnostics
	}
	if diags.HasErrors() {
		return diagnose(cmd, diags)
	}
	if wantsDiff(cmd) {
		printDiagnostics(cmd, diags)
		return writeDiff(cmd, manifests.Diff())
	}
	changes := manifests.Changes()
	problems, err := manifests.Apply(cmd.Context())
	if err != nil {
		return ours(cmd, err)
	}
	return printScaffolding(cmd, "", scaffold.Result{
		Diagnostics: append(diags, problems...), Changes: changes, Left: manifests.Left,
	})
}
