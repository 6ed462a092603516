package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/pprof"
	"runtime/trace"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"github.com/mrgen-io/mrgen/generator/diag"
)

const (
	verboseFlag    = "verbose"
	cpuProfileFlag = "cpuprofile"
	traceFlag      = "trace"
	tasksFlag      = "tasks"
)

func addProgressFlags(flags *pflag.FlagSet) {
	flags.BoolP(verboseFlag, "v", false, "print every warning, the time of each step, and the cost of rules")
	flags.String(cpuProfileFlag, "", "write a processor profile to this `file`, for go tool pprof")
	flags.String(traceFlag, "", "write a trace to this `file`, for go tool trace")
	flags.String(tasksFlag, "", "write to this `file` what each step took in each unit, as lines of JSON")
	for _, name := range []string{cpuProfileFlag, traceFlag, tasksFlag} { // for those who work on mrgen
		_ = flags.MarkHidden(name)
	}
}

// patience is the interval at which a terminal shows the current step.
const patience = time.Second

// A progress follows the steps of a run.
type progress struct {
	mutex sync.Mutex
	// current is the step that has begun last.
	current string
	// steps are the steps that have ended, and took their time in all units together.
	steps []string
	took  map[string]time.Duration
	// stop has functions to call at the end of the run.
	stop []func()
	// times is the writer for the times of steps, or nil; tasks writes the tasks.
	times io.Writer
	tasks *json.Encoder
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
	p := &progress{current: "start", took: map[string]time.Duration{}, processor: processorTime()}
	flags := cmd.Flags()
	if isSet(cmd, verboseFlag) && flags.Lookup(traceFlag) != nil {
		p.times = cmd.ErrOrStderr()
		// A log in CI would keep every repaint of the line.
	} else if file, ok := cmd.ErrOrStderr().(*os.File); ok && term.IsTerminal(int(file.Fd())) && os.Getenv("CI") == "" && !isQuiet(cmd) {
		p.show(file)
	}
	for _, profile := range []struct {
		flag  string
		start func(io.Writer) error
		stop  func()
	}{
		{cpuProfileFlag, pprof.StartCPUProfile, pprof.StopCPUProfile},
		{traceFlag, trace.Start, trace.Stop},
		{tasksFlag, p.write, func() {}},
	} {
		name, err := flags.GetString(profile.flag)
		if err != nil || name == "" {
			continue
		}
		if err := p.profile(name, profile.start, profile.stop); err != nil {
			p.done()
			printDiagnostics(cmd,
				diag.List{unusable(diag.Position{File: name}, "cannot write the file for --%s: %v", profile.flag, diag.Cause(err))})
			return nil, errReported
		}
	}
	return p, nil
}

// profile writes a file until the run ends. It refuses to overwrite anything except an earlier profile.
func (p *progress) profile(name string, start func(io.Writer) error, stop func()) error {
	// A mistyped name, such as --trace main.go, must not delete source.
	if head, err := os.ReadFile(name); err == nil && len(head) > 0 && !isProfile(head) {
		return errors.New("there is a file that isn't one: name another, or delete it")
	}
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	if err := start(file); err != nil {
		_ = file.Close()
		return err
	}
	p.stop = append(p.stop, func() {
		stop()
		_ = file.Close()
	})
	return nil
}

// isProfile reports whether a file has a processor profile, which is compressed, a trace, or tasks.
func isProfile(content []byte) bool {
	return bytes.HasPrefix(content, []byte("\x1f\x8b")) || bytes.HasPrefix(content, []byte("go 1.")) ||
		bytes.HasPrefix(content, []byte(`{"step":`))
}

// step notes that a step begins, and returns a function that records it when it has ended.
func (p *progress) step(name, unit string) (ended func()) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.current = name
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

// write makes step write tasks.
func (p *progress) write(to io.Writer) error {
	p.tasks = json.NewEncoder(to)
	return nil
}

// done ends profiles and output on the terminal, and prints what the steps took.
func (p *progress) done() {
	for _, stop := range p.stop {
		stop()
	}
	if p.times == nil {
		return
	}
	for _, step := range p.steps {
		fmt.Fprintf(p.times, "%8.3fs  %s\n", p.took[step].Seconds(), step)
	}
}

// show shows the current step on a terminal until the run ends.
func (p *progress) show(terminal io.Writer) {
	quit, gone := make(chan struct{}), make(chan struct{})
	begin := time.Now()
	go func() {
		defer close(gone)
		shown := 0
		defer func() {
			if shown > 0 {
				fmt.Fprintf(terminal, "\r%s\r", strings.Repeat(" ", shown))
			}
		}()
		ticker := time.NewTicker(patience)
		defer ticker.Stop()
		for {
			select {
			case <-quit:
				return
			case <-ticker.C:
				line := fmt.Sprintf("mrgen: %s, %.0f s", p.now(), time.Since(begin).Seconds())
				fmt.Fprintf(terminal, "\r%-*s", shown, line)
				shown = max(shown, len(line))
			}
		}
	}()
	// Wait until the line is erased: the command prints next.
	p.stop = append(p.stop, func() {
		close(quit)
		<-gone
	})
}

func (p *progress) now() string {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return p.current
}
