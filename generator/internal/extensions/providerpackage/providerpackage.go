// Package providerpackage checks the Crossplane package that ships the generated CRDs and MRDs.
package providerpackage

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/Masterminds/semver/v3"
	"go.yaml.in/yaml/v3"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/source/readlog"
	"github.com/mrgen-io/mrgen/generator/internal/stagerunner"
	"github.com/mrgen-io/mrgen/generator/internal/yamlnode"
)

const codePackage diag.Code = "package"

// metadataFile is the file in the source folder of a package, see
// https://docs.crossplane.io/latest/packages/providers/.
const metadataFile = "crossplane.yaml"

// An Output has the paths of generated files, slash-separated and relative to the module root.
type Output struct {
	// MRDDir is empty if there are no MRDs.
	CRDDir, MRDDir string
	Files          []string
}

// Extension returns the extension that checks the package around the output of a run.
func Extension() stagerunner.Extension {
	return stagerunner.Extension{Finish: func(_ context.Context, f *stagerunner.Finishing) (diag.List, error) {
		output := Output{CRDDir: f.Settings.CRDDir, MRDDir: f.Settings.MRDDir}
		for name := range f.Output.Artifacts.Files() {
			output.Files = append(output.Files, name)
		}
		return Check(f.Root, output, f.Log), nil
	}}
}

// Check returns warnings about the provider's package in the folder above MRDDir, if there are a package and
// MRDs. The log, which may be nil, records the file that is read.
func Check(root string, output Output, log *readlog.Log) diag.List {
	mrds := output.in(output.MRDDir)
	if len(mrds) == 0 {
		return nil
	}
	folder := path.Dir(output.MRDDir)
	file := path.Join(folder, metadataFile)
	content, _, err := log.ReadFile(filepath.Join(root, filepath.FromSlash(file)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return diag.List{diag.Warningf(diag.Position{File: file}, codePackage,
			"the package can't be checked: %v: make the file readable", diag.Cause(err))}
	}
	var document yaml.Node
	if err := yaml.Unmarshal(content, &document); err != nil {
		return diag.List{diag.Warningf(diag.Position{File: file}, codePackage, "the package can't be checked: %v: correct the file", err)}
	}
	metadata, isProvider := provider(&document)
	if !isProvider {
		return nil // a configuration or a function ships no controllers
	}
	var diags diag.List
	// Crossplane activates MRDs one by one: the provider starts before its CRDs exist.
	if at, declared := safeStart(metadata); !declared {
		diags = append(diags, diag.Warningf(diag.Position{File: file, Line: at}, codePackage,
			"the package ships MRDs, so the provider must start while they are inactive: gate its controllers, then add safe-start to spec.capabilities"))
	}
	if at, constraint := crossplaneVersions(metadata); admitsV1(constraint) {
		diags = append(diags, diag.Warningf(diag.Position{File: file, Line: at}, codePackage,
			"the package ships MRDs, and Crossplane 1, which %s admits, installs none: set spec.crossplane.version to \">=v2.0.0\"", constraint))
	}
	if path.Dir(output.CRDDir) == folder {
		diags = append(diags, both(output, mrds)...)
	}
	return diags
}

// crossplaneVersions returns the constraint on Crossplane's version and its line, or "".
func crossplaneVersions(metadata *yaml.Node) (line int, constraint string) {
	_, spec := yamlnode.Field(metadata, "spec")
	_, crossplane := yamlnode.Field(spec, "crossplane")
	if key, version := yamlnode.Field(crossplane, "version"); key != nil {
		return key.Line, version.Value
	}
	return 0, ""
}

// admitsV1 reports whether a constraint admits a version of Crossplane 1, which can't read MRDs.
func admitsV1(text string) bool {
	constraint, err := semver.NewConstraint(text)
	if err != nil {
		return false // Crossplane refuses the package, or there is no constraint
	}
	for minor := range uint64(100) {
		if constraint.Check(semver.New(1, minor, 99, "", "")) {
			return true
		}
	}
	return false
}

// in returns the names of the files in a folder.
func (o Output) in(folder string) []string {
	var names []string
	for _, file := range o.Files {
		if folder != "" && path.Dir(file) == folder {
			names = append(names, path.Base(file))
		}
	}
	return names
}

// both warns about kinds with a CRD and an MRD in the package.
func both(output Output, mrds []string) diag.List {
	crds := output.in(output.CRDDir)
	// Crossplane creates the CRD from the MRD, so it can't install the other one.
	shared := slices.DeleteFunc(slices.Clone(mrds), func(name string) bool { return !slices.Contains(crds, name) })
	if len(shared) == 0 {
		return nil
	}
	slices.Sort(shared)
	return diag.List{diag.Warningf(diag.Position{File: output.MRDDir}, codePackage,
		"the package ships kinds both as MRDs and, in %s, as CRDs (%d, such as %s): set crds.managed to false, or move one folder out of the package",
		output.CRDDir, len(shared), shared[0])}
}

// provider returns the root node of a document, and whether it is the metadata of a provider.
func provider(document *yaml.Node) (*yaml.Node, bool) {
	if len(document.Content) == 0 {
		return nil, false
	}
	metadata := document.Content[0]
	_, apiVersion := yamlnode.Field(metadata, "apiVersion")
	_, kind := yamlnode.Field(metadata, "kind")
	return metadata, apiVersion != nil && kind != nil &&
		strings.HasPrefix(apiVersion.Value, "meta.pkg.crossplane.io/") && kind.Value == "Provider"
}

// safeStart reports whether a provider declares the capability to start before its MRDs are active. If not, it
// returns the line below which to add it, or 0.
func safeStart(metadata *yaml.Node) (line int, declared bool) {
	key, spec := yamlnode.Field(metadata, "spec")
	if key == nil {
		return 0, false
	}
	line = key.Line
	key, capabilities := yamlnode.Field(spec, "capabilities")
	if key == nil {
		return line, false
	}
	return key.Line, slices.ContainsFunc(capabilities.Content, func(n *yaml.Node) bool { return isSafeStart(n.Value) })
}

var notAlphanumeric = regexp.MustCompile("[^a-z0-9]+")

// isSafeStart reports whether a capability is safe-start.
func isSafeStart(capability string) bool {
	// Crossplane ignores case and punctuation: see CapabilitiesContainFuzzyMatch in
	// https://github.com/crossplane/crossplane/blob/v2.4.0/apis/pkg/meta/v1/capabilities.go
	return notAlphanumeric.ReplaceAllString(strings.ToLower(capability), "") == "safestart"
}
