package cli

import (
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"
)

func newVersionCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Show the version of mrgen",
		Example: `  mrgen version`,
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			info, ok := debug.ReadBuildInfo()
			if !ok {
				return &internalError{cause: fmt.Errorf("the program has no build information")}
			}
			return write(cmd.OutOrStdout(), []byte(describeBuild(info)+"\n"))
		},
	}
}

// describeBuild returns the version of the module, the revision if known, and the Go version.
func describeBuild(info *debug.BuildInfo) string {
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	description := "mrgen " + info.Main.Version
	if revision := settings["vcs.revision"]; revision != "" {
		description += " revision " + revision
		if settings["vcs.modified"] == "true" {
			description += " modified"
		}
	}
	return description + " " + info.GoVersion
}
