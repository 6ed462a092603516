package parallel

import "sync"

// A Memo has what functions returned for keys. It may be used concurrently.
type Memo[K comparable, V any] struct{ made sync.Map }

// Get returns the value for a key. The first call makes it, and others wait for that.
func (m *Memo[K, V]) Get(key K, make func() V) V {
	once, known := m.made.Load(key)
	if !known {
		once, _ = m.made.LoadOrStore(key, sync.OnceValue(make))
	}
	return once.(func() V)()
}
