package cli

import (
	"context"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"

	"github.com/spf13/cobra"
)

// signals are those that end a command in good order. A terminal that is closed sends SIGHUP, unless
// nohup has it ignored.
func signals() []os.Signal {
	all := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		all = append(all, syscall.SIGHUP)
	}
	return all
}

type finishKey struct{}

// withSignals returns a context that the first signal ends. The next one kills at once, as without
// mrgen's handling, unless the command has said that it finishes.
func withSignals(ctx context.Context) (context.Context, func()) {
	ctx, stop := signal.NotifyContext(ctx, signals()...)
	finishing := &atomic.Bool{}
	context.AfterFunc(ctx, func() {
		if !finishing.Load() {
			stop()
		}
	})
	return context.WithValue(ctx, finishKey{}, finishing), stop
}

// finishes has no second signal kill a command which then still has something to take back: an
// impatient user would have half of what it writes.
func finishes(cmd *cobra.Command) {
	if finishing, ok := cmd.Context().Value(finishKey{}).(*atomic.Bool); ok {
		finishing.Store(true)
	}
}
