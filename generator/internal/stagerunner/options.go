package stagerunner

import (
	"cmp"
	"go/token"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
	"github.com/mrgen-io/mrgen/generator/internal/apiserver/verdicts"
	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/render/gosrc"
	"github.com/mrgen-io/mrgen/generator/internal/source/apitypes"
	"github.com/mrgen-io/mrgen/generator/internal/source/modules"
	"github.com/mrgen-io/mrgen/generator/internal/source/readlog"
	"github.com/mrgen-io/mrgen/generator/internal/stage"
	"github.com/mrgen-io/mrgen/generator/run"
)

// CodeOption is the code of diagnostics about options.
const CodeOption diag.Code = "option"

// GoFiles returns the names of the Go files that stages write.
func (in *Input) GoFiles() []string { return stage.GoFiles(in.runner.Stages) }

// scopeOptions returns the options for the scope of a run, by default "./...".
func (in *Input) scopeOptions(source map[string]*modules.Copy) modules.Options {
	patterns := in.Settings.Packages
	if len(patterns) == 0 {
		patterns = []string{"./..."}
	}
	return modules.Options{
		Root:      in.Root,
		Patterns:  patterns,
		Outputs:   in.GoFiles(),
		Importers: stage.Importers(in.runner.Stages),
		OwnFiles:  stage.OwnFiles(in.runner.Stages),
		Own:       in.Settings.Registry,
		Anywhere:  filesOf(in.extensions),
		Copies:    source,
	}
}

// buildOptions returns the options for building the model.
func (in *Input) buildOptions() apitypes.Options {
	settings := in.Settings
	return apitypes.Options{
		MisspeltMarkers: settings.MisspeltMarkers, EmbeddedObjectMeta: settings.EmbeddedObjectMeta,
		DeclaredLater: stage.DeclaredLater(in.runner.Stages),
	}
}

// readHeader returns the text for the top of Go files. It must consist of comments without directives for the compiler
// and the go command.
func readHeader(root string, options run.Options, log *readlog.Log) (string, diag.List) {
	name := options.HeaderFile
	if name == "" {
		return "", nil
	}
	if !filepath.IsAbs(name) {
		name = filepath.Join(root, filepath.FromSlash(name))
	}
	content, _, err := log.ReadFile(name)
	if err != nil {
		return "", diag.List{diag.Errorf(diag.Position{File: options.HeaderFile}, CodeOption, "cannot read the header file: %v: write it, or name another", diag.Cause(err))}
	}
	content = artifact.UnixLineBreaks(content)
	if diags := gosrc.CheckHeader(filepath.ToSlash(options.HeaderFile), content); diags.HasErrors() {
		return "", diags // files with it wouldn't parse, which would hide this cause
	}
	return string(content), nil
}

// checkFolder reports an import path or a pattern in place of a folder: it would become the name of a new folder.
func checkFolder(root, given string) diag.List {
	name := path.Clean(filepath.ToSlash(given))
	wrong, folder := "an import path", strings.TrimPrefix(name, modules.ModulePath(root)+"/")
	if before, _, isPattern := strings.Cut(strings.NewReplacer("*", "...", "?", "...").Replace(folder), "..."); isPattern {
		wrong, folder = "a pattern", strings.TrimSuffix(before, "/")
	}
	if folder == name {
		return nil
	}
	return diag.List{diag.Errorf(diag.Position{File: given}, CodeOption, "this is %s, and the setting takes one folder below the module root: name it, such as %s", wrong, cmp.Or(folder, "package/crds"))}
}

// Settings validates the options and resolves them in the module with that root. The log may be nil.
func (e Runner) Settings(root string, options run.Options, log *readlog.Log) (stage.Options, diag.List) {
	var diags diag.List
	settings := stage.Options{Options: options}
	settings.Helpers = path.Clean(filepath.ToSlash(options.Helpers))
	if name := path.Base(settings.Helpers); !filepath.IsLocal(options.Helpers) || !token.IsIdentifier(name) || name == "main" {
		// Go code must be able to import it
		diags = append(diags, diag.Errorf(diag.Position{File: options.Helpers}, CodeOption, "helpers: this can't be the folder of a package that others import: name one in the module, such as internal/mrgen"))
	}
	minKubernetes, problems := apiserver.ParseVersion(options.MinKubernetes)
	settings.MinKubernetes = minKubernetes
	diags = append(diags, problems...)
	settings.Validator = verdicts.New(apiserver.Upstream{MinKubernetes: minKubernetes})
	settings.Header, problems = readHeader(root, options, log)
	diags = append(diags, problems...)
	diags = append(diags, checkFolder(root, options.Helpers)...)
	folders := []*string{&settings.CRDDir, &settings.MRDDir}
	settings.CRDSets = slices.Clone(options.CRDSets)
	for i := range settings.CRDSets {
		folders = append(folders, &settings.CRDSets[i].CRDDir)
	}
	for _, folder := range folders {
		if *folder != "" {
			diags = append(diags, checkFolder(root, *folder)...)
			name, problems := artifact.OutputFolder(root, *folder)
			*folder = name
			diags = append(diags, problems...)
		}
	}
	if options.ResolverRegistry != "" {
		registry, problems := modules.NewOwnPackage(root, options.ResolverRegistry, stage.OwnFiles(e.Stages))
		settings.Registry = registry
		diags = append(diags, problems...)
	}
	if options.CRDDir == "" {
		diags = append(diags, diag.Errorf(diag.Position{}, CodeOption, "the folder for CRDs is empty: name one, such as package/crds"))
	}
	hasMRDs := func(set run.CRDSet) bool { return set.CRDDir == settings.MRDDir }
	if settings.MRDDir != "" && slices.ContainsFunc(append(settings.CRDSets, run.CRDSet{CRDDir: settings.CRDDir}), hasMRDs) {
		diags = append(diags, diag.Errorf(diag.Position{File: options.MRDDir}, CodeOption,
			"CRDs and MRDs have the same folder and file names: name another folder for one of them"))
	}
	if !settings.ManagedCRDs && settings.MRDDir == "" {
		diags = append(diags, diag.Errorf(diag.Position{}, CodeOption,
			"managed kinds would get neither a CRD nor an MRD: set a folder for MRDs"))
	}
	return settings, diags
}
