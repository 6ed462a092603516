package measure

import "slices"

// A Summary is the spread of some measurements.
type Summary struct{ Min, Median, Max float64 }

// Summarize returns the spread of at least one measurement.
func Summarize(values []float64) Summary {
	sorted := slices.Sorted(slices.Values(values))
	middle := len(sorted) / 2
	s := Summary{Min: sorted[0], Median: sorted[middle], Max: sorted[len(sorted)-1]}
	if len(sorted)%2 == 0 {
		s.Median = (sorted[middle-1] + sorted[middle]) / 2
	}
	return s
}

// Ratios returns the spread of the ratios of measurements that were made in turn.
func Ratios(of, to []float64) Summary {
	ratios := make([]float64, len(of))
	for i := range of {
		ratios[i] = of[i] / to[i]
	}
	return Summarize(ratios)
}
