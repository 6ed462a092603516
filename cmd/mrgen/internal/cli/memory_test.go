package cli

import (
	"runtime"
	"testing"
	"time"
)

func TestGrowthOf(t *testing.T) {
	for _, test := range []struct {
		live, allocated, bound uint64
		want                   int
	}{
		{0, smallHeap, largeHeap, growth},
		{smallHeap / 4, smallHeap, largeHeap, 300},
		{smallHeap / 2, smallHeap, largeHeap, 100},
		{smallHeap, smallHeap, largeHeap, growth},
		{200 << 20, 1000 << 20, largeHeap, 100},
		{200 << 20, 10 << 30, largeHeap, 200},
		{500 << 20, 10 << 30, largeHeap, growth},
		{1000 << 30, 10000 << 30, largeHeap, growth},
		{500 << 20, 10 << 30, codeHeap, 120},
		{1000 << 20, 10 << 30, codeHeap, growth},
	} {
		if got := growthOf(test.live, test.allocated, test.bound); got != test.want {
			t.Errorf("growthOf(%d, %d, %d) is %d, want %d", test.live, test.allocated, test.bound, got, test.want)
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
