package webhook

import (
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"

	"esnaf/store/trade"
)

// maxURL is the longest address of a receiver, in bytes.
const maxURL = 2048

// Refused judges the address of a receiver: "" when it may be registered,
// trade.BadURL when it is no address this server calls, trade.AddressRefused
// when it names a private or reserved one. It looks no name up: what a name
// leads to may be another thing tomorrow, so that is judged when it is dialled.
//
// Only https is taken. http is left to the exceptions of the policy, named by a
// literal address or as localhost: on any other way it could be read.
func (p Policy) Refused(rawURL string) trade.Code {
	u, host := split(rawURL)
	if host == "" {
		return trade.BadURL
	}
	private := false // one of the exceptions
	switch a, err := netip.ParseAddr(host); {
	case err == nil:
		if !p.permits(a) {
			return trade.AddressRefused
		}
		private = p.allows(a)
	case isLocal(host):
		if !p.allows(netip.IPv6Loopback()) && !p.allows(netip.AddrFrom4([4]byte{127, 0, 0, 1})) {
			return trade.AddressRefused
		}
		private = host == "localhost"
	case !isName(host):
		return trade.BadURL
	}
	if u.Scheme == "http" && !private {
		return trade.BadURL
	}
	return ""
}

// split takes an address apart; host is "" when any part of it is not as it
// should be, otherwise an IP address or a name in lower-case ASCII.
func split(rawURL string) (u *url.URL, host string) {
	odd := func(r rune) bool { return unicode.IsControl(r) || unicode.IsSpace(r) || r == utf8.RuneError }
	if len(rawURL) > maxURL || strings.ContainsFunc(rawURL, odd) || strings.Contains(rawURL, "#") {
		return nil, ""
	}
	u, err := url.Parse(rawURL)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.User != nil {
		return nil, ""
	}
	if port := u.Port(); port != "" {
		if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
			return nil, ""
		}
	}
	host = u.Hostname()
	if strings.ContainsFunc(host, func(r rune) bool { return r >= utf8.RuneSelf }) {
		// As net/http will: full-width or circled digits become plain ones here,
		// so that the address they spell is the one that is judged.
		if host, err = idna.Lookup.ToASCII(host); err != nil {
			return nil, ""
		}
	}
	return u, strings.TrimSuffix(strings.ToLower(host), ".")
}

func isLocal(host string) bool { return host == "localhost" || strings.HasSuffix(host, ".localhost") }

// isName tells whether host can be a domain name. One whose last label begins
// with a digit cannot: no such top-level domain exists, but some resolvers read
// 127.1, 2130706433 or 0x7f.1 as addresses.
func isName(host string) bool {
	if len(host) > 253 {
		return false
	}
	labels := strings.Split(host, ".")
	for _, l := range labels {
		if l == "" || len(l) > 63 || strings.Trim(l, "abcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
			return false
		}
	}
	last := labels[len(labels)-1][0]
	return last < '0' || last > '9'
}
