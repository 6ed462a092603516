package observation

import (
	"fmt"
	"slices"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/model"
)

// warnSecrets warns about the fields that are not mirrored because of their names, once per
// kind. It reports a field that kinds share only for the first of them.
func (p *planner) warnSecrets(uses []missingType) {
	for _, r := range uses {
		if !r.mirrors() || r.parameters == nil {
			continue
		}
		var paths []string
		var positions []diag.Position
		p.eachGuessed(r.parameters.Type, "", map[*model.Type]bool{}, func(f *model.Field, path string) {
			delete(p.guessed, f)
			paths, positions = append(paths, path), append(positions, f.Pos)
		})
		if len(paths) == 0 {
			continue
		}
		subject, remedy := fmt.Sprintf("%s of %s is", paths[0], r.object.Name), "mark it +mrgen:sensitive, or +mrgen:mirror=true if it holds no secret"
		if len(paths) > 1 {
			subject = fmt.Sprintf("%d fields of %s (%s) are", len(paths), r.object.Name, diag.And(paths))
			remedy = "mark each +mrgen:sensitive, or +mrgen:mirror=true if it holds no secret"
		}
		p.diags = append(p.diags, diag.Warningf(slices.MinFunc(positions, diag.Position.Compare), codeObservation,
			"%s not mirrored to status.atProvider because of names like those of secrets: %s", subject, remedy))
	}
}

// eachGuessed visits the fields in a type that are named like secrets, with their paths from spec.forProvider.
func (p *planner) eachGuessed(t *model.Type, path string, seen map[*model.Type]bool, visit func(f *model.Field, path string)) {
	t = t.Leaf()
	if seen[t] {
		return
	}
	seen[t] = true
	for _, f := range t.Fields {
		below := path
		if !f.Inline {
			below += f.JSONName
		}
		if p.guessed[f] {
			visit(f, below)
		}
		if !f.Inline {
			below += "."
		}
		if p.exclusions.Of(f) == "" {
			p.eachGuessed(f.Type, below, seen, visit)
		}
	}
}
