package webhook

import (
	"math"
	"sync"
)

// share is a number of places that tenants take and give back.
type share struct {
	mu    sync.Mutex
	free  int
	kept  int            // for tenants that have none
	taken map[string]int // by tenant
}

// newShare keeps an eighth of the places for tenants that have none: however many a
// few of them want, another finds one.
func newShare(places int) *share {
	return &share{free: places, kept: places / 8, taken: map[string]int{}}
}

// take takes a place for a tenant, if it has fewer than are free beside those kept for
// others.
func (s *share) take(tenant string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := s.taken[tenant]; s.free <= 0 || n > 0 && n >= s.free-s.kept {
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

// giving returns the tenants of which a place would help the refused, for whom there is
// none: these themselves, whose places can go round among their own, and those with
// more than one of these has.
func (s *share) giving(refused map[string]bool) map[string]bool {
	fewest, out := math.MaxInt, map[string]bool{}
	for tenant := range refused {
		fewest = min(fewest, s.taken[tenant])
	}
	for tenant, n := range s.taken {
		out[tenant] = refused[tenant] || n > fewest
	}
	return out
}

// givers are the tenants whose lanes give way once they have had their turn.
type givers struct {
	mu      sync.Mutex
	tenants map[string]bool
}

func (g *givers) set(tenants map[string]bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.tenants = tenants
}

func (g *givers) has(tenant string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.tenants[tenant]
}
