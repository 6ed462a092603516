package lintrules

import (
	"context"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/git"
	"github.com/mrgen-io/mrgen/generator/internal/git/ignored"
	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
	"github.com/mrgen-io/mrgen/generator/internal/yamlnode"
)

var generatedFiles = &linter.Rule{
	Name:     "generated-files",
	Doc:      "Generated files are in the folders that mrgen keeps up to date, and git has them.",
	Source:   linter.Source{Name: "mrgen, CI", URL: "https://github.com/mrgen-io/mrgen/blob/main/docs/guide/ci.md"},
	Why:      "The package ships outdated definitions, and a clone lacks files, while everything is right on the author's machine.",
	Severity: linter.Warning,
	Run:      checkGeneratedFiles,
}

// spacedDirective matches a directive that runs mrgen, with a blank before it.
var spacedDirective = regexp.MustCompile(`(?m)^// +go:generate .*\bmrgen\b`)

// isDefinition matches a document that defines a kind, unlike an example.
var isDefinition = regexp.MustCompile(`(?m)^kind: (?:Custom|Managed)Resource(?:Definition|ActivationPolicy)$`)

func checkGeneratedFiles(p *linter.Pass) {
	folders := slices.Clone(p.DefinitionFolders)
	for _, k := range p.Kinds {
		folders = append(folders, k.Object.Package.Dir)
	}
	var generated []string
	slices.Sort(folders) // versions of kinds share packages
	for _, folder := range slices.Compact(folders) {
		entries, _ := os.ReadDir(filepath.Join(p.Root, filepath.FromSlash(folder))) // it may not be written yet
		for _, entry := range entries {
			if name := path.Join(folder, entry.Name()); artifact.Owned([]byte(p.Text(name))) {
				generated = append(generated, name)
			}
		}
	}
	for _, i := range ignored.Files(context.Background(), p.Root, generated, "--no-index") {
		p.File(diag.Position{File: i.File, Line: i.Line}, i.Pattern, nil, "git ignores new files such as %s, so that clones lack them: correct the pattern, and add them", i.Name)
	}
	checkCommitted(p)
	for at := range p.Find(spacedDirective) {
		p.File(at, ".", nil, "go generate ignores a directive with a blank: write //go:generate")
	}
	if p.PackageDir() != "." {
		checkPackageFiles(p)
	}
}

// checkCommitted reports generated files that git has in another form, or not at all, while it has all of their sources.
func checkCommitted(p *linter.Pass) {
	status, err := git.Run(context.Background(), p.Root, "status", "--porcelain", "-z", "--no-renames", "--untracked-files=all", ".")
	if err != nil || len(status) == 0 {
		return // there is no repository, or nothing has changed
	}
	prefix, _ := git.Run(context.Background(), p.Root, "rev-parse", "--show-prefix")
	var left []string
	elsewhere := map[string]string{} // definitions by the folders that no run writes, as one with --crd-dir did
	for entry := range strings.SplitSeq(strings.TrimSuffix(string(status), "\x00"), "\x00") {
		name := strings.TrimPrefix(entry[len("XY "):], strings.TrimSpace(string(prefix)))
		content := []byte(p.Text(name))
		if !p.Exists(name) {
			content, _ = git.Run(context.Background(), p.Root, "show", "HEAD:./"+name)
		}
		if !artifact.Owned(content) {
			return // the author is at work
		}
		if folder := path.Dir(name); artifact.IsDocument(name) && isDefinition.Match(content) && !slices.Contains(p.DefinitionFolders, folder) && p.Exists(name) {
			elsewhere[folder] = name
			continue
		}
		if !slices.Contains(left, name) { // git may name it twice: staged, and as it is
			left = append(left, name)
		}
	}
	for folder, name := range elsewhere {
		p.File(diag.Position{File: folder}, folder, nil, "mrgen wrote %s, and mrgen.yaml names another folder for definitions: delete %s, or name it there", name, folder)
	}
	if len(left) == 0 {
		return
	}
	p.File(diag.Position{File: path.Dir(left[0])}, left[0], nil,
		"git has the sources of %s, and not the file as it is now, so that clones differ (%d such files): commit them together", left[0], len(left))
}

// checkPackageFiles reports files in the package that mrgen wrote and doesn't update, or that don't belong there.
func checkPackageFiles(p *linter.Pass) {
	_, ofPackage := yamlnode.Field(p.YAML(path.Join(p.PackageDir(), metadataFile)), "kind")
	isProvider := ofPackage != nil && ofPackage.Value == "Provider"
	for name := range p.Below(p.PackageDir()) {
		if !strings.HasPrefix(path.Ext(name), ".y") {
			continue
		}
		// in the folder, since findings in generated files are left out
		at := diag.Position{File: path.Dir(name)}
		isKept := slices.Contains(p.DefinitionFolders, path.Dir(name)) && artifact.IsDocument(name)
		content := []byte(p.Text(name))
		switch isOwned := artifact.Owned(content); {
		case isOwned && !isKept:
			p.File(at, ".", nil, "mrgen wrote %s, and doesn't update it any more: delete it, or correct the folder in mrgen.yaml", name)
		case isOwned:
			if folder := leftOut(p, content); folder != "" {
				p.File(at, name, nil, "mrgen doesn't update %s, since packages in mrgen.yaml leave out %s: add the folder, or delete the file", name, folder)
			}
		case !isProvider, path.Base(name) == metadataFile:
		default:
			checkForeign(p, name)
		}
	}
}

// leftOut returns a folder that a definition comes from, that exists, and that no run covers, or "".
func leftOut(p *linter.Pass, content []byte) string {
	folders, _ := artifact.ParseHeader(content)
	for _, folder := range folders {
		if !p.Partial && !p.Covers(folder) && p.Exists(folder) {
			return folder
		}
	}
	return ""
}

// checkForeign reports another author's manifest that the package can't have.
func checkForeign(p *linter.Pass, file string) {
	document := p.YAML(file)
	_, metadata := yamlnode.Field(document, "metadata")
	_, kind := yamlnode.Field(document, "kind")
	_, name := yamlnode.Field(metadata, "name")
	switch at := (diag.Position{File: file}); {
	case kind == nil: // no manifest
	// https://github.com/crossplane/crossplane-runtime/blob/v2.4.0/pkg/xpkg/lint.go
	case !slices.Contains([]string{
		"CustomResourceDefinition", "ManagedResourceDefinition", "MutatingWebhookConfiguration", "ValidatingWebhookConfiguration",
	}, kind.Value):
		p.File(at, ".", nil, "a package can't have a %s: move it out of %s, such as to examples", kind.Value, p.PackageDir())
	case name != nil && slices.ContainsFunc(p.Kinds, func(k *linter.Kind) bool {
		// another tool's file of that name is left to adopt
		return k.CRD.Name == name.Value && path.Base(file) != k.CRD.Spec.Group+"_"+k.CRD.Spec.Names.Plural+".yaml"
	}):
		p.File(at, ".", nil, "this is a second definition of %s, which mrgen doesn't update: delete it", name.Value)
	}
}
