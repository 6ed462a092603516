// Package lintrules has the rules of mrgen lint, a file each.
package lintrules

import (
	_ "embed" // of the examples
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
	"github.com/mrgen-io/mrgen/generator/internal/source/modules"
	"github.com/mrgen-io/mrgen/generator/internal/stage"
	"github.com/mrgen-io/mrgen/generator/run"
)

// All are the rules, sorted by name.
var All = []*linter.Rule{
	absentDefault,
	arnReference,
	atomicList,
	buildFlags,
	categories,
	clusterProviderConfig,
	columnTypes,
	columns,
	configFields,
	configTypes,
	connectionDetails,
	consistentNames,
	crdMetadata,
	delivery,
	embeddedKind,
	enumConstants,
	exampleManifests,
	fullState,
	generatedFiles,
	hiddenInitProvider,
	identifier,
	immutableDefault,
	immutableReferences,
	ineffectiveMarker,
	jsonName,
	jsonSpelling,
	kindNames,
	life,
	listOrder,
	misplacedPolicy,
	missingComment,
	mutableIdentifier,
	nanoseconds,
	linter.Exceptions,
	observeOnlyRefused,
	observedSecret,
	observedType,
	optionalFields,
	ownerTree,
	packageMetadata,
	plainSecret,
	pointerParts,
	proseEnum,
	referenceValue,
	registration,
	requiredFields,
	ruleCost,
	ruleEffect,
	scope,
	secretNamespace,
	secretReference,
	sharedStruct,
	singleFieldStruct,
	statusFields,
	statusSubresource,
	undecided,
	unresolvedReference,
	usageScope,
	versionRules,
}

// Find checks the definitions of a run, which may be part of the provider, by all rules. The severities, by name, override the rules' own.
func Find[S ~uint8](root string, options run.Options, definitions stage.Incomplete, partial bool, severity map[string]S) linter.Result {
	api := linter.NewAPI(root, definitions.Made)
	api.Missing, api.Unread, api.Covers, api.Partial = definitions.Missing, definitions.Unread, covers(root, options.Packages), partial
	api.CRDDir, api.MRDDir = filepath.ToSlash(options.CRDDir), filepath.ToSlash(options.MRDDir)
	for _, folder := range options.DefinitionFolders() {
		api.DefinitionFolders = append(api.DefinitionFolders, path.Clean(filepath.ToSlash(folder)))
	}
	api.RequiredRules = options.RequiredRules
	severities := map[string]linter.Severity{}
	for rule, s := range severity {
		severities[rule] = linter.Severity(s)
	}
	return linter.Run(api, All, severities)
}

// covers returns a function that reports whether patterns match a folder.
func covers(root string, patterns []string) func(folder string) bool {
	var relative []string
	for _, p := range patterns {
		relative = append(relative, strings.TrimPrefix(p, modules.ModulePath(root)+"/"))
	}
	return modules.Matcher(relative)
}

// RuleOf returns the rule that found something.
func RuleOf(f linter.Finding) *linter.Rule {
	return All[slices.IndexFunc(All, func(r *linter.Rule) bool { return r.Name == f.Rule })]
}

//go:embed examples.txt
var examples string

var parsedExamples = sync.OnceValue(func() map[string]string {
	found := map[string]string{}
	for part := range strings.SplitSeq(strings.TrimSuffix(examples, "\n"), "\n-- ") {
		name, source, _ := strings.Cut(part, " --\n")
		found[name] = source
	}
	return found
})

// Example returns source in which a rule finds something, and the corrected source.
func Example(rule string) (before, after string) {
	return parsedExamples()[rule+"/before"], parsedExamples()[rule+"/after"]
}
