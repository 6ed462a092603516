// Package settings reads mrgen.yaml, which decides what mrgen generates and how it judges an API. [Read]
// returns the settings of a module, and [Table] lists every setting.
package settings

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/mrgen-io/mrgen/generator/breaking"
	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/git"
	"github.com/mrgen-io/mrgen/generator/internal/source/modules"
	"github.com/mrgen-io/mrgen/generator/lint"
	"github.com/mrgen-io/mrgen/generator/provider"
	"github.com/mrgen-io/mrgen/generator/run"
)

// FileName is the name of the file with settings in the root folder of a Go module.
const FileName = "mrgen.yaml"

// Settings are the content of mrgen.yaml.
type Settings struct {
	// Options are the options of the provider: [provider.Options.Run] returns a run's options.
	Options provider.Options
	// Lint are the options of [lint.Run], and Breaking the options of [breaking.Run].
	Lint     lint.Options
	Breaking breaking.Options
	// Strict turns warnings into errors.
	Strict bool
	// From is the origin of each setting that isn't a default, by key, as in "mrgen.yaml:3".
	From map[string]string
}

// Default returns the settings of a module without mrgen.yaml.
func Default() Settings {
	return Settings{
		Options:  provider.Default(),
		Lint:     lint.Options{Severity: map[string]lint.Severity{}},
		From:     map[string]string{},
		Breaking: breaking.Default(),
	}
}

// Read returns the settings of the module in a folder, see [generator.FindModule]: the defaults, changed by
// mrgen.yaml if there is one. If there are diagnostics, the settings are unusable.
func Read(root string) (Settings, diag.List) {
	s := Default()
	s.Options.Dir = root
	if diags := misplaced(root); diags != nil {
		return s, diags
	}
	content, err := os.ReadFile(filepath.Join(root, FileName))
	if errors.Is(err, fs.ErrNotExist) {
		// With defaults, the output of other settings, such as copies of a scope, would be rewritten or deleted.
		if git.Tracks(context.Background(), root, FileName) {
			return s, diag.List{Problem(diag.Position{File: FileName},
				"git has this file, and it is gone: restore it with git checkout -- %s, or run git rm %[1]s if you want the defaults", FileName)}
		}
		return s, nil
	}
	if err != nil {
		return s, diag.List{Problem(diag.Position{File: FileName}, "cannot read the settings: %v", diag.Cause(err))}
	}
	return s, s.Parse(content)
}

// misplaced reports files of settings that mrgen would silently ignore: with another name, or below the root.
func misplaced(root string) diag.List {
	remedy := "move them there, and delete this file"
	if _, err := os.Stat(filepath.Join(root, FileName)); err != nil {
		remedy = "move the file there"
	}
	files := []string{filepath.Join(root, "mrgen.yml"), filepath.Join(root, ".mrgen.yaml"), filepath.Join(root, ".mrgen.yml")}
	for _, pattern := range []string{"*", "*/*"} { // each command does this: a name in each folder is found without reading it
		folders, _ := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern))) // the pattern is right
		for _, folder := range folders {
			files = append(files, filepath.Join(folder, FileName), filepath.Join(folder, "mrgen.yml"))
		}
	}
	var diags diag.List
	for _, file := range files {
		if _, err := os.Lstat(file); err != nil {
			continue
		}
		name, _ := filepath.Rel(root, file)
		if name = filepath.ToSlash(name); !ofOtherModule(root, name) {
			diags = append(diags, Problem(diag.Position{File: name}, "settings are read from %s in the root of the module only: %s", FileName, remedy))
		}
	}
	return diags
}

// ofOtherModule reports whether a file below the root belongs to no package of the module.
func ofOtherModule(root, name string) bool {
	for folder := path.Dir(name); folder != "."; folder = path.Dir(folder) {
		if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(folder), "go.mod")); err == nil || modules.IsIgnored(path.Base(folder)) {
			return true
		}
	}
	return false
}

// A Setting is a setting in mrgen.yaml.
type Setting struct {
	// Key is its key in mrgen.yaml, with dots between sections and the name.
	Key string
	// Family is the key that stands for similar settings in the help text, or "". The first one's description
	// holds for all.
	Family string
	// Flag is the name of its flag, or "".
	Flag string
	// Doc describes it, in lower case.
	Doc string
	// Value returns its target in the settings.
	Value func(*Settings) *Value
	// Required is set if a mapping must have it.
	Required bool
}

// Table returns every setting. The reader of mrgen.yaml, its schema, and mrgen's flags and help texts come from
// it.
func Table() []Setting { return slices.Clone(table) }

