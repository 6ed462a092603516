// Command mrgen turns the Go API types of a Crossplane provider into deep copies,
// method sets, CRDs and MRDs.
package main

import (
	"os"

	"github.com/mrgen-io/mrgen/cmd/mrgen/internal/cli"
)

func main() {
	cli.TuneMemory()
	os.Exit(cli.Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
