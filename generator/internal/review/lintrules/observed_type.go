package lintrules

import (
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
)

var observedType = &linter.Rule{
	Name:     "observed-type",
	Doc:      "The observed type that mrgen writes for a kind is embedded in status.atProvider of that kind, and nowhere else.",
	Source:   observeOnly.section("API Changes: Full State under status.atProvider", ""),
	Why:      "Nothing fills it elsewhere, and without it, the kind has neither late initialization nor Diff.",
	Severity: linter.Warning,
	Run:      checkObservedType,
}

// isObserved reports whether mrgen writes the type of a field, for observed state.
func isObserved(f *model.Field) bool {
	t := f.Type.Leaf()
	return t.Derived && strings.HasPrefix(t.Name, "Observed")
}

func checkObservedType(p *linter.Pass) {
	for _, k := range p.Managed() {
		parts := []*model.Field{k.Object.Spec}
		if k.Object.Status != nil {
			parts = append(parts, k.Object.Status.Type.Deref().Fields...)
		}
		for _, part := range parts {
			if part != k.Object.Status.Part("atProvider") {
				checkMisplaced(p, k, part)
			}
		}
		desired, observed := k.ForProvider(), k.AtProvider()
		if desired == nil || observed == nil || desired.Kind != model.Struct || !observed.Local {
			continue
		}
		init := k.Object.Spec.Part("initProvider")
		checkEmbedding(p, k, "Observed"+desired.Name, init != nil && init.Type.Leaf().Derived)
	}
}

// checkMisplaced reports observed types in another part than status.atProvider.
func checkMisplaced(p *linter.Pass, k *linter.Kind, part *model.Field) {
	model.EachField([]*model.Field{part}, func(f *model.Field) bool {
		if !isObserved(f) {
			return f.Type.Leaf().Local
		}
		p.Detail(k, f.Pos, f.Name, "%s is what status.atProvider embeds, and nothing fills it here: remove it", f.Type.Leaf().Name)
		return false
	})
}

// checkEmbedding reports status.atProvider without the observed type that mrgen writes, or with it under a name in JSON. Authors of kinds
// with no type of mrgen's declare the fields themselves.
func checkEmbedding(p *linter.Pass, k *linter.Kind, name string, isMirrored bool) {
	observed := k.AtProvider()
	i := slices.IndexFunc(observed.Fields, isObserved)
	if i < 0 {
		isMissing := func(jsonName string) bool {
			f := k.ForProvider().Field(jsonName)
			return p.Secret(f) == "" && observed.Field(jsonName) == nil
		}
		if missing := slices.IndexFunc(k.ForProvider().JSONNames(), isMissing); isMirrored && missing >= 0 {
			p.Kind(k, schema.Properties("status", "atProvider"), nil, "status.atProvider of %s lacks %s and others of spec.forProvider: embed %s in %s, which mrgen writes",
				k.Object.Name, k.ForProvider().JSONNames()[missing], name, observed.Name)
		}
		return
	}
	switch f := observed.Fields[i]; {
	case f.Type.Leaf().Name != name && !slices.ContainsFunc(observed.Fields, func(f *model.Field) bool { return f.Type.Leaf().Name == name }):
		p.Detail(k, f.Pos, f.Name, "%s has the fields of another kind's parameters: embed %s", f.Type.Leaf().Name, name)
	case !f.Inline:
		p.Detail(k, f.Pos, f.Name, "%s is below %s in JSON, where neither users nor Diff look for its fields: embed it, with `json:\",inline\"`", name, f.JSONName)
	}
}