var table = slices.Concat([]Setting{
	{
		Key:   "packages",
		Doc:   "patterns of the packages to read, unless arguments name others",
		Value: func(s *Settings) *Value { return patterns(&s.Options.Packages) },
	},
	{
		Key:   "crds.dir",
		Flag:  "crd-dir",
		Doc:   "folder for CRDs",
		Value: func(s *Settings) *Value { return Folder(&s.Options.CRDDir) },
	},
	{
		Key:   "mrds.dir",
		Flag:  "mrd-dir",
		Doc:   "folder for MRDs; without it, none are written",
		Value: func(s *Settings) *Value { return folderOrNone(&s.Options.MRDDir) },
	},
	{
		Key:   "crds.managed",
		Flag:  "crd-managed",
		Doc:   "write CRDs of managed resources; with false, only MRDs",
		Value: func(s *Settings) *Value { return boolean(&s.Options.ManagedCRDs) },
	},
	{
		Key:   "connectionDetailAnnotations",
		Flag:  "connection-detail-annotations",
		Doc:   "describe connection details in annotations of CRDs",
		Value: func(s *Settings) *Value { return boolean(&s.Options.ConnectionDetailAnnotations) },
	},
	{
		Key:   "headerFile",
		Flag:  "header-file",
		Doc:   "file with a comment for the top of generated Go files",
		Value: func(s *Settings) *Value { return File(&s.Options.HeaderFile) },
	},
	{
		Key:   "crds.maxDescription",
		Flag:  "max-description",
		Doc:   "cut descriptions in schemas after so many characters; negative: never",
		Value: func(s *Settings) *Value { return wholeNumber(&s.Options.MaxDescription) },
	},
	{
		Key:   "crds.sets",
		Doc:   "folders and lengths of descriptions for the CRDs of some packages; the first set with a package counts",
		Value: func(s *Settings) *Value { return crdSets(&s.Options.CRDSets) },
	},
	{
		Key:   "crds.budget",
		Doc:   "warn of definitions larger than so many bytes of JSON; 0: never",
		Value: func(s *Settings) *Value { return wholeNumber(&s.Options.MaxDefinitionSize) },
	},
	{
		Key:   "crds.allowDangerousTypes",
		Flag:  "allow-dangerous-types",
		Doc:   "allow floating-point fields, which clients read differently",
		Value: func(s *Settings) *Value { return boolean(&s.Options.AllowDangerousTypes) },
	},
	{
		Key:   "crds.embeddedObjectMeta",
		Doc:   "write the properties of object metadata inside a spec, such as a pod template's: labels, annotations and names",
		Value: func(s *Settings) *Value { return boolean(&s.Options.EmbeddedObjectMeta) },
	},
	{
		Key: "deepcopy",
		Doc: "write or off: off if another generator writes deep copies",
		Value: func(s *Settings) *Value {
			return mode(&s.Options.NoDeepCopies, word[bool]{"write", false}, word[bool]{"off", true})
		},
	},
	{
		Key:  "markers",
		Flag: "markers",
		Doc:  "error or warn: how to report misspelt markers",
		Value: func(s *Settings) *Value {
			return mode(&s.Options.MisspeltMarkers, word[bool]{"error", false}, word[bool]{"warn", true})
		},
	},
	{
		Key:   "minKubernetes",
		Flag:  "min-kubernetes",
		Doc:   "oldest Kubernetes version that must accept the CRDs",
		Value: func(s *Settings) *Value { return KubernetesVersion(&s.Options.MinKubernetes) },
	},
	{
		Key:   "rules.required",
		Doc:   "enforce or off: require fields by rules, so that observe-only resources can omit them",
		Value: func(s *Settings) *Value { return rulesMode(&s.Options.RequiredRules) },
	},
	{
		Key:   "rules.immutable",
		Doc:   "enforce or off: write rules for +immutable",
		Value: func(s *Settings) *Value { return rulesMode(&s.Options.ImmutableRules) },
	},
	{
		Key: "versions.mode",
		Doc: "check, convert or off: served versions of a kind must have the same fields, are converted, or may differ and lose fields",
		Value: func(s *Settings) *Value {
			return mode(&s.Options.Versions,
				word[run.VersionsMode]{"check", run.CheckVersions},
				word[run.VersionsMode]{"convert", run.ConvertVersions},
				word[run.VersionsMode]{"off", run.IgnoreVersions})
		},
	},
	{
		Key:   "versions.tests",
		Doc:   "write a test for the functions that convert versions",
		Value: func(s *Settings) *Value { return boolean(&s.Options.VersionTests) },
	},
	{
		Key:   "helpers",
		Doc:   "folder in the module for the package with functions that generated code calls",
		Value: func(s *Settings) *Value { return Folder(&s.Options.Helpers) },
	},
	{
		Key:   "convert.packages",
		Doc:   "patterns of the packages whose interfaces declare conversions between an SDK and the kinds",
		Value: func(s *Settings) *Value { return patternsOrNone(&s.Options.ConvertPackages) },
	},
	{
		Key:   "resolvers.registry",
		Doc:   "import path of a package to write, in which resolvers look up kinds if imports would form a cycle",
		Value: func(s *Settings) *Value { return importPath(&s.Options.ResolverRegistry) },
	},
	{
		Key:   "resolvers.reconciler",
		Doc:   "write NewReferenceResolver beside the functions that generated code calls, for reconcilers to keep all resolved fields",
		Value: func(s *Settings) *Value { return boolean(&s.Options.ReconcilerResolver) },
	},
	{
		Key:   "scopes",
		Doc:   "folders with kinds of one scope, from which mrgen writes the other: a list of from, to, groups, code, replace and tests",
		Value: func(s *Settings) *Value { return scopes(&s.Options.Scopes) },
	},
	{
		Key:   "strict",
		Flag:  "strict",
		Doc:   "treat warnings as errors in generate and verify, and changes that may break in breaking",
		Value: func(s *Settings) *Value { return boolean(&s.Strict) },
	},
	{
		Key:   "lint.baseline",
		Doc:   "file with known findings and warnings, which mrgen doesn't report and mrgen lint --write-baseline writes",
		Value: func(s *Settings) *Value { return File(&s.Lint.Baseline) },
	},
	{
		Key: "breaking.alpha",
		Doc: "count or allow: whether to accept breaking changes of versions such as v1alpha1",
		Value: func(s *Settings) *Value {
			return mode(&s.Breaking.Alpha, word[bool]{"count", false}, word[bool]{"allow", true})
		},
	},
	{
		Key:   "breaking.allow",
		Doc:   "intended breaking changes: a list of kind, reason and, if needed, version, path, and until with a release",
		Value: func(s *Settings) *Value { return exceptions(&s.Breaking.Allow) },
	},
}, breakClassSettings(), lintRules())

