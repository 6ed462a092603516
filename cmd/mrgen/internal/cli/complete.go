package cli

import (
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"go.yaml.in/yaml/v3"

	"github.com/mrgen-io/mrgen/generator"
	"github.com/mrgen-io/mrgen/generator/lint"
)

// addCompletions adds shell completion of arguments and flags to a command and its subcommands. Completion must
// be fast and print nothing.
func addCompletions(cmd *cobra.Command) {
	completeFlag := func(f *pflag.Flag) {
		if v, ok := f.Value.(interface{ Choices() []string }); ok && len(v.Choices()) > 0 {
			complete(cmd, f.Name, cobra.FixedCompletions(v.Choices(), cobra.ShellCompDirectiveNoFileComp))
		}
		if kind, _ := pflag.UnquoteUsage(f); kind == "folder" {
			complete(cmd, f.Name, completeFolders)
		}
	}
	cmd.Flags().VisitAll(completeFlag)
	cmd.PersistentFlags().VisitAll(completeFlag)
	_, argument, _ := strings.Cut(cmd.Use, " ")
	switch {
	case cmd.ValidArgsFunction != nil || cmd.HasSubCommands(): // has its own, or completes its subcommands
	case strings.HasPrefix(argument, "[packages]"), strings.HasPrefix(argument, "DIR"):
		cmd.ValidArgsFunction = completeFolders
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

func completeFolders(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
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

// completeCommands completes the names of commands.
func completeCommands(cmd *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	group, rest, err := cmd.Root().Find(args)
	if err != nil || len(rest) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var names []cobra.Completion
	for _, sub := range group.Commands() {
		if sub.IsAvailableCommand() {
			names = append(names, cobra.CompletionWithDesc(sub.Name(), sub.Short))
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// completeKinds completes the name of a kind.
func completeKinds(cmd *cobra.Command, _ []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return matching(slices.Sorted(maps.Keys(generatedKinds(cmd))), begun, ""), cobra.ShellCompDirectiveNoFileComp
}

// completeFields completes the name of a kind or the path of a field, and then packages.
func completeFields(cmd *cobra.Command, args []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return completeFolders(cmd, args, begun)
	}
	const more = cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	kinds := generatedKinds(cmd)
	kind, path, inKind := strings.Cut(begun, ".")
	// A dot may follow: no space after the kind.
	if !inKind {
		return matching(slices.Sorted(maps.Keys(kinds)), begun, ""), more
	}
	dot := strings.LastIndex(path, ".") + 1
	fields := map[string]bool{}
	for name, files := range kinds {
		if !strings.EqualFold(name, kind) {
			continue
		}
		for _, file := range files {
			for _, root := range schemasIn(file) {
				for field := range fieldsBelow(root, path[:dot]) {
					fields[field] = true
				}
			}
		}
	}
	return matching(slices.Sorted(maps.Keys(fields)), path[dot:], kind+"."+path[:dot]), more
}

// matching returns the names that continue the begun word, in upper or lower case.
func matching(names []string, begun, prefix string) []cobra.Completion {
	var all []cobra.Completion
	for _, name := range names {
		if len(name) >= len(begun) && strings.EqualFold(name[:len(begun)], begun) {
			all = append(all, prefix+name)
		}
	}
	return all
}

// generatedFolders returns the folders with the module's CRDs and MRDs, or "".
func generatedFolders(cmd *cobra.Command) (crds, mrds string) {
	// Shells call completion without running the command, so -C has no effect yet.
	if dir, err := cmd.Flags().GetString(directoryFlag); err == nil && dir != "" && os.Chdir(dir) != nil {
		return "", ""
	}
	root, diags := generator.FindModule("")
	if diags.HasErrors() {
		return "", ""
	}
	s, _ := resolveSettings(cmd, nil, root) // as far as they can be read
	if crds = filepath.Join(root, filepath.FromSlash(s.Options.CRDDir)); s.Options.MRDDir != "" {
		mrds = filepath.Join(root, filepath.FromSlash(s.Options.MRDDir))
	}
	return crds, mrds
}

// kindLine matches the name of the kind in the head of a CRD or an MRD.
var kindLine = regexp.MustCompile(`(?m)^ {4}kind: ([A-Za-z0-9]+)$`)

// headSize is enough of a CRD for the name of its kind.
const headSize = 8 << 10

// generatedKinds returns the CRD and MRD files of each kind. Loading the source would take too long for a
// completion.
func generatedKinds(cmd *cobra.Command) map[string][]string {
	kinds := map[string][]string{}
	crds, mrds := generatedFolders(cmd)
	for _, folder := range []string{crds, mrds} {
		if folder == "" {
			continue
		}
		files, _ := filepath.Glob(filepath.Join(folder, "*.yaml"))
		for _, name := range files {
			if match := kindLine.FindSubmatch(head(name)); match != nil {
				kinds[string(match[1])] = append(kinds[string(match[1])], name)
			}
		}
	}
	return kinds
}

// head returns the beginning of a file, as far as it can be read.
func head(name string) []byte {
	file, err := os.Open(name)
	if err != nil {
		return nil
	}
	defer func() { _ = file.Close() }()
	content, _ := io.ReadAll(io.LimitReader(file, headSize))
	return content
}

// completePatterns completes the names of MRDs. Their files are named GROUP_PLURAL.yaml.
func completePatterns(cmd *cobra.Command, _ []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var names []string
	if _, mrds := generatedFolders(cmd); mrds != "" {
		files, _ := filepath.Glob(filepath.Join(mrds, "*.yaml"))
		for _, file := range files {
			if group, plural, found := strings.Cut(strings.TrimSuffix(filepath.Base(file), ".yaml"), "_"); found {
				names = append(names, plural+"."+group)
			}
		}
	}
	slices.Sort(names)
	return matching(names, begun, ""), cobra.ShellCompDirectiveNoFileComp
}

// A properties is the part of a schema that completion needs.
type properties struct {
	Properties           map[string]*properties `yaml:"properties"`
	Items                *properties            `yaml:"items"`
	AdditionalProperties *properties            `yaml:"additionalProperties"`
}

// schemasIn returns the schemas of all versions in a CRD or an MRD.
func schemasIn(file string) []*properties {
	var crd struct {
		Spec struct {
			Versions []struct {
				Schema struct {
					Root *properties `yaml:"openAPIV3Schema"`
				} `yaml:"schema"`
			} `yaml:"versions"`
		} `yaml:"spec"`
	}
	content, _ := os.ReadFile(file)
	_ = yaml.Unmarshal(content, &crd) // as far as it can be read
	var all []*properties
	for _, v := range crd.Spec.Versions {
		all = append(all, v.Schema.Root)
	}
	return all
}

// fieldsBelow returns the fields below a path that ends with a dot. Paths begin at spec.forProvider unless they
// begin with spec or status.
func fieldsBelow(root *properties, path string) map[string]*properties {
	names := strings.Split(strings.TrimSuffix(path, "."), ".")
	at := root
	switch {
	case path == "":
		names = nil
		fallthrough
	case names[0] != "spec" && names[0] != "status":
		// ProviderConfigs have no forProvider.
		if at = root.child("spec").child("forProvider"); at == nil {
			at = root.child("spec")
		}
	}
	for _, name := range names {
		at = at.child(name)
	}
	if at == nil {
		return nil
	}
	return at.elements().Properties
}

// child returns the schema of a field of an object, or of the elements of a list or map.
func (p *properties) child(name string) *properties {
	if p == nil {
		return nil
	}
	return p.elements().Properties[name]
}

// elements returns the schema of the elements of a list or map, or the schema itself.
func (p *properties) elements() *properties {
	for {
		switch {
		case p.Items != nil:
			p = p.Items
		case p.AdditionalProperties != nil:
			p = p.AdditionalProperties
		default:
			return p
		}
	}
}
