// Package budget says how much is done by tests that could go on for as long as anyone
// likes: those that make choices at random, or that do the same thing again and again. It
// is for tests alone.
package budget

import (
	"os"
	"strconv"
)

// Variable is the environment variable that makes the budget large, if it is set: make check sets it
// to large, and a number multiplies that. Tests in the modules below testdata read it as well.
const Variable = "MRGEN_TEST_BUDGET"

// Of returns the large number if the budget is large, times the number that it is set to, and else the
// small one. Call it within a test: the go command then knows that the result of the test depends on it.
func Of(small, large int) int {
	if !IsLarge() {
		return small
	}
	if factor, err := strconv.Atoi(os.Getenv(Variable)); err == nil {
		return factor * large
	}
	return large
}

// Sample returns a whole list if the budget is large, and else as many of its elements as the number says, evenly
// spread. As [Of] it is for within a test.
func Sample[E any](list []E, small int) []E {
	if IsLarge() || small >= len(list) {
		return list
	}
	some := make([]E, small)
	for i := range some {
		some[i] = list[i*len(list)/small]
	}
	return some
}

// IsLarge reports whether the budget is large. As [Of] it is for within a test.
func IsLarge() bool { return os.Getenv(Variable) != "" }
