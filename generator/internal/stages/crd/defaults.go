package crd

import (
	"cmp"
	"context"
	"slices"
	"strings"

	kubernetesjson "k8s.io/apimachinery/pkg/util/json"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
	"github.com/mrgen-io/mrgen/generator/internal/crdvalidation"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/generator/internal/stage"
	"github.com/mrgen-io/mrgen/markers"
)

// checkDefaults reports defaults of objects that lack a field which rules on spec demand. Before relaxing, the
// API server refused such a definition. After it, the API server refuses each managed resource that leaves the
// object to its default.
func checkDefaults(ctx context.Context, d stage.Definition) diag.List {
	var problems diag.List
	for version := range d.Objects {
		spec := d.Root(version).Property("spec")
		for _, part := range []string{"forProvider", "initProvider"} {
			for at := range spec.Property(part).Within() {
				// Lists and maps are left out: rules don't relax their contents.
				isInList := slices.ContainsFunc(at.Path, func(step schema.Step) bool { return step.Kind != schema.Property })
				if at.Schema.Default == nil || at.Schema.Type != "object" || isInList {
					continue
				}
				demand := unmetDemand(ctx, d, version, at)
				if demand == "" {
					continue
				}
				marker := crdvalidation.ValidationError{Version: d.CRD.Spec.Versions[version].Name, Path: at.Path, Rule: -1, Field: markers.Default}
				problems = append(problems, diag.Errorf(locate(d, marker), codeAPIServer,
					"managed resources that leave %s to its default are refused, since %s: complete the default, or remove it",
					strings.TrimPrefix(at.Path[2:].String(), "."), demand))
			}
		}
	}
	return problems
}

// nestedDefaults reports defaults that their schemas refuse, and that the API server doesn't check in a definition: defaults
// within the values of maps, and duplicates in lists.
func nestedDefaults(ctx context.Context, root schema.Cursor) diag.List {
	var problems diag.List
	for at := range root.Within() {
		isWithin := slices.ContainsFunc(at.Path, func(step schema.Step) bool { return step.Kind == schema.Values })
		isPlain := at.Schema.Type != "object" && at.Schema.Type != "array" // which the API server checks elsewhere
		if at.Schema.Default == nil || isPlain && !isWithin {
			continue
		}
		var value any
		validator, err := apiserver.NewObjectValidator(&schema.Props{Type: "object", Properties: map[string]schema.Props{"default": *at.Schema}})
		if err != nil || kubernetesjson.Unmarshal(at.Schema.Default.Raw, &value) != nil {
			continue // the API server's validation reports it
		}
		for _, refusal := range validator.Refusals(ctx, map[string]any{"default": value}) {
			if isWithin || strings.HasPrefix(refusal.Reason, "Duplicate value") {
				pos := cmp.Or(partMarker(at.Markers(), markers.Default), at.Pos)
				problems = append(problems, diag.Errorf(pos, codeAPIServer, "the default of %s makes the API server refuse objects: %s: correct it",
					at.Path[len(at.Path)-1].Name, refusal.Reason))
			}
		}
	}
	return problems
}

// unmetDemand returns the demand of a rule on spec that the default of an object doesn't meet, or "".
func unmetDemand(ctx context.Context, d stage.Definition, version int, at schema.Cursor) string {
	root := d.Root(version)
	spec := root.Property("spec")
	desired := slices.Concat(schema.Properties("spec", "forProvider"), at.Path[2:])
	object := withDefault(at)
	for _, decided := range d.DecisionsOf(version) {
		if decided.Rule == nil || decided.Immutable || !decided.Field.HasPrefix(desired) || decided.Rule.Path.Compare(spec.Path) != 0 {
			continue
		}
		if (apiserver.Suspect{At: spec, Rule: decided.Rule.Index}).Refuses(ctx, root.Schema, object) {
			demand, _, _ := strings.Cut(decided.Rule.Subject, " when ")
			return demand
		}
	}
	return ""
}

// withDefault returns an object with one value, the default of an object in it.
func withDefault(at schema.Cursor) map[string]any {
	var value any
	if kubernetesjson.Unmarshal(at.Schema.Default.Raw, &value) != nil {
		value = map[string]any{} // the API server's validation reports it
	}
	for i := len(at.Path) - 1; i >= 0; i-- {
		value = map[string]any{at.Path[i].Name: value}
	}
	object := value.(map[string]any)
	// Rules read forProvider, also for a default in initProvider.
	if inSpec := object["spec"].(map[string]any); inSpec["forProvider"] == nil {
		inSpec["forProvider"] = map[string]any{}
	}
	return object
}
