package functions

import (
	"math"
	"testing"

	"github.com/mrgen-io/mrgen/testdata/expect"
)

// TestNumbersOfResolvers has numbers go to a resolver and come back, to the last digit.
func TestNumbersOfResolvers(t *testing.T) {
	type port int64
	for _, number := range []port{0, 1, -1, math.MaxInt64, math.MinInt64} {
		got, err := ToInteger[port](FromInteger(number))
		expect.True(t, err == nil && got == number, "%d comes back as %d, %v", number, got, err)
		if got, err := ToIntegerPtr[port](FromIntegerPtr(&number)); err != nil || got == nil || *got != number {
			t.Errorf("a pointer to %d comes back as %v, %v", number, got, err)
		}
	}
	for _, number := range []float64{0, 0.1, -1e300, math.SmallestNonzeroFloat64} {
		got, err := ToFloat[float64](FromFloat(number))
		expect.True(t, err == nil && got == number, "%v comes back as %v, %v", number, got, err)
		if got, err := ToFloatPtr[float64](FromFloatPtr(&number)); err != nil || got == nil || *got != number {
			t.Errorf("a pointer to %v comes back as %v, %v", number, got, err)
		}
	}
	expect.True(t, FromInteger(port(0)) == "" && FromIntegerPtr[port](nil) == "" && FromFloat(0.0) == "" && FromFloatPtr[float64](nil) == "", "zero and nil are values")
	integer, err := ToIntegerPtr[port]("")
	expect.True(t, integer == nil && err == nil, "no value is %v, %v", integer, err)
	float, err := ToFloatPtr[float64]("")
	expect.True(t, float == nil && err == nil, "no value is %v, %v", float, err)
}

// TestNoNumbers has texts that are no numbers in JSON, which leave fields as they are.
func TestNoNumbers(t *testing.T) {
	for _, text := range []string{"a", "+1", "01", "1_0", "0x1", "NaN", "Inf", "1.", "9223372036854775808"} {
		integer := int64(7)
		err := SetNumber(&integer, text, ToInteger[int64])
		expect.True(t, err != nil && integer == 7, "%s is the integer %d, %v", text, integer, err)
		_, err = ToFloat[float64](text)
		expect.True(t, (err == nil) == (text == "9223372036854775808"), "%s is a float: %v", text, err)
	}
	numbers := []int64{7}
	i, err := SetNumbers(&numbers, []string{"1", "b"}, ToInteger[int64])
	expect.True(t, err != nil && i == 1 && numbers[0] == 7, "got %v, the index %d and %v", numbers, i, err)
	_, err = SetNumbers(&numbers, []string{"1", "2"}, ToInteger[int64])
	expect.True(t, err == nil && len(numbers) == 2 && numbers[1] == 2, "got %v and %v", numbers, err)
}
