package methods_test

import (
	"context"
	_ "embed"
	"testing"

	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/source/apitypes"
	"github.com/mrgen-io/mrgen/generator/internal/stage"
	"github.com/mrgen-io/mrgen/generator/internal/stages/methods"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

const core = "github.com/crossplane/crossplane/apis/v2/core/v2"

// wantManaged is what is written for managed resources.
//
//go:embed testdata/managed.go
var wantManaged string

// wantLists is what is written for lists.
//
//go:embed testdata/lists.go
var wantLists string

// TestMethods covers what the providers in testdata don't: fields with names of
// their own, a field that hides one of the runtime's, methods by the author, lists of pointers, kinds to leave alone.
func TestMethods(t *testing.T) {
	managed := flavor.FindManaged(flavor.TypeName{Package: core, Name: "ManagedResourceSpec"})
	declared := func(name string) *model.Type {
		return &model.Type{Kind: model.Struct, Name: name, Package: core}
	}
	embed := &model.Type{Kind: model.Struct, Fields: []*model.Field{
		{Name: "ManagementPolicies", Type: declared("ManagementPolicies")},
		{Name: "ProviderConfigReference", Type: &model.Type{Kind: model.Pointer, Elem: declared("ProviderConfigReference")}},
	}}
	spec := &model.Type{Kind: model.Struct, Fields: []*model.Field{{Name: "ManagedResourceSpec", Inline: true, Embedded: true, Type: embed}}}
	text := &model.Type{Kind: model.Basic, Name: "string"}
	observed := &model.Type{Kind: model.Struct, Fields: []*model.Field{{Name: "LastHandledReconcileAt", Type: text}}}
	status := &model.Type{Kind: model.Struct, Fields: []*model.Field{{Name: "ObservedStatus", Inline: true, Embedded: true, Type: observed}}}
	vpc := &model.Object{
		Name: "VPC", Role: model.Managed, Generation: managed, Conditions: managed.Types, Type: &model.Type{Kind: model.Struct},
		Spec: &model.Field{Name: "Desired", Type: spec}, Status: &model.Field{Name: "Observed", Type: status},
		Methods: map[string]bool{"SetProviderConfigReference": true, "GetProviderConfigReference": true, "DeepCopy": true},
	}
	off := *vpc
	off.Name, off.SkipMethods = "Off", true
	unknown := *vpc
	unknown.Name, unknown.Generation = "Unknown", nil
	hidden := *vpc
	hidden.Name, hidden.Spec = "Hidden", &model.Field{Name: "Spec", Type: &model.Type{Kind: model.Struct}}
	hidden.Status = &model.Field{Name: "Status", Type: &model.Type{Kind: model.Struct, Fields: append(status.Fields,
		&model.Field{Name: "LastHandledReconcileAt", Type: &model.Type{Kind: model.Pointer, Elem: text}})}}
	list := &model.Object{
		Name: "VPCList", List: true, Role: model.ManagedList, Generation: managed,
		Items: &model.Field{Name: "All", JSONName: "items", Type: &model.Type{Kind: model.Slice, Elem: &model.Type{Kind: model.Pointer, Elem: vpc.Type}}},
	}
	source := &apitypes.Source{Model: &model.Model{Packages: []*model.Package{{
		Path: "example.org/apis/ec2-v1", Name: "v1", Dir: "apis/ec2-v1", Objects: []*model.Object{&hidden, &off, &unknown, vpc, list},
	}}}}
	output, diags, err := stage.Run(context.Background(), source, stage.Options{}, []stage.Stage{methods.Stage})
	expect.Must(t, err == nil && len(diags) == 0, "%v %v", err, diags)
	got := map[string]string{}
	for name, content := range output.Artifacts.Files() {
		got[name] = string(content)
	}
	want := map[string]string{
		"apis/ec2-v1/zz_generated.managed.go":     wantManaged,
		"apis/ec2-v1/zz_generated.managedlist.go": wantLists,
	}
	expect.Equal(t, want, got)
}
