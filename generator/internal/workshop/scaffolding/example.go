package scaffolding

import (
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/workshop/fromsdk"
	"github.com/mrgen-io/mrgen/markers"
)

// An Example says what a kind with example fields has.
type Example struct {
	// Password adds a password that the external resource is created with, and NoTags leaves out the tags
	// that tell what it belongs to.
	Password, NoTags bool
	// APINames is set if the external API chooses the names of resources.
	APINames bool
}

// IsExample reports whether the kind has example fields, and an API that is kept in memory.
func (d kindData) IsExample() bool { return d.kind.SDK == nil }

// HasPassword reports whether external resources are created with a password.
func (d kindData) HasPassword() bool { return d.IsExample() && d.kind.Example.Password }

// HasTags reports whether tags tell what external resources belong to.
func (d kindData) HasTags() bool { return d.IsExample() && !d.kind.Example.NoTags }

// exampleKind returns a kind with example fields. What an SDK would have is in the controller's package.
func (d kindData) exampleKind() *fromsdk.Kind {
	const optional, immutable = "+optional", "+" + markers.Immutable
	region := fromsdk.NewField("Region", "string", "region", []string{"Region that the external resource is in."}, "+"+markers.Identifier,
		immutable)
	k := &fromsdk.Kind{
		Name: d.kind.Name, Object: "Object",
		Parameters: []*fromsdk.Field{
			region,
			fromsdk.NewField("Size", "*int64", "size,omitempty", []string{
				"Size of the external resource. It is required when managementPolicies", `includes "*", "Create" or "Update".`,
			}, "+"+markers.ValidationRequired, "+kubebuilder:validation:Minimum=1"),
			fromsdk.NewField("Description", "*string", "description,omitempty", []string{"Description of the external resource."}, optional),
		},
		Observation: []*fromsdk.Field{
			fromsdk.NewField("ID", "*string", "id,omitempty", []string{"ID that the external API gave the resource."}),
			fromsdk.NewField("Endpoint", "*string", "endpoint,omitempty", []string{"Endpoint at which the resource is reached."}),
			fromsdk.NewField("State", "*string", "state,omitempty", []string{"State of the external resource, such as CREATING, ACTIVE or FAILED."}),
		},
		States: &fromsdk.States{Type: "Object", StateType: "string", Of: "object.State", Verb: "%q"},
		Details: []fromsdk.Detail{{
			Key:         "endpoint",
			Field:       "Endpoint",
			Description: "Endpoint at which the resource is reached.",
			Value:       "object.Endpoint",
		}},
		Own: fromsdk.Key{Named: !d.kind.Example.APINames},
		Get: &fromsdk.Call{
			Name:      "Get",
			Signature: "(ctx context.Context, region, name string) (*Object, error)",
			Results:   "object, err",
			Arguments: "ctx, in.Region, name",
			Object:    "object",
		},
		Create: &fromsdk.Call{
			Name:      "Create",
			Signature: "(ctx context.Context, desired *Object) (*Object, error)",
			Results:   "_, err",
			Arguments: "ctx, request",
		},
		Update: &fromsdk.Call{
			Name:      "Update",
			Signature: "(ctx context.Context, desired *Object) error",
			Results:   "err",
			Arguments: "ctx, request",
		},
		Delete: &fromsdk.Call{
			Name:      "Delete",
			Signature: "(ctx context.Context, region, name string) error",
			Results:   "err",
			Arguments: "ctx, in.Region, name",
		},
		Inputs:   []*fromsdk.InputStruct{{Name: "inputs", Fields: []fromsdk.Input{{Name: region.Name, Type: region.Type}}}},
		NotFound: fromsdk.NotFound{Body: []string{"return errors.Is(err, simulated.ErrNotFound)"}},
	}
	if d.HasTags() {
		comment, omit := "Tags of the external resource.", "omitempty"
		if d.KeepsEmpty() {
			comment, omit = comment+" An empty map means none.", "omitzero"
		}
		k.Parameters = append(k.Parameters, fromsdk.NewField("Tags", "map[string]string", "tags,"+omit, []string{comment}, optional))
	}
	arguments := []string{"p VERSION." + d.kind.Name + "Parameters", "name string"}
	k.Conversions.Observe.Signature = "(*Object) VERSION." + d.kind.Name + "Observation"
	k.Conversions.Update = fromsdk.Conversion{Signature: "(" + strings.Join(arguments, ", ") + ") *Object", TakesOwn: true}
	if k.Own.Named {
		k.Conversions.Create.TakesOwn = true
	} else {
		arguments = arguments[:1]
		k.Own.Created, k.Create.Results, k.Create.Object = "object.Name", "object, err", "object"
	}
	if d.HasPassword() {
		arguments = append(slices.Clip(arguments), "password []byte")
	}
	k.Conversions.Create.Signature = "(" + strings.Join(arguments, ", ") + ") *Object"
	return k
}
