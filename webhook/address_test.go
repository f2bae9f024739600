package webhook_test

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"

	"esnaf/store/trade"
	"esnaf/webhook"
)

// refusals are the addresses of ACCEPTANCE W23 and the ways around a check that
// PITFALLS tells of.
var refusals = []struct {
	url  string
	want trade.Code
}{
	{"http://169.254.169.254/", trade.AddressRefused},
	{"http://10.0.0.1/", trade.AddressRefused},
	{"http://127.0.0.1/", trade.AddressRefused},
	{"http://localhost/", trade.AddressRefused},
	{"http://[::1]/", trade.AddressRefused},
	{"http://[::]/", trade.AddressRefused},
	{"http://0.0.0.0/", trade.AddressRefused},
	{"http://[::ffff:127.0.0.1]/", trade.AddressRefused},
	{"http://[::ffff:a9fe:a9fe]/", trade.AddressRefused},
	{"http://[64:ff9b::a9fe:a9fe]/", trade.AddressRefused},
	{"http://[2002:7f00:1::1]/", trade.AddressRefused},
	{"http://[fec0::1]/", trade.AddressRefused},
	{"http://100.64.0.1/", trade.AddressRefused},
	{"http://0.1.2.3/", trade.AddressRefused},
	{"http://198.18.0.1/", trade.AddressRefused},
	{"http://240.0.0.1/", trade.AddressRefused},
	{"http://255.255.255.255/", trade.AddressRefused},
	{"http://168.63.129.16/", trade.AddressRefused},
	{"http://%E2%91%A0%E2%91%A1%E2%91%A6.0.0.1/", trade.AddressRefused},
	{"http://①②⑦.0.0.1/", trade.AddressRefused},
	{"http://１２７。０。０。１/", trade.AddressRefused},
	{"http://user:pw@example.com/", trade.BadURL},
	{"ftp://example.com/", trade.BadURL},
	{"file:///etc/passwd", trade.BadURL},
	{"gopher://example.com/", trade.BadURL},
	{"https://example.com/" + strings.Repeat("a", 2029), trade.BadURL},
	{"https://example.com/\r\nHost: x", trade.BadURL},
	{"https:///hook", trade.BadURL},
	{"https://:443/", trade.BadURL},
	{"", trade.BadURL},

	{"https://172.16.0.1/", trade.AddressRefused},
	{"https://192.168.1.1/", trade.AddressRefused},
	{"https://192.0.0.1/", trade.AddressRefused},
	{"https://224.0.0.1/", trade.AddressRefused},
	{"https://[ff02::1]/", trade.AddressRefused},
	{"https://[fe80::1%25eth0]/", trade.AddressRefused},
	{"https://[fd00:ec2::254]/", trade.AddressRefused},
	{"https://[64:ff9b:1::1]/", trade.AddressRefused},
	{"https://[2001::1]/", trade.AddressRefused},
	{"https://[::127.0.0.1]/", trade.AddressRefused},
	{"https://127.0.0.1./", trade.AddressRefused},
	{"https://LOCALHOST./", trade.AddressRefused},
	{"https://a.localhost/", trade.AddressRefused},
	{"https://ｌｏｃａｌｈｏｓｔ/", trade.AddressRefused},
	{"https://2130706433/", trade.BadURL},
	{"https://0x7f000001/", trade.BadURL},
	{"https://0177.0.0.1/", trade.BadURL},
	{"https://127.1/", trade.BadURL},
	{"http://example.com/", trade.BadURL},
	{"http://93.184.216.34/", trade.BadURL},
	{"https://example.com/#part", trade.BadURL},
	{"https://example.com:0/", trade.BadURL},
	{"https://example.com:65536/", trade.BadURL},
	{"https://exa mple.com/", trade.BadURL},
	{"https://example.com/a b", trade.BadURL},
	{"https://example..com/", trade.BadURL},
	{"https://exa\"mple.com/", trade.BadURL},
	{"https://" + strings.Repeat("a", 64) + ".com/", trade.BadURL},
	{"https://example.com/\x80", trade.BadURL},
	{"https:example.com", trade.BadURL},
	{"//example.com/", trade.BadURL},
	{"example.com", trade.BadURL},
}

func TestRefusedAddresses(t *testing.T) {
	for _, row := range refusals {
		if got := (webhook.Policy{}).Refused(row.url); got != row.want {
			t.Errorf("%q: %q, want %q", row.url, got, row.want)
		}
	}
}

func TestAddressesThatAreTaken(t *testing.T) {
	for _, u := range []string{
		"https://example.com", "https://example.com:8443/hook?token=a%20b", "HTTPS://Example.COM./", "https://örnek.com.tr/kanca",
		"https://93.184.216.34/", "https://[2606:2800:220:1::1]:8443/", "https://my_host.example.com/", "https://intranet/",
		"https://example.com/" + strings.Repeat("a", 2028),
	} {
		if got := (webhook.Policy{}).Refused(u); got != "" {
			t.Errorf("%q: %q", u, got)
		}
	}
}

