package parallel

import (
	"cmp"
	"context"
	"slices"
)

// InOrder calls do for each of some nodes, on all processors, after the calls for those among them that it
// needs. The index counts the nodes in an order in which those come first. Of nodes that need each other, one
// doesn't wait. The error is the cause of ctx, or a panic: see [Panic].
func InOrder[T comparable](ctx context.Context, nodes []T, needs func(T) []T, do func(i int, node T)) error {
	type task struct {
		index, depth int
		node         T
		before       []*task
		done         chan struct{}
	}
	of := make(map[T]*task, len(nodes))
	for _, node := range nodes {
		of[node] = nil
	}
	var tasks []*task
	visited := make(map[T]bool, len(nodes))
	var visit func(node T)
	visit = func(node T) {
		visited[node] = true
		t := &task{node: node, done: make(chan struct{})}
		for _, needed := range needs(node) {
			earlier, among := of[needed]
			if among && !visited[needed] {
				visit(needed)
				earlier = of[needed]
			}
			if earlier != nil {
				t.before, t.depth = append(t.before, earlier), max(t.depth, earlier.depth+1)
			}
		}
		t.index = len(tasks)
		tasks, of[node] = append(tasks, t), t
	}
	for _, node := range nodes {
		if !visited[node] {
			visit(node)
		}
	}
	// Items that follow each other directly would wait for each other.
	slices.SortStableFunc(tasks, func(a, b *task) int { return cmp.Compare(a.depth, b.depth) })
	group := NewGroup(ctx)
	for _, t := range tasks {
		group.Go(func(ctx context.Context) error {
			for _, earlier := range t.before {
				select {
				case <-earlier.done:
				case <-ctx.Done(): // before the earlier one began, or since it has panicked
					return ctx.Err()
				}
			}
			do(t.index, t.node)
			close(t.done)
			return nil
		})
	}
	return group.Wait()
}
