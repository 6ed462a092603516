package cli

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/mrgen-io/mrgen/generator"
)

func newCacheCommand() *cobra.Command {
	group := &cobra.Command{
		Use:   "cache",
		Short: "Forget what earlier runs did",
		Long: `generate and verify remember, by content, what they made of each package, and do not
do it again while nothing has changed that it depends on: source, settings, versions
of modules, the Go version, mrgen itself. Output is the same with and without what is
remembered. It is a folder in the user's cache folder, and may be removed at any time.`,
		Example: `  mrgen cache clean`,
	}
	group.AddCommand(&cobra.Command{
		Use:     "clean",
		Short:   "Remove what earlier runs remembered",
		Long:    "clean removes the folder in which runs remember what they did.",
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
		printDiagnostics(cmd, []generator.Diagnostic{problem(generator.Position{}, "cannot remove the cache: %v", err)})
		return errReported
	}
	return nil
}

const noCacheFlag = "no-cache"

func addCacheFlag(flags *pflag.FlagSet) {
	flags.Bool(noCacheFlag, false, "do everything again, and remember nothing")
}

// cacheFor returns the folder in which a command's run remembers what it did, "" if it
// shall not or can't. To print rules, a run has to make them.
func cacheFor(cmd *cobra.Command) string {
	off, err := cmd.Flags().GetBool(noCacheFlag)
	if err != nil || off {
		return ""
	}
	if verbose, err := cmd.Flags().GetBool(verboseFlag); err == nil && verbose {
		return ""
	}
	dir, err := cacheDir()
	if err != nil {
		return ""
	}
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
