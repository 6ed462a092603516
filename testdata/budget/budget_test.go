package budget_test

import (
	"testing"

	"github.com/mrgen-io/mrgen/testdata/budget"
)

func TestOf(t *testing.T) {
	for value, want := range map[string]int{"": 1, "large": 2, "10": 20} {
		t.Setenv(budget.Variable, value)
		if got := budget.Of(1, 2); got != want {
			t.Errorf("with the value %q, the number is %d, want %d", value, got, want)
		}
		if got := budget.IsLarge(); got != (want > 1) {
			t.Errorf("with the value %q, the budget is large: %t", value, got)
		}
	}
}
