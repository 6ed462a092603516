package lintrules

import (
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
	"github.com/mrgen-io/mrgen/markers"
)

var plainSecret = &linter.Rule{
	Name:     "plain-secret",
	Doc:      "A field of spec.forProvider or of a ProviderConfig with the name of a password, a token or a key is not plain text, unless its author says that it holds no secret.",
	Source:   apiPatterns.section("Sensitive Input Fields", "#sensitive-input-fields"),
	Why:      "Everybody who may read the managed resource, or the repository with its manifest, can read the secret.",
	Severity: linter.Warning,
	Read:     8, Worth: 4,
	Run: func(p *linter.Pass) {
		for _, k := range p.Kinds {
			for _, f := range k.Fields {
				checkPlainSecret(p, f)
			}
		}
	},
}

func checkPlainSecret(p *linter.Pass, f *linter.Field) {
	isInput := f.Part&(linter.ForProvider|linter.InitProvider) != 0 || f.Kind.Object.Role == model.ProviderConfig
	if !isInput || f.IsValue() || !linter.IsSecretText(p.API, f) {
		return // the value of a reference is a name
	}
	selector, suffix := "SecretKeySelector", "SecretRef"
	reference := strings.TrimSuffix(f.Name, "Secret") + suffix
	for _, name := range []string{f.Name + suffix, reference} {
		if f.JSONParent.GoField(name) == nil {
			continue
		}
		if !strings.Contains(f.Doc, "Deprecated") {
			p.Field(f, nil, "%s holds a secret as plain text beside %s: deprecate it", f.Name, name)
		}
		return
	}
	if f.Kind.Object.Generation != nil && f.Kind.Object.Generation.Namespaced {
		selector = "LocalSecretKeySelector"
	}
	if g := f.Kind.Object.Generation; g != nil {
		selector = f.JSONParent.Qualified(g.Types, selector) // as the file names it
	}
	if f.Type.Deref().Kind != model.Basic {
		p.Field(f, nil, "if %s holds secrets, take each from a Secret, by a field of type %s; if not, mark it +%s=true", f.Name, selector, markers.Mirror)
		return
	}
	// A name proves nothing, so the author is asked.
	p.Field(f, nil, "if %s holds a secret, take it from a Secret, by %s *%s; if not, mark it +%s=true",
		f.Name, reference, selector, markers.Mirror)
}
