// Package budget says how much is done by tests that could go on for as long as anyone
// likes: those that make choices at random, or that do the same thing again and again. It
// is for tests alone.
package budget

import "os"

// Variable is the environment variable that makes the budget large, if it has the value
// Large: make check sets it. Tests in the modules below testdata read it as well.
const (
	Variable = "MRGEN_TEST_BUDGET"
	Large    = "large"
)

// Of returns the large number if the budget is large, and else the small one. Call it
// within a test: the go command then knows that the result of the test depends on it.
func Of(small, large int) int {
	if IsLarge() {
		return large
	}
	return small
}

// IsLarge reports whether the budget is large. As [Of] it is for within a test.
func IsLarge() bool { return os.Getenv(Variable) == Large }
