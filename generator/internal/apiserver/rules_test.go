package apiserver

import (
	"math"
	"testing"
)

func TestCostsStopAtTheLargestNumber(t *testing.T) {
	tests := []struct {
		a, b, product, sum uint64
	}{
		{0, math.MaxUint64, 0, math.MaxUint64},
		{3, 4, 12, 7},
		{1 << 32, 1 << 31, 1 << 63, 1<<32 + 1<<31},
		{1 << 32, 1 << 32, math.MaxUint64, 1 << 33},
		{math.MaxUint64, 2, math.MaxUint64, math.MaxUint64},
	}
	for _, test := range tests {
		if got := multiply(test.a, test.b); got != test.product {
			t.Errorf("%d times %d is %d, want %d", test.a, test.b, got, test.product)
		}
		if got := add(test.a, test.b); got != test.sum {
			t.Errorf("%d plus %d is %d, want %d", test.a, test.b, got, test.sum)
		}
	}
}
