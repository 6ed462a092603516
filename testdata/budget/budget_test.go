package budget_test

import (
	"slices"
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

func TestSample(t *testing.T) {
	list := []int{0, 1, 2, 3, 4, 5, 6}
	for value, want := range map[string]map[int][]int{
		"":      {0: {}, 1: {0}, 3: {0, 2, 4}, 7: list, 8: list},
		"large": {0: list, 3: list},
	} {
		t.Setenv(budget.Variable, value)
		for number, want := range want {
			if got := budget.Sample(list, number); !slices.Equal(got, want) {
				t.Errorf("with the value %q, %d are %v, want %v", value, number, got, want)
			}
		}
	}
}
