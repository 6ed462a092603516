package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/mrgen-io/mrgen/generator/diag"
)

const (
	verboseFlag = "verbose"
	tasksFlag   = "tasks"
)

func addProgressFlags(flags *pflag.FlagSet) {
	flags.BoolP(verboseFlag, "v", false, "print every warning, the time of each step, and the cost of rules")
	flags.String(tasksFlag, "", "write to this new `file` what each step took in each unit, as lines of JSON")
	_ = flags.MarkHidden(tasksFlag) // for mrgen's own benchmark
}

// A progress measures the steps of a run.
type progress struct {
	mutex sync.Mutex
	// steps are the steps that have ended, and took their time in all units together.
	steps []string
	took  map[string]time.Duration
	// tasks writes the tasks to a file, or is nil.
	tasks *json.Encoder
	file  io.Closer
	// processor is the processor time that the process had taken when the last task ended.
	processor time.Duration
}

// A taskRecord is a line in the file of tasks.
type taskRecord struct {
	Step string `json:"step"`
	Unit string `json:"unit,omitempty"`
	// Begin, Took and Processor are in seconds. Processor is the process's time since the last task ended, with
	// its children.
	Begin     float64 `json:"begin"`
	Took      float64 `json:"took"`
	Processor float64 `json:"processor"`
}

// follow returns the progress of the run of a command, as its flags ask. The caller must call done at
// the end of the run.
func follow(cmd *cobra.Command) (*progress, error) {
	p := &progress{took: map[string]time.Duration{}, processor: processorTime()}
	name, err := cmd.Flags().GetString(tasksFlag)
	if err != nil || name == "" {
		return p, nil
	}
	// A mistyped name, such as --tasks main.go, must not delete source.
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return nil, diagnose(cmd,
			diag.List{unusable(diag.Position{File: name}, "cannot write the file for --%s: %v", tasksFlag, diag.Cause(err))})
	}
	p.tasks, p.file = json.NewEncoder(file), file
	return p, nil
}

// step notes that a step begins, and returns a function that records it when it has ended.
func (p *progress) step(name, unit string) (ended func()) {
	begin := time.Now()
	return func() {
		took := time.Since(begin)
		p.mutex.Lock()
		defer p.mutex.Unlock()
		if _, known := p.took[name]; !known {
			p.steps = append(p.steps, name)
		}
		p.took[name] += took
		if p.tasks == nil {
			return
		}
		now := processorTime()
		record := taskRecord{name, unit, float64(begin.UnixNano()) / 1e9, took.Seconds(), (now - p.processor).Seconds()}
		p.processor = now
		_ = p.tasks.Encode(record) // a reader notices an incomplete file
	}
}

// done ends the file of tasks. Verbose commands print what the steps took.
func (p *progress) done(cmd *cobra.Command) {
	if p.file != nil {
		_ = p.file.Close()
	}
	// Other commands have the flag for warnings alone.
	if !isSet(cmd, verboseFlag) || cmd.Flags().Lookup(tasksFlag) == nil {
		return
	}
	for _, step := range p.steps {
		fmt.Fprintf(cmd.ErrOrStderr(), "%8.3fs  %s\n", p.took[step].Seconds(), step)
	}
}
