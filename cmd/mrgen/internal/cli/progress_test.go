package cli

import (
	"bytes"
	"testing"
	"testing/synctest"
	"time"

	"github.com/spf13/cobra"
)

// TestSlowSteps holds that a command says which step is running after five seconds, and then each time that it is
// another one, unless it is quiet.
func TestSlowSteps(t *testing.T) {
	for name, want := range map[string]string{"--quiet=false": "still working: load\nstill working: compile\n", "--quiet": ""} {
		synctest.Test(t, func(t *testing.T) {
			var said bytes.Buffer
			cmd := &cobra.Command{}
			addGlobalFlags(cmd)
			cmd.SetErr(&said)
			if err := cmd.ParseFlags([]string{name}); err != nil {
				t.Fatal(err)
			}
			p := newProgress(cmd)
			step := func(name string, took time.Duration) {
				end := p.step(name)
				time.Sleep(took)
				end()
			}
			step("compare", 2*time.Second)
			step("load", 9*time.Second)
			end := p.step("crd")
			step("compile", 6*time.Second)
			end()
			time.Sleep(time.Minute) // between steps
			step("plan", 4*time.Second)
			synctest.Wait()
			if said.String() != want {
				t.Errorf("%s: a slow command says %q, want %q", name, said.String(), want)
			}
		})
	}
}
