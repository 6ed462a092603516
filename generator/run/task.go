package run

import (
	"sync"
	"time"
)

// A Task is a step of a run over some packages. The tasks of one unit follow each other, and those of
// different units are independent: the first of a unit waits for the tasks without a unit that began
// before it, and a task without a unit for all that began before.
type Task struct {
	// Step is its name, see [Options.OnStep].
	Step string
	// Unit is the folder of the first of the packages that it is about, or "" for all of the run.
	Unit string
	// Begin is when it began, and Took how long it took.
	Begin time.Time
	Took  time.Duration
}

// Begin says that a step begins over the packages of a unit, or over all of them, and returns a function
// that says that it has ended.
func (o Options) Begin(step, unit string) (end func()) {
	o.Step(step)
	if o.OnTask == nil {
		return func() {}
	}
	begin := time.Now()
	return func() { o.OnTask(Task{Step: step, Unit: unit, Begin: begin, Took: time.Since(begin)}) }
}

// Serial returns the options with functions of which no two are called at a time.
func (o Options) Serial() Options {
	var one sync.Mutex
	o.OnStep, o.OnTask = serial(&one, o.OnStep), serial(&one, o.OnTask)
	return o
}

// serial returns a function of which no two calls run at a time, nor those of others with the same lock.
func serial[T any](one *sync.Mutex, call func(T)) func(T) {
	if call == nil {
		return nil
	}
	return func(of T) {
		one.Lock()
		defer one.Unlock()
		call(of)
	}
}
