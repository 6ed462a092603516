package lintrules

import (
	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
)

var observedSecret = &linter.Rule{
	Name:     "observed-secret",
	Doc:      "A password, a token or a key is not plain text in status.atProvider.",
	Source:   apiPatterns.section("Sensitive Input Fields", "#sensitive-input-fields"),
	Why:      "Everybody who may read the managed resource can read the secret, which belongs in its connection secret.",
	Severity: linter.Error,
	Read:     3, Worth: 3,
	Run: linter.EachField(checkObservedSecret),
}

func checkObservedSecret(p *linter.Pass, f *linter.Field) {
	if f.Part == linter.AtProvider && linter.IsSecretText(p.API, f) {
		p.Field(f, nil, "%s shows a secret to all readers of the status: publish it as a connection detail, and remove it here", f.Name)
	}
}
