package cli

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"text/template"

	"github.com/spf13/cobra"
)

// reference returns the help of all commands as Markdown.
func reference(root *cobra.Command) []byte {
	var b bytes.Buffer
	b.WriteString("# Commands\n\nThis page is made by `mrgen help -o markdown`. `mrgen COMMAND --help` says the same.\n")
	if !root.HasParent() {
		fmt.Fprintf(&b, "\n%s\n", markdown(root.Long))
		for _, g := range root.Groups() {
			var links []string
			for _, cmd := range root.Commands() {
				if cmd.GroupID == g.ID && cmd.IsAvailableCommand() {
					links = append(links, fmt.Sprintf("[%s](#mrgen-%[1]s)", cmd.Name()))
				}
			}
			fmt.Fprintf(&b, "\n- %s: %s", g.Title, strings.Join(links, ", "))
		}
		fmt.Fprintf(&b, "\n\nFlags of all commands:\n\n%s\n", code(root.PersistentFlags().FlagUsages()))
	}
	describeCommand(&b, root)
	if !root.HasParent() {
		describeSettings(&b)
	}
	return b.Bytes()
}

// describeCommand writes the help of a command and of its subcommands.
func describeCommand(b *bytes.Buffer, cmd *cobra.Command) {
	if cmd.HasParent() {
		hideHelpFlag(cmd)
		fmt.Fprintf(b, "\n## %s\n\n    %s\n\n%s\n", cmd.CommandPath(), usageLine(cmd), markdown(summaryOf(cmd)))
		if cmd.HasExample() && !cmd.HasSubCommands() {
			fmt.Fprintf(b, "\nExamples:\n\n%s\n", code(cmd.Example))
		}
		if flags := ownFlags(cmd); flags != "" {
			fmt.Fprintf(b, "\nFlags:\n\n%s\n", code(flags))
		}
		if flags := settingFlags(cmd); len(flags) > 0 {
			fmt.Fprintf(b, "\nFlags of [settings](#settings): `%s`\n", strings.Join(flags, "`, `"))
		}
	}
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() && cmd.Name() != "completion" { // cobra's text for each shell is not Markdown
			describeCommand(b, sub)
		}
	}
}

// page fills in the template of a page.
func page(text string, data any) []byte {
	var b bytes.Buffer
	t := template.Must(template.New("").Funcs(template.FuncMap{
		"markdown": markdown, "sentence": sentence, "fixWord": fixWord, "describe": describeRule,
	}).Parse(text))
	if err := t.Execute(&b, data); err != nil {
		panic(err) // the templates are part of the program, and tests fill them in
	}
	return b.Bytes()
}

// describeSettings writes a table of the settings, with an anchor for each.
func describeSettings(b *bytes.Buffer) {
	fmt.Fprintf(b, "\n## Settings\n\n%s\n| setting | default | flag | |\n|---|---|---|---|\n", settingsIntroduction)
	eachSetting(func(s describedSetting) {
		flag := ""
		if s.flag != "" {
			flag = "`--" + s.flag + "`"
		}
		fmt.Fprintf(b, "| <a id=\"%s\"></a>`%[1]s` | %s | %s | %s |\n", s.key, s.standard, flag, markdown(s.doc))
	})
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
		// Markdown needs an empty line between text and code.
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

// code indents examples and flags, which have two spaces already, as a code block.
func code(text string) string {
	return lineStart.ReplaceAllString(strings.TrimRight(text, "\n"), "  $0")
}
