package schedule

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

const recorded = `{"step":"load","begin":1,"took":2,"processor":1}
{"step":"model","unit":"a","begin":1,"took":2,"processor":2}
{"step":"crd","unit":"a","begin":1,"took":2,"processor":3}
{"step":"model","unit":"b","begin":1,"took":2,"processor":4}
{"step":"model","unit":"c","begin":1,"took":2,"processor":2}
{"step":"plan","begin":1,"took":2,"processor":1}
`

func TestWall(t *testing.T) {
	tasks, err := Read(strings.NewReader(recorded))
	if err != nil || len(tasks) != 6 {
		t.Fatal(tasks, err)
	}
	if got := Work(tasks); got != 13 {
		t.Errorf("the work is %v", got)
	}
	for processors, want := range map[int]float64{1: 13, 2: 8, 3: 7, 100: 7} { // a; b and c; load and plan
		if got := Wall(tasks, processors); got != want {
			t.Errorf("on %d processors, %v, want %v", processors, got, want)
		}
	}
	if got := fmt.Sprint(Steps(tasks)); got != "[{model  6 8} {crd  2 3} {load  2 1} {plan  2 1}]" {
		t.Errorf("the steps are %s", got)
	}
	if _, err := Read(strings.NewReader("{")); err == nil {
		t.Error("half a line is a task")
	}
}

// TestBounds has tasks at random: no schedule takes less than the span or its share of the work, one
// processor takes the work, and the schedule at most the share and the span together.
func TestBounds(t *testing.T) {
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 1))
		var tasks []Task
		for range 1 + r.IntN(40) {
			unit := ""
			if r.IntN(5) > 0 {
				unit = string(rune('a' + r.IntN(12)))
			}
			tasks = append(tasks, Task{Step: "s", Unit: unit, Processor: r.Float64()})
		}
		work, span := Work(tasks), Wall(tasks, len(tasks))
		const rounding = 1e-9
		for n := 1; n < 20; n++ {
			wall, share := Wall(tasks, n), work/float64(n)
			if wall < max(span, share)-rounding || wall > share+span+rounding || n == 1 && wall < work-rounding {
				t.Fatalf("seed %d: on %d processors, %v of %v take %v, with a span of %v", seed, n, tasks, work, wall, span)
			}
		}
	}
}
