package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/mrgen-io/bench/internal/measure"
)

// cores is a cold run on one and on two processors.
const cores scenario = "cores"

var measuredOn = []int{1, 2}

// A parallelism is what a cold run of mrgen takes on some processors.
type parallelism struct {
	subject *subject
	// measured are runs on so many processors, in turn, and chain those of the chain on all, if it ran.
	measured map[int][]measure.Usage
	chain    []measure.Usage
}

// cores measures cold runs of mrgen on one processor and on two.
func (b *bench) cores(ctx context.Context) (parallelism, error) {
	p := parallelism{subject: b.subject, measured: map[int][]measure.Usage{}}
	c := b.contenders[slices.IndexFunc(b.contenders, func(c contender) bool { return c.name == "mrgen" })]
	for number := range b.subject.runs {
		for _, n := range measuredOn {
			if err := b.prepare(ctx, cold, c, nil, number); err != nil {
				return p, err
			}
			usage, err := b.command(ctx, c, c.commands[0], "GOMAXPROCS="+strconv.Itoa(n))
			if err != nil {
				return p, err
			}
			b.log("%s, on %d processors: %s", b.subject.name, n, describe(usage))
			p.measured[n] = append(p.measured[n], usage)
		}
	}
	return p, nil
}

// reportCores writes what runs take on some processors.
func reportCores(w io.Writer, all []parallelism) {
	heading(w, "Processors", "Seconds of a cold run: medians of runs with GOMAXPROCS, which the go command and the garbage collector share; the chain has all processors.")
	columns := []string{"provider"}
	for _, n := range measuredOn {
		columns = append(columns, fmt.Sprintf("on %d", n))
	}
	head(w, append(columns, "one by two", "the chain")...)
	for _, p := range all {
		cells := []string{p.subject.name}
		for _, n := range measuredOn {
			cells = append(cells, fmt.Sprintf("%.2f", measure.Summarize(values(p.measured[n], quantities[0].of)).Median))
		}
		chain := "not measured"
		if len(p.chain) > 0 {
			chain = fmt.Sprintf("%.2f", measure.Summarize(values(p.chain, quantities[0].of)).Median)
		}
		row(w, append(cells, ratios(p.measured[1], p.measured[2], quantities[0]), chain)...)
	}
}
