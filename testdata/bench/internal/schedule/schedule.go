// Package schedule says how long the recorded tasks of a run would take on any number of processors.
package schedule

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"slices"
)

// A Task is a step of a run on one processor.
type Task struct {
	// Step is its name, and Unit the packages that it is about, or "" for all of the run. The tasks of a
	// unit follow each other, and those of different units are independent. A task without a unit waits for
	// all tasks before it, and those after it wait for it.
	Step string `json:"step"`
	Unit string `json:"unit"`
	// Took is how many seconds passed, and Processor how many processors worked.
	Took      float64 `json:"took"`
	Processor float64 `json:"processor"`
}

// Read reads what mrgen wrote of a run on one processor.
func Read(r io.Reader) ([]Task, error) {
	var tasks []Task
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		var t Task
		if err := json.Unmarshal(lines.Bytes(), &t); err != nil {
			return nil, fmt.Errorf("task %d: %w", len(tasks)+1, err)
		}
		tasks = append(tasks, t)
	}
	return tasks, lines.Err()
}

// Work returns the processor time of tasks.
func Work(tasks []Task) float64 {
	work := 0.0
	for _, t := range tasks {
		work += t.Processor
	}
	return work
}

// Steps returns the processor time of each step, the most expensive first.
func Steps(tasks []Task) []Task {
	var steps []Task
	for _, t := range tasks {
		i := slices.IndexFunc(steps, func(s Task) bool { return s.Step == t.Step })
		if i < 0 {
			i, steps = len(steps), append(steps, Task{Step: t.Step})
		}
		steps[i].Took, steps[i].Processor = steps[i].Took+t.Took, steps[i].Processor+t.Processor
	}
	slices.SortStableFunc(steps, func(a, b Task) int {
		switch {
		case a.Processor > b.Processor:
			return -1
		case a.Processor < b.Processor:
			return 1
		}
		return 0
	})
	return steps
}

// Wall returns how long the tasks take on some processors, each of which has one unit at a time: the next
// one goes to the first that is free. With more processors than units, it is the span: the longest chain of
// tasks of which each waits for the one before.
func Wall(tasks []Task, processors int) float64 {
	wall := 0.0
	var units []Task // those since the last task without a unit, each as a whole
	finish := func() {
		free := make([]float64, processors)
		for _, unit := range units {
			first := slices.Index(free, slices.Min(free))
			free[first] += unit.Processor
		}
		wall, units = wall+slices.Max(free), nil
	}
	for _, t := range tasks {
		if t.Unit == "" {
			finish()
			wall += t.Processor
			continue
		}
		i := slices.IndexFunc(units, func(u Task) bool { return u.Unit == t.Unit })
		if i < 0 {
			units = append(units, t)
		} else {
			units[i].Processor += t.Processor
		}
	}
	finish()
	return wall
}
