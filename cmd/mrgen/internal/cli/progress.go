package cli

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

const verboseFlag = "verbose"

func addProgressFlag(flags *pflag.FlagSet) {
	flags.BoolP(verboseFlag, "v", false, "print every warning, the time of each step, and the cost of rules")
}

// slow is how long a command is silent about the step that it is in.
const slow = 5 * time.Second

// A progress measures the steps of a run, and says which one is running if the run takes long.
type progress struct {
	cmd   *cobra.Command
	mutex sync.Mutex
	// steps are the steps that have ended, and took their time in all units together.
	steps []string
	took  map[string]time.Duration
	// running are the steps that have begun, oldest first, and said is the last one that the user was told.
	running []string
	said    string
	// timer fires while steps are running. It is nil while none is.
	timer *time.Timer
}

func newProgress(cmd *cobra.Command) *progress {
	return &progress{cmd: cmd, took: map[string]time.Duration{}}
}

// step notes that a step begins, and returns a function that records it when it has ended.
func (p *progress) step(name string) (ended func()) {
	begin := time.Now()
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.running = append(p.running, name)
	if p.timer == nil {
		p.timer = time.AfterFunc(slow, p.sayRunning)
	}
	return func() {
		took := time.Since(begin)
		p.mutex.Lock()
		defer p.mutex.Unlock()
		i := slices.Index(p.running, name)
		p.running = slices.Delete(p.running, i, i+1)
		if _, known := p.took[name]; !known {
			p.steps = append(p.steps, name)
		}
		p.took[name] += took
	}
}

// sayRunning says which step is running, unless the user knows it.
func (p *progress) sayRunning() {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if len(p.running) == 0 {
		p.timer = nil
		return
	}
	// The newest step says most: steps may be within others.
	if newest := p.running[len(p.running)-1]; p.said != newest {
		p.said = newest
		say(p.cmd, "still working: %s", p.said)
	}
	p.timer.Reset(slow)
}

// print prints what the steps took.
func (p *progress) print() {
	for _, step := range p.steps {
		fmt.Fprintf(p.cmd.ErrOrStderr(), "%8.3fs  %s\n", p.took[step].Seconds(), step)
	}
}
