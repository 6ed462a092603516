package crd

import (
	"cmp"
	"context"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/connection"
	"github.com/mrgen-io/mrgen/generator/internal/controllertools"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/parallel"
	"github.com/mrgen-io/mrgen/generator/internal/render/yaml"
	"github.com/mrgen-io/mrgen/generator/internal/roundtrip"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/generator/internal/stage"
	"github.com/mrgen-io/mrgen/generator/run"
	"github.com/mrgen-io/mrgen/markers"
)

// A versionSchema is the schema of a version of a kind, to be filled.
type versionSchema struct {
	props *apiextensionsv1.JSONSchemaProps
	of    *controllertools.Type
	// object is the Go type.
	object *model.Object
}

// A result is the outcome for a kind.
type result struct {
	definition stage.Definition
	// schemas are the schemas of the definition, and of skipped versions, whose errors count.
	schemas   []versionSchema
	conflicts diag.List
	// failed is set if the definition has an error, which was reported.
	failed bool
	// decided are the problems with connection details and rules, refused the API server's errors, and written
	// the problems with the file.
	decided, refused, written diag.List
	// content is the content of the file, or nil without a file.
	content []byte
}

// makeAll makes the definitions of the kinds.
func makeAll(ctx context.Context, pass *stage.Pass, kinds []*kind) ([]*result, error) {
	builder := &builder{pass: pass, schemas: pass.Source.Schemas(), forms: formsOf(pass.Model)}
	var results []*result
	group := parallel.NewGroup(ctx)
	// controller-tools isn't safe for concurrent use, so it makes schemas one after the other. The other steps
	// run concurrently, so that memory holds few unfinished schemas.
	for _, k := range kinds {
		r := &result{}
		r.definition, r.schemas = builder.build(k)
		r.failed = builder.failed
		results = append(results, r)
		group.Go(func(ctx context.Context) error {
			r.fill(pass.Options)
			if r.skipped() { // only the errors of skipped versions count
				return nil
			}
			r.decide(ctx, pass.Options)
			if !r.failed && !r.conflicts.HasErrors() {
				r.finish(ctx, pass.Options)
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	for _, r := range results {
		pass.Report(r.conflicts...)
	}
	return slices.DeleteFunc(results, (*result).skipped), nil
}

// skipped reports whether every version of the kind is skipped.
func (r *result) skipped() bool { return r.definition.CRD == nil }

// fill fills the schemas of the definition.
func (r *result) fill(options stage.Options) {
	for _, s := range r.schemas {
		props, conflicts := s.of.Flatten()
		*s.props = *props
		for _, c := range conflicts {
			r.conflicts = append(r.conflicts, conflict(s, c))
		}
		if longest := options.CRDSet(s.object.Package.Dir).MaxDescription; longest >= 0 {
			controllertools.Truncate(s.props, longest)
		}
	}
	r.schemas = nil // the definition has them, and may drop them
	if !r.skipped() {
		controllertools.FixMetadata(r.definition.CRD)
	}
}

// conflict returns the diagnostic for a value with two types.
func conflict(s versionSchema, c controllertools.Conflict) diag.Diagnostic {
	at := schema.Root(s.object, s.props).Follow(c.Path)
	name := cmp.Or(strings.TrimPrefix(c.Path[max(0, len(c.Path)-1):].String(), "."), s.object.Name)
	if at.Type != nil && !at.Type.Deref().Local && at.Type.Deref().Texts {
		t, remedy := at.Type.Deref(), "use strings"
		if !strings.HasPrefix(name, "[") {
			remedy = "mark the field +" + markers.Schemaless + " and +" + markers.ValidationType + "=string"
		}
		return diag.Errorf(at.Pos, codeMarker,
			"%s has the type %s.%s, which writes text but isn't declared as one: %s", name, t.PackageName, t.Name, remedy)
	}
	if at.Type != nil && at.Type.Deref().Marshals {
		remedy := schemaless
		if model.Named(at.Markers(), markers.ValidationType) != nil {
			remedy = "mark it +" + markers.Schemaless + ", too"
		}
		return diag.Errorf(at.Pos, codeMarker, "%s has the types %s and %s in the CRD: %s", name, c.Types[0], c.Types[1], remedy)
	}
	return diag.Errorf(at.Pos, codeMarker,
		"%s has the types %s and %s in the CRD: check its Go type, +kubebuilder:validation:Type, and embedded fields with its JSON name",
		name, c.Types[0], c.Types[1])
}

// schemaless is the remedy for a type whose methods write what its declaration doesn't say.
const schemaless = "mark the fields with the type +" + markers.Schemaless + " and +" + markers.PreserveUnknownFields + " alone"

// decide adds rules and connection details to a managed kind, and checks whether objects survive updates from
// Go.
func (r *result) decide(ctx context.Context, options stage.Options) {
	if r.definition.Managed() {
		var problems diag.List
		r.definition.ConnectionDetails, r.decided = connection.Details(r.definition.Objects)
		r.definition.Decisions, problems = applyRules(ctx, options, r.definition)
		r.decided = append(append(r.decided, problems...), checkDefaults(ctx, r.definition)...)
	}
	r.decided = append(r.decided, checkPaths(r.definition)...)
	r.definition.Converted = options.Versions == run.ConvertVersions && isConvertible(r.definition) && differ(r.definition)
	if options.Versions == run.ConvertVersions && (r.definition.Converted || isConvertedByHand(r.definition)) {
		r.definition.CRD.Spec.Conversion = webhookConversion()
	} else {
		r.decided = append(r.decided, checkVersions(options.Versions, r.definition)...)
	}
	if r.definition.Converted {
		r.decided = append(r.decided, checkUnknown(r.definition)...)
	}
	for i, o := range r.definition.Objects {
		r.decided = append(r.decided, nestedDefaults(ctx, r.definition.Root(i))...)
		r.decided = append(r.decided, roundtrip.Check(ctx, o, r.definition.CRD.Spec.Versions[i].Schema.OpenAPIV3Schema)...)
	}
}

// finish validates a definition and writes it.
func (r *result) finish(ctx context.Context, options stage.Options) {
	// The API server accepts what etcd then can't store.
	r.refused = checkSize(r.definition, options.MaxDefinitionSize)
	if r.refused.HasErrors() {
		return
	}
	r.refused = append(r.refused, validate(ctx, options.Validator, r.definition)...)
	if r.refused.HasErrors() {
		return
	}
	if !r.definition.Managed() || options.ManagedCRDs {
		r.write(options)
	}
}

// write renders the file of a definition.
func (r *result) write(options stage.Options) {
	d := r.definition
	metadata := d.Metadata()
	if options.ConnectionDetailAnnotations {
		metadata.Annotations, r.written = annotate(d)
	}
	content, err := yaml.Document(d.SourceDirs(), &document{TypeMeta: d.CRD.TypeMeta, Metadata: metadata, Spec: d.CRD.Spec})
	if err != nil {
		r.written = append(r.written, diag.Errorf(d.Objects[0].Pos, codeYAML,
			"%s can't be written as YAML: %v: look for such in its comments and markers", d.Objects[0].Name, err))
		return
	}
	r.content = content
}

// A document is the content of a CRD file, without what the API server fills in.
type document struct {
	metav1.TypeMeta `json:",inline"`
	Metadata        stage.Metadata                               `json:"metadata"`
	Spec            apiextensionsv1.CustomResourceDefinitionSpec `json:"spec"`
}
