package driver

import (
	"testing"

	"github.com/mrgen-io/mrgen/generator/internal/pipeline"
)

func TestStages(t *testing.T) {
	if err := pipeline.Validate(Stages); err != nil {
		t.Error(err)
	}
}
