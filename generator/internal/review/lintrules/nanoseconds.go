package lintrules

import "github.com/mrgen-io/mrgen/generator/internal/review/linter"

var nanoseconds = &linter.Rule{
	Name:     "nanoseconds",
	Doc:      "A duration of spec is text, or its name says the unit.",
	Source:   kubernetesAPI.section("Naming conventions", "#naming-conventions"),
	Why:      "time.Duration is a number of nanoseconds in JSON: the API server refuses 5m, and users write 5 for seconds.",
	Severity: linter.Warning,
	Run: func(p *linter.Pass) {
		for _, k := range p.Kinds {
			for _, f := range k.Fields {
				if t := f.Type.Leaf(); t.IsDuration() && !t.Marshals && f.Part&(linter.AtProvider|linter.Status) == 0 {
					p.Field(f, nil, "%s is a number of nanoseconds, and users can't write 5m: make it a metav1.Duration, in a version to come if there are users", f.Name)
				}
			}
		}
	},
}
