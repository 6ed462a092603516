package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/mrdfiles"
	"github.com/mrgen-io/mrgen/generator/run"
	"github.com/mrgen-io/mrgen/generator/settings"
)

func newConvertCommand() *cobra.Command {
	options := mrdfiles.Options{
		State:         mrdfiles.Inactive,
		MinKubernetes: run.Default().MinKubernetes,
	}
	var details string
	cmd := &cobra.Command{
		Use:   "convert FILE...",
		Short: "Convert CRDs to MRDs",
		Long: `convert reads CRDs and prints the ones of managed resources as MRDs: their spec has forProvider and
providerConfigRef. Other CRDs are printed unchanged. A FILE is a YAML or JSON file, a folder with
such files, or - for standard input. If anything is wrong, it lists every problem and prints
nothing else.

Connection details come from annotations connection.crossplane.io/KEY, or from a file that lists
them by the names of the CRDs:

  buckets.example.org:
  - name: endpoint
    description: The host name of the bucket`,
		Example: `  # MRDs for the CRDs that another tool wrote:
  mrgen convert package/crds > package/mrds.yaml

  # With connection details, from standard input:
  kustomize build crds | mrgen convert --connection-details=details.yaml -`,
		Args: someArguments("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error { return writeMRDs(cmd, args, details, options) },
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().Var(settings.File(&details), "connection-details", "file with connection details")
	cmd.Flags().Var(settings.Choice(&options.State, "state", mrdfiles.Active, mrdfiles.Inactive), "state",
		"state of the MRDs, Active or Inactive")
	cmd.Flags().Var(settings.KubernetesVersion(&options.MinKubernetes), "min-kubernetes",
		"oldest Kubernetes version that must accept the CRDs")
	return cmd
}

func writeMRDs(cmd *cobra.Command, args []string, details string, options mrdfiles.Options) error {
	files, diags := readFiles(cmd.InOrStdin(), args)
	options.Files = files
	if details != "" {
		file, problems := readFile(details)
		diags = append(diags, problems...)
		options.ConnectionDetails = &file
	}
	var output []byte
	if !diags.HasErrors() {
		output, diags = mrdfiles.ToMRDs(cmd.Context(), options)
	}
	// An interrupted conversion has no diagnostics to print.
	if err := cmd.Context().Err(); err != nil {
		return err
	}
	slices.SortStableFunc(diags, func(a, b diag.Diagnostic) int { return a.Pos.Compare(b.Pos) })
	// A file and its folder may both be given: report each problem once.
	if err := diagnose(cmd, slices.Compact(diags)); err != nil {
		return err
	}
	return write(cmd.OutOrStdout(), output)
}

// standardInput is the argument that stands for standard input.
const standardInput = "-"

// readFiles reads the files in the arguments: files, folders with YAML and JSON files, or standard
// input.
func readFiles(stdin io.Reader, args []string) ([]mrdfiles.File, diag.List) {
	var files []mrdfiles.File
	var diags diag.List
	for i, arg := range args {
		// A CRD would be defined twice.
		if slices.Contains(args[:i], arg) {
			diags = append(diags, unusable(diag.Position{File: arg}, "this is given twice: name it once"))
			continue
		}
		if arg == standardInput {
			content, err := io.ReadAll(stdin)
			if err != nil {
				diags = append(diags, unusable(diag.Position{}, "cannot read the standard input: %v", err))
			}
			files = append(files, mrdfiles.File{Name: "standard input", Content: content})
			continue
		}
		paths, problems := expand(arg)
		diags = append(diags, problems...)
		for _, path := range paths {
			file, problems := readFile(path)
			files = append(files, file)
			diags = append(diags, problems...)
		}
	}
	return files, diags
}

// expand returns the files of an argument. Like kubectl, it doesn't look for files in subfolders.
func expand(arg string) ([]string, diag.List) {
	info, err := os.Stat(arg)
	if err != nil || !info.IsDir() {
		return []string{arg}, nil // reading it will fail
	}
	entries, err := os.ReadDir(arg)
	if err != nil {
		return nil, diag.List{unreadable(arg, err)}
	}
	var paths []string
	for _, entry := range entries {
		switch filepath.Ext(entry.Name()) {
		case ".yaml", ".yml", ".json":
			paths = append(paths, filepath.Join(arg, entry.Name()))
		}
	}
	if len(paths) == 0 {
		return nil, diag.List{unusable(diag.Position{File: arg}, "this folder has no YAML files: name one with CRDs")}
	}
	return paths, nil
}

func readFile(path string) (mrdfiles.File, diag.List) {
	content, err := os.ReadFile(path)
	if err != nil {
		return mrdfiles.File{}, diag.List{unreadable(path, err)}
	}
	return mrdfiles.File{Name: filepath.ToSlash(path), Content: content}, nil
}

// unreadable returns the diagnostic for a file or folder that can't be read.
func unreadable(path string, err error) diag.Diagnostic {
	return unusable(diag.Position{File: filepath.ToSlash(path)}, "cannot read this: %v", diag.Cause(err))
}

// someArguments requires at least one argument. The name stands for it in the error.
func someArguments(name string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return fmt.Errorf("%s needs at least one %s", cmd.CommandPath(), name)
		}
		return nil
	}
}
