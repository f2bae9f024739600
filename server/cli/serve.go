package cli

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"esnaf/server"
	"esnaf/server/standin"
	"esnaf/store"
	"esnaf/store/clock"
	"esnaf/store/trade"
	"esnaf/ubl/gib"
	"esnaf/webhook"
)

// plan is what the settings of a server come to.
type plan struct {
	addr      *net.TCPAddr
	ephemeral bool
	config    server.Config // without what a start makes
}

func (c *console) serve() *cobra.Command {
	cmd := c.command("serve", "Serve the data folder over HTTP until SIGTERM or ctrl-C", cobra.NoArgs, func(cmd *cobra.Command, _ []string) error {
		s := &c.settings
		if err := s.resolve(cmd.Flags(), serverNames()...); err != nil {
			return err
		}
		p, err := c.plan()
		if err != nil {
			return err
		}
		ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
		defer stop()
		context.AfterFunc(ctx, stop) // a second signal ends the program at once
		return c.listen(ctx, p)
	})
	c.settings.serving(cmd.Flags())
	return cmd
}

// plan judges the settings together; every fault is told at once. Nothing is
// opened or made yet.
func (c *console) plan() (*plan, error) {
	s := &c.settings
	var faults []string
	refuse := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	oneOf := func(name, value string, allowed ...string) {
		if !slices.Contains(allowed, value) {
			refuse("%s cannot be %q: it must be one of %s", name, value, strings.Join(allowed, ", "))
		}
	}
	p := &plan{ephemeral: s.Ephemeral || s.Demo && s.sources["data"] == "default"}
	if s.Ephemeral && s.sources["data"] != "default" {
		refuse("ephemeral makes a folder of its own: leave out either it or data (from %s)", s.sources["data"])
	}
	oneOf("plan", s.Plan, trade.Plan("").Values()...)
	if !s.Demo && s.sources["plan"] != "default" {
		refuse("plan (from %s) is that of the demo's tenants: leave it out or give demo too; esnaf tenant plan books one for another tenant", s.sources["plan"])
	}
	oneOf("log-format", s.LogFormat, "text", "json")
	oneOf("log-level", s.LogLevel, "debug", "info", "warn", "error")
	if s.AccessTTL < time.Second || s.AccessTTL > 24*time.Hour {
		refuse("access-ttl cannot be %v: it must be from 1s to 24h", s.AccessTTL)
	}
	if s.Demo && s.sources["webhook-allow"] == "default" {
		s.WebhookAllow = []string{"127.0.0.0/8", "::1"} // whoever tries things out has the receiver at hand
	}
	var errs [5]error
	p.config.Schedule, errs[0] = webhook.ParseSchedule(s.WebhookSchedule)
	p.config.Policy.Allow, errs[1] = webhook.ParseAllow(s.WebhookAllow)
	p.config.Proxies, errs[2] = proxies(s.BehindProxy)
	p.addr, errs[3] = listenAddress(s.Listen, len(s.BehindProxy) > 0)
	errs[4] = readyPlace(s.ReadyFile)
	for _, err := range errs {
		if err != nil {
			refuse("%v", err)
		}
	}
	if len(faults) > 0 {
		return nil, usageError(strings.Join(faults, "; "))
	}
	log := c.logger()
	if len(s.foreign) > 0 {
		log.Warn("environment variables that are not settings are left alone; esnaf config lists the settings", "variables", s.foreign)
	}
	p.config.Log, p.config.Version, p.config.AccessTTL = log, Version, s.AccessTTL
	return p, nil
}

// proxies reads the ranges that proxies call from.
func proxies(list []string) (out []netip.Prefix, err error) {
	for _, text := range list {
		p, err := netip.ParsePrefix(text)
		if err != nil {
			return nil, fmt.Errorf("behind-proxy cannot be %q: it must be a range such as 10.0.0.0/24, or 10.0.0.5/32 for one address", text)
		}
		out = append(out, p)
	}
	return out, nil
}

