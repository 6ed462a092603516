// Package yaml writes documents as YAML.
package yaml

import (
	"bytes"

	"sigs.k8s.io/yaml"

	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/render/yaml/internal/encode"
)

// Document returns a document as YAML, with a first line that marks it as generated and names the folders of its
// packages. Keys are sorted. The document is a pointer to a struct, with JSON tags as in Kubernetes' types.
//
// The form is the one of sigs.k8s.io/yaml, which all tools around Kubernetes share. That package goes through JSON and
// reflection several times, so it only writes documents that the encoder can't write.
func Document(sourceDirs []string, document any) ([]byte, error) {
	header := artifact.YAMLHeader(sourceDirs) + "\n---\n"
	if content, ok := encode.Append([]byte(header), document); ok {
		return bytes.Clone(content), nil // the run keeps it until its end: no room to grow
	}
	content, err := yaml.Marshal(document)
	if err != nil {
		return nil, err
	}
	return append([]byte(header), content...), nil
}
