package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"runtime"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/lint"
	"github.com/mrgen-io/mrgen/generator/settings"
)

const (
	directoryFlag = "directory"
	quietFlag     = "quiet"
	colorFlag     = "color"
)

// addGlobalFlags adds the flags that all commands have.
func addGlobalFlags(root *cobra.Command) {
	flags := root.PersistentFlags()
	flags.StringP(directoryFlag, "C", "", "work in this `folder`, as if mrgen was started there")
	flags.BoolP(quietFlag, "q", false, "print only errors and requested output")
	color := colorAuto
	flags.Var(settings.Choice(&color, "when", colorAuto, colorAlways, colorNever), colorFlag, "auto, always or never; NO_COLOR turns auto off")
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error { return changeDirectory(cmd) }
}

// changeDirectory changes to the folder of the flag -C.
func changeDirectory(cmd *cobra.Command) error {
	dir, err := cmd.Flags().GetString(directoryFlag)
	if err != nil || dir == "" {
		return nil
	}
	if err := os.Chdir(dir); err != nil {
		return diagnose(cmd, diag.List{unusable(diag.Position{File: dir}, "cannot work in this folder: %v", diag.Cause(err))})
	}
	return nil
}

// isSet reports whether a command has a flag, and it is set.
func isSet(cmd *cobra.Command, flag string) bool {
	set, err := cmd.Flags().GetBool(flag)
	return err == nil && set
}

func isQuiet(cmd *cobra.Command) bool { return isSet(cmd, quietFlag) }

// say prints a line for people to standard error, since programs read standard output. Quiet commands don't
// print it.
func say(cmd *cobra.Command, format string, args ...any) {
	if !isQuiet(cmd) {
		fmt.Fprintf(cmd.ErrOrStderr(), format+"\n", args...)
	}
}

// tell prints results to standard output, for programs, too. Quiet commands don't print them.
func tell(cmd *cobra.Command, lines []byte) error {
	if isQuiet(cmd) {
		return nil
	}
	return write(cmd.OutOrStdout(), lines)
}

// The values of --color.
const (
	colorAuto   = "auto"
	colorAlways = "always"
	colorNever  = "never"
)

// palette returns the styles for a command's output to a file.
func palette(cmd *cobra.Command, to io.Writer) styles {
	mode := colorNever // for commands without the flag, in tests
	if flag := cmd.Flags().Lookup(colorFlag); flag != nil {
		mode = flag.Value.String()
	}
	switch {
	case mode == colorAlways:
		return true
	case mode == colorNever, os.Getenv("NO_COLOR") != "", os.Getenv("TERM") == "dumb": // https://no-color.org
		return false
	case runtime.GOOS == "windows" && os.Getenv("WT_SESSION") == "": // older consoles print the escapes
		return false
	}
	file, ok := to.(*os.File)
	return styles(ok && term.IsTerminal(int(file.Fd())))
}

// styles tells whether text is styled, see
// https://en.wikipedia.org/wiki/ANSI_escape_code#Select_Graphic_Rendition_parameters.
type styles bool

type style string

const (
	bold   style = "1"
	red    style = "31"
	green  style = "32"
	yellow style = "33"
	cyan   style = "36"
)

// in returns text in a style, if there is one.
func (s styles) in(style style, text string) string {
	if !s || style == "" || text == "" {
		return text
	}
	return "\x1b[" + string(style) + "m" + text + "\x1b[0m"
}

// diagnostic returns the line of a diagnostic, with its code at the end.
func (s styles) diagnostic(d diag.Diagnostic) string {
	return s.line(d.Pos, severityOf(d), d.Message, string(d.Code))
}

// finding returns the line of a finding, with its rule at the end.
func (s styles) finding(f lint.Finding) string { return s.line(f.Pos, f.Severity, f.Message, f.Rule) }

// line returns the line of a message. Position and severity stand out; of an error, the message.
func (s styles) line(pos diag.Position, severity lint.Severity, message, code string) string {
	text := s.in(red, message)
	if severity != lint.Error {
		text = s.in(yellow, severity.String()+": ") + message
	}
	if pos.IsValid() {
		text = s.in(bold, pos.String()) + ": " + text
	}
	return coded(text, code)
}

// coded returns a message with its code at the end, if it has one.
func coded(message, code string) string {
	if code == "" {
		return message
	}
	return message + " [" + code + "]"
}

// diff returns a unified diff in git's colors.
func (s styles) diff(text []byte) []byte {
	if !s {
		return text
	}
	var out bytes.Buffer
	inHunk := false
	for line := range bytes.Lines(text) {
		content := bytes.TrimSuffix(line, []byte("\n"))
		var of style
		switch {
		case bytes.HasPrefix(line, []byte("diff ")):
			of, inHunk = bold, false
		case bytes.HasPrefix(line, []byte("@@ ")):
			of, inHunk = cyan, true
		case !inHunk: // file names, before the first hunk
			of = bold
		case line[0] == '+':
			of = green
		case line[0] == '-':
			of = red
		}
		out.WriteString(s.in(of, string(content)))
		out.Write(line[len(content):])
	}
	return out.Bytes()
}

// aligned returns lines with their columns, which tabs separate, one below the other.
func aligned(lines []byte) []byte {
	var text bytes.Buffer
	table := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	_, _ = table.Write(lines) // a buffer takes anything
	_ = table.Flush()
	return text.Bytes()
}

const diffFlag = "diff"

// addDiffFlag adds the flag of every command that writes files.
func addDiffFlag(flags *pflag.FlagSet) {
	flags.BoolP(diffFlag, "d", false, "show the changes as a diff, and write nothing")
}

func wantsDiff(cmd *cobra.Command) bool { return isSet(cmd, diffFlag) }

// writeDiff writes a diff to standard output.
func writeDiff(cmd *cobra.Command, diff []byte) error {
	return write(cmd.OutOrStdout(), palette(cmd, cmd.OutOrStdout()).diff(diff))
}
