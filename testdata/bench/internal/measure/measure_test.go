//go:build unix

package measure

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"
)

func TestSummarize(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   Summary
	}{
		{[]float64{3}, Summary{3, 3, 3}},
		{[]float64{4, 1}, Summary{1, 2.5, 4}},
		{[]float64{9, 1, 2}, Summary{1, 2, 9}},
		{[]float64{4, 3, 2, 1}, Summary{1, 2.5, 4}},
	} {
		if got := Summarize(c.values); got != c.want {
			t.Errorf("Summarize(%v) = %v, want %v", c.values, got, c.want)
		}
	}
}

func TestRatios(t *testing.T) {
	// Each run is compared with the one made in turn with it: the ratios are 2, 1 and 3.
	if got, want := Ratios([]float64{2, 4, 9}, []float64{1, 4, 3}), (Summary{1, 2, 3}); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestThen(t *testing.T) {
	got := Usage{Wall: 1, CPU: 2, Memory: 30}.Then(Usage{Wall: 10, CPU: 20, Memory: 4})
	if want := (Usage{Wall: 11, CPU: 22, Memory: 30}); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestRun(t *testing.T) {
	usage, err := Run(context.Background(), Command{Dir: t.TempDir(), Env: os.Environ(), Args: []string{"sh", "-c", "sleep 0.1"}})
	if err != nil {
		t.Fatal(err)
	}
	if usage.Wall < 100*time.Millisecond || usage.Memory < 1<<16 || usage.Memory > 1<<30 {
		t.Errorf("%+v", usage)
	}
	// What children did counts.
	usage, err = Run(context.Background(), Command{Dir: t.TempDir(), Env: os.Environ(), Args: []string{"sh", "-c", "(i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done); true"}})
	if err != nil {
		t.Fatal(err)
	}
	if usage.CPU < 5*time.Millisecond {
		t.Errorf("the processor time of a child is missing: %+v", usage)
	}
	_, err = Run(context.Background(), Command{Dir: t.TempDir(), Env: os.Environ(), Args: []string{"sh", "-c", "echo trouble; exit 3"}})
	if err == nil || !strings.Contains(err.Error(), "trouble") || !strings.Contains(err.Error(), "exit status 3") {
		t.Errorf("a command that fails gives %v", err)
	}
}
