package cli

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

const (
	// smallHeap is the heap, in bytes, below which a run collects nothing. Runs over small providers end before
	// they reach it.
	smallHeap = 280 << 20
	// firstGoal is the size, in bytes, at which the runtime collects for the first
	// time at 100 percent.
	firstGoal = 4 << 20
	// share is the heap that a run may have, in percent of its allocations so far: a run that has allocated
	// much will allocate as much again, and fewer collections take less time. Twice the share takes 0.97 of the
	// time over 200 kinds, and 1.3 times the memory.
	share = 40
	// largeHeap bounds that heap, in bytes: over 2,000 kinds, 800 MB would take 0.93 of the time.
	largeHeap = 600 << 20
	// growth is the percentage by which a larger heap may grow between collections.
	growth = 60
)

// TuneMemory keeps the garbage collector off while the heap is small, since the process ends soon, and runs it
// more often than by default when the heap is large. GOGC in the environment wins, and GOMEMLIMIT holds.
func TuneMemory() {
	if os.Getenv("GOGC") != "" {
		return
	}
	debug.SetGCPercent(smallHeap / firstGoal * 100)
	heap := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/gc/heap/allocs:bytes"}}
	afterCollection(func() {
		metrics.Read(heap)
		debug.SetGCPercent(growthOf(heap[0].Value.Uint64(), heap[1].Value.Uint64()))
	})
}

// growthOf returns the percentage by which a heap may grow, from the bytes in use and the bytes allocated so far.
func growthOf(live, allocated uint64) int {
	if live == 0 { // nothing is in use: avoid dividing by zero
		return growth
	}
	goal := max(smallHeap, min(allocated*share/100, largeHeap), live+live*growth/100)
	return int((goal - live) * 100 / live)
}

// afterCollection calls a function after each collection: the runtime finalizes a sentinel object that nothing
// refers to.
func afterCollection(do func()) {
	type sentinel struct{ _ [16]byte }
	var collected func(*sentinel)
	collected = func(s *sentinel) {
		do()
		// A finalizer runs once, so set it again for the next collection.
		runtime.SetFinalizer(s, collected)
	}
	runtime.SetFinalizer(&sentinel{}, collected)
}
