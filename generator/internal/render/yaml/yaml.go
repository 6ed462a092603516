// Package yaml writes documents as YAML.
package yaml

import (
	"bytes"
	"encoding/json"

	"sigs.k8s.io/yaml"

	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/render/yaml/internal/encode"
)

// Document returns a document as YAML, with a first line that marks it as generated and names the folders of its
// packages. Keys are sorted. The document is an object in JSON, as in Kubernetes' types.
//
// The form is the one of sigs.k8s.io/yaml, which all tools around Kubernetes share. It is slow for large documents, so it only
// writes those that the encoder can't write.
func Document(sourceDirs []string, document any) ([]byte, error) {
	asJSON, err := json.Marshal(document)
	if err != nil {
		return nil, err
	}
	header := artifact.YAMLHeader(sourceDirs) + "\n---\n"
	if content, ok := encode.Append([]byte(header), asJSON); ok {
		return bytes.Clone(content), nil // the run keeps it until its end: no room to grow
	}
	content, err := yaml.JSONToYAML(asJSON)
	if err != nil {
		return nil, err
	}
	return append([]byte(header), content...), nil
}
