package cli

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mrgen-io/mrgen/generator/coverage"
	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/settings"
)

func newCoverageCommand() *cobra.Command {
	form, against := "text", ""
	cmd := &cobra.Command{
		Use:   "coverage [packages]",
		Short: "Show the fields of an SDK that no kind has",
		Long: `coverage prints a line for each struct of an SDK that the conversions in convert.packages read or
make: how many of its fields a kind has, and the names of the others. With --against, it lists the
fields that the SDK gained or lost since a revision, as after an upgrade. Nothing is written.`,
		Example: `  mrgen coverage

  # What did the upgrade of the SDK bring?
  mrgen coverage --against=v1.2.0

  # For scripts:
  mrgen coverage -o json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if against != "" {
				return showChanges(cmd, args, form, against)
			}
			return answer(cmd, args, func(ctx context.Context, s settings.Settings) ([]coverage.Struct, diag.List, error) {
				return coverage.Find(ctx, s.Options)
			}, func(structs []coverage.Struct) ([]byte, error) {
				if form == "json" {
					return indented(append([]coverage.Struct{}, structs...))
				}
				return coverageAsText(cmd, structs), nil
			})
		},
	}
	addFlags(cmd.Flags(), dangerousFlag, markersFlag)
	cmd.Flags().StringVar(&against, "against", "", "git `revision` to compare with, such as v1.2.0")
	cmd.Flags().VarP(settings.Choice(&form, "format", "text", "json"), "output", "o", "text or json")
	return cmd
}

func coverageAsText(cmd *cobra.Command, structs []coverage.Struct) []byte {
	var text bytes.Buffer
	fmt.Fprintln(&text, "METHOD\tSTRUCT\tFIELDS\tLEFT OUT")
	for _, s := range structs {
		fmt.Fprintf(&text, "%s\t%s\t%d of %d\t%s\n", s.Method, s.Name, len(s.Fields)-len(s.Left), len(s.Fields), strings.Join(s.Left, ", "))
	}
	say(cmd, "%s", count(len(structs), "struct"))
	return aligned(text.Bytes())
}

// An sdkChange lists the fields that a struct of an SDK gained and lost.
type sdkChange struct {
	Method string   `json:"method"`
	Struct string   `json:"struct"`
	Gained []string `json:"gained,omitempty"`
	Lost   []string `json:"lost,omitempty"`
}

// showChanges lists the fields that the structs of an SDK gained and lost since a revision.
func showChanges(cmd *cobra.Command, args []string, form, against string) error {
	return answer(cmd, args, func(ctx context.Context, s settings.Settings) ([]sdkChange, diag.List, error) {
		after, diags, err := coverage.Find(ctx, s.Options)
		if err != nil || diags.HasErrors() {
			return nil, diags, err
		}
		before, problems, err := coverage.FindAt(ctx, s.Options, against)
		return sdkChanges(before, after), append(diags, problems...), err
	}, func(changes []sdkChange) ([]byte, error) {
		if form == "json" {
			return indented(changes)
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
		return text.Bytes(), nil
	})
}

func sdkChanges(before, after []coverage.Struct) []sdkChange {
	key := func(s coverage.Struct) string { return s.Method + " " + s.Name }
	old, seen := map[string]coverage.Struct{}, map[string]bool{}
	for _, s := range before {
		old[key(s)] = s
	}
	changes := []sdkChange{}
	add := func(c sdkChange) {
		if len(c.Gained)+len(c.Lost) > 0 {
			changes = append(changes, c)
		}
	}
	for _, s := range after {
		seen[key(s)] = true
		was := old[key(s)].Fields
		add(sdkChange{s.Method, s.Name, without(s.Fields, was), without(was, s.Fields)})
	}
	// A struct that no conversion uses any more lost all its fields.
	for _, s := range before {
		if !seen[key(s)] {
			add(sdkChange{Method: s.Method, Struct: s.Name, Lost: s.Fields})
		}
	}
	return changes
}

// without returns the names that are not among others.
func without(names, others []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return slices.Contains(others, name) })
}
