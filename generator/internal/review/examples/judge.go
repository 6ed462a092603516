package examples

import (
	"bytes"
	"context"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	yamlv3 "go.yaml.in/yaml/v3"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/json"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
	"github.com/mrgen-io/mrgen/generator/internal/review/definitions"
	"github.com/mrgen-io/mrgen/generator/internal/review/validobject"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/generator/internal/stage"
	"github.com/mrgen-io/mrgen/generator/internal/yamlnode"
	"github.com/mrgen-io/mrgen/markers"
)

// Problems returns warnings about the objects in the manifests below a folder, if it exists, whose content a function
// selects.
func Problems(ctx context.Context, root, folder string, kinds stage.Definitions, judged func(content []byte) bool) (diag.List, error) {
	at := filepath.Join(root, filepath.FromSlash(folder))
	if _, err := os.Stat(at); err != nil {
		return nil, nil
	}
	files, diags := definitions.Disk(at)
	judge := NewJudge(kinds)
	for _, f := range files {
		if !judged(f.Content) {
			continue
		}
		name, err := filepath.Rel(root, filepath.FromSlash(f.Name))
		if err != nil {
			return nil, err
		}
		problems, err := judge.Problems(ctx, filepath.ToSlash(name), f.Content)
		if err != nil {
			return nil, err
		}
		diags = append(diags, problems...)
	}
	return diags, nil
}

// A Judge finds problems in hand-written manifests.
type Judge struct {
	definitions stage.Definitions
	// validators of the versions, by apiVersion and kind.
	validators map[metav1.TypeMeta]*apiserver.ObjectValidator
}

// NewJudge returns a judge of the objects of some kinds.
func NewJudge(definitions stage.Definitions) *Judge {
	return &Judge{definitions, map[metav1.TypeMeta]*apiserver.ObjectValidator{}}
}

// Problems returns warnings about the objects in a file: refusals by the API server, and values that no Go
// client can read. It skips objects of other kinds.
func (j *Judge) Problems(ctx context.Context, file string, content []byte) (diag.List, error) {
	var diags diag.List
	for _, d := range split(content) {
		d.file = file
		object, err := decode(d.text)
		if err != nil {
			if match := yamlLine.FindStringSubmatch(err.Error()); match != nil {
				line, _ := strconv.Atoi(match[1])
				d.line += line - 1
			}
			reason := yamlLine.ReplaceAllString(err.Error(), "yaml: ")
			diags = append(diags, d.warning("", "this document can't be read as an object: %s: correct it", reason))
			continue
		}
		problems, err := j.object(ctx, d, object)
		if err != nil {
			return nil, err
		}
		diags = append(diags, problems...)
	}
	return diags, nil
}

// yamlLine matches the beginning of an error of the YAML parser, with the line in the document.
var yamlLine = regexp.MustCompile(`(?s)^.*?\bline (\d+): `)

