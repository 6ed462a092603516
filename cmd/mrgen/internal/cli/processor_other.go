//go:build !unix

package cli

import "time"

// processorTime returns 0: only the benchmark, which runs on Unix, needs more.
func processorTime() time.Duration { return 0 }
