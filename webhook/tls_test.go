package webhook_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"esnaf/store/trade"
)

func TestMain(m *testing.M) {
	dir, err := trustTestServers()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		os.RemoveAll(dir)
		os.Exit(code)
	}))
}

// trustTestServers makes httptest's certificate a known authority, by the way
// open to every operator: the environment. Go reads it once, at its first need.
func trustTestServers() (dir string, err error) {
	server := httptest.NewTLSServer(nil)
	defer server.Close()
	if dir, err = os.MkdirTemp("", "esnaf-webhook"); err != nil {
		return "", err
	}
	file := filepath.Join(dir, "authority.pem")
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}), 0o600); err != nil {
		return dir, err
	}
	return dir, os.Setenv("SSL_CERT_FILE", file)
}

// selfSigned is a certificate for 127.0.0.1 that nobody vouches for.
func selfSigned(t *testing.T, until time.Time) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	form := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: until.AddDate(-1, 0, 0), NotAfter: until,
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, form, form, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

// TestHTTPS is ACCEPTANCE W27: what cannot be trusted gets no body, and the log
// says why.
func TestHTTPS(t *testing.T) {
	for _, row := range []struct {
		name, host string
		cert       func(*testing.T) tls.Certificate
		reason     string
	}{
		{"trusted", "127.0.0.1", nil, ""},
		{"for another name", "localhost", nil, "the certificate is for another host name"},
		{"self-signed", "127.0.0.1", func(t *testing.T) tls.Certificate { return selfSigned(t, time.Now().AddDate(0, 6, 0)) }, "the certificate is not signed by a known authority"},
		{"expired", "127.0.0.1", func(t *testing.T) tls.Certificate { return selfSigned(t, time.Now().AddDate(0, -6, 0)) }, "the certificate has expired or is not valid yet"},
	} {
		s := newShop(t)
		calls := 0
		server := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { calls++ }))
		server.Config.ErrorLog = quiet()
		if row.cert != nil {
			server.TLS = &tls.Config{Certificates: []tls.Certificate{row.cert(t)}}
		}
		server.StartTLS()
		id := s.hook("company.created", strings.Replace(server.URL, "127.0.0.1", row.host, 1))
		s.company(s.tenant, "Deneme")
		s.drain(s.sender("1h"), 1)
		server.Close()
		d := s.log(id)[0]
		if d.Attempts[0].Error != row.reason || (d.State == trade.Delivered) != (row.reason == "") || (calls == 1) != (row.reason == "") {
			t.Errorf("%s: %d calls, %+v", row.name, calls, d)
		}
	}
}
