package cli

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/mrgen-io/mrgen/generator/diag"
)

func newCacheCommand() *cobra.Command {
	group := &cobra.Command{
		Use:   "cache",
		Short: "Clear the cache",
		Long: `generate and verify record their input and output by content, and end at once while neither
changes: source, settings, versions of modules, the Go version, mrgen itself. Output is the
same without the cache. It is a folder in the user's cache folder.`,
		Example: `  mrgen cache clean`,
	}
	group.AddCommand(&cobra.Command{
		Use:     "clean",
		Short:   "Remove what earlier runs remembered",
		Long:    `clean removes the folder with what earlier runs remembered. The next run takes longer.`,
		Example: `  mrgen cache clean`,
		Args:    noArguments,
		RunE:    cleanCache,
	})
	return group
}

func cleanCache(cmd *cobra.Command, _ []string) error {
	dir, err := cacheDir()
	if err == nil {
		err = os.RemoveAll(dir)
	}
	if err != nil {
		return diagnose(cmd, diag.List{unusable(diag.Position{}, "cannot remove the cache: %v", err)})
	}
	return nil
}

const noCacheFlag = "no-cache"

func addCacheFlag(flags *pflag.FlagSet) {
	flags.Bool(noCacheFlag, false, "ignore the cache, and leave it as it is")
}

// cacheFor returns the cache folder for a run of a command, or "" if the run doesn't use the cache.
func cacheFor(cmd *cobra.Command) string {
	off, err := cmd.Flags().GetBool(noCacheFlag)
	// Verbose runs print the rules' costs, which the cache doesn't have.
	if err != nil || off || isSet(cmd, verboseFlag) {
		return ""
	}
	dir, _ := cacheDir()
	return dir
}

// cacheDir returns mrgen's folder in the user's cache folder.
func cacheDir() (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("there is no cache folder: %w", err)
	}
	return filepath.Join(dir, "mrgen"), nil
}
