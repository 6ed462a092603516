package main

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"

	"github.com/mrgen-io/bench/internal/measure"
)

// A quantity is what is compared.
type quantity struct {
	name, unit string
	of         func(measure.Usage) float64
}

var quantities = []quantity{
	{"wall time", "s", func(u measure.Usage) float64 { return u.Wall.Seconds() }},
	{"processor time", "s", func(u measure.Usage) float64 { return u.CPU.Seconds() }},
	{"peak memory", "MB", func(u measure.Usage) float64 { return float64(u.Memory) / (1 << 20) }},
}

func values(usages []measure.Usage, of func(measure.Usage) float64) []float64 {
	var list []float64
	for _, u := range usages {
		list = append(list, of(u))
	}
	return list
}

// report writes the results in Markdown: ratios, then how mrgen grows, then absolute
// numbers.
func report(w io.Writer, results []result, machine string) {
	fmt.Fprintf(w, "How many times as much as mrgen the chain takes: median (smallest to largest).\n\n")
	table(w, results, "provider | scenario | runs", func(r result) []string {
		cells := []string{r.subject.name, string(r.scenario), fmt.Sprint(len(r.mrgen))}
		for _, q := range quantities {
			s := measure.Ratios(values(r.chain, q.of), values(r.mrgen, q.of))
			cells = append(cells, fmt.Sprintf("%.1f (%.1f to %.1f)", s.Median, s.Min, s.Max))
		}
		return cells
	})
	if grown := sized(results); len(grown) > 1 {
		fmt.Fprintf(w, "\nWhat mrgen takes per kind, median.\n\n")
		table(w, grown, "provider | scenario", func(r result) []string {
			cells := []string{r.subject.name, string(r.scenario)}
			for _, q := range quantities {
				perKind := measure.Summarize(values(r.mrgen, q.of)).Median / float64(r.subject.kinds)
				if q.unit == "s" {
					cells = append(cells, fmt.Sprintf("%.1f ms", perKind*1000))
				} else {
					cells = append(cells, fmt.Sprintf("%.2f %s", perKind, q.unit))
				}
			}
			return cells
		})
	}
	fmt.Fprintf(w, "\nThe medians themselves, chain and mrgen, on %s.\n\n", machine)
	table(w, results, "provider | scenario", func(r result) []string {
		cells := []string{r.subject.name, string(r.scenario)}
		for _, q := range quantities {
			chain, mrgen := measure.Summarize(values(r.chain, q.of)), measure.Summarize(values(r.mrgen, q.of))
			precision := 2
			if q.unit == "MB" {
				precision = 0
			}
			cells = append(cells, fmt.Sprintf("%.*f and %.*f %s", precision, chain.Median, precision, mrgen.Median, q.unit))
		}
		return cells
	})
}

// sized returns the results of subjects whose number of kinds is known.
func sized(results []result) []result {
	var list []result
	for _, r := range results {
		if r.subject.kinds > 0 {
			list = append(list, r)
		}
	}
	return list
}

func table(w io.Writer, results []result, head string, row func(result) []string) {
	columns := strings.Split(head, " | ")
	for _, q := range quantities {
		columns = append(columns, q.name)
	}
	fmt.Fprintf(w, "| %s |\n|%s\n", strings.Join(columns, " | "), strings.Repeat("---|", len(columns)))
	for _, r := range results {
		fmt.Fprintf(w, "| %s |\n", strings.Join(row(r), " | "))
	}
}

// machine describes the machine as far as it matters to the numbers.
func machine() string {
	description := fmt.Sprintf("%d cores, %s/%s, %s", runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, runtime.Version())
	cpuinfo, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return description
	}
	for line := range strings.Lines(string(cpuinfo)) {
		if key, model, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == "model name" {
			return description + ", " + strings.TrimSpace(model)
		}
	}
	return description
}
