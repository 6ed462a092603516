// Package cli is mrgen's command line: one file a command, and their common settings and reports.
package cli

import (
	"context"
	"fmt"
	"io"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mrgen-io/mrgen/generator/settings"
)

// Run runs mrgen with the arguments that follow its name, and returns the exit status: 0 if all is done or
// clean, 1 if verify, lint or breaking found something, 2 for wrong input or trouble.
func Run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ctx, stop := withSignals(context.Background())
	defer stop()
	ctx, unlock := withLocks(ctx)
	defer unlock()

	root := newRootCommand()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	command := root
	err := protect(func() error {
		var err error
		command, err = root.ExecuteContextC(ctx)
		return err
	})
	return conclude(err, command.CommandPath(), stderr)
}

// Command returns mrgen's tree of commands for completions and man pages. Run executes it.
func Command() *cobra.Command { return newRootCommand() }

func newRootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "mrgen",
		Short: "Generate code, CRDs and MRDs from the Go API types of a Crossplane provider",
		Long: `mrgen reads the Go API types of a Crossplane provider and writes what Kubernetes and Crossplane
need: deep copies, method sets, reference resolvers, CRDs and MRDs.

Exit status: 0 if all is done or clean, 1 if verify, lint or breaking found something, 2 for wrong
input or trouble.`,
		// Run prints errors, once and without the usage text.
		SilenceErrors:         true,
		SilenceUsage:          true,
		DisableFlagsInUseLine: true,
	}
	root.Flags().BoolP("version", "v", false, "show the version of mrgen")
	_ = root.Flags().MarkHidden("version") // the flag exists, and a command has the name
	if info, ok := debug.ReadBuildInfo(); ok {
		root.Version = describeBuild(info)
		root.SetVersionTemplate("{{.Version}}\n")
	}
	addGlobalFlags(root)
	root.SetFlagErrorFunc(flagError)
	root.SetHelpFunc(showHelp)
	root.AddGroup(groups...)
	addGrouped(root, "generate", newGenerateCommand(), newExamplesCommand())
	addGrouped(root, "check", newVerifyCommand(), newLintCommand(), newBreakingCommand(), newCoverageCommand())
	addGrouped(root, "edit", newInitCommand(), newAddCommand(), newAdoptCommand(), newFixCommand())
	addGrouped(root, "ship", newConvertCommand(), newActivationCommand())
	addGrouped(root, "reference", newExplainCommand(), newMarkersCommand(), newDiagnosticsCommand(), newConfigCommand())
	root.AddCommand(newSchemaCommand(), newCacheCommand(), newVersionCommand(), newSettingsTopic())
	changeHelp(root)
	root.InitDefaultCompletionCmd()
	describeCompletion(root)
	for _, cmd := range root.Commands() {
		if cmd.HasSubCommands() {
			requireCommand(cmd)
		}
	}
	addCompletions(root)
	root.Args = onlyCommands
	root.RunE = func(cmd *cobra.Command, _ []string) error { return writeHelp(cmd, cmd.OutOrStdout()) }
	return root
}

// describeCompletion describes cobra's completion command in mrgen's words.
func describeCompletion(root *cobra.Command) {
	cmd, _, _ := root.Find([]string{"completion"}) // cobra has added it
	cmd.Short = "Print a completion script for a shell"
	cmd.Long = `completion prints a script with which a shell completes commands, flags, and their values: formats,
scopes, rules and markers. The help of each shell's command says where to put the script.`
	cmd.Example = `  # In this shell:
  mrgen completion bash > ~/.mrgen.bash && . ~/.mrgen.bash

  # Where zsh looks for it:
  mrgen completion zsh > "${fpath[1]}/_mrgen"`
}

// onlyCommands refuses arguments that name no command.
func onlyCommands(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if sub, _, err := cmd.Find(args[1:]); err == nil && sub != cmd {
		return fmt.Errorf("unknown command %q: the command comes first, as in %s %s", args[0], sub.CommandPath(), args[0])
	}
	return unknownCommand(cmd, args[0])
}

// requireCommand makes a group of commands fail without a subcommand.
func requireCommand(group *cobra.Command) {
	// Cobra would show the help and succeed. In a script, a lost argument, as in "mrgen fix $WHAT", must not
	// pass for success.
	group.Args = onlyCommands
	group.RunE = func(cmd *cobra.Command, _ []string) error {
		if err := writeHelp(cmd, cmd.ErrOrStderr()); err != nil {
			return err
		}
		return errReported
	}
}

// changeHelp changes cobra's help command: it fails for unknown commands, and writes the reference.
func changeHelp(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	cmd, _, _ := root.Find([]string{"help"}) // cobra has added it
	format := "text"
	cmd.Short = "Show the help of a command, or of the settings"
	cmd.Long = `help shows how to use a command. help settings describes mrgen.yaml. With -o markdown, help writes
the reference of all commands.`
	cmd.Example = `  mrgen help generate

  # The reference of all commands:
  mrgen help -o markdown > docs/commands.md`
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		about, rest, err := cmd.Root().Find(args)
		if err != nil {
			return err
		}
		if len(rest) > 0 {
			return unknownCommand(about, rest[0])
		}
		if format == "markdown" {
			return write(cmd.OutOrStdout(), reference(about))
		}
		return writeHelp(about, cmd.OutOrStdout())
	}
	cmd.Flags().VarP(settings.Choice(&format, "format", "text", "markdown"), "output", "o", "format, text or markdown")
}

// noArguments refuses arguments.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return fmt.Errorf("%s takes no arguments, but got %q", cmd.CommandPath(), args[0])
}

func unknownCommand(cmd *cobra.Command, name string) error {
	var known []string
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			known = append(known, sub.Name())
		}
	}
	if near := suggest(name, known); near != "" {
		return fmt.Errorf("unknown command %q: did you mean %s?", name, near)
	}
	for _, group := range cmd.Commands() {
		if sub, _, err := group.Find([]string{name}); err == nil && sub != group {
			return fmt.Errorf("unknown command %q: did you mean %s?", name, sub.CommandPath())
		}
	}
	if len(known) == 0 {
		return fmt.Errorf("unknown command %q: %s has none", name, cmd.CommandPath())
	}
	return fmt.Errorf("unknown command %q: the commands of %s are %s", name, cmd.CommandPath(), strings.Join(known, ", "))
}