// TestExceptions: what is listed opens, over http too, and nothing else does;
// metadata services stay shut whatever is listed (ACCEPTANCE W26).
func TestExceptions(t *testing.T) {
	allow, err := webhook.ParseAllow([]string{"127.0.0.0/8", " 10.0.0.0/8", "169.254.0.0/16", "100.64.0.0/10", "192.0.0.0/24", "fd00::/8", "64:ff9b::/96", "2002::/16", "192.168.7.7", ""})
	if err != nil {
		t.Fatal(err)
	}
	p := webhook.Policy{Allow: allow}
	for u, want := range map[string]trade.Code{
		"http://127.0.0.1:9000/":          "",
		"http://localhost:9000/":          "",
		"http://[::ffff:127.0.0.1]/":      "",
		"https://10.1.2.3/":               "",
		"http://192.168.7.7/":             "",
		"http://[fd12::1]/":               "",
		"http://192.168.7.8/":             trade.AddressRefused,
		"http://[::1]/":                   trade.AddressRefused,
		"http://example.com/":             trade.BadURL,
		"http://a.localhost/":             trade.BadURL,
		"http://169.254.169.254/":         trade.AddressRefused,
		"http://[::ffff:169.254.169.254]": trade.AddressRefused,
		"http://[fd00:ec2::254]/":         trade.AddressRefused,
		"http://100.100.100.200/":         trade.AddressRefused,
		"http://192.0.0.192/":             trade.AddressRefused,
		"http://[fd20:ce::254]/":          trade.AddressRefused,
		"http://[64:ff9b::a9fe:a9fe]/":    trade.AddressRefused,
		"http://[2002:a9fe:a9fe::]/":      trade.AddressRefused,
	} {
		if got := p.Refused(u); got != want {
			t.Errorf("%q: %q, want %q", u, got, want)
		}
	}
}

func TestExceptionsAreToldOfAtTheStart(t *testing.T) {
	var log bytes.Buffer
	s := newShop(t)
	webhook.New(webhook.Config{DB: s.db, Policy: loopback(t), Log: slog.New(slog.NewTextHandler(&log, nil))})
	if strings.Count(log.String(), "\n") != 1 || !strings.Contains(log.String(), "127.0.0.0/8") {
		t.Errorf("the log says %q", log.String())
	}
	log.Reset()
	webhook.New(webhook.Config{DB: s.db, Log: slog.New(slog.NewTextHandler(&log, nil))})
	if log.Len() > 0 {
		t.Errorf("without exceptions the log says %q", log.String())
	}
}

func TestParseAllowNamesWhatItCannotRead(t *testing.T) {
	for _, text := range []string{"localhost", "10.0.0.1/8", "10.0.0.0/33", "::ffff:10.0.0.0/104", "127.0.0.0-127.0.0.9", "fe80::1%eth0"} {
		if p, err := webhook.ParseAllow([]string{"::1", text}); err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%q: %v %v", text, p, err)
		}
	}
}

// TestNamesAreJudgedWhenDialled: a name that passed and then leads to this
// machine reaches nothing.
func TestNamesAreJudgedWhenDialled(t *testing.T) {
	s := newShop(t)
	r := s.receiver(nil)
	transport := webhook.Policy{}.Transport(time.Second, 1)
	defer transport.CloseIdleConnections()
	for _, u := range []string{r.URL, strings.Replace(r.URL, "127.0.0.1", "localhost", 1)} {
		req, err := http.NewRequestWithContext(t.Context(), "POST", u, nil)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := transport.RoundTrip(req)
		if err == nil {
			resp.Body.Close()
			t.Errorf("%s was called", u)
		}
	}
	if n := len(r.got()); n != 0 {
		t.Errorf("the receiver got %d calls", n)
	}
}

// TestProxiesAreNotUsed: what the environment says would lead around the policy.
func TestProxiesAreNotUsed(t *testing.T) {
	if (webhook.Policy{}).Transport(time.Second, 1).Proxy != nil {
		t.Error("a proxy is asked for")
	}
}

// FuzzRefused: whatever is registered, what passes is https to a host that is
// no special address.
func FuzzRefused(f *testing.F) {
	for _, row := range refusals {
		f.Add(row.url)
	}
	f.Add("https://example.com/hook")
	f.Fuzz(func(t *testing.T, raw string) {
		if (webhook.Policy{}).Refused(raw) != "" {
			return
		}
		u, err := url.Parse(raw)
		if err != nil || u.Scheme != "https" || u.Hostname() == "" || u.User != nil {
			t.Fatalf("%q passes: %v %v", raw, u, err)
		}
		if a, err := netip.ParseAddr(u.Hostname()); err == nil && (a.IsPrivate() || a.IsLoopback() || a.IsLinkLocalUnicast() || a.IsUnspecified() || a.IsMulticast()) {
			t.Fatalf("%q passes", raw)
		}
	})
}
