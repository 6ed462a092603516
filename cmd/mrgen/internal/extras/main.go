// Command extras writes what release archives hold beside the binary: completions of shells,
// by the names under which these look for them, and a man page for each command.
//
//	go run ./cmd/mrgen/internal/extras FOLDER
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra/doc"

	"github.com/mrgen-io/mrgen/cmd/mrgen/internal/cli"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: extras FOLDER")
		os.Exit(2)
	}
	if err := write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}

// write writes completions below the folder completions of a folder, and man pages below man.
func write(folder string) error {
	completions, man := filepath.Join(folder, "completions"), filepath.Join(folder, "man")
	for _, folder := range []string{completions, man} {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return err
		}
	}
	root := cli.Command()
	for _, shell := range []struct {
		file  string
		write func(file string) error
	}{
		{"mrgen.bash", func(file string) error { return root.GenBashCompletionFileV2(file, true) }},
		{"_mrgen", root.GenZshCompletionFile},
		{"mrgen.fish", func(file string) error { return root.GenFishCompletionFile(file, true) }},
		{"mrgen.ps1", root.GenPowerShellCompletionFileWithDesc},
	} {
		if err := shell.write(filepath.Join(completions, shell.file)); err != nil {
			return err
		}
	}
	// Without a date, that of the day on which a release is built would stand there.
	return doc.GenManTree(root, &doc.GenManHeader{Title: "MRGEN", Section: "1", Source: "mrgen", Manual: "mrgen", Date: &time.Time{}}, man)
}
