package cli

import (
	"bytes"
	"testing"
	"testing/synctest"
	"time"

	"github.com/spf13/cobra"

	"github.com/mrgen-io/mrgen/testdata/expect"
)

// TestSlowSteps holds that a command says which step is running after five seconds, and then each time that it is
// another one, unless it is quiet. In a terminal, it says so after two seconds, in one line that goes in the end.
func TestSlowSteps(t *testing.T) {
	const again = clearLine + "working: "
	for _, c := range []struct {
		flag       string
		inTerminal bool
		want       string
	}{
		{"--quiet=false", false, "still working: load\nstill working: compile\n"},
		{"--quiet", false, ""},
		{"--quiet=false", true, again + "load" + clearLine + again + "compile" + again + "crd" + clearLine + again + "plan" + clearLine},
		{"--quiet", true, ""},
	} {
		synctest.Test(t, func(t *testing.T) {
			var said bytes.Buffer
			cmd := &cobra.Command{}
			addGlobalFlags(cmd)
			cmd.SetErr(&said)
			expect.NoError(t, cmd.ParseFlags([]string{c.flag}))
			p := newProgress(cmd)
			p.inTerminal = c.inTerminal
			step := func(name string, took time.Duration) {
				end := p.step(name)
				time.Sleep(took)
				end()
			}
			step("compare", time.Second)
			step("load", 9*time.Second)
			end := p.step("crd")
			step("compile", 6*time.Second)
			end()
			time.Sleep(time.Minute) // between steps
			step("plan", 4*time.Second)
			synctest.Wait()
			expect.Equal(t, c.want, said.String(), "%s, in a terminal %t: a slow command says", c.flag, c.inTerminal)
		})
	}
}
