package cli

import (
	"bytes"
	_ "embed" // of the page
	"regexp"
	"strings"
	"text/template"

	"github.com/spf13/cobra"
)

//go:embed commands.md.tmpl
var commandsPage string

// reference returns the help of all commands as Markdown.
func reference(root *cobra.Command) []byte { return page(commandsPage, root) }

// described returns a command and its subcommands that the reference describes.
func described(cmd *cobra.Command) []*cobra.Command {
	var all []*cobra.Command
	if cmd.HasParent() {
		hideHelpFlag(cmd)
		all = append(all, cmd)
	}
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() && cmd.Name() != "completion" { // cobra's text for each shell is not Markdown
			all = append(all, described(sub)...)
		}
	}
	return all
}

// page fills in the template of a page.
func page(text string, data any) []byte {
	var b bytes.Buffer
	t := template.Must(template.New("").Funcs(template.FuncMap{
		"breakAdvice": breakAdvice, "breakFact": breakFact, "breaksSummary": breaksSummary, "code": code, "codeLines": codeLines,
		"compact": compact, "describe": describeRule, "described": described, "escaped": escaped, "factLines": factLines,
		"fieldTable": fieldTable, "fixWord": fixWord, "footer": footer, "isTopic": isTopic, "join": strings.Join,
		"introduction": func() string { return settingsIntroduction }, "markdown": markdown, "next": func(i int) int { return i + 1 },
		"oneLine": func(text string) string { return strings.ReplaceAll(text, "\n", " ") }, "ownFlags": ownFlags,
		"positions": positions, "sentence": sentence, "settingFlags": settingFlags, "settings": describedSettings,
		"summaryOf": summaryOf, "ungrouped": ungrouped, "usageLine": usageLine,
	}).Funcs(markersFunctions).Parse(text))
	if err := t.Execute(&b, data); err != nil {
		panic(err) // the templates are part of the program, and tests fill them in
	}
	return b.Bytes()
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
