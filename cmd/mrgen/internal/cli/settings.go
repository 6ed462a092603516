package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/mrgen-io/mrgen/generator"
)

// settings are everything that flags and mrgen.yaml decide.
type settings struct {
	options generator.Options
	lint    generator.LintOptions
	// strict makes warnings errors.
	strict bool
	// from says where settings come from, by key, unless they are defaults.
	from     map[string]string
	breaking generator.BreakingOptions
}

func defaultSettings() settings {
	return settings{
		options:  generator.DefaultOptions(),
		lint:     generator.LintOptions{Severity: map[string]generator.LintSeverity{}},
		from:     map[string]string{},
		breaking: generator.DefaultBreakingOptions(),
	}
}

// A setting is one thing that the user may decide.
type setting struct {
	// key is its place in mrgen.yaml, with a dot between a section and a name.
	key string
	// family is the key that stands for this one and its like in the help text, "" if it is
	// alone. What is said of the first of them is said of all.
	family string
	// flag is the name of its flag, "" if it has none.
	flag string
	// doc says in lower case what it decides.
	doc string
	// value returns its place in the settings.
	value func(*settings) *value
	// required is set if it has to be set, in a mapping of several.
	required bool
}

// table has every setting. The flags, the reader of mrgen.yaml and the help text
// are made of it; the defaults are those of [defaultSettings].
var table = slices.Concat([]setting{
	{
		key:   "packages",
		doc:   "patterns of the packages to read, if none are given as arguments",
		value: func(s *settings) *value { return patterns(&s.options.Packages) },
	},
	{
		key:   "crds.dir",
		flag:  "crd-dir",
		doc:   "folder for CRDs",
		value: func(s *settings) *value { return folder(&s.options.CRDDir) },
	},
	{
		key:   "mrds.dir",
		flag:  "mrd-dir",
		doc:   "folder for MRDs; none are written without one",
		value: func(s *settings) *value { return folderOrNone(&s.options.MRDDir) },
	},
	{
		key:   "docs.dir",
		flag:  "docs-dir",
		doc:   "folder for reference pages; none are written without one",
		value: func(s *settings) *value { return folderOrNone(&s.options.DocsDir) },
	},
	{
		key:   "crds.managed",
		flag:  "crd-managed",
		doc:   "write CRDs of managed resources, which false leaves to MRDs",
		value: func(s *settings) *value { return boolean(&s.options.ManagedCRDs) },
	},
	{
		key:   "connectionDetailAnnotations",
		flag:  "connection-detail-annotations",
		doc:   "describe connection details in annotations of CRDs, for Crossplane without MRDs",
		value: func(s *settings) *value { return boolean(&s.options.ConnectionDetailAnnotations) },
	},
	{
		key:   "headerFile",
		flag:  "header-file",
		doc:   "file with a comment for the top of generated Go files",
		value: func(s *settings) *value { return fileOrNone(&s.options.HeaderFile) },
	},
	{
		key:   "crds.maxDescription",
		flag:  "max-description",
		doc:   "cut descriptions in schemas at so many characters; negative: never",
		value: func(s *settings) *value { return wholeNumber(&s.options.MaxDescription) },
	},
	{
		key:   "crds.budget",
		doc:   "warn of definitions that take more bytes of JSON; 0: never",
		value: func(s *settings) *value { return wholeNumber(&s.options.Budget) },
	},
	{
		key:   "crds.allowDangerousTypes",
		flag:  "allow-dangerous-types",
		doc:   "allow floating-point fields, which not all clients read alike",
		value: func(s *settings) *value { return boolean(&s.options.AllowDangerousTypes) },
	},
	{
		key:   "markers",
		doc:   "error or warn: what to do about comments that were meant to be markers, and that nobody reads",
		value: func(s *settings) *value { return markersMode(&s.options.MisspeltMarkers) },
	},
	{
		key:   "minKubernetes",
		flag:  "min-kubernetes",
		doc:   "oldest Kubernetes version that must accept the CRDs",
		value: func(s *settings) *value { return kubernetesVersion(&s.options.MinKubernetes) },
	},
	{
		key:   "rules.required",
		doc:   "enforce or off: rules in place of required fields, so that resources can be observed without them",
		value: func(s *settings) *value { return rulesMode(&s.options.RequiredRules) },
	},
	{
		key:   "rules.immutable",
		doc:   "enforce or off: rules for +immutable",
		value: func(s *settings) *value { return rulesMode(&s.options.ImmutableRules) },
	},
	{
		key:   "versions.mode",
		doc:   "check, convert or off: whether the served versions of a kind must have the same fields, without which the API server drops what users write, or are converted by functions that are written, or may differ",
		value: func(s *settings) *value { return versionsMode(&s.options.Versions) },
	},
	{
		key:   "versions.tests",
		doc:   "write a test beside the functions that convert versions",
		value: func(s *settings) *value { return boolean(&s.options.VersionTests) },
	},
	{
		key:   "resolvers.registry",
		doc:   "package to write, in which resolvers find kinds where imports would be a cycle",
		value: func(s *settings) *value { return importPath(&s.options.ResolverRegistry) },
	},
	{
		key:   "scopes",
		doc:   "folders with kinds of one scope, of which mrgen writes the other: from and to, and groups, code, replace and tests",
		value: func(s *settings) *value { return scopes(&s.options.Scopes) },
	},
	{
		key:   "strict",
		flag:  strictFlag,
		doc:   "have warnings fail generate and verify",
		value: func(s *settings) *value { return boolean(&s.strict) },
	},
	{
		key:   "lint.baseline",
		doc:   "file with findings that mrgen lint doesn't report, which --write-baseline writes",
		value: func(s *settings) *value { return fileOrNone(&s.lint.Baseline) },
	},
	{
		key:   "breaking.alpha",
		doc:   "count or allow: whether versions such as v1alpha1 may break",
		value: func(s *settings) *value { return alphaMode(&s.breaking.Alpha) },
	},
	{
		key:   "breaking.allow",
		doc:   "breaks that are meant: a list of kind, reason, and perhaps version, path, and until with a release",
		value: func(s *settings) *value { return exceptions(&s.breaking.Allow) },
	},
}, breakClassSettings(), lintRules())

