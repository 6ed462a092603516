package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

const (
	// freeHeap is how many bytes of heap a run may have before any is collected. Runs
	// over small providers end before.
	freeHeap = 280 << 20
	// smallestHeap is the size, in bytes, at which the runtime collects for the first
	// time at 100 percent.
	smallestHeap = 4 << 20
	// smallHeap is what a small provider has in use at most, in bytes. Each byte more lets
	// the heap grow by steepness bytes, up to largeHeap: what is collected more seldom
	// takes less time, and a run over thousands of kinds has much to collect.
	smallHeap = 100 << 20
	steepness = 4
	largeHeap = 800 << 20
	// growth is by how many percent a heap that is larger still may grow.
	growth = 60
)

// tuneMemory has the process collect no garbage as long as its heap is small, since
// it ends soon, and a larger heap more often than by default. GOGC in the environment
// wins, and GOMEMLIMIT holds.
func tuneMemory() {
	if os.Getenv("GOGC") != "" {
		return
	}
	debug.SetGCPercent(freeHeap / smallestHeap * 100)
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	afterCollection(func() {
		metrics.Read(live)
		debug.SetGCPercent(growthOf(live[0].Value.Uint64()))
	})
}

// growthOf returns by how many percent a heap may grow of which so many bytes are
// in use.
func growthOf(live uint64) int {
	if live == 0 {
		return growth
	}
	more := steepness * (live - min(live, smallHeap))
	goal := max(freeHeap, min(more, largeHeap), live+live*growth/100)
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
