package cli

import (
	"bytes"
	"fmt"
	"os"
	"text/tabwriter"

	"github.com/fatih/color"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/lint"
)

const (
	directoryFlag = "directory"
	quietFlag     = "quiet"
)

// addGlobalFlags adds the flags that all commands have.
func addGlobalFlags(root *cobra.Command) {
	flags := root.PersistentFlags()
	flags.StringP(directoryFlag, "C", "", "work in this `folder`, as if mrgen was started there")
	flags.BoolP(quietFlag, "q", false, "print only errors and requested output")
	addColorFlag(flags)
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

// diagnosticLine returns the line of a diagnostic, with its code at the end.
func (p palette) diagnosticLine(d diag.Diagnostic) string {
	return p.head(d.Pos, severityOf(d)) + p.coded(d.Message, string(d.Code))
}

// findingLine returns the line of a finding, with its rule at the end.
func (p palette) findingLine(f lint.Finding) string {
	return p.head(f.Pos, f.Severity) + p.coded(f.Message, f.Rule)
}

// head returns what stands before a message. Errors don't say that they are errors.
func (p palette) head(pos diag.Position, severity lint.Severity) string {
	var head string
	if pos.IsValid() {
		head = pos.String() + ": "
	}
	if severity != lint.Error {
		head += severity.String() + ": "
	}
	return p.paint(head, severityColors[severity])
}

// coded returns a message with its code at the end, if it has one.
func (p palette) coded(message, code string) string {
	if code == "" {
		return message
	}
	return message + p.paint(" ["+code+"]", color.Faint)
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
