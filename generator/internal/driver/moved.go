package driver

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/pipeline"
	"github.com/mrgen-io/mrgen/generator/internal/source/modules"
)

// definition matches documents with a CRD or an MRD, but not examples, which carry mrgen's header, too.
var definition = regexp.MustCompile(`(?m)^kind: (CustomResource|ManagedResource)Definition$`)

// documentName matches the names of mrgen's documents: a group and a plural.
var documentName = regexp.MustCompile(`^[a-z0-9.-]+_[a-z0-9-]+\.yaml$`)

// deployed are files of tools that deploy a folder, where documents are copies.
var deployed = []string{"Chart.yaml", "kustomization.yaml", "kustomization.yml"}

// movedDocuments returns the definitions in folders outside the settings, where earlier runs wrote them according to
// their headers. Only the module itself counts, so each checkout has the same result.
func movedDocuments(root string, settings pipeline.Options) []string {
	var moved []string
	modules.EachFolder(root, ".", func(folder string, _ []string) {
		dir := filepath.Join(root, filepath.FromSlash(folder))
		if !slices.Contains(settings.OutputFolders(), folder) && !isDeployed(dir) && !isDeployed(filepath.Dir(dir)) {
			// a chart has its documents in a folder below
			moved = append(moved, documentsIn(root, folder, settings)...)
		}
	})
	return moved
}

// documentsIn returns the definitions in a folder that are written elsewhere now.
func documentsIn(root, folder string, settings pipeline.Options) []string {
	var found []string
	entries, _ := os.ReadDir(filepath.Join(root, filepath.FromSlash(folder)))
	for _, entry := range entries {
		name := path.Join(folder, entry.Name())
		if !entry.Type().IsRegular() || !artifact.IsDocument(name) {
			continue
		}
		content, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		if err != nil || !artifact.Owned(content) || !isMoved(content, settings) {
			continue
		}
		if !documentName.MatchString(entry.Name()) { // somebody has copied and renamed them
			return nil
		}
		found = append(found, name)
	}
	return found
}

// isMoved reports whether the settings have a folder for definitions like one in another folder.
func isMoved(content []byte, settings pipeline.Options) bool {
	kind := definition.FindSubmatch(content)
	// without a folder for MRDs, other runs may write them
	return kind != nil && (string(kind[1]) == "CustomResource" || settings.MRDDir != "")
}

// isDeployed reports whether another tool deploys a folder.
func isDeployed(folder string) bool {
	return slices.ContainsFunc(deployed, func(name string) bool {
		_, err := os.Stat(filepath.Join(folder, name))
		return err == nil
	})
}
