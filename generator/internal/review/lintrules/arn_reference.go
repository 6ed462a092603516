package lintrules

import (
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
	"github.com/mrgen-io/mrgen/markers"
)

var arnReference = &linter.Rule{
	Name: "arn-reference",
	Doc:  "A field for an ARN takes the ARN of the referenced resource, not its external name.",
	Source: linter.Source{
		Name: "One-pager on cross-resource references, Extractors",
		URL:  "https://github.com/crossplane/crossplane/blob/main/design/one-pager-cross-resource-referencing.md",
	},
	Why:      "Without an extractor, the external name is taken, which the API refuses as an ARN.",
	Severity: linter.Error,
	Read:     2, Worth: 1,
	Run: linter.EachField(checkArnReference),
}

func checkArnReference(p *linter.Pass, f *linter.Field) {
	reference := f.OwnMarker(markers.ReferenceType)
	name := strings.TrimSuffix(strings.ToLower(f.JSONName), "s")
	if reference == nil || f.OwnMarker(markers.ReferenceExtractor) != nil || !strings.HasSuffix(name, "arn") {
		return
	}
	target := reference.Value.Text("")
	target = target[strings.LastIndexAny(target, "./")+1:]
	for _, k := range p.Managed() {
		if observed := k.AtProvider(); k.Object.Name == target && observed != nil && observed.Field("arn") != nil {
			p.Field(f, nil, "%s gets the external name of %s, although status.atProvider.arn has the ARN: name an extractor with +%s",
				f.Name, target, markers.ReferenceExtractor)
			break
		}
	}
}
