package cli

import (
	"errors"
	"os"
	"path"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/mrdfiles"
	"github.com/mrgen-io/mrgen/generator/settings"
)

func newActivationCommand() *cobra.Command {
	var name string
	cmd := &cobra.Command{
		Use:   "activation --name NAME PATTERN...",
		Short: "Write a policy that activates MRDs",
		Long: `activation prints a ManagedResourceActivationPolicy. A PATTERN is the name of an MRD, or an asterisk
and the end of its name. Standard error shows which of the generated MRDs each pattern activates; a
warning names a pattern that matches none.`,
		Example: `  # Everything in the groups of EC2, and one kind of S3:
  mrgen activation --name=network '*.ec2.aws.crossplane.io' buckets.s3.aws.crossplane.io > policy.yaml`,
		Args: someArguments("PATTERN"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if name == "" {
				return errors.New("the policy has no name: give it one with --name")
			}
			return activation(cmd, name, args)
		},
	}
	cmd.Flags().StringVar(&name, "name", "", "name of the policy")
	addFlags(cmd.Flags(), mrdDirFlag)
	return cmd
}

func activation(cmd *cobra.Command, name string, patterns []string) error {
	var policy []byte
	var matches []mrdfiles.Match
	mrds, diags := generatedMRDs(cmd)
	if !diags.HasErrors() {
		policy, matches, diags = mrdfiles.ActivationPolicy(name, patterns, mrds)
	}
	if err := diagnose(cmd, diags); err != nil {
		return err
	}
	for _, m := range matches {
		for _, mrd := range m.Names {
			say(cmd, "%s activates %s", m.Pattern, mrd)
		}
	}
	return write(cmd.OutOrStdout(), policy)
}

// generatedMRDs reads the MRDs of the current module.
func generatedMRDs(cmd *cobra.Command) ([]mrdfiles.File, diag.List) {
	root, s, diags := moduleSettings(cmd, nil)
	if diags.HasErrors() {
		return nil, diags
	}
	// Without a folder, generate writes no MRDs that a pattern could match.
	folder := s.Options.MRDDir
	if folder == "" {
		return nil, diag.List{settings.Problem(diag.Position{}, "no folder for MRDs is set: set mrds.dir in %s, or --mrd-dir", settings.FileName)}
	}
	entries, err := os.ReadDir(filepath.Join(root, filepath.FromSlash(folder)))
	if err != nil {
		return nil, diag.List{unreadable(folder, err)}
	}
	var files []mrdfiles.File
	for _, entry := range entries {
		if filepath.Ext(entry.Name()) != ".yaml" {
			continue
		}
		file, problems := readFile(filepath.Join(root, filepath.FromSlash(folder), entry.Name()))
		// Messages name files relative to the module's root.
		file.Name = path.Join(folder, entry.Name())
		files = append(files, file)
		diags = append(diags, problems...)
	}
	if len(files) == 0 {
		diags = append(diags, unusable(diag.Position{File: folder}, "this folder has no MRDs: run mrgen generate, or set another one"))
	}
	return files, diags
}
