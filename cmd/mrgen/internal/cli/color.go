package cli

import (
	"bytes"
	"io"
	"os"

	"github.com/fatih/color"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"github.com/mrgen-io/mrgen/generator/lint"
	"github.com/mrgen-io/mrgen/generator/settings"
)

const (
	colorFlag   = "color"
	alwaysColor = "always"
	neverColor  = "never"
)

func addColorFlag(flags *pflag.FlagSet) {
	when := "auto"
	flags.Var(settings.Choice(&when, "when", when, alwaysColor, neverColor), colorFlag, "auto (in a terminal without NO_COLOR), always or never")
}

// isTerminal reports whether a person sees what is written.
func isTerminal(w io.Writer) bool {
	file, isFile := w.(*os.File)
	return isFile && term.IsTerminal(int(file.Fd()))
}

// A palette has the colours of text. The zero palette has none.
type palette struct{ hasColors bool }

// paletteFor returns the colours for what a command writes, by --color, the terminal, and NO_COLOR, see
// https://no-color.org.
func paletteFor(cmd *cobra.Command, to io.Writer) palette {
	switch cmd.Flag(colorFlag).Value.String() {
	case alwaysColor:
		return palette{true}
	case neverColor:
		return palette{}
	}
	isDumb := os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb"
	return palette{!isDumb && isTerminal(to)}
}

// paint returns a text in a colour.
func (p palette) paint(text string, attributes ...color.Attribute) string {
	if !p.hasColors {
		return text
	}
	c := color.New(attributes...)
	c.EnableColor() // the library looks at standard output alone
	return c.Sprint(text)
}

var severityColors = map[lint.Severity]color.Attribute{lint.Error: color.FgRed, lint.Warning: color.FgYellow, lint.Hint: color.FgCyan}

// diffColors are the colours of lines in a diff, by their beginning. The first one that fits counts.
var diffColors = []struct {
	prefix string
	color  color.Attribute
}{
	{"diff ", color.Bold}, {"--- ", color.Bold}, {"+++ ", color.Bold}, {"@@", color.FgCyan}, {"-", color.FgRed}, {"+", color.FgGreen},
}

// diff returns a unified diff in colours.
func (p palette) diff(text []byte) []byte {
	if !p.hasColors {
		return text
	}
	var painted bytes.Buffer
	for line := range bytes.Lines(text) {
		content := string(bytes.TrimSuffix(line, []byte("\n")))
		for _, c := range diffColors {
			if bytes.HasPrefix(line, []byte(c.prefix)) {
				content = p.paint(content, c.color)
				break
			}
		}
		painted.WriteString(content + "\n")
	}
	return painted.Bytes()
}

// writeDiff prints a diff.
func writeDiff(cmd *cobra.Command, diff []byte) error {
	return write(cmd.OutOrStdout(), paletteFor(cmd, cmd.OutOrStdout()).diff(diff))
}
