package apiserver

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/checker"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/overloads"
	"github.com/google/cel-go/common/types"
	"k8s.io/apimachinery/pkg/util/version"
	apiservercel "k8s.io/apiserver/pkg/cel"
	"k8s.io/apiserver/pkg/cel/environment"

	"github.com/mrgen-io/mrgen/generator/internal/parallel"
)

// An estimate is a difference between releases of Kubernetes: older ones estimate the sizes of some values, and so the
// cost of rules, in another way than the newest one.
type estimate struct {
	// since is the first release that estimates like the newest one.
	since *version.Version
	// isUnbounded reports whether older releases estimate == of a type as if it were text without a bound. It may be
	// nil.
	isUnbounded func(*types.Type) bool
	// options make the estimator estimate like the older releases in other ways.
	options []cel.EnvOption
	// costly names the expressions that older releases overestimate, and instead says what to write in their place.
	costly, instead string
}

// estimates follow pkg/cel/library/cost.go of k8s.io/apiserver and checker/cost.go of
// github.com/google/cel-go, whose versions are v0.20.1 in Kubernetes 1.31, v0.22.0 in 1.32 and v0.23.2
// in 1.33.
var estimates = []estimate{
	{
		since: version.MajorMinor(1, 32),
		isUnbounded: func(t *types.Type) bool {
			return slices.ContainsFunc([]*types.Type{
				apiservercel.QuantityType, apiservercel.IPType, apiservercel.CIDRType, apiservercel.URLType, apiservercel.FormatType,
			}, t.IsExactType)
		},
		costly:  "== of quantities, IP addresses, CIDRs, URLs and formats",
		instead: "compare quantities with compareTo, and others as text",
	},
	{
		since:       version.MajorMinor(1, 33),
		isUnbounded: func(t *types.Type) bool { return t.TypeName() == cel.OptionalType(cel.DynType).TypeName() },
		options: []cel.EnvOption{
			cel.Function(unsizedDyn, cel.Overload(unsizedDyn, []*cel.Type{cel.TypeParamType("T")}, cel.DynType)),
			cel.Macros(cel.GlobalMacro("dyn", 1, func(factory cel.MacroExprFactory, _ ast.Expr, args []ast.Expr) (ast.Expr, *cel.Error) {
				return factory.NewCall(unsizedDyn, args...), nil
			})),
		},
		costly:  "dyn() and == of optional values",
		instead: "leave out dyn(), and compare what orValue() returns",
	},
	{
		// matches(text, pattern) is cheap for any text. The newest release is asked, too, so there is no remedy to
		// print.
		since: version.MajorMinor(1, 37),
		options: []cel.EnvOption{cel.CostEstimatorOptions(checker.OverloadCostEstimate(overloads.Matches, func(
			checker.CostEstimator, *checker.AstNode, []checker.AstNode,
		) *checker.CallEstimate {
			return &checker.CallEstimate{CostEstimate: checker.CostEstimate{Min: 1, Max: 1}}
		}))},
	},
}

// unsizedDyn is dyn() with a result of unknown size, although the argument's size is known.
const unsizedDyn = "dyn_of_unknown_size"

// environments are by releases: see [environmentOf].
var environments parallel.Memo[string, *environment.EnvSet]

// environmentOf returns the functions and types that new rules may use in a release of Kubernetes, with the costs that
// the release estimates.
func environmentOf(release *version.Version) *environment.EnvSet {
	return environments.Get(minor(release).String(), func() *environment.EnvSet {
		// The API server accepts only what the minor release before it supports, so that a cluster can be rolled back:
		// see environment.DefaultCompatibilityVersion.
		return estimating(environment.MustBaseEnvSet(release.SubtractMinor(1)), release)
	})
}

// dearest returns all functions and types of the newest release, with the estimates of the oldest one.
var dearest = sync.OnceValue(func() *environment.EnvSet { return estimating(newest(), oldest) })

// estimating returns an environment in which rules cost as much as a release of Kubernetes estimates.
func estimating(env *environment.EnvSet, release *version.Version) *environment.EnvSet {
	var unbounded []func(*types.Type) bool
	options := environment.VersionedOptions{IntroducedVersion: version.MajorMinor(1, 0)}
	for _, e := range estimates {
		if release.LessThan(e.since) {
			unbounded = append(unbounded, e.isUnbounded)
			options.EnvOptions = append(options.EnvOptions, e.options...)
		}
	}
	options.EnvOptions = append(options.EnvOptions, equalityCosts(unbounded))
	extended, err := env.Extend(options)
	if err != nil {
		panic(fmt.Sprintf("the estimates of Kubernetes %s: %v", release, err)) // the table is wrong
	}
	return extended
}

// equalityCosts makes == as expensive as for text without a bound, if one of the functions holds for the type of either
// side.
func equalityCosts(unbounded []func(*types.Type) bool) cel.EnvOption {
	return cel.CostEstimatorOptions(checker.OverloadCostEstimate(overloads.Equals, func(
		_ checker.CostEstimator, _ *checker.AstNode, sides []checker.AstNode,
	) *checker.CallEstimate {
		for _, side := range sides {
			if slices.ContainsFunc(unbounded, func(is func(*types.Type) bool) bool { return is != nil && is(side.Type()) }) {
				return &checker.CallEstimate{CostEstimate: checker.CostEstimate{Max: math.MaxUint64}}
			}
		}
		return nil
	}))
}

// costsTooMuch says that a release estimates too much for a rule, and a later one doesn't.
func costsTooMuch(release, since *version.Version) string {
	reason := fmt.Sprintf("costs too much in Kubernetes %s: simplify it, or set minKubernetes to %s", minor(release), since)
	for _, e := range estimates {
		if since.EqualTo(e.since) && e.costly != "" {
			reason += fmt.Sprintf(": older releases take %s for very expensive; %s", e.costly, e.instead)
		}
	}
	return reason
}
