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
		if r.mirrors() && r.parameters != nil {
			w := &secretWalker{planner: p, seen: map[*model.Type]bool{}}
			w.visit(r.parameters.Type, "")
			w.warn(r.object)
		}
	}
}

// secretWalker finds the fields below spec.forProvider that are named like secrets.
type secretWalker struct {
	*planner
	seen map[*model.Type]bool
	// paths and positions are those of the fields found.
	paths     []string
	positions []diag.Position
}

func (w *secretWalker) visit(t *model.Type, path string) {
	t = t.Leaf()
	if w.seen[t] {
		return
	}
	w.seen[t] = true
	for _, f := range t.Fields {
		below := path
		if !f.Inline {
			below += f.JSONName
		}
		if w.guessed[f] {
			delete(w.guessed, f)
			w.paths = append(w.paths, below)
			w.positions = append(w.positions, f.Pos)
		}
		if !f.Inline {
			below += "."
		}
		if w.exclusions.Of(f) == "" {
			w.visit(f.Type, below)
		}
	}
}

func (w *secretWalker) warn(o *model.Object) {
	if len(w.paths) == 0 {
		return
	}
	first := slices.MinFunc(w.positions, diag.Position.Compare)
	subject, remedy := fmt.Sprintf("%s of %s is", w.paths[0], o.Name), "mark it +mrgen:sensitive, or +mrgen:mirror=true if it holds no secret"
	if len(w.paths) > 1 {
		subject = fmt.Sprintf("%d fields of %s (%s) are", len(w.paths), o.Name, diag.And(w.paths))
		remedy = "mark each +mrgen:sensitive, or +mrgen:mirror=true if it holds no secret"
	}
	w.diags = append(w.diags, diag.Warningf(first, codeObservation,
		"%s not mirrored to status.atProvider because of names like those of secrets: %s", subject, remedy))
}
