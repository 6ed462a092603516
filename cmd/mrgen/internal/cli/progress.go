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

// slow is how long a command is silent about the step that it is in, and slowForPeople how long it is in a terminal.
const (
	slow          = 5 * time.Second
	slowForPeople = 2 * time.Second
)

// clearLine makes a terminal forget the line that the cursor is in, and go to its beginning.
const clearLine = "\r\x1b[K"

// A progress measures the steps of a run, and says which one is running if the run takes long: in a terminal by one line
// that goes in the end.
type progress struct {
	cmd *cobra.Command
	// inTerminal is set if a person waits.
	inTerminal bool
	mutex      sync.Mutex
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
	return &progress{cmd: cmd, inTerminal: isTerminal(cmd.ErrOrStderr()), took: map[string]time.Duration{}}
}

// patience is how long the user waits without a word.
func (p *progress) patience() time.Duration {
	if p.inTerminal {
		return slowForPeople
	}
	return slow
}

// step notes that a step begins, and returns a function that records it when it has ended.
func (p *progress) step(name string) (ended func()) {
	begin := time.Now()
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.running = append(p.running, name)
	if p.timer == nil {
		p.timer = time.AfterFunc(p.patience(), p.sayRunning)
	}
	p.redraw()
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
		p.redraw()
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
		p.show()
	}
	p.timer.Reset(p.patience())
}

// show tells the user the step in said.
func (p *progress) show() {
	switch {
	case !p.inTerminal:
		say(p.cmd, "still working: %s", p.said)
	case !isQuiet(p.cmd):
		fmt.Fprintf(p.cmd.ErrOrStderr(), "%sworking: %s", clearLine, p.said)
	}
}

// redraw keeps the line in a terminal up to date, once it is there.
func (p *progress) redraw() {
	if !p.inTerminal || p.said == "" || isQuiet(p.cmd) {
		return
	}
	if len(p.running) == 0 {
		p.said = ""
		fmt.Fprint(p.cmd.ErrOrStderr(), clearLine)
		return
	}
	p.said = p.running[len(p.running)-1]
	p.show()
}

// print prints what the steps took.
func (p *progress) print() {
	for _, step := range p.steps {
		fmt.Fprintf(p.cmd.ErrOrStderr(), "%8.3fs  %s\n", p.took[step].Seconds(), step)
	}
}
