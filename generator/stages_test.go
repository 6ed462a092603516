package generator

import (
	"testing"

	"github.com/mrgen-io/mrgen/generator/internal/pipeline"
)

func TestStages(t *testing.T) {
	if err := pipeline.Validate(stages); err != nil {
		t.Error(err)
	}
}
