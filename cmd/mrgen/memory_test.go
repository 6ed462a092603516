package main

import (
	"runtime"
	"testing"
	"time"
)

func TestGrowthOf(t *testing.T) {
	for live, want := range map[uint64]int{
		0:            growth,
		freeHeap / 4: 300,
		freeHeap / 2: 100,
		200 << 20:    100,
		300 << 20:    166,
		500 << 20:    growth,
		1000 << 30:   growth,
	} {
		if got := growthOf(live); got != want {
			t.Errorf("growthOf(%d) is %d, want %d", live, got, want)
		}
	}
}

// TestAfterCollection has a function called again and again.
func TestAfterCollection(t *testing.T) {
	calls := make(chan bool, 100)
	afterCollection(func() { calls <- true })
	for range 3 {
		runtime.GC()
		select {
		case <-calls:
		case <-time.After(time.Minute):
			t.Fatal("the function was not called after a collection")
		}
	}
}
