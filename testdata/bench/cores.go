package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/mrgen-io/bench/internal/measure"
	"github.com/mrgen-io/bench/internal/schedule"
)

// cores is a cold run that records its tasks on one processor, and runs on one and on two.
const cores scenario = "cores"

// expectedOn are the processors for which the schedule says how long a run takes, and measuredOn those that it
// is checked against.
var expectedOn, measuredOn = []int{1, 2, 4, 8, 16}, []int{1, 2}

// A parallelism is what a cold run of mrgen takes on some processors.
type parallelism struct {
	subject *subject
	tasks   []schedule.Task
	// measured are runs on so many processors, in turn, and chain those of the chain on all, if it ran.
	measured map[int][]measure.Usage
	chain    []measure.Usage
}

// cores measures cold runs of mrgen on one processor and on two. The tasks are those of the last run on one,
// and what it took besides: to begin, to write files, and to end.
func (b *bench) cores(ctx context.Context) (parallelism, error) {
	p := parallelism{subject: b.subject, measured: map[int][]measure.Usage{}}
	c := b.contenders[slices.IndexFunc(b.contenders, func(c contender) bool { return c.name == "mrgen" })]
	file := filepath.Join(b.subject.work, "tasks")
	for number := range b.subject.runs {
		for _, n := range measuredOn {
			if err := b.prepare(ctx, cold, c, nil, number); err != nil {
				return p, err
			}
			if err := os.RemoveAll(file); err != nil { // mrgen overwrites no file
				return p, err
			}
			args := append(slices.Clone(c.commands[0]), "--tasks="+file)
			usage, err := b.command(ctx, c, args, "GOMAXPROCS="+strconv.Itoa(n))
			if err != nil {
				return p, err
			}
			b.log("%s, on %d processors: %s", b.subject.name, n, describe(usage))
			p.measured[n] = append(p.measured[n], usage)
			if n != 1 {
				continue
			}
			if p.tasks, err = readTasks(file); err != nil {
				return p, err
			}
			rest := usage.CPU.Seconds() - schedule.Work(p.tasks)
			p.tasks = append(p.tasks, schedule.Task{Step: "the rest", Took: rest, Processor: rest})
		}
	}
	return p, nil
}

func readTasks(name string) ([]schedule.Task, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	return schedule.Read(file)
}

// reportCores writes what runs take on some processors, and which steps they consist of.
func reportCores(w io.Writer, all []parallelism) {
	heading(w, "Processors", "Seconds of a cold run: work is the processor time on one processor, span the longest chain of tasks of which each waits for the one before. Expected is the schedule of the recorded tasks, and measured are medians of runs with GOMAXPROCS, which the go command and the garbage collector share; the chain has all processors.")
	columns := []string{"provider", "work", "span"}
	for _, n := range expectedOn {
		columns = append(columns, fmt.Sprintf("expected on %d", n))
	}
	for _, n := range measuredOn {
		columns = append(columns, fmt.Sprintf("measured on %d", n))
	}
	head(w, append(columns, "one by two", "the chain")...)
	for _, p := range all {
		cells := []string{p.subject.name, fmt.Sprintf("%.2f", schedule.Work(p.tasks)), fmt.Sprintf("%.2f", schedule.Wall(p.tasks, len(p.tasks)))}
		for _, n := range expectedOn {
			cells = append(cells, fmt.Sprintf("%.2f", schedule.Wall(p.tasks, n)))
		}
		for _, n := range measuredOn {
			cells = append(cells, fmt.Sprintf("%.2f", measure.Summarize(values(p.measured[n], quantities[0].of)).Median))
		}
		chain := "not measured"
		if len(p.chain) > 0 {
			chain = fmt.Sprintf("%.2f", measure.Summarize(values(p.chain, quantities[0].of)).Median)
		}
		row(w, append(cells, ratios(p.measured[1], p.measured[2], quantities[0]), chain)...)
	}
	heading(w, "Steps", "Processor seconds of each step on one processor, in all units together.")
	head(w, "provider", "steps")
	for _, p := range all {
		text := ""
		for _, s := range schedule.Steps(p.tasks) {
			if s.Processor >= 0.005 {
				text += fmt.Sprintf(", %s %.2f", s.Step, s.Processor)
			}
		}
		row(w, p.subject.name, text[min(2, len(text)):])
	}
}
