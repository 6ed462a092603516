// Command profile takes out of a processor profile what differs from machine to
// machine, and leaves what the Go compiler reads. It reads from the standard input, and
// writes to the standard output.
package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/google/pprof/profile"
)

func main() {
	if err := clean(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func clean(from io.Reader, to io.Writer) error {
	p, err := profile.Parse(from)
	if err != nil {
		return err
	}
	p.TimeNanos, p.Comments = 0, nil
	for _, m := range p.Mapping {
		m.File, m.BuildID = filepath.Base(m.File), ""
	}
	return p.Write(to)
}
