package store

import "sync"

// cache remembers what was read about who is calling. A change clears it once it
// is committed; a value read before the change and brought in after it is not
// kept, so that what was revoked cannot come back.
type cache[V any] struct {
	mu         sync.RWMutex
	kept       map[string]V
	generation int
}

// maxKept bounds a cache; beyond it everything is read anew.
const maxKept = 10_000

// peek is the value of key if it is remembered.
func (c *cache[V]) peek(key string) (V, bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	v, ok := c.kept[key]
	return v, ok
}

// get returns the value of key, read when it is not remembered. An error is not
// remembered. read must begin its own look at the data: what it sees may be no
// older than the call.
func (c *cache[V]) get(key string, read func() (V, error)) (V, error) {
	c.mu.RLock()
	v, ok := c.kept[key]
	began := c.generation
	c.mu.RUnlock()
	if ok {
		return v, nil
	}
	v, err := read()
	if err != nil {
		return v, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.generation == began {
		if c.kept == nil || len(c.kept) >= maxKept {
			c.kept = map[string]V{}
		}
		c.kept[key] = v
	}
	return v, nil
}

func (c *cache[V]) clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.kept = nil
	c.generation++
}
