package cli

import (
	"bytes"
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
)

func addProgressFlags(flags *pflag.FlagSet) {
	flags.BoolP(verboseFlag, "v", false, "print each warning, the time of each step, and the rules of each kind and what they cost the API server")
	flags.String(cpuProfileFlag, "", "write a processor profile to this `file`, for go tool pprof")
	flags.String(traceFlag, "", "write a trace to this `file`, for go tool trace")
}

// patience is the interval at which a terminal shows the current step.
const patience = time.Second

// A progress follows the steps of a run.
type progress struct {
	mutex sync.Mutex
	// steps have begun, the last one not yet ended.
	steps []timedStep
	// stop has functions to call at the end of the run.
	stop []func()
	// times is where to print the durations of the steps, or nil.
	times io.Writer
}

type timedStep struct {
	name  string
	begin time.Time
}

// follow returns the progress of the run of a command, as its flags ask. The caller must call done at
// the end of the run.
func follow(cmd *cobra.Command) (*progress, error) {
	p := &progress{}
	flags := cmd.Flags()
	if verbose, err := flags.GetBool(verboseFlag); err == nil && verbose && flags.Lookup(traceFlag) != nil {
		p.times = cmd.ErrOrStderr()
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
	} {
		name, err := flags.GetString(profile.flag)
		if err != nil || name == "" {
			continue
		}
		if err := p.profile(name, profile.start, profile.stop); err != nil {
			p.done()
			printDiagnostics(cmd, diag.List{unusable(diag.Position{File: name}, "cannot write the file for --%s: %v", profile.flag, diag.Cause(err))})
			return nil, errReported
		}
	}
	return p, nil
}

// profile writes a file until the run ends.
func (p *progress) profile(name string, start func(io.Writer) error, stop func()) error {
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

// isProfile reports whether a file has a processor profile, which is compressed, or a trace.
func isProfile(content []byte) bool {
	return bytes.HasPrefix(content, []byte("\x1f\x8b")) || bytes.HasPrefix(content, []byte("go 1."))
}

// step records that a step begins.
func (p *progress) step(name string) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.steps = append(p.steps, timedStep{name, time.Now()})
}

// done ends profiles and output on the terminal, and prints the durations of the steps.
func (p *progress) done() {
	for _, stop := range p.stop {
		stop()
	}
	if p.times == nil {
		return
	}
	p.step("")
	for i, s := range p.steps[:len(p.steps)-1] {
		fmt.Fprintf(p.times, "%8.3fs  %s\n", p.steps[i+1].begin.Sub(s.begin).Seconds(), s.name)
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
				line := fmt.Sprintf("mrgen: %s, %.0f s", p.current(), time.Since(begin).Seconds())
				fmt.Fprintf(terminal, "\r%-*s", shown, line)
				shown = max(shown, len(line))
			}
		}
	}()
	p.stop = append(p.stop, func() {
		close(quit)
		<-gone
	})
}

func (p *progress) current() string {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if len(p.steps) == 0 {
		return "start"
	}
	return p.steps[len(p.steps)-1].name
}