// A removal is a setting of earlier versions.
type removal struct {
	// key is its key in mrgen.yaml, flag its flag or "", and instead the remedy, as an imperative.
	key, flag, instead string
}

var removed = slices.Concat([]removal{
	{"docs.dir", "docs-dir", "delete it, and render reference pages with a tool such as crd-ref-docs"},
	{"lint.controllers", "controllers", "delete it, since mrgen lint checks only the API"},
}, removedRules("absent-on-error", "compared-unsent", "delete-not-idempotent", "dropped-reference", "foreign-secret", "lossy-compare",
	"missing-controller", "mutated-spec", "never-ready", "silent-late-init", "swallowed-error", "uncompared-parameter",
	"unfilled-observation", "unread-parameter", "unread-secret", "unrotated-secret", "unsaved-secret", "unset-external-name",
	"untracked-usage"))

// removedRules returns the settings of rules about the code of controllers.
func removedRules(names ...string) []removal {
	var rows []removal
	for _, name := range names {
		rows = append(rows, removal{"lint.rules." + name, "", "delete it, since mrgen lint checks only the API"})
	}
	return rows
}

// Removed returns what to do in place of a flag that only earlier versions had, or "".
func Removed(flag string) string {
	i := slices.IndexFunc(removed, func(r removal) bool { return flag != "" && r.flag == flag })
	if i < 0 {
		return ""
	}
	return removed[i].instead
}

// lintRules returns a setting for each rule of lint.
func lintRules() []Setting {
	var rows []Setting
	for _, r := range lint.Rules() {
		rows = append(rows, Setting{
			Key:    "lint.rules." + r.Name,
			Family: "lint.rules.RULE",
			Doc:    "off, hint, warning or error: the severity of a rule",
			Value:  func(s *Settings) *Value { return severity(s.Lint.Severity, r) },
		})
	}
	return rows
}

// breakClassSettings returns a setting for each class of breaking changes.
func breakClassSettings() []Setting {
	var rows []Setting
	for _, class := range breaking.Classes() {
		rows = append(rows, Setting{
			Key:   "breaking." + string(class),
			Doc:   "error, warn or off: " + class.Doc(),
			Value: func(s *Settings) *Value { return breakSeverity(s.Breaking.Severity, class) },
		})
	}
	return rows
}
