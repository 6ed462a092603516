package lintrules

import (
	"regexp"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
)

var contradictingComment = &linter.Rule{
	Name:     "contradicting-comment",
	Doc:      "A comment does not call a field required that is optional, or the other way round.",
	Source:   kubernetesAPI.section("Optional vs. Required", "#optional-vs-required"),
	Why:      "Users set fields that they could omit, or omit fields that the API server requires.",
	Severity: linter.Warning,
	Run:      linter.EachField(checkContradictingComment),
}

var (
	required = said("required")
	optional = said("optional")
)

// said matches a comment that calls a field something, with nothing that restricts it.
func said(word string) *regexp.Regexp {
	return regexp.MustCompile(`(?i)(^|[.] )[\[(]?` + word + `[\])]?([.]|$)|[\[(]` + word + `[\])]` +
		`|\bthis (field|parameter|property) is ` + word + `([.]|$)`)
}

func checkContradictingComment(p *linter.Pass, f *linter.Field) {
	if !f.In(linter.ForProvider | linter.Spec) {
		return
	}
	if !strings.Contains(f.Doc, "equired") && !strings.Contains(f.Doc, "ptional") {
		return
	}
	doc := linter.Words(f.Doc)
	isRequired, isOptional := required.MatchString(doc), optional.MatchString(doc)
	switch {
	case isRequired == isOptional, f.HasDefault():
	case isRequired && !f.Required && !f.IsValue() && !asked(f):
		p.Field(f, nil, "the comment of %s calls it required, and the schema doesn't ask for it: require it, or say when it is needed", f.Name)
	case isOptional && f.Required:
		p.Field(f, nil, "the comment of %s calls it optional, and the schema requires it: mark it +optional, or change the comment", f.Name)
	}
}

// asked reports whether a rule asks for the field, or for one of several.
func asked(f *linter.Field) bool {
	return slices.ContainsFunc(slices.Concat(f.DeclaringStruct.Markers, f.Kind.Object.Type.Markers), func(m model.Marker) bool {
		return strings.Contains(m.Text, f.JSONName)
	})
}
