package cli

import (
	"runtime"
	"testing"
	"time"

	"github.com/mrgen-io/mrgen/testdata/expect"
)

func TestGrowthOf(t *testing.T) {
	for _, test := range []struct {
		live, allocated uint64
		want            int
	}{
		{0, smallHeap, growth},
		{smallHeap / 4, smallHeap, 300},
		{smallHeap / 2, smallHeap, 100},
		{smallHeap, smallHeap, growth},
		{200 << 20, 1000 << 20, 100},
		{200 << 20, 10 << 30, 200},
		{500 << 20, 10 << 30, growth},
		{1000 << 30, 10000 << 30, growth},
	} {
		expect.Equal(t, test.want, growthOf(test.live, test.allocated), "growthOf(%d, %d)", test.live, test.allocated)
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
