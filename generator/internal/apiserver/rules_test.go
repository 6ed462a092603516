package apiserver

import (
	"math"
	"testing"

	"github.com/mrgen-io/mrgen/testdata/expect"
)

func TestMultiplyStopsAtTheLargestNumber(t *testing.T) {
	for _, test := range []struct{ a, b, product uint64 }{
		{0, math.MaxUint64, 0},
		{3, 4, 12},
		{1 << 32, 1 << 31, 1 << 63},
		{1 << 32, 1 << 32, math.MaxUint64},
		{math.MaxUint64, 2, math.MaxUint64},
	} {
		expect.Equal(t, test.product, multiply(test.a, test.b), "%d times %d", test.a, test.b)
	}
}
