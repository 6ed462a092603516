// Command build builds the servers that the tests run, into the user's cache. The
// tests would do so too, but without showing what they wait for.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"

	"github.com/mrgen-io/mrgen/testdata/e2e/internal/controlplane"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := controlplane.Build(ctx, os.Stderr)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "e2e:", err)
		os.Exit(1)
	}
}
