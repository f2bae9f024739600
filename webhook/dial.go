package webhook

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"syscall"
	"time"

	"code.dny.dev/ssrf"
)

// Policy says which addresses deliveries may go to: those of the public
// internet, and those in Allow. Webhook URLs are set by customers, and this
// server stands inside the operator's network: without a policy a customer
// could reach what only insiders should (SSRF).
type Policy struct {
	Allow []netip.Prefix // exceptions, as ParseAllow makes them
}

// ParseAllow reads ranges such as 127.0.0.0/8, or single addresses, as the
// operator lists them in --webhook-allow. An error names the one that cannot be
// read.
func ParseAllow(list []string) ([]netip.Prefix, error) {
	var out []netip.Prefix
	for _, text := range list {
		text = strings.TrimSpace(text)
		if text == "" {
			continue
		}
		p, err := netip.ParsePrefix(text)
		if a, e := netip.ParseAddr(text); e == nil && a.Zone() == "" {
			p, err = netip.PrefixFrom(a, a.BitLen()), nil
		}
		// A range with bits behind its length is a slip of the pen, and what it
		// opens may not be what was meant.
		if err != nil || !p.IsValid() || p != p.Masked() || p.Addr().Is4In6() {
			return nil, fmt.Errorf("webhook-allow: %q must be an address or a range such as 127.0.0.0/8 or fd00::/8", text)
		}
		out = append(out, p)
	}
	return out, nil
}

// outside judges addresses by the special-purpose registries of IANA: what is
// private, loopback, link-local, shared, multicast, reserved or wraps an IPv4
// address (NAT64, 6to4) is refused. The one addition is Azure's host address,
// which looks public and answers with the machine's secrets.
var outside = ssrf.New(ssrf.WithAnyPort(), ssrf.WithDeniedV4Prefixes(netip.MustParsePrefix("168.63.129.16/32")))

// metadata are the services that hand a cloud machine its credentials. No
// exception opens them: a developer who allows a whole range does not mean them.
var metadata = []netip.Addr{
	netip.MustParseAddr("169.254.169.254"), netip.MustParseAddr("fd00:ec2::254"), // most clouds
	netip.MustParseAddr("100.100.100.200"), // Alibaba
	netip.MustParseAddr("192.0.0.192"),     // Oracle
	netip.MustParseAddr("fd20:ce::254"),    // Google
}

// permits tells whether a may be called.
func (p Policy) permits(a netip.Addr) bool {
	a = a.WithZone("").Unmap()
	if slices.Contains(metadata, a) || slices.Contains(metadata, carried(a)) {
		return false
	}
	return p.allows(a) || outside.SafeAddr(a) == nil
}

// allows tells whether a is one of the exceptions.
func (p Policy) allows(a netip.Addr) bool {
	a = a.WithZone("").Unmap()
	return slices.ContainsFunc(p.Allow, func(x netip.Prefix) bool { return x.Contains(a) })
}

// carried is the IPv4 address that an IPv6 address leads to through NAT64
// (64:ff9b::/96), 6to4 (2002::/16) or the old compatible form (::/96); the zero
// Addr for any other.
func carried(a netip.Addr) netip.Addr {
	b := a.As16()
	switch {
	case !a.Is6():
		return netip.Addr{}
	case netip.MustParsePrefix("2002::/16").Contains(a):
		return netip.AddrFrom4([4]byte(b[2:6]))
	case netip.MustParsePrefix("64:ff9b::/96").Contains(a), netip.MustParsePrefix("::/96").Contains(a):
		return netip.AddrFrom4([4]byte(b[12:]))
	}
	return netip.Addr{}
}

// errRefused is wrapped by the error of a call whose name resolved to an address
// that the policy does not permit.
var errRefused = errors.New("this server does not call that address")

// control judges the address that is about to be dialled, which is after the
// name was resolved: a name that leads elsewhere than it did at registration
// gains nothing.
func (p Policy) control(_, address string, _ syscall.RawConn) error {
	a, err := netip.ParseAddrPort(address)
	if err != nil || !p.permits(a.Addr()) {
		return errRefused
	}
	return nil
}

// idleTime is below the keep-alive of common servers (Node: 5 s), so that it is
// rather we who close: a request on a connection that the other side is just
// closing would be a failed attempt.
const idleTime = 4 * time.Second

// Transport makes the calls to receivers, over HTTP/1.1. It follows no redirect
// and uses no proxy from the environment; at most perHost unused connections a
// receiver are kept open. limit is how long a connection may take to be made.
func (p Policy) Transport(limit time.Duration, perHost int) *http.Transport {
	dialer := &net.Dialer{Timeout: limit, Control: p.control}
	only1 := new(http.Protocols)
	only1.SetHTTP1(true)
	return &http.Transport{
		DialContext:            dialer.DialContext,
		TLSHandshakeTimeout:    limit,
		IdleConnTimeout:        idleTime,
		MaxIdleConnsPerHost:    perHost,
		MaxResponseHeaderBytes: 64 << 10,
		DisableCompression:     true, // an answer is only looked at: what it unpacks to is of no use
		Protocols:              only1,
	}
}
