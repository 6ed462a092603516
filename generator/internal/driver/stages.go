// Package driver has what the verbs of mrgen have in common: the stages, runs over them, and what these
// result in.
package driver

import (
	"github.com/mrgen-io/mrgen/generator/internal/pipeline"
	"github.com/mrgen-io/mrgen/generator/internal/stages/connectiondetails"
	"github.com/mrgen-io/mrgen/generator/internal/stages/conversion"
	"github.com/mrgen-io/mrgen/generator/internal/stages/crd"
	"github.com/mrgen-io/mrgen/generator/internal/stages/deepcopy"
	"github.com/mrgen-io/mrgen/generator/internal/stages/helpers"
	"github.com/mrgen-io/mrgen/generator/internal/stages/methods"
	"github.com/mrgen-io/mrgen/generator/internal/stages/mrd"
	"github.com/mrgen-io/mrgen/generator/internal/stages/observation"
	"github.com/mrgen-io/mrgen/generator/internal/stages/resolvers"
)

// Stages has all stages, in the order in which they run.
var Stages = []pipeline.Stage{
	observation.Stage,
	deepcopy.Stage,
	methods.Stage,
	resolvers.Stage,
	crd.Stage,
	conversion.Stage,
	connectiondetails.Stage,
	mrd.Stage,
	helpers.Stage,
}
