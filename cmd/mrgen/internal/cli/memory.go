package cli

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
)

const (
	// smallHeap is how many bytes of heap a run may have before any is collected. Runs
	// over small providers end before.
	smallHeap = 280 << 20
	// firstGoal is the size, in bytes, at which the runtime collects for the first
	// time at 100 percent.
	firstGoal = 4 << 20
	// share is the heap that a run may have, in percent of all that it has allocated: one
	// that has allocated much will allocate as much again, and what is collected more
	// seldom takes less time. Twice as much takes 0.97 of the time over 200 kinds, and 1.3 times
	// the memory.
	share = 40
	// largeHeap bounds that heap, in bytes: over 2,000 kinds, 800 MB would take 0.93 of the time. The bound is
	// codeHeap if the code of controllers is in it: nearly all of that is in use until the end, so each
	// collection takes long and gives back little. 213 controllers take an eighth less processor time, and
	// 1.8 GB in place of 1.6.
	largeHeap = 600 << 20
	codeHeap  = 1100 << 20
	// growth is by how many percent a heap that has more in use may grow.
	growth = 60
)

// holdsControllers is set if the code of controllers is in memory.
var holdsControllers atomic.Bool

// TuneMemory has the process collect no garbage as long as its heap is small, since
// it ends soon, and a larger heap more often than by default. GOGC in the environment
// wins, and GOMEMLIMIT holds.
func TuneMemory() {
	if os.Getenv("GOGC") != "" {
		return
	}
	debug.SetGCPercent(smallHeap / firstGoal * 100)
	heap := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/gc/heap/allocs:bytes"}}
	afterCollection(func() {
		metrics.Read(heap)
		var bound uint64 = largeHeap
		if holdsControllers.Load() {
			bound = codeHeap
		}
		debug.SetGCPercent(growthOf(heap[0].Value.Uint64(), heap[1].Value.Uint64(), bound))
	})
}

// growthOf returns by how many percent a heap may grow of which so many bytes are
// in use, if so many were allocated so far, and the bound on the heap is that large.
func growthOf(live, allocated, bound uint64) int {
	if live == 0 {
		return growth
	}
	goal := max(smallHeap, min(allocated*share/100, bound), live+live*growth/100)
	return int((goal - live) * 100 / live)
}

// afterCollection calls a function after each collection: when it finds that
// nothing refers to an object, which is there for no other purpose.
func afterCollection(do func()) {
	type sentinel struct{ _ [16]byte }
	var collected func(*sentinel)
	collected = func(s *sentinel) {
		do()
		runtime.SetFinalizer(s, collected)
	}
	runtime.SetFinalizer(&sentinel{}, collected)
}
