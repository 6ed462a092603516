package cli

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mrgen-io/mrgen/generator"
	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/settings"
)

// evaluate runs a function of the generator with the settings of a command. It returns the module root, or "",
// and the result, whose diagnostics include problems with the settings.
func evaluate(
	cmd *cobra.Command, args []string, run func(context.Context, settings.Settings) (generator.Result, error),
) (root string, result generator.Result, err error) {
	root, s, diags := moduleSettings(cmd, args)
	if diags.HasErrors() {
		return root, generator.Result{Diagnostics: diags}, nil
	}
	s.Options.CacheDir = cacheFor(cmd)
	if isSet(cmd, verboseFlag) {
		p := newProgress(cmd)
		defer p.print()
		s.Options.OnStep = p.step
	}
	result, err = run(cmd.Context(), s)
	if err != nil || cmd.Context().Err() != nil {
		return root, generator.Result{}, ours(cmd, err)
	}
	result.Diagnostics = s.Place(result.Diagnostics)
	return root, result, nil
}

// answer asks a question about the selected API, and prints the answer as render formats it.
func answer[T any](
	cmd *cobra.Command, args []string, ask func(context.Context, settings.Settings) (T, diag.List, error), render func(T) ([]byte, error),
) error {
	_, s, diags := moduleSettings(cmd, args)
	var found T
	if !diags.HasErrors() {
		var err error
		if found, diags, err = ask(cmd.Context(), s); err != nil || cmd.Context().Err() != nil {
			return ours(cmd, err)
		}
	}
	if err := diagnose(cmd, s.Place(diags)); err != nil {
		return err
	}
	text, err := render(found)
	return output(cmd, text, err)
}

// moduleSettings returns the root of the current module, or "", and the settings of a command there. It locks
// the module until the command ends.
func moduleSettings(cmd *cobra.Command, packages []string) (string, settings.Settings, diag.List) {
	dir, err := os.Getwd()
	if err != nil {
		return "", settings.Settings{}, diag.List{unusable(diag.Position{}, "cannot find the current folder: %v", err)}
	}
	root, diags := generator.FindModule(dir)
	if diags.HasErrors() {
		return "", settings.Settings{}, diags
	}
	if diags := append(noPatterns(cmd, root, packages), misplaced(root, dir, packages)...); diags.HasErrors() {
		return root, settings.Settings{}, diags
	}
	// Before reading settings: another command may be writing them.
	lockModule(cmd, root)
	s, diags := resolveSettings(cmd, packages, root)
	s.Options.OnStep = newProgress(cmd).step
	return root, s, diags
}

// noPatterns reports arguments that stand for something else than packages: options of controller-gen, and revisions.
func noPatterns(cmd *cobra.Command, root string, args []string) diag.List {
	var diags diag.List
	for _, arg := range args {
		_, err := os.Stat(filepath.Join(root, arg))
		isName := err != nil && !strings.Contains(arg, "...") && !strings.HasPrefix(arg, ".")
		// Import paths of the module have more elements than the names of most branches.
		isRevision := isName && strings.Count(arg, "/") < 2 && cmd.Flags().Lookup(againstFlag) != nil
		if err := controllerGenArgument(arg); err != nil {
			diags = append(diags, unusable(diag.Position{}, "%v", err))
		} else if isRevision {
			diags = append(diags, unusable(diag.Position{}, "there is no package %s: to compare with a revision, write --%s=%s", arg, againstFlag, arg))
		} else if isName && !strings.Contains(arg, "/") {
			diags = append(diags, unusable(diag.Position{}, "no folder is called %s: name packages by their folders, as in ./apis/...", arg))
		}
	}
	return diags
}

// misplaced reports patterns that match nothing from the module's root, though they match from the current
// folder. Patterns are relative to the root.
func misplaced(root, dir string, patterns []string) diag.List {
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil || dir == root {
		return nil
	}
	var diags diag.List
	for _, pattern := range patterns {
		below, wildcards := strings.CutSuffix(filepath.FromSlash(pattern), "...")
		switch {
		// An import path, or a pattern that isn't a plain path below a folder.
		case !strings.HasPrefix(pattern, "."), strings.HasPrefix(pattern, ".."), strings.Contains(below, "..."):
			continue
		case hasGo(filepath.Join(root, below), wildcards), !hasGo(filepath.Join(dir, below), wildcards):
			continue // right, or wrong from the current folder as well
		}
		meant, err := filepath.Rel(root, filepath.Join(dir, below))
		if err != nil {
			continue
		}
		meant = "./" + filepath.ToSlash(meant)
		if wildcards {
			meant += "/..."
		}
		diags = append(diags, unusable(diag.Position{File: pattern},
			"patterns are relative to the root of the module, wherever mrgen is started, and there are no Go files there: write %s", meant))
	}
	return diags
}

// hasGo reports whether a folder has Go files, or may have some below it.
func hasGo(dir string, below bool) bool {
	if _, err := os.Stat(dir); below && err == nil {
		return true
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*.go"))
	return len(files) > 0
}

// ours returns the error for a failure of the generator itself: a bug in mrgen, unless the user interrupted the
// run.
func ours(cmd *cobra.Command, err error) error {
	if cause := cmd.Context().Err(); cause != nil {
		return cause
	}
	return &internalError{cause: err}
}
