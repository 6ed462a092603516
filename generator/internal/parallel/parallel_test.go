package parallel_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/mrgen-io/mrgen/generator/internal/parallel"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

func TestEachIsBounded(t *testing.T) {
	var running, most, calls atomic.Int32
	err := parallel.Each(t.Context(), 100, func(context.Context, int) error {
		if now := running.Add(1); now > most.Load() {
			most.Store(now)
		}
		runtime.Gosched()
		running.Add(-1)
		calls.Add(1)
		return nil
	})
	expect.True(t, err == nil && calls.Load() == 100, "%d calls, error %v; want 100 and none", calls.Load(), err)
	limit := int32(runtime.GOMAXPROCS(0))
	expect.True(t, most.Load() <= limit, "%d calls at once, want no more than %d", most.Load(), limit)
}

func TestEachEndsWithTheFirstError(t *testing.T) {
	failure := errors.New("no")
	var calls atomic.Int32
	err := parallel.Each(t.Context(), 10_000, func(ctx context.Context, i int) error {
		calls.Add(1)
		if i == 3 {
			return failure
		}
		if i > 3 {
			<-ctx.Done() // the others are told
			return ctx.Err()
		}
		return nil
	})
	expect.True(t, errors.Is(err, failure), "error %v, want %v", err, failure)
	most := int32(4 + runtime.GOMAXPROCS(0))
	expect.True(t, calls.Load() <= most, "%d calls, want no more than %d", calls.Load(), most)
}

func TestEachEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := parallel.Each(ctx, 1, func(context.Context, int) error {
		t.Error("called")
		return nil
	})
	expect.True(t, errors.Is(err, context.Canceled), "error %v, want %v", err, context.Canceled)
}

func fall() { panic("down") }

// wantPanic checks that an error is the panic of fall, with the stack that led there.
func wantPanic(t *testing.T, err any) {
	t.Helper()
	p, ok := err.(*parallel.Panic)
	expect.Must(t, ok && p.Value == "down" && p.Error() == "down", "error %v, want the panic", err)
	expect.True(t, strings.Contains(string(p.Stack()), "parallel_test.fall"), "the stack does not lead to the panic:\n%s", p.Stack())
}

func TestPanicsReachTheCaller(t *testing.T) {
	t.Run("Each", func(t *testing.T) {
		wantPanic(t, parallel.Each(t.Context(), 5, func(_ context.Context, i int) error {
			if i == 2 {
				fall()
			}
			return nil
		}))
	})
	t.Run("Do", func(t *testing.T) {
		defer func() { wantPanic(t, recover()) }()
		parallel.Do(5, func(int) { fall() })
	})
	t.Run("Do within Each", func(t *testing.T) {
		wantPanic(t, parallel.Each(t.Context(), 1, func(context.Context, int) error {
			parallel.Do(1, func(int) { fall() })
			return nil
		}))
	})
}

func TestPanicUnwrapsToItsError(t *testing.T) {
	cause := errors.New("no")
	err := parallel.Each(t.Context(), 1, func(context.Context, int) error { panic(cause) })
	expect.True(t, errors.Is(err, cause), "%v does not unwrap to %v", err, cause)
}

func TestGroupRunsWhatIsFoundLater(t *testing.T) {
	g := parallel.NewGroup(t.Context())
	var mu sync.Mutex
	sum := 0
	for i := range 1000 {
		g.Go(func(context.Context) error {
			mu.Lock()
			defer mu.Unlock()
			sum += i
			return nil
		})
	}
	err := g.Wait()
	expect.True(t, err == nil && sum == 499_500, "sum %d, error %v", sum, err)
}

// TestInOrder calls a function for numbers, of which each needs some smaller ones, and two each other.
func TestInOrder(t *testing.T) {
	const n = 200
	nodes := make([]int, n)
	for i := range nodes {
		nodes[i] = n - 1 - i
	}
	needs := func(node int) []int {
		if node < 2 {
			return []int{1 - node, -1} // a cycle, and none of the nodes
		}
		return []int{node / 2, node - 1 - node%2}
	}
	var done [n]atomic.Bool
	var indexes [n]int
	err := parallel.InOrder(t.Context(), nodes, needs, func(i, node int) {
		for _, needed := range needs(node) {
			expect.True(t, node < 2 || done[needed].Load(), "%d is called before %d, which it needs", node, needed)
		}
		indexes[node] = i
		done[node].Store(true)
	})
	expect.True(t, err == nil, "%v", err)
	for node := range n {
		expect.True(t, done[node].Load(), "%d is not called", node)
		for _, needed := range needs(node) {
			if node >= 2 && indexes[needed] >= indexes[node] {
				t.Errorf("%d has the index %d, and %d, which it needs, has %d", node, indexes[node], needed, indexes[needed])
			}
		}
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	err = parallel.InOrder(cancelled, nodes, needs, func(int, int) {})
	expect.True(t, errors.Is(err, context.Canceled), "got %v", err)
	for range 100 { // nothing that needs what panics is called
		var ended [n]atomic.Bool
		var p *parallel.Panic
		err := parallel.InOrder(t.Context(), nodes, needs, func(_, node int) {
			if node == 10 {
				panic("no")
			}
			for _, needed := range needs(node) {
				expect.True(t, node < 2 || ended[needed].Load(), "%d is called without %d, which it needs", node, needed)
			}
			ended[node].Store(true)
		})
		expect.Must(t, errors.As(err, &p) && p.Value == "no", "got %v", err)
	}
}
