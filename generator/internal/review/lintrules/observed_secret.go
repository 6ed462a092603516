package lintrules

import (
	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
	"github.com/mrgen-io/mrgen/markers"
)

var observedSecret = &linter.Rule{
	Name:     "observed-secret",
	Doc:      "A field of status.atProvider with the name of a password, a token or a key is not plain text, unless its author says that it holds no secret.",
	Source:   apiPatterns.section("Sensitive Input Fields", "#sensitive-input-fields"),
	Why:      "Everybody who may read the managed resource can read the secret, which belongs in its connection secret.",
	Severity: linter.Warning,
	Read:     6, Worth: 4,
	Run: linter.EachField(checkObservedSecret),
}

func checkObservedSecret(p *linter.Pass, f *linter.Field) {
	if f.Part == linter.AtProvider && linter.IsSecretText(p.API, f) {
		p.Field(f, nil, "if %s holds a secret, remove it here, and publish it as a connection detail; if not, write +%s:observed-secret=\"why\"",
			f.Name, markers.NoLint)
	}
}
