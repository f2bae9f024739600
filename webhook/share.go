package webhook

import "sync"

// share is a number of places that tenants take and give back.
type share struct {
	mu    sync.Mutex
	free  int
	taken map[string]int // by tenant
}

func newShare(places int) *share { return &share{free: places, taken: map[string]int{}} }

// take takes a place for a tenant, if it has fewer than are free.
func (s *share) take(tenant string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.taken[tenant] >= s.free {
		return false
	}
	s.move(tenant, 1)
	return true
}

// give gives a place back.
func (s *share) give(tenant string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.move(tenant, -1)
}

// move counts n places as taken, whatever is free. It does not lock.
func (s *share) move(tenant string, n int) {
	s.free -= n
	if s.taken[tenant] += n; s.taken[tenant] == 0 {
		delete(s.taken, tenant)
	}
}