// object returns warnings about an object in a document.
func (j *Judge) object(ctx context.Context, d document, object map[string]any) (diag.List, error) {
	var head struct {
		metav1.TypeMeta   `json:",inline"`
		metav1.ObjectMeta `json:"metadata"`
	}
	text, err := json.Marshal(object)
	if err != nil {
		return nil, err
	}
	unreadable := json.Unmarshal(text, &head) // reported below, once the kind is known
	group := head.GroupVersionKind().Group
	isDeclared := func(d stage.Definition) bool { // so that the run covers the package that would have the kind
		return d.CRD.Spec.Group == group && slices.ContainsFunc(d.CRD.Spec.Versions, func(v apiextensionsv1.CustomResourceDefinitionVersion) bool {
			return v.Name == head.GroupVersionKind().Version
		})
	}
	i := slices.IndexFunc(j.definitions, func(d stage.Definition) bool {
		return d.CRD.Spec.Group == group && d.CRD.Spec.Names.Kind == head.Kind
	})
	switch {
	case i < 0 && slices.ContainsFunc(j.definitions, isDeclared):
		return diag.List{j.unknownKind(d, head.TypeMeta)}, nil
	case i < 0:
		return j.misspeltGroup(d, head.Kind, group), nil
	}
	definition := j.definitions[i]
	version := slices.IndexFunc(definition.CRD.Spec.Versions, func(v apiextensionsv1.CustomResourceDefinitionVersion) bool {
		return v.Served && v.Name == head.GroupVersionKind().Version
	})
	switch {
	case version < 0:
		return diag.List{d.warning("apiVersion", "%s is not a served version of %s: write one that is", head.APIVersion, head.Kind)}, nil
	case unreadable != nil:
		return diag.List{d.warning("metadata", "the API server can't read this %s: %v: correct it", head.Kind, unreadable)}, nil
	}
	root := definition.Root(version)
	validator := j.validators[head.TypeMeta]
	if validator == nil {
		if validator, err = apiserver.NewObjectValidator(root.Schema); err != nil {
			return nil, err
		}
		j.validators[head.TypeMeta] = validator
	}
	var diags diag.List
	if definition.CRD.Spec.Scope == apiextensionsv1.ClusterScoped && head.Namespace != "" {
		diags = append(diags, d.warning("metadata.namespace", "a %s is in no namespace: remove the namespace %s", head.Kind, head.Namespace))
	}
	for _, r := range slices.Concat(refusedMetadata(head.ObjectMeta, object), validator.Refusals(ctx, object)) {
		diags = append(diags, d.warning(r.Field, "the API server refuses this %s: .%s: %s: %s", head.Kind, r.Field, r.Reason, remedy(root, r)))
	}
	for _, m := range validobject.Undecodable(root.Type, object) {
		p := d.warning(m.Field, "this %s breaks programs that list its kind: .%s: %s: correct it", head.Kind, m.Field, m.Reason)
		if !slices.ContainsFunc(diags, func(d diag.Diagnostic) bool { return d.Pos == p.Pos }) { // the API server reports it, too
			diags = append(diags, p)
		}
	}
	return diags, nil
}

// unknownKind returns a warning about an object of a kind that its version of a group hasn't.
func (j *Judge) unknownKind(d document, of metav1.TypeMeta) diag.Diagnostic {
	var kinds []string
	for _, other := range j.definitions {
		if other.CRD.Spec.Group == of.GroupVersionKind().Group {
			kinds = append(kinds, other.CRD.Spec.Names.Kind)
		}
	}
	if near, isNear := markers.Nearest(of.Kind, kinds); isNear {
		return d.warning("kind", "%s has no kind %s: write %s, or delete the manifest", of.APIVersion, of.Kind, near)
	}
	return d.warning("kind", "%s has no kind %s: correct the kind, or delete the manifest", of.APIVersion, of.Kind)
}

// remedy returns advice on a refusal: the name of the field that an unknown one is like, or to correct the value.
func remedy(root schema.Cursor, r apiserver.Refusal) string {
	if r.Reason != unknownField {
		return "correct it"
	}
	at := strings.LastIndexByte(r.Field, '.')
	around, name := r.Field[:max(at, 0)], r.Field[at+1:]
	known := MetadataKeys()
	if around != "metadata" {
		known = slices.Sorted(maps.Keys(validobject.Locate(root, around).Schema.Properties))
	}
	if near, isNear := markers.Nearest(name, known); isNear {
		return "write " + near
	}
	return "correct it"
}

// unknownField is the reason to refuse a field that the schema hasn't.
const unknownField = "unknown field"

// misspeltGroup returns a warning about an object whose kind is in a group with a similar name. An object of another group, such as a
// Secret, isn't judged.
func (j *Judge) misspeltGroup(d document, kind, group string) diag.List {
	var groups []string
	for _, d := range j.definitions {
		if d.CRD.Spec.Names.Kind == kind {
			groups = append(groups, d.CRD.Spec.Group)
		}
	}
	if near, isNear := markers.Nearest(group, groups); isNear {
		return diag.List{d.warning("apiVersion", "no %s is in the group %s: write %s", kind, group, near)}
	}
	return nil
}

