// Package examples makes manifests of managed resources that the API server accepts, from the schemas of their
// CRDs and from markers.
package examples

import (
	"context"
	"path"
	"strings"

	"k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
	renderyaml "github.com/mrgen-io/mrgen/generator/internal/render/yaml"
	"github.com/mrgen-io/mrgen/generator/internal/review/rulesearch"
	"github.com/mrgen-io/mrgen/generator/internal/review/validobject"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/generator/internal/stage"
	"github.com/mrgen-io/mrgen/markers"
)

const (
	codeExample diag.Code = "example"

	// externalName is the annotation that identifies the external resource. A schema doesn't tell which form it has.
	externalName   = "crossplane.io/external-name"
	replaceExample = "# Replace the external name: controllers refuse one that no external resource can have.\n"

	writeConnectionSecretToRef = "writeConnectionSecretToRef"
)

// A Manifest is a YAML file with an object.
type Manifest struct {
	// Path is relative to the folder for manifests.
	Path string
	// Version is the version of the kind.
	Version string
	// Content is nil if mrgen found no object that the API server accepts. Diagnostics explain that.
	Content []byte
	// Pos is where the kind is declared.
	Pos       diag.Position
	validator *apiserver.ObjectValidator
}

// Accepts reports whether the API server would accept the object in another version of the manifest's content.
func (m Manifest) Accepts(ctx context.Context, content []byte) bool {
	object, err := decode(content)
	return err == nil && object != nil && len(m.validator.Refusals(ctx, object)) == 0
}

// decode decodes an object in YAML. Like the API server's decoder, it decodes whole numbers to int64.
func decode(content []byte) (object map[string]any, err error) {
	document, err := yaml.YAMLToJSONStrict(content) // kubectl refuses duplicate keys
	if err == nil {
		err = json.Unmarshal(document, &object)
	}
	return object, err
}

// Manifests returns two manifests for each served version of a managed kind: one that creates an external
// resource, and one that observes an existing one, if the kind has management policies. Warnings explain
// manifests without content.
func Manifests(ctx context.Context, d stage.Definition) ([]Manifest, diag.List, error) {
	var manifests []Manifest
	var diags diag.List
	for i, v := range d.CRD.Spec.Versions {
		if !v.Served {
			continue
		}
		validator, err := apiserver.NewObjectValidator(v.Schema.OpenAPIV3Schema)
		if err != nil {
			return nil, nil, err
		}
		name := path.Join(d.CRD.Spec.Group, v.Name, strings.ToLower(d.CRD.Spec.Names.Kind))
		for _, observeOnly := range []bool{false, true} {
			file := name + ".yaml"
			if observeOnly {
				// The kind can't be observe-only.
				if policy, _ := validobject.ObservePolicy(v.Schema.OpenAPIV3Schema); policy == "" {
					continue
				}
				file = name + "-observe.yaml"
			}
			m := Manifest{Path: file, Version: v.Name, Pos: d.Objects[i].Pos, validator: validator}
			e := example{definition: d, version: i, observeOnly: observeOnly, validator: validator}
			object := e.object(ctx)
			diags = append(diags, e.diags...)
			if len(e.diags) == 0 {
				if m.Content, err = renderyaml.Document([]string{d.Objects[i].Package.Dir}, object); err != nil {
					return nil, nil, err
				}
				if observeOnly {
					m.Content = append(m.Content, replaceExample...)
				}
			}
			manifests = append(manifests, m)
		}
	}
	return manifests, diags, ctx.Err()
}

// An example makes an object of one version of a kind.
type example struct {
	definition  stage.Definition
	version     int
	observeOnly bool
	validator   *apiserver.ObjectValidator
	sampler     *validobject.Sampler
	// diags explain why there is no such object.
	diags diag.List
}

