// Package provider composes the runs of a whole provider: the generator, and the extensions around it. Before the
// generator, source in one scope is copied to the other; after it, versions of kinds, and types of an SDK, are
// converted.
package provider

import (
	"github.com/mrgen-io/mrgen/generator/internal/extensions/lifepackage"
	"github.com/mrgen-io/mrgen/generator/internal/extensions/providerpackage"
	"github.com/mrgen-io/mrgen/generator/internal/extensions/scopecopies"
	"github.com/mrgen-io/mrgen/generator/internal/extensions/sdkconversion"
	"github.com/mrgen-io/mrgen/generator/internal/extensions/versionconversion"
	"github.com/mrgen-io/mrgen/generator/run"
	"github.com/mrgen-io/mrgen/generator/scopepair"
)

// Options are the settings of a provider. Begin with [Default], or with the options that package settings reads from
// mrgen.yaml.
type Options struct {
	run.Options
	// Scopes are the folders to copy to the other scope.
	Scopes []scopepair.Pair
	// VersionTests writes a test beside the conversions of [run.ConvertVersions].
	VersionTests bool
	// ConvertPackages are the patterns of packages whose interfaces declare conversions between an SDK and the
	// kinds. If it is empty, no package is searched.
	ConvertPackages []string
	// Lives begins the package that lives the lives of kinds. Runs write it again where it is.
	Lives bool
}

// Default returns the options of a provider without settings.
func Default() Options { return Options{Options: run.Default()} }

// Run returns the options of a run with all extensions, for [generator.Generate] and most other functions. They
// replace the extensions of the options.
func (o Options) Run() run.Options {
	composed := o.Options
	composed.Extensions = []run.Extension{
		versionconversion.Extension(o.VersionTests),
		sdkconversion.Extension(sdkconversion.Settings{Packages: o.ConvertPackages}, nil),
		lifepackage.Extension(o.Lives),
		providerpackage.Extension(),
	}
	if len(o.Scopes) > 0 { // last: copies may call conversions
		composed.Extensions = append(composed.Extensions, scopecopies.Extension(o.Scopes))
	}
	return composed
}
