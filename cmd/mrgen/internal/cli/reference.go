package cli

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
)

// reference returns the help of all commands as Markdown.
func reference(root *cobra.Command) []byte {
	var b bytes.Buffer
	b.WriteString("# Commands\n\nThis page is made by `mrgen help -o markdown`. `mrgen COMMAND --help` says the same.\n")
	fmt.Fprintf(&b, "\nFlags of all commands:\n\n%s\n", code(root.PersistentFlags().FlagUsages()))
	describeCommand(&b, root)
	return b.Bytes()
}

// describeCommand writes the help of a command and of its subcommands.
func describeCommand(b *bytes.Buffer, cmd *cobra.Command) {
	if cmd.HasParent() {
		text := cmd.Long
		if text == "" {
			text = cmd.Short + "."
		}
		// The settings are the same for all commands, and described once.
		if before, _, found := strings.Cut(text, "\n\n"+settingsHelp()); found && cmd.Name() != "generate" {
			text = before + "\n\nSettings are those of [mrgen generate](#mrgen-generate)."
		}
		fmt.Fprintf(b, "\n## %s\n\n%s\n\n    %s\n", cmd.CommandPath(), markdown(text), cmd.UseLine())
		if cmd.HasExample() {
			fmt.Fprintf(b, "\nExamples:\n\n%s\n", code(cmd.Example))
		}
		cmd.InitDefaultHelpFlag()
		if flags := cmd.LocalFlags().FlagUsages(); flags != "" && !cmd.HasSubCommands() {
			fmt.Fprintf(b, "\nFlags:\n\n%s\n", code(flags))
		}
	}
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() && cmd.Name() != "completion" { // cobra's text for each shell is no Markdown
			describeCommand(b, sub)
		}
	}
}

// markdown returns a help text as Markdown, with its indented lines as code.
func markdown(text string) string {
	var out []string
	wasCode := false
	for line := range strings.SplitSeq(text, "\n") {
		isCode := strings.HasPrefix(line, "  ")
		if isCode {
			line = "  " + line
		}
		if isCode != wasCode && len(out) > 0 && out[len(out)-1] != "" && line != "" {
			out = append(out, "")
		}
		wasCode = isCode
		if !isCode {
			line = strings.NewReplacer("<", `\<`, "*", `\*`, "_", `\_`).Replace(line)
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}

var lineStart = regexp.MustCompile(`(?m)^.`)

// code indents the lines of examples and flags, which have two spaces already, as code.
func code(text string) string {
	return lineStart.ReplaceAllString(strings.TrimRight(text, "\n"), "  $0")
}