// listenAddress reads host:port. Credentials and books travel in clear over
// plain HTTP, so without a proxy that ends TLS only this machine is served
// (DECISIONS 43).
func listenAddress(text string, proxied bool) (*net.TCPAddr, error) {
	addr, err := address("listen", text)
	if err != nil {
		return nil, err
	}
	if !proxied && !addr.IP.IsLoopback() {
		return nil, fmt.Errorf("listen %s would serve other machines over plain HTTP: use a loopback address such as 127.0.0.1:%d, or put a proxy that ends TLS in front and name its address with --behind-proxy", text, addr.Port)
	}
	return addr, nil
}

// address reads the value of a flag that names an address and a port.
func address(flag, text string) (*net.TCPAddr, error) {
	addr, err := net.ResolveTCPAddr("tcp", text)
	if err != nil || text == "" {
		return nil, fmt.Errorf("%s cannot be %q: it must be an address and a port such as 127.0.0.1:8080", flag, text)
	}
	return addr, nil
}

// readyPlace refuses a ready file that could not be put in its place.
func readyPlace(path string) error {
	if path == "" {
		return nil
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return fmt.Errorf("ready-file cannot be %q: it must be a file, and this is a folder", path)
	}
	if info, err := os.Stat(filepath.Dir(path)); err != nil || !info.IsDir() {
		return fmt.Errorf("ready-file cannot be %q: it must be a file in a folder that is there", path)
	}
	return nil
}

// listen takes the port before the folder, so that a port in use leaves nothing
// behind, and serves until ctx ends.
func (c *console) listen(ctx context.Context, p *plan) error {
	ln, err := net.ListenTCP("tcp", p.addr)
	if err != nil {
		return fmt.Errorf("cannot listen on %s: %w", p.addr, store.Trouble(err))
	}
	defer ln.Close()
	dir := c.settings.Data
	if p.ephemeral {
		if dir, err = os.MkdirTemp("", "esnaf-"); err != nil {
			return fmt.Errorf("the temporary folder cannot be made: %w", store.Trouble(err))
		}
		defer os.RemoveAll(dir)
	}
	db, err := store.Open(store.Options{Dir: dir, Clock: clock.System{}, IDs: clock.RandomIDs(), NoSync: p.ephemeral})
	if err != nil {
		return err
	}
	sweepPiped(dir, db.Clock().Now())
	return errors.Join(c.run(ctx, p, db, ln), db.Close())
}

// gcPercent is how much garbage may lie around, in percent of what is in use.
const gcPercent = 800

// heapLimit is how many bytes the heap may take before garbage is looked for sooner:
// while a large file is imported much is in use.
const heapLimit = 256 << 20

// run seeds the demo, starts the server, tells that it is ready and waits for
// its end.
func (c *console) run(ctx context.Context, p *plan, db *store.DB, ln net.Listener) error {
	ready := ready{URL: "http://" + ln.Addr().String(), PID: os.Getpid(), Tenants: []standin.DemoTenant{}}
	c.retract()
	authority := gib.NewSimulator(db.Clock())
	if c.settings.Demo { // before the courier runs, for which it leaves work
		demo, err := standin.Seed(ctx, db, authority, trade.Plan(c.settings.Plan))
		if err != nil {
			return err
		}
		ready.Tenants = demo.Tenants
	}
	p.config.DB, p.config.Authority = db, authority
	srv, err := server.New(p.config)
	if err != nil {
		return err
	}
	// Go's own heap is a few megabytes here, since the book's pages are SQLite's:
	// cleaning it at every doubling would take a tenth of the time for nothing.
	debug.SetGCPercent(gcPercent)
	debug.SetMemoryLimit(heapLimit)
	defer c.retract()
	return srv.Run(ctx, ln, func() error { return c.announce(ready, db.Dir()) })
}
