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
	freeHeap = 224 << 20
	// smallestHeap is the size, in bytes, at which the runtime collects for the first
	// time at 100 percent.
	smallestHeap = 4 << 20
	// growth is by how many percent a larger heap may grow between collections.
	growth = 60
)

// tuneMemory has the process collect garbage later than a long-lived one would as
// long as its heap is small, since it ends soon, and earlier once that is large.
// GOGC in the environment wins.
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
	if live == 0 || live > freeHeap {
		return growth
	}
	return max(growth, int((freeHeap-live)*100/live))
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
