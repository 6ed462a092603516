// Package parallel runs functions concurrently. No other package of mrgen starts goroutines.
//
// An unrecovered panic in a goroutine ends the program at once: temporary files stay, and
// the user sees a bare stack trace. Here a panic becomes a [Panic], which reaches the caller.
package parallel

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// A Panic is a panic of a function that ran in a goroutine.
type Panic struct {
	// Value is the argument of panic.
	Value any

	stack []byte
}

func (p *Panic) Error() string { return fmt.Sprint(p.Value) }

// Stack returns the stack trace of the function's goroutine, for a bug report.
func (p *Panic) Stack() []byte { return p.stack }

// Unwrap returns the value, if that is an error.
func (p *Panic) Unwrap() error {
	err, _ := p.Value.(error)
	return err
}

// protect calls a function and returns its panic as a [*Panic]. A panic passed on from a
// nested goroutine keeps the stack of that.
func protect(do func() error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			if p, ok := value.(*Panic); ok {
				err = p
				return
			}
			err = &Panic{Value: value, stack: debug.Stack()}
		}
	}()
	return do()
}

// Each calls do for each index below n, on all processors, and returns when all calls
// have. After the first error, or when ctx is done, no further calls begin, and the
// context of the others is cancelled. It returns that error, or the cause of ctx. A
// panic is an error: see [Panic].
func Each(ctx context.Context, n int, do func(ctx context.Context, i int) error) error {
	g := NewGroup(ctx)
	var next atomic.Int64
	// A goroutine for each index would grow its stack each time.
	for range min(n, runtime.GOMAXPROCS(0)) {
		g.Go(func(ctx context.Context) error {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					break
				}
				if err := do(ctx, i); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return g.Wait()
}

// Do calls do for each index below n, on all processors, and returns when all calls
// have. It is for functions that can't fail: a panic in one is raised again in the
// caller's goroutine, as a [*Panic].
func Do(n int, do func(i int)) {
	err := Each(context.Background(), n, func(_ context.Context, i int) error {
		do(i)
		return nil
	})
	if err != nil {
		panic(err)
	}
}

// A Group runs functions, as many at once as there are processors. It is for work that turns
// up along the way. If all of it is known beforehand, use [Each].
type Group struct {
	ctx    context.Context
	cancel context.CancelCauseFunc
	slots  chan struct{}
	wait   sync.WaitGroup
}

// NewGroup returns a group whose functions end with ctx.
func NewGroup(ctx context.Context) *Group {
	ctx, cancel := context.WithCancelCause(ctx)
	return &Group{ctx: ctx, cancel: cancel, slots: make(chan struct{}, runtime.GOMAXPROCS(0))}
}

// Go waits for a free processor and runs a function. It does nothing after another function
// has failed or panicked, or when the context is done.
func (g *Group) Go(do func(ctx context.Context) error) {
	select {
	case <-g.ctx.Done():
		return
	case g.slots <- struct{}{}:
	}
	g.wait.Go(func() {
		defer func() { <-g.slots }()
		if g.ctx.Err() != nil {
			return
		}
		if err := protect(func() error { return do(g.ctx) }); err != nil {
			g.cancel(err)
		}
	})
}

// Wait returns when all functions have returned, with the first error or panic, or the cause
// of the context. The group can't be used again.
func (g *Group) Wait() error {
	g.wait.Wait()
	err := context.Cause(g.ctx)
	g.cancel(nil)
	return err
}
