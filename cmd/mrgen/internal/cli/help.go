package cli

import (
	_ "embed" // of the text
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/mrgen-io/mrgen/generator/settings"
)

// The groups of commands, in order.
var groups = []*cobra.Group{
	{ID: "generate", Title: "Generate"},
	{ID: "check", Title: "Check"},
	{ID: "edit", Title: "Edit and scaffold"},
	{ID: "ship", Title: "Ship"},
	{ID: "reference", Title: "Reference"},
}

// addGrouped adds commands to a group.
func addGrouped(root *cobra.Command, group string, commands ...*cobra.Command) {
	for _, cmd := range commands {
		cmd.GroupID = group
		root.AddCommand(cmd)
	}
}

// showHelp prints the help of a command.
func showHelp(cmd *cobra.Command, _ []string) { _ = writeHelp(cmd, cmd.OutOrStdout()) }

//go:embed help.txt.tmpl
var helpText string

// writeHelp writes the help of a command, beginning with its usage.
func writeHelp(cmd *cobra.Command, to io.Writer) error {
	hideHelpFlag(cmd)
	return write(to, page(helpText, cmd))
}

// isTopic reports whether a command only has a text to read.
func isTopic(cmd *cobra.Command) bool { return !cmd.Runnable() && !cmd.HasSubCommands() }

// hideHelpFlag leaves --help out of the list of flags: its reader has found it.
func hideHelpFlag(cmd *cobra.Command) {
	cmd.InitDefaultHelpFlag()
	cmd.Flags().Lookup("help").Hidden = true
}

func usageLine(cmd *cobra.Command) string {
	if cmd.HasSubCommands() {
		return cmd.CommandPath() + " COMMAND [flags]"
	}
	return cmd.UseLine()
}

// summaryOf returns the description of a command. A group without one has its title as a sentence.
func summaryOf(cmd *cobra.Command) string {
	if cmd.Long == "" || !cmd.HasParent() {
		return cmd.Short + "."
	}
	return cmd.Long
}

// ungrouped returns the names of the commands without a group.
func ungrouped(cmd *cobra.Command) string {
	var names []string
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() && sub.GroupID == "" {
			names = append(names, sub.Name())
		}
	}
	return strings.Join(names, ", ")
}

// ownFlags returns the flags of a command, except global flags and flags of settings.
func ownFlags(cmd *cobra.Command) string {
	if cmd.HasParent() && cmd.HasSubCommands() {
		return ""
	}
	var own pflag.FlagSet
	own.SortFlags = cmd.Flags().SortFlags
	ofSettings := settingFlags(cmd)
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if !slices.Contains(ofSettings, "--"+f.Name) {
			own.AddFlag(f)
		}
	})
	return own.FlagUsages()
}

// settingFlags returns the flags of settings that a command has.
func settingFlags(cmd *cobra.Command) []string {
	var flags []string
	for _, row := range settings.Table() {
		if row.Flag != "" && cmd.Flags().Lookup(row.Flag) != nil {
			flags = append(flags, "--"+row.Flag)
		}
	}
	return flags
}

// footer describes the arguments and flags that several commands share.
func footer(cmd *cobra.Command) string {
	text := ""
	if strings.Contains(cmd.Use, "[packages]") {
		text = "Packages are patterns relative to the module root; by default those of mrgen.yaml, or ./...\n"
	}
	if flags := settingFlags(cmd); len(flags) > 0 {
		text += wrap("Settings of mrgen.yaml as flags (mrgen help "+settingsTopic+"): "+strings.Join(flags, ", "), "")
	}
	return text + "All commands take -C and -q (mrgen --help)."
}

const settingsTopic = "settings"

// newSettingsTopic describes mrgen.yaml.
func newSettingsTopic() *cobra.Command {
	return &cobra.Command{Use: settingsTopic, Short: "The settings of mrgen.yaml", Long: settingsHelp()}
}

// settingsHelp describes mrgen.yaml as text.
func settingsHelp() string {
	var b strings.Builder
	b.WriteString(settingsIntroduction)
	for _, s := range describedSettings() {
		about := "default " + s.Standard
		if s.Flag != "" {
			about += ", --" + s.Flag
		}
		if s.Standard == "" {
			about = "one for each rule"
		}
		fmt.Fprintf(&b, "\n  %s (%s)\n%s", s.Key, about, wrap(s.Doc, "      "))
	}
	return b.String()
}

const settingsIntroduction = `Settings come from flags or from mrgen.yaml at the root of the Go module; flags win. Patterns and
paths are relative to that root, wherever mrgen is started in the module. mrgen config shows the
values in effect, and mrgen schema prints a JSON schema for editors.
`

// A describedSetting is a setting for the reference.
type describedSetting struct{ Key, Standard, Flag, Doc string }

// describedSettings returns each setting, or family of settings.
func describedSettings() []describedSetting {
	var all []describedSetting
	defaults, family := settings.Default(), ""
	for _, row := range settings.Table() {
		switch {
		case row.Family == "":
			all = append(all, describedSetting{row.Key, row.Value(&defaults).Shown(), row.Flag, row.Doc})
		case row.Family != family: // the first one documents its family
			all = append(all, describedSetting{Key: row.Family, Doc: row.Doc})
		}
		family = row.Family
	}
	return all
}

// textWidth is the width of text for terminals.
const textWidth = 100

// wrap breaks a text into lines that begin with an indentation.
func wrap(text, indent string) string {
	return indent + strings.Join(linesOf(text, textWidth-len(indent)), "\n"+indent) + "\n"
}

// linesOf breaks a text at its spaces into lines of at most width bytes.
func linesOf(text string, width int) []string {
	var lines []string
	for word := range strings.FieldsSeq(text) {
		if last := len(lines) - 1; last >= 0 && len(lines[last])+1+len(word) <= width {
			lines[last] += " " + word
		} else {
			lines = append(lines, word)
		}
	}
	return lines
}