// refusedMetadata returns why the API server refuses the name or the namespace of an object, and the keys of its metadata that don't exist.
func refusedMetadata(head metav1.ObjectMeta, object map[string]any) []apiserver.Refusal {
	var refusals []apiserver.Refusal
	refuse := func(field string, wrong []string) {
		if len(wrong) > 0 {
			reason, _, _ := strings.Cut(wrong[0], " (e.g.")
			refusals = append(refusals, apiserver.Refusal{Field: "metadata." + field, Reason: reason})
		}
	}
	if name := head.Name + head.GenerateName; name != "" {
		refuse("name", validation.NameIsDNSSubdomain(name, head.Name == ""))
	} else {
		refuse("name", []string{"Required value"})
	}
	if head.Namespace != "" {
		refuse("namespace", validation.ValidateNamespaceName(head.Namespace, false))
	}
	metadata, _ := object["metadata"].(map[string]any)
	known := MetadataKeys()
	for _, key := range slices.Sorted(maps.Keys(metadata)) {
		if !slices.Contains(known, key) {
			refuse(key, []string{unknownField})
		}
	}
	return refusals
}

// MetadataKeys returns the keys of the metadata of objects.
func MetadataKeys() []string {
	var keys []string
	for _, f := range reflect.VisibleFields(reflect.TypeFor[metav1.ObjectMeta]()) {
		key, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		keys = append(keys, key)
	}
	return keys
}

// A document is a document in a file, beginning at a line.
type document struct {
	file string
	line int
	text []byte
}

// split returns the documents of a file, except documents of comments alone.
func split(content []byte) []document {
	var all []document
	current := document{line: 1}
	end := func() {
		for line := range bytes.Lines(current.text) {
			if line = bytes.TrimSpace(line); len(line) > 0 && line[0] != '#' {
				all = append(all, current)
				return
			}
		}
	}
	at := 0
	for line := range bytes.Lines(content) {
		at++
		if rest, isStart := bytes.CutPrefix(line, []byte("---")); isStart && (len(rest) == 0 || bytes.ContainsAny(rest[:1], " \t\r\n")) {
			end()
			current = document{line: at + 1}
			continue
		}
		current.text = append(current.text, line...)
	}
	end()
	return all
}

// warning returns a warning at the field with a path, or at the nearest existing one around it.
func (d document) warning(field, format string, args ...any) diag.Diagnostic {
	line := 1
	var root yamlv3.Node
	if err := yamlv3.Unmarshal(d.text, &root); err == nil {
		line = lineOf(&root, strings.FieldsFunc(field, func(r rune) bool { return r == '.' || r == '[' || r == ']' }))
	}
	return diag.Warningf(diag.Position{File: d.file, Line: d.line + line - 1}, codeExample, format, args...)
}

// lineOf returns the line of the value at a path. Names with dots take several elements of the path.
func lineOf(n *yamlv3.Node, path []string) int {
	line := n.Line
	for len(n.Content) > 0 && n.Kind == yamlv3.DocumentNode {
		n = n.Content[0]
		line = n.Line
	}
	for at := 0; at < len(path); {
		next, named, length := step(n, path[at:])
		if next == nil {
			break
		}
		n, line, at = next, named.Line, at+length
	}
	return line
}

// step returns the value at the first elements of a path, the node that names it, or itself, and the number of
// these elements.
func step(n *yamlv3.Node, path []string) (value, named *yamlv3.Node, length int) {
	switch n.Kind {
	case yamlv3.MappingNode:
		for length := 1; length <= len(path); length++ {
			if key, value := yamlnode.Field(n, strings.Join(path[:length], ".")); key != nil {
				return value, key, length
			}
		}
	case yamlv3.SequenceNode:
		for i, item := range n.Content {
			if path[0] == strconv.Itoa(i) {
				return item, item, 1
			}
		}
	}
	return nil, nil, 0
}
