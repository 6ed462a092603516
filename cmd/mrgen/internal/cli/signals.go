package cli

import (
	"context"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"

	"github.com/spf13/cobra"
)

// signals are the signals that end a command in good order.
func signals() []os.Signal {
	all := []os.Signal{os.Interrupt, syscall.SIGTERM}
	// nohup ignores SIGHUP, which a closed terminal sends.
	if !signal.Ignored(syscall.SIGHUP) {
		all = append(all, syscall.SIGHUP)
	}
	return all
}

type finishKey struct{}

// withSignals returns a context that the first signal ends. The next one kills at once, unless the command has
// called finishes.
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

// finishes ignores a second signal: the command still has to roll back, or an impatient user would be left with
// half of its files.
func finishes(cmd *cobra.Command) {
	if finishing, ok := cmd.Context().Value(finishKey{}).(*atomic.Bool); ok {
		finishing.Store(true)
	}
}
