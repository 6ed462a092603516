package lintrules

import (
	"regexp"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
)

var misnamedComment = &linter.Rule{
	Name:     "misnamed-comment",
	Doc:      "A comment that begins with the name of a field is about that field.",
	Source:   kubernetesAPI.section("Documentation and fields", "#typesgo"),
	Why:      "A comment that was copied from another field tells users something wrong.",
	Severity: linter.Warning,
	Run:      checkMisnamedComment,
}

// subject matches a comment that says of something what it is.
var subject = regexp.MustCompile(`^([A-Z][A-Za-z0-9]*) (is|are|has|have|contains?|specif(y|ies)|defines?|references?|refers?|selects?|holds?|sets?|indicates?|describes?|represents?|configures?) `)

func checkMisnamedComment(p *linter.Pass) {
	for _, k := range p.Kinds {
		for _, f := range k.Fields {
			if strings.HasPrefix(f.Doc, f.Name+" ") {
				continue // most do
			}
			doc := linter.Words(f.Doc)
			m := subject.FindStringSubmatch(doc)
			if m == nil || strings.EqualFold(m[1], f.Name) || strings.EqualFold(m[1], f.JSONName) {
				continue
			}
			other := f.DeclaringStruct.GoField(m[1])
			if other == nil || other == f.Field || strings.Contains(doc[len(m[1]):], f.Name) {
				continue
			}
			p.Field(f, nil, "the comment of %s is about %s, another field of %s: say what %s is", f.Name, m[1], f.DeclaringStruct.Name, f.Name)
		}
	}
}
