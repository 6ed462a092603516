// Package command has the parts that mrgen's commands share: the stages, runs over them, and their results.
package command

import (
	"github.com/mrgen-io/mrgen/generator/internal/stage"
	"github.com/mrgen-io/mrgen/generator/internal/stages/connectiondetails"
	"github.com/mrgen-io/mrgen/generator/internal/stages/crd"
	"github.com/mrgen-io/mrgen/generator/internal/stages/deepcopy"
	"github.com/mrgen-io/mrgen/generator/internal/stages/helpers"
	"github.com/mrgen-io/mrgen/generator/internal/stages/methods"
	"github.com/mrgen-io/mrgen/generator/internal/stages/mrd"
	"github.com/mrgen-io/mrgen/generator/internal/stages/observation"
	"github.com/mrgen-io/mrgen/generator/internal/stages/resolvers"
)

// Stages lists the stages of every run, in order.
var Stages = []stage.Stage{
	observation.Stage,
	deepcopy.Stage,
	methods.Stage,
	resolvers.Stage,
	crd.Stage,
	connectiondetails.Stage,
	mrd.Stage,
	helpers.Stage,
}
