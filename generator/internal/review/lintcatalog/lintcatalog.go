// Package lintcatalog lists the rules of lint, each of which has a package of its own.
package lintcatalog

import (
	"path/filepath"
	"slices"

	"github.com/mrgen-io/mrgen/generator/internal/pipeline"
	code "github.com/mrgen-io/mrgen/generator/internal/review/controllers"
	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
	"github.com/mrgen-io/mrgen/generator/internal/review/lintrules/atomiclist"
	"github.com/mrgen-io/mrgen/generator/internal/review/lintrules/categories"
	"github.com/mrgen-io/mrgen/generator/internal/review/lintrules/check"
	"github.com/mrgen-io/mrgen/generator/internal/review/lintrules/clusterproviderconfig"
	"github.com/mrgen-io/mrgen/generator/internal/review/lintrules/columns"
	"github.com/mrgen-io/mrgen/generator/internal/review/lintrules/connectiondetails"
	"github.com/mrgen-io/mrgen/generator/internal/review/lintrules/consistentnames"
	"github.com/mrgen-io/mrgen/generator/internal/review/lintrules/contradictingcomment"
	"github.com/mrgen-io/mrgen/generator/internal/review/lintrules/controllers"
	"github.com/mrgen-io/mrgen/generator/internal/review/lintrules/crdmetadata"
	"github.com/mrgen-io/mrgen/generator/internal/review/lintrules/fullstate"
	"github.com/mrgen-io/mrgen/generator/internal/review/lintrules/identifier"
	"github.com/mrgen-io/mrgen/generator/internal/review/lintrules/immutabledefault"
	"github.com/mrgen-io/mrgen/generator/internal/review/lintrules/immutablereferences"
	"github.com/mrgen-io/mrgen/generator/internal/review/lintrules/jsonname"
	"github.com/mrgen-io/mrgen/generator/internal/review/lintrules/kindnames"
	"github.com/mrgen-io/mrgen/generator/internal/review/lintrules/listorder"
	"github.com/mrgen-io/mrgen/generator/internal/review/lintrules/misnamedcomment"
	"github.com/mrgen-io/mrgen/generator/internal/review/lintrules/missingcomment"
	"github.com/mrgen-io/mrgen/generator/internal/review/lintrules/mutableidentifier"
	"github.com/mrgen-io/mrgen/generator/internal/review/lintrules/observedsecret"
	"github.com/mrgen-io/mrgen/generator/internal/review/lintrules/omittedemptylist"
	"github.com/mrgen-io/mrgen/generator/internal/review/lintrules/optionalfields"
	"github.com/mrgen-io/mrgen/generator/internal/review/lintrules/ownertree"
	"github.com/mrgen-io/mrgen/generator/internal/review/lintrules/packagemetadata"
	"github.com/mrgen-io/mrgen/generator/internal/review/lintrules/plainsecret"
	"github.com/mrgen-io/mrgen/generator/internal/review/lintrules/proseenum"
	"github.com/mrgen-io/mrgen/generator/internal/review/lintrules/referencevalue"
	"github.com/mrgen-io/mrgen/generator/internal/review/lintrules/requiredfields"
	"github.com/mrgen-io/mrgen/generator/internal/review/lintrules/rulecost"
	"github.com/mrgen-io/mrgen/generator/internal/review/lintrules/scope"
	"github.com/mrgen-io/mrgen/generator/internal/review/lintrules/secretnamespace"
	"github.com/mrgen-io/mrgen/generator/internal/review/lintrules/secretreference"
	"github.com/mrgen-io/mrgen/generator/internal/review/lintrules/sharedstruct"
	"github.com/mrgen-io/mrgen/generator/internal/review/lintrules/singlefieldstruct"
	"github.com/mrgen-io/mrgen/generator/internal/review/lintrules/statusfields"
	"github.com/mrgen-io/mrgen/generator/internal/review/lintrules/statussubresource"
	"github.com/mrgen-io/mrgen/generator/run"
)

// All are the rules, sorted by name.
var All = []*linter.Rule{
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
	linter.Exceptions,
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
func Find[S ~uint8](root string, options run.Options, definitions []pipeline.Definition, severity map[string]S, code *code.Facts) linter.Result {
	api := linter.NewAPI(root, definitions)
	api.Code = code
	api.CRDDir, api.MRDDir = filepath.ToSlash(options.CRDDir), filepath.ToSlash(options.MRDDir)
	severities := map[string]linter.Severity{}
	for rule, s := range severity {
		severities[rule] = linter.Severity(s)
	}
	return linter.Run(api, All, severities)
}

// RuleOf returns the rule that found something.
func RuleOf(f linter.Finding) *linter.Rule {
	return All[slices.IndexFunc(All, func(r *linter.Rule) bool { return r.Name == f.Rule })]
}
