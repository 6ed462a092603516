package cli

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/mrgen-io/mrgen/generator/lint"
)

// folders completes folders.
var folders = cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs)

// addCompletions adds shell completion of arguments and flags to a command and its subcommands. Completion must
// be fast and print nothing.
func addCompletions(cmd *cobra.Command) {
	completeFlag := func(f *pflag.Flag) {
		if v, ok := f.Value.(interface{ Choices() []string }); ok && len(v.Choices()) > 0 {
			complete(cmd, f.Name, cobra.FixedCompletions(v.Choices(), cobra.ShellCompDirectiveNoFileComp))
		}
		if kind, _ := pflag.UnquoteUsage(f); kind == "folder" {
			complete(cmd, f.Name, folders)
		}
	}
	cmd.Flags().VisitAll(completeFlag)
	cmd.PersistentFlags().VisitAll(completeFlag)
	_, argument, _ := strings.Cut(cmd.Use, " ")
	switch {
	case cmd.ValidArgsFunction != nil, cmd.ValidArgs != nil, cmd.HasSubCommands(): // has its own
	case strings.HasPrefix(argument, "[packages]"), strings.HasPrefix(argument, "DIR"):
		cmd.ValidArgsFunction = folders
	case strings.HasPrefix(argument, "FILE"):
		cmd.ValidArgsFunction = cobra.FixedCompletions([]string{"yaml", "yml", "json"}, cobra.ShellCompDirectiveFilterFileExt)
	default:
		cmd.ValidArgsFunction = cobra.NoFileCompletions
	}
	for _, sub := range cmd.Commands() {
		addCompletions(sub)
	}
}

// complete adds completion of a flag, unless the flag has it already.
func complete(cmd *cobra.Command, flag string, values cobra.CompletionFunc) {
	if _, exists := cmd.GetFlagCompletionFunc(flag); !exists {
		_ = cmd.RegisterFlagCompletionFunc(flag, values) // the flag exists
	}
}

// completeRules completes the names of lint's rules that a function accepts.
func completeRules(accepts func(lint.Rule) bool, more ...cobra.Completion) cobra.CompletionFunc {
	for _, r := range lint.Rules() {
		if accepts(r) {
			more = append(more, cobra.CompletionWithDesc(r.Name, r.Doc))
		}
	}
	return cobra.FixedCompletions(more, cobra.ShellCompDirectiveNoFileComp)
}
