package encode

import (
	"cmp"
	"maps"
	"slices"
	"unicode"
)

// sortedKeys returns the keys of a map in the order of the document.
func sortedKeys[V any](m map[string]V) []string {
	keys := slices.AppendSeq(make([]string, 0, len(m)), maps.Keys(m))
	slices.SortFunc(keys, compareKeys)
	return keys
}

// compareKeys orders keys like keyList in sorter.go of go.yaml.in/yaml/v2: by letters, with the numbers in them by their
// value, and other characters first.
func compareKeys(a, b string) int {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] && a[i] < 0x80 {
		i++
	}
	if i < len(a) && i < len(b) && isLetter(a[i]) && isLetter(b[i]) { // most pairs of keys: no runes to decode
		return cmp.Compare(a[i], b[i])
	}
	x, y := []rune(a), []rune(b)
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			return compareAt(x, y, i)
		}
	}
	return cmp.Compare(len(x), len(y))
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// compareAt orders keys whose first different character is the ith.
func compareAt(a, b []rune, i int) int {
	switch x, y := unicode.IsLetter(a[i]), unicode.IsLetter(b[i]); {
	case x && y:
		return cmp.Compare(a[i], b[i])
	case x:
		return 1
	case y:
		return -1
	}
	start := int64(0)
	if a[i] == '0' || b[i] == '0' {
		// Zeros within a number count; at its beginning, they don't.
		for j := i - 1; j >= 0 && unicode.IsDigit(a[j]); j-- {
			if a[j] != '0' {
				start = 1
				break
			}
		}
	}
	x, afterX := number(a, i, start)
	y, afterY := number(b, i, start)
	return cmp.Or(cmp.Compare(x, y), cmp.Compare(afterX, afterY), cmp.Compare(a[i], b[i]))
}

// number returns the number whose digits begin at i and follow the digits of start, and its end.
func number(s []rune, i int, start int64) (n int64, end int) {
	for n = start; i < len(s) && unicode.IsDigit(s[i]); i++ {
		n = n*10 + int64(s[i]-'0')
	}
	return n, i
}
