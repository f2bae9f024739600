// Package server puts the business on HTTP: Interface A under /api, Interface B
// under /api/v1, and runs the workers that carry documents and webhooks.
package server

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"esnaf/auth"
	"esnaf/store"
	"esnaf/ubl/gib"
	"esnaf/webhook"
)

// Config says what a server is made of. Only DB must be given.
type Config struct {
	DB        *store.DB
	Log       *slog.Logger     // nil: nothing is logged
	Version   string           // of the program
	Authority gib.Authority    // nil: a simulator of the tax office
	Schedule  webhook.Schedule // nil: the default plan of retries
	Policy    webhook.Policy   // which addresses webhooks may call
	AccessTTL time.Duration    // life of an access token; 0: 15 minutes
	Proxies   []netip.Prefix   // proxies whose X-Forwarded-* headers are believed
}

// Server answers the API and does the background work of one store.
type Server struct {
	db        *store.DB
	log       *slog.Logger
	version   string
	policy    webhook.Policy
	proxies   []netip.Prefix
	tokens    *auth.Tokens
	passwords *auth.Passwords
	queue     queue // of logins
	limits    *auth.Limits
	sender    *webhook.Sender
	courier   *gib.Courier
	overdue   *overdue
	handler   http.Handler
	ready     atomic.Bool
}

// New makes a server; it answers once Handler or Run is used, and calls itself
// ready once Run or SetReady says so.
func New(c Config) (*Server, error) {
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.Authority == nil {
		c.Authority = gib.NewSimulator(c.DB.Clock())
	}
	if c.AccessTTL == 0 {
		c.AccessTTL = auth.DefaultAccessTTL
	}
	passwords, err := auth.NewPasswords(c.DB.IDs())
	if err != nil {
		return nil, err
	}
	s := &Server{
		db: c.DB, log: c.Log, version: c.Version, policy: c.Policy, proxies: c.Proxies,
		tokens:    auth.NewTokens("esnaf", "esnaf", c.AccessTTL, c.DB.Clock().Now, c.DB.Keys()),
		passwords: passwords,
		limits:    auth.NewLimits(),
		sender:    webhook.New(webhook.Config{DB: c.DB, Schedule: c.Schedule, Policy: c.Policy, Version: c.Version, Log: c.Log}),
		courier:   gib.New(gib.Config{DB: c.DB, Authority: c.Authority, Log: c.Log}),
		overdue:   &overdue{c.DB, c.Log},
	}
	s.handler = s.routes()
	return s, nil
}

// Handler answers every request.
func (s *Server) Handler() http.Handler { return s.handler }

// SetReady says whether /readyz answers 200: after migrating and seeding, until
// the stop begins.
func (s *Server) SetReady(ready bool) { s.ready.Store(ready) }

// Drain does all the background work that is due now: documents first, then the
// invoices that are overdue, since what becomes of them is told by webhooks.
func (s *Server) Drain(ctx context.Context) error {
	for {
		carried, err := s.courier.Drain(ctx)
		if err != nil {
			return err
		}
		marked, err := s.overdue.Drain(ctx)
		if err != nil {
			return err
		}
		sent, err := s.sender.Drain(ctx)
		if err != nil || carried+marked+sent == 0 {
			return err
		}
	}
}

// The limits of a connection: a slow client must not hold one for ever.
const (
	headerTime = 10 * time.Second
	bodyTime   = 30 * time.Second
	writeTime  = 90 * time.Second
	idleTime   = 120 * time.Second
	maxHeader  = 16 << 10
	stopTime   = 10 * time.Second
)

// Run serves ln and works until ctx ends. It calls ready, an error of which ends it, once
// requests and commands are answered. When it ends readiness goes off, requests and
// attempts under way are finished within 10 s, and everything is stopped and
// waited for. The store stays open.
func (s *Server) Run(ctx context.Context, ln net.Listener, ready func() error) error {
	srv := &http.Server{
		Handler: s.handler, ReadHeaderTimeout: headerTime, ReadTimeout: bodyTime, WriteTimeout: writeTime,
		IdleTimeout: idleTime, MaxHeaderBytes: maxHeader, ErrorLog: slog.NewLogLogger(s.log.Handler(), slog.LevelDebug),
	}
	control, err := listenControl(s.db.Dir())
	if err != nil {
		return err
	}
	work, stopWork := context.WithCancel(context.WithoutCancel(ctx))
	defer stopWork()
	failed := make(chan error, 2)
	var workers sync.WaitGroup
	workers.Go(func() { s.sender.Run(work) })
	workers.Go(func() { s.courier.Run(work) })
	workers.Go(func() { s.overdue.Run(work) })
	workers.Go(func() { s.sweep(work) })
	workers.Go(func() { failed <- s.serveControl(work, control) })
	workers.Go(func() {
		if err := srv.Serve(ln); !errors.Is(err, http.ErrServerClosed) {
			failed <- err
		}
	})
	s.SetReady(true)
	if err = ready(); err == nil {
		select {
		case <-ctx.Done():
		case err = <-failed:
		}
	}
	s.SetReady(false)
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTime)
	defer cancel()
	stopWork() // the workers finish what is under way while requests do
	err = errors.Join(err, ignore(srv.Shutdown(grace), context.DeadlineExceeded), srv.Close())
	workers.Wait()
	return err
}

// sweepEvery is how often what is over is cleared away and what need not be
// written at once is written down.
const sweepEvery = time.Minute

// sweep does the small chores until ctx ends, and once more then.
func (s *Server) sweep(ctx context.Context) {
	for ctx.Err() == nil {
		due, stop := s.db.Clock().After(s.db.Clock().Now().Add(sweepEvery))
		select {
		case <-ctx.Done():
			stop()
		case <-due:
		}
		s.tidy(context.WithoutCancel(ctx))
	}
}

// tidy forgets the answers of Idempotency-Keys whose day is over, and writes down
// when keys were last used.
func (s *Server) tidy(ctx context.Context) {
	err := s.db.SaveKeyUses(ctx)
	for n := int64(1); n > 0 && err == nil; {
		n, err = s.db.SweepReplies(ctx)
	}
	if err != nil {
		s.log.Warn("the chores of the minute were not done", "error", err)
	}
}

func ignore(err, expected error) error {
	if errors.Is(err, expected) {
		return nil
	}
	return err
}
