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

// definition matches documents with a CRD or an MRD. Examples have the header, too, and stay.
var definition = regexp.MustCompile(`(?m)^kind: (CustomResource|ManagedResource)Definition$`)

// documentName matches the names of the documents that mrgen writes: a group and a plural.
var documentName = regexp.MustCompile(`^[a-z0-9.-]+_[a-z0-9-]+\.yaml$`)

// deployed are files of tools that deploy what is in a folder: what they have there are copies.
var deployed = []string{"Chart.yaml", "kustomization.yaml", "kustomization.yml"}

// movedDocuments returns the definitions in other folders than those of the settings, where earlier runs wrote them, by their headers. The module itself tells, so that each
// checkout has the same result.
func movedDocuments(root string, settings pipeline.Options) []string {
	var moved []string
	modules.EachFolder(root, ".", func(folder string, _ []string) {
		dir := filepath.Join(root, filepath.FromSlash(folder))
		if !slices.Contains(settings.OutputFolders(), folder) && !isDeployed(dir) && !isDeployed(filepath.Dir(dir)) {
			moved = append(moved, documentsIn(root, folder, settings)...)
		}
	})
	return moved
}

// documentsIn returns the definitions in a folder that are written elsewhere now. There are
// none if the folder has documents of mrgen under other names, so that somebody has copied them.
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
		if !documentName.MatchString(entry.Name()) {
			return nil
		}
		found = append(found, name)
	}
	return found
}

// isMoved reports whether the settings have a folder for definitions like one in another folder.
// Without a folder for MRDs, other runs may write those.
func isMoved(content []byte, settings pipeline.Options) bool {
	kind := definition.FindSubmatch(content)
	return kind != nil && (string(kind[1]) == "CustomResource" || settings.MRDDir != "")
}

// isDeployed reports whether another tool deploys what is in a folder.
func isDeployed(folder string) bool {
	return slices.ContainsFunc(deployed, func(name string) bool {
		_, err := os.Stat(filepath.Join(folder, name))
		return err == nil
	})
}