// object returns the object. An observe-only one has only the fields that it needs.
func (e *example) object(ctx context.Context) map[string]any {
	e.sampler = &validobject.Sampler{References: !e.observeOnly}
	e.sampler.Wanted = func(p schema.Cursor) bool {
		if !e.observeOnly && p.Field != nil && inParameters(p.Path) {
			if _, hasExample := e.sampler.Example(p); hasExample {
				return true
			}
		}
		// A relaxed field is required in practice: a rule refuses objects without it.
		return p.Path.String() == ".spec.forProvider" || !e.observeOnly && e.isRelaxed(p.Path)
	}
	object := e.sampler.Object(ctx, e.definition, e.version)
	if e.diags = e.sampler.Problems; len(e.diags) > 0 {
		return nil
	}
	if e.observeOnly {
		metadata := object["metadata"].(map[string]any)
		metadata["name"] = "example-observed"
		metadata["annotations"] = map[string]any{externalName: "example"}
		name, only := validobject.ObservePolicy(e.definition.Root(e.version).Schema)
		object["spec"].(map[string]any)[name] = only
		// Only objects that create something write a connection secret.
	} else if spec := object["spec"].(map[string]any); spec[writeConnectionSecretToRef] == nil {
		if secret := e.connectionSecret(); secret != nil {
			spec[writeConnectionSecretToRef] = secret
		}
	}
	return e.admitted(ctx, object)
}

// connectionSecret returns a reference to a connection secret, if the kind declares its connection details.
func (e *example) connectionSecret() map[string]any {
	reference := e.definition.Root(e.version).Property("spec").Property(writeConnectionSecretToRef).Schema
	if reference == nil || len(e.definition.ConnectionDetails) == 0 {
		return nil
	}
	secret := map[string]any{"name": "example-" + strings.ToLower(e.definition.CRD.Spec.Names.Kind)}
	if _, ok := reference.Properties["namespace"]; ok {
		secret["namespace"] = "crossplane-system"
	}
	return secret
}

// admitted returns an object that the API server accepts, with as few changes to the given one as possible. If
// there is none, diagnostics explain that.
func (e *example) admitted(ctx context.Context, object map[string]any) map[string]any {
	s := &rulesearch.Search{Root: e.definition.Root(e.version), Sampler: e.sampler, Validator: e.validator}
	object, refusals := s.Admitted(ctx, object)
	for _, r := range refusals {
		e.diags = append(e.diags, e.refused(r))
	}
	// The API server accepts more than Go clients can decode.
	for _, m := range validobject.Undecodable(s.Root.Type, object) {
		e.diags = append(e.diags, e.refused(apiserver.Refusal{Field: m.Field, Reason: m.Reason}))
	}
	return object
}

// inParameters reports whether a path leads below spec.forProvider.
func inParameters(path schema.Path) bool {
	return len(path) > 2 && path.HasPrefix(schema.Properties("spec", "forProvider"))
}

// isRelaxed reports whether a rule, rather than the schema, requires a field.
func (e *example) isRelaxed(path schema.Path) bool {
	for _, d := range e.definition.DecisionsOf(e.version) {
		if d.Required && d.Rule != nil && d.Field.Compare(path) == 0 {
			return true
		}
	}
	return false
}

// refused returns the diagnostic for an example that the API server would reject, at the field that it would
// name.
func (e *example) refused(r apiserver.Refusal) diag.Diagnostic {
	root := e.definition.Root(e.version)
	at := validobject.Locate(root, r.Field).Pos
	field := "." + r.Field
	if r.Rule != "" {
		p := about(root, r)
		at, field = p.Pos, p.Path.String()
	}
	return diag.Warningf(at, codeExample, "mrgen finds no valid example of %s, and leaves it out: %s: %s: add +%s markers that make one valid",
		e.definition.CRD.Spec.Names.Kind, field, r.Reason, markers.Example)
}

// about returns the field of spec.forProvider that a violated rule reads, or the innermost one around all
// fields that it reads.
func about(root schema.Cursor, r apiserver.Refusal) schema.Cursor {
	var common []any
	for i, read := range rulesearch.Reads(r, false) {
		if i == 0 {
			common = read.At
		}
		n := 0
		for n < min(len(common), len(read.At)) && common[n] == read.At[n] {
			n++
		}
		common = common[:n]
	}
	p := root
	if len(common) < len(r.At) {
		common = r.At
	}
	for _, step := range common {
		p = rulesearch.Below(p, step)
	}
	return p
}
