package cli

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/mrgen-io/mrgen/generator/report"
	"github.com/mrgen-io/mrgen/generator/settings"
)

func newCoverageCommand() *cobra.Command {
	form, against := "text", ""
	cmd := &cobra.Command{
		Use:   "coverage [packages]",
		Short: "Show which fields of an SDK no kind shows or sets",
		Long: `coverage prints a line for each struct of an SDK that a conversion makes or reads, as the
packages of convert.packages declare them: how many of its fields a kind has, and the names of
the others. With --against, it lists the fields that the SDK has now and didn't have at a revision
of the repository, and the other way round, as after an upgrade. Nothing is written. Packages
default to ./...

` + settingsHelp(),
		Example: `  mrgen coverage

  # What did the upgrade of the SDK bring?
  mrgen coverage --against=v1.2.0

  # For scripts:
  mrgen coverage -o json`,
		RunE: func(cmd *cobra.Command, args []string) error { return showCoverage(cmd, args, form, against) },
	}
	addFlags(cmd.Flags())
	cmd.Flags().StringVar(&against, "against", "", "revision to compare with, such as a tag")
	cmd.Flags().VarP(settings.Choice(&form, "format", "text", "json"), "output", "o", "text or json")
	return cmd
}

func showCoverage(cmd *cobra.Command, args []string, form, against string) error {
	_, s, diags := moduleSettings(cmd, args)
	var structs []report.SDKStruct
	if !diags.HasErrors() {
		var err error
		if structs, diags, err = report.Coverage(cmd.Context(), s.Options); err != nil || cmd.Context().Err() != nil {
			return ours(cmd, err)
		}
	}
	if err := diagnose(cmd, diags); err != nil {
		return err
	}
	if against != "" {
		before, diags, err := report.CoverageOf(cmd.Context(), s.Options, against)
		if err != nil || cmd.Context().Err() != nil {
			return ours(cmd, err)
		}
		if err := diagnose(cmd, diags); err != nil {
			return err
		}
		return showChanges(cmd, before, structs, form)
	}
	if form == "json" {
		type sdkStruct struct {
			Method string   `json:"method"`
			Struct string   `json:"struct"`
			Sent   bool     `json:"sent"`
			Fields []string `json:"fields"`
			Left   []string `json:"left,omitempty"`
		}
		all := []sdkStruct{}
		for _, s := range structs {
			all = append(all, sdkStruct{s.Method, s.Name, s.Sent, s.Fields, s.Left})
		}
		text, err := indented(all)
		if err != nil {
			return &internalError{cause: err}
		}
		return write(cmd.OutOrStdout(), text)
	}
	var text bytes.Buffer
	table := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "METHOD\tSTRUCT\tFIELDS\tLEFT OUT")
	for _, s := range structs {
		fmt.Fprintf(table, "%s\t%s\t%d of %d\t%s\n", s.Method, s.Name, len(s.Fields)-len(s.Left), len(s.Fields), strings.Join(s.Left, ", "))
	}
	_ = table.Flush() // a buffer takes anything
	say(cmd, "%s", count(len(structs), "struct"))
	return write(cmd.OutOrStdout(), text.Bytes())
}

// showChanges lists the fields that the structs of an SDK gained and lost.
func showChanges(cmd *cobra.Command, before, after []report.SDKStruct, form string) error {
	type change struct {
		Method string   `json:"method"`
		Struct string   `json:"struct"`
		Gained []string `json:"gained,omitempty"`
		Lost   []string `json:"lost,omitempty"`
	}
	key := func(s report.SDKStruct) string { return s.Method + " " + s.Name }
	old, seen := map[string]report.SDKStruct{}, map[string]bool{}
	for _, s := range before {
		old[key(s)] = s
	}
	changes := []change{}
	add := func(c change) {
		if len(c.Gained)+len(c.Lost) > 0 {
			changes = append(changes, c)
		}
	}
	for _, s := range after {
		seen[key(s)] = true
		was := old[key(s)].Fields
		add(change{s.Method, s.Name, without(s.Fields, was), without(was, s.Fields)})
	}
	for _, s := range before {
		if !seen[key(s)] {
			add(change{Method: s.Method, Struct: s.Name, Lost: s.Fields})
		}
	}
	if form == "json" {
		text, err := indented(changes)
		if err != nil {
			return &internalError{cause: err}
		}
		return write(cmd.OutOrStdout(), text)
	}
	var text bytes.Buffer
	for _, c := range changes {
		for _, name := range c.Gained {
			fmt.Fprintf(&text, "+ %s %s.%s\n", c.Method, c.Struct, name)
		}
		for _, name := range c.Lost {
			fmt.Fprintf(&text, "- %s %s.%s\n", c.Method, c.Struct, name)
		}
	}
	return write(cmd.OutOrStdout(), text.Bytes())
}

// without returns the names that others don't have.
func without(names, others []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return slices.Contains(others, name) })
}
