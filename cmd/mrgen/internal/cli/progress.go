package cli

import (
	"fmt"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

const verboseFlag = "verbose"

func addProgressFlag(flags *pflag.FlagSet) {
	flags.BoolP(verboseFlag, "v", false, "print every warning, the time of each step, and the cost of rules")
}

// A progress measures the steps of a run.
type progress struct {
	mutex sync.Mutex
	// steps are the steps that have ended, and took their time in all units together.
	steps []string
	took  map[string]time.Duration
}

// step notes that a step begins, and returns a function that records it when it has ended.
func (p *progress) step(name string) (ended func()) {
	begin := time.Now()
	return func() {
		took := time.Since(begin)
		p.mutex.Lock()
		defer p.mutex.Unlock()
		if _, known := p.took[name]; !known {
			p.steps = append(p.steps, name)
		}
		p.took[name] += took
	}
}

// print prints what the steps took.
func (p *progress) print(cmd *cobra.Command) {
	for _, step := range p.steps {
		fmt.Fprintf(cmd.ErrOrStderr(), "%8.3fs  %s\n", p.took[step].Seconds(), step)
	}
}
