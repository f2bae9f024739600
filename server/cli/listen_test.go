package cli_test

import (
	"bufio"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"esnaf/webhook/sign"
)

// TestListen sends the receiver a delivery that is rightly signed and one that is not. It
// judges them by the secret it was given, and without one says that it does not.
func TestListen(t *testing.T) {
	t.Parallel()
	const secret, body = "a secret of 16+ bytes", `{"id":"evt_1"}`
	now := sign.Timestamp(time.Now())
	right := sign.Scheme{}.Sign(sign.Message{Timestamp: now, Body: []byte(body)}, secret)
	for _, row := range []struct {
		args      []string
		signature string
		status    int
		says      string
	}{
		{[]string{"--secret", secret}, right, 200, "signature right"},
		{[]string{"--secret", secret}, strings.Repeat("0", 64), 401, "signature the signature does not fit"},
		{nil, right, 200, "signature not checked (no --secret)"},
		{nil, "", 200, "signature not checked (no --secret)"},
		{[]string{"--json"}, "", 200, `"signature":"not checked (no --secret)"`},
	} {
		cmd := program(t, append([]string{"listen", "--address", "127.0.0.1:0"}, row.args...)...)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		errs, err := cmd.StderrPipe()
		if err := errors.Join(err, cmd.Start()); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
		ready, err := bufio.NewReader(errs).ReadString('\n')
		url, ok := strings.CutPrefix(strings.TrimSpace(ready), "esnaf: waiting for webhooks at ")
		if err != nil || !ok {
			t.Fatalf("%q, %v", ready, err)
		}
		req, err := http.NewRequest("POST", url, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		for name, value := range map[string]string{"X-Svc-Event": "company.created", "X-Svc-Attempt": "1", "X-Svc-Timestamp": now, "X-Svc-Signature": row.signature} {
			req.Header.Set(name, value)
		}
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || res.StatusCode != row.status || !strings.Contains(line, row.says) {
			t.Errorf("listen %v, signed %q: %d, %q (%v), want %d and %q", row.args, row.signature, res.StatusCode, line, err, row.status, row.says)
		}
	}
}
