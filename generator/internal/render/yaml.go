package render

import (
	"sigs.k8s.io/yaml"

	"github.com/mrgen-io/mrgen/generator/internal/artifact"
)

// YAML returns a document as YAML, with a first line that says who wrote it and
// from the packages in which folders. Keys are sorted.
func YAML(sourceDirs []string, document any) ([]byte, error) {
	content, err := yaml.Marshal(document)
	if err != nil {
		return nil, err
	}
	return append([]byte(artifact.YAMLHeader(sourceDirs)+"\n---\n"), content...), nil
}
