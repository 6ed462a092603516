package lintrules

import (
	"regexp"
	"slices"

	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
)

var ownerTree = &linter.Rule{
	Name:     "owner-tree",
	Doc:      "Desired state of the external resource is in spec.forProvider, and observed state in status.atProvider.",
	Source:   apiPatterns.section("Owner-based Struct Tree", "#owner-based-struct-tree"),
	Why:      "Users see which fields go to the external API as they are, and names of Crossplane and of the provider never collide.",
	Severity: linter.Off,
	Read:     4, Worth: 0,
	Run: linter.EachField(checkOwnerTree),
}

// crossplane are the fields that are Crossplane's.
var crossplane = map[linter.Part][]string{
	linter.Spec: {
		"claimRef", "classRef", "deletionPolicy", "managementPolicies", "managementPolicy", "providerConfigRef", "providerRef",
		"publishConnectionDetailsTo", "reclaimPolicy", "writeConnectionSecretToRef",
		// References in providers that take any object.
		"connectionDetails", "readiness", "references", "rollbackLimit", "watch",
	},
	linter.Status: {"bindingPhase", "conditions", "failed", "observedGeneration", "synced"},
}

// ours matches comments of fields that controllers keep for themselves.
var ours = regexp.MustCompile(`(?i)\b(the (provider|controller)|reconcil\w*|crossplane)\b`)

func checkOwnerTree(p *linter.Pass, f *linter.Field) {
	names, ok := crossplane[f.Part]
	if !ok || !f.IsTop() || slices.Contains(names, f.JSONName) || ours.MatchString(f.Doc) {
		return
	}
	in, to := "spec", "spec.forProvider"
	if f.Part == linter.Status {
		in, to = "status", "status.atProvider"
	}
	p.Field(f, nil, "%s is right below %s, among Crossplane's own fields: if it is the external API's, move it to %s", f.Name, in, to)
}
