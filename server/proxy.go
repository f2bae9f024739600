package server

import (
	"net"
	"net/http"
	"net/netip"
	"strings"

	"esnaf/server/wire"
)

// fromProxy tells whether host is a proxy whose headers are believed.
func (s *Server) fromProxy(host string) bool {
	a, err := netip.ParseAddr(host)
	if err != nil {
		return false
	}
	for _, p := range s.proxies {
		if p.Contains(a.Unmap()) {
			return true
		}
	}
	return false
}

// overTLS refuses what reached a trusted proxy without TLS, or this server past the
// proxy: HTTPS is mandatory (specification, introduction). Anyone can write the
// header; only a named proxy is believed, and it says one thing: of two lines one may
// be the client's.
func (s *Server) overTLS(w http.ResponseWriter, r *http.Request) bool {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	said := r.Header["X-Forwarded-Proto"]
	if err == nil && s.fromProxy(host) && len(said) == 1 && said[0] == "https" {
		return true
	}
	if r.URL.Path == healthPath || r.URL.Path == readyPath { // a probe comes straight, and hears nothing that others may not
		return true
	}
	wire.Problem(w, r, s.log, errPlainHTTP)
	return false
}

// address is the caller's: the socket's, or what a named trusted proxy says.
func (s *Server) address(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	if s.fromProxy(host) {
		if a, ok := lastHop(r.Header["X-Forwarded-For"]); ok {
			return a.String()
		}
	}
	return host
}

// lastHop is the address that the proxy before us has seen, the last of them all:
// whatever stands before it, in its line or in lines of their own, the client may have
// written. A port, and brackets, may come with it. ok is false for what is no address:
// it would be stored and counted by.
func lastHop(lines []string) (a netip.Addr, ok bool) {
	all := strings.Join(lines, ",")
	last := strings.TrimSpace(all[strings.LastIndexByte(all, ',')+1:])
	a, err := netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(last, "["), "]"))
	if err != nil {
		var withPort netip.AddrPort
		withPort, err = netip.ParseAddrPort(last)
		a = withPort.Addr()
	}
	return a.Unmap().WithZone(""), err == nil // a zone may be any text
}
