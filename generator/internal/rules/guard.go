package rules

import (
	"slices"
	"strconv"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/internal/cel"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/markers"
)

const (
	policies    = "managementPolicies"
	olderPolicy = "managementPolicy"
)

// maxPolicies bounds managementPolicies where rules read it: six actions exist, and
// without a bound each rule counts as if there were a million.
const maxPolicies = 16

// writers are the management policies under which Crossplane writes spec.forProvider
// to the external resource.
var writers = []string{"*", "Create", "Update"}

// A guard tells from the management policies whether a resource is observe-only.
type guard struct {
	// observed is the condition that the resource is observe-only.
	observed cel.Expr
	// managed says in messages that the resource is not observe-only.
	managed string
}

// guardOf returns the guard of a spec, for rules that reach the spec by a selection. It returns nil if the spec has no
// management policies.
func guardOf(spec schema.Cursor, self cel.Expr) *guard {
	if list := spec.Property(policies).Schema; list != nil && list.Type == "array" && hasType(list) {
		field := self.Field(policies)
		var writes []cel.Expr
		var names []string
		for _, policy := range writers {
			writes = append(writes, cel.Text(policy))
			names = append(names, strconv.Quote(policy))
		}
		p := cel.Var("p")
		g := &guard{cel.Not(cel.List(writes...).Method("exists", p, cel.Op(p, "in", field))), policies + " includes " + markers.Or(names)}
		if list.Default == nil { // without a default, has() keeps the rule from failing where the list is unset
			g.observed = cel.And(field.Has(), g.observed)
		}
		return g
	}
	// Crossplane 1.11 had a single policy. Some providers use the name for a policy of their own, without ObserveOnly.
	if p := spec.Property(olderPolicy).Schema; p != nil && p.Type == "string" && (len(p.Enum) == 0 || slices.ContainsFunc(p.Enum, isObserveOnly)) {
		field := self.Field(olderPolicy)
		return &guard{cel.And(field.Has(), cel.Op(field, "==", cel.Text("ObserveOnly"))), olderPolicy + ` is not "ObserveOnly"`}
	}
	return nil
}

func isObserveOnly(value apiextensionsv1.JSON) bool { return string(value.Raw) == `"ObserveOnly"` }

// ObservedOnly returns the condition that a resource of a version is observe-only, for rules that reach its spec by an
// expression. It returns no condition if observe-only resources can't exist, or if a setting or a marker keeps fields
// required for them.
func ObservedOnly(o *model.Object, root schema.Cursor, settings Settings, spec cel.Expr) cel.Expr {
	r := &requiredRules{applier: &applier{object: o, root: root, settings: settings}, guard: guardOf(root.Property("spec"), spec)}
	if !settings.Required || !r.hasParameters() || r.keepAllRequired(r.part(forProvider).Schema) != "" {
		return cel.Expr{}
	}
	return r.guard.observed
}

// boundPolicies bounds the list that guards read.
func (a *applier) boundPolicies() {
	path := schema.Properties("spec", policies)
	p := schema.At(a.root.Schema, path)
	// the author's own bound may be lower
	if p == nil || p.MaxItems != nil && *p.MaxItems <= maxPolicies {
		return
	}
	schema.Edit(a.root.Schema, path, func(s *apiextensionsv1.JSONSchemaProps) {
		s.MaxItems = new(int64(maxPolicies))
	})
}