// lintRules has a setting for each rule of lint.
func lintRules() []setting {
	var rows []setting
	for _, r := range generator.LintRules() {
		rows = append(rows, setting{
			key:    "lint.rules." + r.Name,
			family: "lint.rules.RULE",
			doc:    "off, hint, warning or error: what mrgen lint makes of what a rule finds",
			value:  func(s *settings) *value { return severity(s.lint.Severity, r) },
		})
	}
	return rows
}

// strictFlag is the flag of commands that may take warnings for errors.
const strictFlag = "strict"

// breakClassSettings has a setting for each class of breaks.
func breakClassSettings() []setting {
	var rows []setting
	for _, class := range generator.BreakClasses() {
		rows = append(rows, setting{
			key:   "breaking." + string(class),
			doc:   "error, warn or off: " + breakClasses[class],
			value: func(s *settings) *value { return breakSeverity(s.breaking.Severity, class) },
		})
	}
	return rows
}

// addFlags adds the flags of the settings to a command, or those with the given
// names only.
func addFlags(flags *pflag.FlagSet, only ...string) {
	flags.SortFlags = false
	defaults := defaultSettings()
	for _, row := range table {
		if row.flag == "" || len(only) > 0 && !slices.Contains(only, row.flag) || len(only) == 0 && row.flag == strictFlag {
			continue
		}
		v := row.value(&defaults)
		f := flags.VarPF(v, row.flag, "", row.doc)
		if v.name == "" {
			f.NoOptDefVal = "true"
		}
	}
}

// resolveSettings returns the settings of a run: the defaults, changed by
// mrgen.yaml in the module root, changed by flags and arguments. The settings
// are of no use if there are diagnostics.
func resolveSettings(cmd *cobra.Command, args []string, root string) (settings, []generator.Diagnostic) {
	s := defaultSettings()
	diags := readConfig(root, &s)
	for _, row := range table {
		if row.flag != "" && cmd.Flags().Changed(row.flag) {
			// The flag has taken the text, so it is right.
			row.value(&s).set(cmd.Flags().Lookup(row.flag).Value.String())
			s.from[row.key] = "--" + row.flag
		}
	}
	if len(args) > 0 {
		s.options.Packages = args
		s.from["packages"] = "arguments"
	}
	return s, diags
}

// settingsHelp describes mrgen.yaml.
func settingsHelp() string {
	var b strings.Builder
	b.WriteString(`Settings come from flags or from mrgen.yaml at the root of the Go module; flags win.
Patterns and paths are relative to that root, wherever mrgen is started in the module.

Settings in mrgen.yaml:
`)
	defaults := defaultSettings()
	family := ""
	for _, row := range table {
		switch {
		case row.family == "":
			v := row.value(&defaults)
			fmt.Fprintf(&b, "  %s (default %s)\n      %s\n", row.key, v.yaml(), row.doc)
		case row.family != family:
			fmt.Fprintf(&b, "  %s\n      %s\n", row.family, row.doc)
		}
		family = row.family
	}
	return strings.TrimSuffix(b.String(), "\n")
}
