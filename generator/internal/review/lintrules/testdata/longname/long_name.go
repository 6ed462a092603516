package lintrules

import "github.com/mrgen-io/mrgen/generator/internal/review/linter"

var longName = &linter.Rule{
	Name:     "long-name",
	Doc:      "A JSON name has at most 40 letters.",
	Source:   "Kubernetes API Conventions, Naming conventions",
	URL:      "https://github.com/kubernetes/community/blob/master/contributors/devel/sig-architecture/api-conventions.md#naming-conventions",
	Why:      "Users can read it, and remember it.",
	Before:   "NumberOfReplicasOfTheDatabaseInTheOtherRegion *int64 `json:\"numberOfReplicasOfTheDatabaseInTheOtherRegion,omitempty\"`",
	After:    "RemoteReplicas *int64 `json:\"remoteReplicas,omitempty\"`",
	Severity: linter.Hint,
	Run:      checkLongName,
}

func checkLongName(p *linter.Pass) {
	for _, f := range p.ManagedFields() {
		if len(f.JSONName) > 40 {
			p.Field(f, nil, "the JSON name %s has %d letters: find a shorter one", f.JSONName, len(f.JSONName))
		}
	}
}
