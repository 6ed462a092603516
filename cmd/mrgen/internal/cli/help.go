package cli

import (
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

// writeHelp writes the help of a command, beginning with its usage.
func writeHelp(cmd *cobra.Command, to io.Writer) error {
	hideHelpFlag(cmd)
	if isTopic(cmd) {
		return write(to, []byte(cmd.Long+"\n"))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Usage: %s\n\n%s\n", usageLine(cmd), summaryOf(cmd))
	if cmd.HasParent() && cmd.HasExample() {
		fmt.Fprintf(&b, "\nExamples:\n%s\n", cmd.Example)
	}
	b.WriteString(commandList(cmd))
	if flags := ownFlags(cmd); flags != "" && cmd.HasParent() {
		fmt.Fprintf(&b, "\nFlags:\n%s", flags)
	} else if flags != "" {
		fmt.Fprintf(&b, "\n%s", flags)
	}
	if cmd.HasParent() {
		fmt.Fprintf(&b, "\n%s\n", footer(cmd))
	}
	return write(to, []byte(b.String()))
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

// commandList lists the subcommands by group. Commands without a group share a last line.
func commandList(cmd *cobra.Command) string {
	var b strings.Builder
	list := func(title, group string) {
		for _, sub := range cmd.Commands() {
			if !sub.IsAvailableCommand() || sub.GroupID != group {
				continue
			}
			if title != "" {
				fmt.Fprintf(&b, "%s:\n", title)
				title = ""
			}
			fmt.Fprintf(&b, "  %-*s  %s\n", cmd.NamePadding(), sub.Name(), sub.Short)
		}
	}
	if !cmd.HasSubCommands() {
		return ""
	}
	b.WriteByte('\n')
	if cmd.HasParent() {
		list("Commands", "")
		return b.String()
	}
	for _, g := range cmd.Groups() {
		list(g.Title, g.ID)
	}
	var others []string
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() && sub.GroupID == "" {
			others = append(others, sub.Name())
		}
	}
	fmt.Fprintf(&b, "More: %s; mrgen help COMMAND and mrgen help %s\n", strings.Join(others, ", "), settingsTopic)
	return b.String()
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
	return text + "All commands take -C, -q and --color (mrgen --help)."
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
	eachSetting(func(s describedSetting) {
		about := "default " + s.standard
		if s.flag != "" {
			about += ", --" + s.flag
		}
		if s.standard == "" {
			about = "one for each rule"
		}
		fmt.Fprintf(&b, "\n  %s (%s)\n%s", s.key, about, wrap(s.doc, "      "))
	})
	return b.String()
}

const settingsIntroduction = `Settings come from flags or from mrgen.yaml at the root of the Go module; flags win. Patterns and
paths are relative to that root, wherever mrgen is started in the module. mrgen config shows the
values in effect, and mrgen schema prints a JSON schema for editors.
`

// A describedSetting is a setting for the reference.
type describedSetting struct{ key, standard, flag, doc string }

// eachSetting calls a function with each setting, or family of settings.
func eachSetting(yield func(describedSetting)) {
	defaults, family := settings.Default(), ""
	for _, row := range settings.Table() {
		switch {
		case row.Family == "":
			yield(describedSetting{row.Key, row.Value(&defaults).Shown(), row.Flag, row.Doc})
		case row.Family != family: // the first one documents its family
			yield(describedSetting{key: row.Family, doc: row.Doc})
		}
		family = row.Family
	}
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
