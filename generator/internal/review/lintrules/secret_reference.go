package lintrules

import (
	"regexp"

	"github.com/mrgen-io/mrgen/generator/internal/mirroring"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
	"github.com/mrgen-io/mrgen/markers"
)

var secretReference = &linter.Rule{
	Name:     "secret-reference",
	Doc:      "Code reads each reference to a Secret, the comment of an optional one to a password explains its absence, and a generated password is a connection detail.",
	Source:   apiPatterns.section("Sensitive Input Fields", "#sensitive-input-fields"),
	Why:      "Users learn whether there is a password if they give none, and where to find it.",
	Severity: linter.Hint,
	Read:     14, Worth: 10,
	Run: linter.EachField(checkSecretReference),
}

func checkSecretReference(p *linter.Pass, f *linter.Field) {
	isReference := f.Type.Deref().Kind == model.Struct && p.Secret(f.Field) == mirroring.SecretReference
	if f.Part == linter.ForProvider && isReference && len(p.Controllers(f.Kind)) > 0 && !p.Mentions("."+f.Name) {
		p.Field(f, nil, "no code reads %s, so the secret has no effect: use it in the controller, or remove the field", f.Name)
		return
	}
	if f.Part != linter.ForProvider || f.Required || !isReference || !password.MatchString(f.Name) {
		return
	}
	switch {
	case generated.MatchString(f.Doc) && len(f.Kind.ConnectionDetails) == 0:
		p.Field(f, nil,
			"a password is generated without %s, and no definition says where it is found: declare its key in the connection secret with +%s on %s",
			f.Name, markers.ConnectionDetail, f.Kind.Object.Name)
	case f.Doc != "" && !generated.MatchString(f.Doc) && !without.MatchString(f.Doc):
		p.Field(f, nil,
			"the comment of %s doesn't say what happens without it, although it is optional: say whether a password is generated then", f.Name)
	}
}

var (
	password  = regexp.MustCompile(`(?i)^(admin|master|root|user|initial|default|db)*(password|passphrase)`)
	generated = regexp.MustCompile(`(?i)\b(auto-?generat|generat|random)`)
	without   = regexp.MustCompile(`(?i)\b(if|unless|without|when|omit|optional|default|unset|absent|empty|only|either|instead|otherwise|exclusive|exclusively|requires?|required|not)\b`)
)
