// Package catalog lists the rules of lint, each of which has a package of its own.
package catalog

import (
	"path/filepath"
	"slices"

	"github.com/mrgen-io/mrgen/generator/internal/pipeline"
	code "github.com/mrgen-io/mrgen/generator/internal/report/controllers"
	"github.com/mrgen-io/mrgen/generator/internal/report/lint"
	"github.com/mrgen-io/mrgen/generator/internal/report/lint/rules/atomiclist"
	"github.com/mrgen-io/mrgen/generator/internal/report/lint/rules/categories"
	"github.com/mrgen-io/mrgen/generator/internal/report/lint/rules/check"
	"github.com/mrgen-io/mrgen/generator/internal/report/lint/rules/clusterproviderconfig"
	"github.com/mrgen-io/mrgen/generator/internal/report/lint/rules/columns"
	"github.com/mrgen-io/mrgen/generator/internal/report/lint/rules/connectiondetails"
	"github.com/mrgen-io/mrgen/generator/internal/report/lint/rules/consistentnames"
	"github.com/mrgen-io/mrgen/generator/internal/report/lint/rules/contradictingcomment"
	"github.com/mrgen-io/mrgen/generator/internal/report/lint/rules/controllers"
	"github.com/mrgen-io/mrgen/generator/internal/report/lint/rules/crdmetadata"
	"github.com/mrgen-io/mrgen/generator/internal/report/lint/rules/fullstate"
	"github.com/mrgen-io/mrgen/generator/internal/report/lint/rules/identifier"
	"github.com/mrgen-io/mrgen/generator/internal/report/lint/rules/immutabledefault"
	"github.com/mrgen-io/mrgen/generator/internal/report/lint/rules/immutablereferences"
	"github.com/mrgen-io/mrgen/generator/internal/report/lint/rules/jsonname"
	"github.com/mrgen-io/mrgen/generator/internal/report/lint/rules/kindnames"
	"github.com/mrgen-io/mrgen/generator/internal/report/lint/rules/listorder"
	"github.com/mrgen-io/mrgen/generator/internal/report/lint/rules/misnamedcomment"
	"github.com/mrgen-io/mrgen/generator/internal/report/lint/rules/missingcomment"
	"github.com/mrgen-io/mrgen/generator/internal/report/lint/rules/mutableidentifier"
	"github.com/mrgen-io/mrgen/generator/internal/report/lint/rules/observedsecret"
	"github.com/mrgen-io/mrgen/generator/internal/report/lint/rules/omittedemptylist"
	"github.com/mrgen-io/mrgen/generator/internal/report/lint/rules/optionalfields"
	"github.com/mrgen-io/mrgen/generator/internal/report/lint/rules/ownertree"
	"github.com/mrgen-io/mrgen/generator/internal/report/lint/rules/packagemetadata"
	"github.com/mrgen-io/mrgen/generator/internal/report/lint/rules/plainsecret"
	"github.com/mrgen-io/mrgen/generator/internal/report/lint/rules/proseenum"
	"github.com/mrgen-io/mrgen/generator/internal/report/lint/rules/referencevalue"
	"github.com/mrgen-io/mrgen/generator/internal/report/lint/rules/requiredfields"
	"github.com/mrgen-io/mrgen/generator/internal/report/lint/rules/rulecost"
	"github.com/mrgen-io/mrgen/generator/internal/report/lint/rules/scope"
	"github.com/mrgen-io/mrgen/generator/internal/report/lint/rules/secretnamespace"
	"github.com/mrgen-io/mrgen/generator/internal/report/lint/rules/secretreference"
	"github.com/mrgen-io/mrgen/generator/internal/report/lint/rules/sharedstruct"
	"github.com/mrgen-io/mrgen/generator/internal/report/lint/rules/singlefieldstruct"
	"github.com/mrgen-io/mrgen/generator/internal/report/lint/rules/statusfields"
	"github.com/mrgen-io/mrgen/generator/internal/report/lint/rules/statussubresource"
	"github.com/mrgen-io/mrgen/generator/run"
)

// All are the rules, sorted by name.
var All = []*lint.Rule{
	atomiclist.Rule,
	categories.Rule,
	check.Rule,
	clusterproviderconfig.Rule,
	columns.Rule,
	controllers.ComparedUnsent,
	connectiondetails.Rule,
	consistentnames.Rule,
	contradictingcomment.Rule,
	crdmetadata.Rule,
	controllers.CrossedFields,
	controllers.DroppedError,
	controllers.ForeignSecret,
	fullstate.Rule,
	identifier.Rule,
	immutabledefault.Rule,
	immutablereferences.Rule,
	jsonname.Rule,
	kindnames.Rule,
	listorder.Rule,
	misnamedcomment.Rule,
	missingcomment.Rule,
	mutableidentifier.Rule,
	controllers.MutatedSpec,
	lint.Exceptions,
	observedsecret.Rule,
	omittedemptylist.Rule,
	optionalfields.Rule,
	ownertree.Rule,
	packagemetadata.Rule,
	plainsecret.Rule,
	proseenum.Rule,
	referencevalue.Rule,
	requiredfields.Rule,
	rulecost.Rule,
	scope.Rule,
	secretnamespace.Rule,
	secretreference.Rule,
	sharedstruct.Rule,
	singlefieldstruct.Rule,
	statusfields.Rule,
	statussubresource.Rule,
	controllers.UncomparedParameter,
	controllers.UnfilledObservation,
	controllers.UnpublishedConnectionKey,
	controllers.UnreadParameter,
	controllers.UnsentParameter,
	controllers.UnsetExternalName,
}

// Find checks the definitions of a run by all rules. Severities are by rule, where they are not that of the
// rule.
func Find[S ~uint8](root string, options run.Options, definitions []pipeline.Definition, severity map[string]S, code *code.Facts) lint.Result {
	api := lint.NewAPI(root, definitions)
	api.Code = code
	api.CRDDir, api.MRDDir = filepath.ToSlash(options.CRDDir), filepath.ToSlash(options.MRDDir)
	severities := map[string]lint.Severity{}
	for rule, s := range severity {
		severities[rule] = lint.Severity(s)
	}
	return lint.Run(api, All, severities)
}

// RuleOf returns the rule that found something.
func RuleOf(f lint.Finding) *lint.Rule {
	return All[slices.IndexFunc(All, func(r *lint.Rule) bool { return r.Name == f.Rule })]
}
