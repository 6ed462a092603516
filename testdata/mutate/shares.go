package main

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
)

// A share says how many slips of a sample tests noticed. The tests are those of another package, if one is named.
type share struct {
	noticed, tried int
	seed           uint64
	tests          string
}

// isUnlikely reports whether tests that notice this share of all slips would notice as few as in another sample in less
// than one of fifty runs: code that changed has other slips, and the share of a sample isn't that of all. A run fails if
// one of its packages does, so each has its part of that chance.
func (s share) isUnlikely(r result, packages int) bool {
	if s.tried == 0 {
		return false
	}
	p := float64(s.noticed+1) / float64(s.tried+2) // by the rule of succession: no share is certain
	tail := 0.0
	for k := range r.noticed + 1 {
		tail += binomial(r.tried, k) * math.Pow(p, float64(k)) * math.Pow(1-p, float64(r.tried-k))
	}
	return tail < 0.02/float64(packages)
}

// binomial returns the number of ways to choose k of n.
func binomial(n, k int) float64 {
	ways := 1.0
	for i := range k {
		ways *= float64(n-i) / float64(i+1)
	}
	return ways
}

func readShares() (map[string]share, error) {
	shares := map[string]share{}
	content, err := os.ReadFile(sharesFile)
	if errors.Is(err, fs.ErrNotExist) {
		return shares, nil
	}
	for line := range strings.Lines(string(content)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		var dir string
		var s share
		if n, err := fmt.Sscan(line, &dir, &s.noticed, &s.tried, &s.seed, &s.tests); n < 4 {
			return nil, fmt.Errorf("%s: %q: %w", sharesFile, line, err)
		}
		shares[dir] = s
	}
	return shares, err
}

func writeShares(shares map[string]share) error {
	var b strings.Builder
	b.WriteString("# package, slips that tests notice, slips tried, seed, package of the tests if it is another: see make mutate\n")
	for _, dir := range sortedKeys(shares) {
		s := shares[dir]
		fmt.Fprintln(&b, strings.TrimSpace(fmt.Sprint(dir, " ", s.noticed, s.tried, s.seed, " ", s.tests)))
	}
	return os.WriteFile(sharesFile, []byte(b.String()), 0o644)
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
