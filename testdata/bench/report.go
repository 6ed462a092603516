package main

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
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

// report writes the results in Markdown: the section of docs/performance-results.md that has them.
func report(w io.Writer, results []result, parallel []parallelism, compilations []compilation, args []string, machine string) {
	call := "make bench"
	if len(args) > 0 {
		call += fmt.Sprintf(" BENCHFLAGS='%s'", strings.Join(args, " "))
	}
	fmt.Fprintf(w, "## Results\n\nAll from one call of `%s`, on %s.\n", call, machine)
	if len(results) > 0 {
		reportResults(w, results)
	}
	if len(parallel) > 0 {
		reportCores(w, parallel)
	}
	if len(compilations) > 0 {
		heading(w, "Compile time", "From an empty build cache, with all modules downloaded.")
		head(w, "commands", "packages", "wall time", "processor time")
		for _, c := range compilations {
			row(w, c.name, fmt.Sprint(c.packages), fmt.Sprintf("%.0f s", c.usage.Wall.Seconds()), fmt.Sprintf("%.0f s", c.usage.CPU.Seconds()))
		}
	}
}

func reportResults(w io.Writer, results []result) {
	heading(w, "Ratios", "How many times as much as mrgen the chain takes: median (smallest to largest).")
	table(w, results, []string{"provider", "scenario", "runs"}, func(r result, q quantity) string {
		return ratios(r.chain, r.mrgen, q)
	})
	heading(w, "Distance to the floor", "How many times as much as the floor mrgen takes: median (smallest to largest).")
	table(w, results, []string{"provider", "scenario"}, func(r result, q quantity) string {
		return ratios(r.mrgen, r.floor, q)
	})
	heading(w, "Medians", "What the chain, mrgen and the floor take.")
	table(w, results, []string{"provider", "scenario"}, func(r result, q quantity) string {
		precision := 2
		if q.unit == "MB" {
			precision = 0
		}
		median := func(usages []measure.Usage) float64 { return measure.Summarize(values(usages, q.of)).Median }
		return fmt.Sprintf("%.*f, %.*f and %.*f %s", precision, median(r.chain), precision, median(r.mrgen), precision, median(r.floor), q.unit)
	})
	heading(w, "Sizes", "The API packages of the providers: what is read, and what mrgen writes, definitions included.")
	head(w, "provider", "packages", "files", "source", "source a kind", "written")
	for i, r := range results {
		if i > 0 && results[i-1].subject == r.subject {
			continue
		}
		perKind := "unknown"
		if r.subject.kinds > 0 {
			perKind = fmt.Sprintf("%.1f kB", float64(r.subject.tree.SourceBytes)/1e3/float64(r.subject.kinds))
		}
		row(w, r.subject.name, fmt.Sprint(r.subject.tree.Packages), fmt.Sprint(r.subject.tree.Files), megabytes(r.subject.tree.SourceBytes), perKind, megabytes(r.subject.tree.GeneratedBytes))
	}
}

func megabytes(bytes int64) string { return fmt.Sprintf("%.1f MB", float64(bytes)/1e6) }

func ratios(of, to []measure.Usage, q quantity) string {
	s := measure.Ratios(values(of, q.of), values(to, q.of))
	return fmt.Sprintf("%.1f (%.1f to %.1f)", s.Median, s.Min, s.Max)
}

// table writes a row for each result. Its first columns say which one it is, and the others
// what is told of each quantity.
func table(w io.Writer, results []result, columns []string, cell func(result, quantity) string) {
	names := slices.Clone(columns)
	for _, q := range quantities {
		names = append(names, q.name)
	}
	head(w, names...)
	for _, r := range results {
		cells := []string{r.subject.name, string(r.scenario), fmt.Sprint(len(r.mrgen))}[:len(columns)]
		for _, q := range quantities {
			cells = append(cells, cell(r, q))
		}
		row(w, cells...)
	}
}

func heading(w io.Writer, title, text string) { fmt.Fprintf(w, "\n### %s\n\n%s\n\n", title, text) }

func head(w io.Writer, names ...string) {
	row(w, names...)
	fmt.Fprintf(w, "|%s\n", strings.Repeat("---|", len(names)))
}

func row(w io.Writer, cells ...string) { fmt.Fprintf(w, "| %s |\n", strings.Join(cells, " | ")) }

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
