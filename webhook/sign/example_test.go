package sign_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"esnaf/webhook/sign"
)

// A receiver reads the raw body first, checks it, and only then parses it.
func ExampleCheck() {
	const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
	now := func() time.Time { return time.Unix(1_790_000_002, 0) } // time.Now in earnest
	receive := func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
		if err != nil {
			http.Error(w, "the body cannot be read", http.StatusBadRequest)
			return
		}
		if err := sign.Check(secret, r.Header.Get("X-Svc-Signature"), r.Header.Get("X-Svc-Timestamp"), body, now()); err != nil {
			http.Error(w, err.Error(), http.StatusUnauthorized) // never go on with what is not genuine
			return
		}
		// Deliveries may come twice: remember X-Svc-Event-Id once the work is done.
		w.WriteHeader(http.StatusNoContent)
	}

	send := func(body string) {
		r := httptest.NewRequest("POST", "/hook", strings.NewReader(body))
		r.Header.Set("X-Svc-Timestamp", "1790000000")
		r.Header.Set("X-Svc-Signature", sign.Sum(secret, time.Unix(1_790_000_000, 0), []byte(`{"id":"evt_1"}`)))
		w := httptest.NewRecorder()
		receive(w, r)
		fmt.Println(strings.TrimSpace(fmt.Sprint(w.Code, " ", w.Body)))
	}
	send(`{"id":"evt_1"}`)
	send(`{"id":"evt_2"}`)
	// Output:
	// 204
	// 401 the signature does not fit: the secret, the timestamp or the body is not the one that was signed
}

// A webhook registered with a signatureFormat and a signedContent of its own.
func ExampleScheme() {
	s := sign.Scheme{Format: sign.SHA256Hex, Content: sign.Body}
	m := sign.Message{Timestamp: "1790000000", Body: []byte("{}")}
	signature := s.Sign(m, "a secret of 16 or more bytes")
	fmt.Println(signature)
	fmt.Println(s.Check(m, "a secret of 16 or more bytes", signature, time.Unix(1_790_000_060, 0)))
	// Output:
	// sha256=d7b35ec0968b54c43e642ce0c16c99e28717048460a0f96a1d2025f2b28aac46
	// <nil>
}

// The headers that every Standard Webhooks library verifies.
func ExampleStandard() {
	m := sign.Message{ID: "msg_p5jXN8AQM9LWM0D4loKWxJek", Timestamp: "1614265330", Body: []byte(`{"test": 2432232314}`)}
	fmt.Println(sign.Standard(m, "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
	// Output: v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
}
