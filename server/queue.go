package server

import (
	"sync"

	"esnaf/auth"
	"esnaf/store/trade"
)

// queue is where logins wait until their password is looked at, which is slow on purpose
// (auth.Passwords). Its length is bounded: who waits for seconds would rather hear that
// there is no room. So is the part of it that one network takes, since else a single
// stranger would shut everyone out.
type queue struct {
	mu   sync.Mutex
	all  int
	from map[string]int // by network, those that have someone in it
}

// A login takes some 30 ms of a core, and two are looked at at a time: the last of the
// queue waits for 2 s, the last of a network for one.
const (
	maxQueue     = 128
	maxFromOne   = maxQueue / 2
	queueSeconds = 2
)

// enter takes a place for a login from addr, or refuses when there is none. leave gives
// it back.
func (q *queue) enter(addr string) (leave func(), err error) {
	network := auth.Network(addr)
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.all == maxQueue || q.from[network] == maxFromOne {
		return nil, trade.Later(trade.Unavailable, trade.LoginBusy, queueSeconds)
	}
	if q.from == nil {
		q.from = map[string]int{}
	}
	q.all++
	q.from[network]++
	return func() { q.leave(network) }, nil
}

func (q *queue) leave(network string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.all--
	if q.from[network]--; q.from[network] == 0 {
		delete(q.from, network)
	}
}
