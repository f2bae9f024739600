package webhook

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unicode"

	"esnaf/store"
	"esnaf/store/trade"
	"esnaf/webhook/sign"
)

// How much of an answer is looked at (DECISIONS 41): what is beyond is neither
// read nor waited for.
const (
	maxAnswer  = 16 << 10
	maxExcerpt = 4 << 10
)

// answer is what came of one call.
type answer struct {
	status  int // 0 when no answer came
	asked   time.Duration
	excerpt string
	err     error // why there is no whole answer
}

// target is a receiver as it is called.
type target struct {
	*store.Receiver
	refused bool
}

// target judges the address again: the policy may be another than it was at the
// registration.
func (s *Sender) target(r *store.Receiver) target {
	return target{r, s.policy.Refused(r.URL) != ""}
}

// attempt calls t once and says what to record, its times by the store's clock,
// so that a stand-in whose clock stands still repeats its log. abandoned is true
// when the call was cut off because the server stops: then it is as if it never
// was, and the delivery is made again after the next start.
func (s *Sender) attempt(ctx context.Context, t target, d store.Delivery) (done store.Settled, abandoned bool) {
	began := s.clock.Now()
	a := s.call(ctx, t, d, began)
	if a.err != nil && ctx.Err() != nil {
		return done, true
	}
	ended := s.clock.Now()
	done = store.Settled{Delivery: d, Attempt: trade.Attempt{
		Number: d.Attempt, At: trade.At(began), Status: a.status, DurationMS: ended.Sub(began).Milliseconds(),
		Error: a.failure(), Excerpt: a.excerpt,
	}}
	if done.Attempt.Error == "" {
		return done, false
	}
	if a.err != nil { // the log of deliveries has the short form
		s.log.Debug("webhook attempt failed", "webhook", t.ID, "delivery", d.ID, "attempt", d.Attempt, "error", a.err)
	}
	done.Gone = a.status == http.StatusGone
	if wait, again := s.schedule.Wait(d.Attempt, a.asked, dice(d)); again && !done.Gone {
		done.Next = ended.Add(wait)
	}
	return done, false
}

// dice is the randomness of a delivery's waits. It is drawn from the delivery's
// id, which is random itself: a repeated run of the stand-in repeats its waits,
// in whatever order its calls end.
func dice(d store.Delivery) rand.Source {
	h := fnv.New64a()
	io.WriteString(h, d.ID) // a hash takes everything
	return rand.NewPCG(h.Sum64(), uint64(d.Attempt))
}

// call sends d and reads the answer, which is one only when it is complete, or
// longer than is looked at, within the limit. It goes to the transport itself:
// what http.Client would add (redirects, cookies) a delivery must not have.
func (s *Sender) call(ctx context.Context, t target, d store.Delivery, now time.Time) answer {
	if t.refused {
		return answer{err: errRefused}
	}
	ctx, cancel := context.WithTimeout(ctx, s.limit)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, t.URL, bytes.NewReader(d.Body))
	if err != nil {
		return answer{err: err}
	}
	req.Header = s.headers(t, d, now)
	resp, err := s.transport.RoundTrip(req)
	if err != nil {
		return answer{err: err}
	}
	defer resp.Body.Close()
	a := answer{status: resp.StatusCode, asked: askedWait(resp.Header.Get("Retry-After"), now)}
	head, err := io.ReadAll(io.LimitReader(resp.Body, maxExcerpt))
	if err == nil && len(head) == maxExcerpt {
		// A connection is used again only when its answer was read to the end.
		if _, err = io.CopyN(io.Discard, resp.Body, maxAnswer-maxExcerpt); err == io.EOF {
			err = nil
		}
	}
	a.excerpt, a.err = legible(head), err
	return a
}

// headers are those of DECISIONS 40, signed anew for every attempt: a receiver
// refuses a timestamp older than five minutes.
func (s *Sender) headers(t target, d store.Delivery, now time.Time) http.Header {
	m := sign.Message{ID: d.EventID, Timestamp: sign.Timestamp(now), Body: d.Body}
	scheme := sign.Scheme{Format: sign.Format(t.Format), Content: sign.Content(t.Content)}
	return http.Header{
		"Content-Type":      {"application/json"},
		"User-Agent":        {s.agent},
		"X-Svc-Event":       {string(d.Event)},
		"X-Svc-Event-Id":    {d.EventID},
		"X-Svc-Attempt":     {strconv.Itoa(d.Attempt)},
		"X-Svc-Timestamp":   {m.Timestamp},
		"X-Svc-Signature":   {scheme.Sign(m, t.Secrets...)},
		"Webhook-Id":        {d.EventID},
		"Webhook-Timestamp": {m.Timestamp},
		"Webhook-Signature": {sign.Standard(m, t.Secrets...)},
	}
}

// legible is the text of an answer as it may be stored and shown: valid UTF-8
// without control characters, line ends and tabs apart.
func legible(b []byte) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, strings.ToValidUTF8(string(b), ""))
}

// failure says for the delivery log why the attempt failed, "" when it did not.
func (a answer) failure() string {
	switch {
	case a.err != nil:
		return reason(a.err)
	case a.status/100 == 2:
		return ""
	case a.status/100 == 3 && a.status != http.StatusNotModified:
		return fmt.Sprintf("answered %d; redirects are not followed", a.status)
	}
	return strings.TrimSpace(fmt.Sprintf("answered %d %s", a.status, http.StatusText(a.status)))
}

// reason puts an error of the network into words for the webhook's owner, who
// knows nothing of Go and may know nothing of the server's own network.
func reason(err error) string {
	var timeout net.Error
	var dns *net.DNSError
	var authority x509.UnknownAuthorityError
	var invalid x509.CertificateInvalidError
	var host x509.HostnameError
	var record tls.RecordHeaderError
	switch {
	case errors.Is(err, errRefused):
		return "the address is private or reserved and is not called"
	case errors.As(err, &dns) && dns.IsNotFound:
		return "the host name was not found"
	case errors.As(err, &timeout) && timeout.Timeout():
		return "timeout"
	case errors.As(err, &dns):
		return "the host name could not be looked up"
	case errors.As(err, &authority):
		return "the certificate is not signed by a known authority"
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "the certificate has expired or is not valid yet"
	case errors.As(err, &host):
		return "the certificate is for another host name"
	case errors.As(err, &invalid), errors.As(err, new(*tls.CertificateVerificationError)):
		return "the certificate is not valid"
	case errors.As(err, &record), errors.As(err, new(tls.AlertError)):
		return "no TLS connection could be made"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "the connection was refused"
	case errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETUNREACH):
		return "the host cannot be reached"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return "the connection was closed before the answer was complete"
	case strings.Contains(err.Error(), "HTTP response to HTTPS client"): // net/http has no value for it
		return "no TLS connection could be made"
	case strings.Contains(err.Error(), "malformed HTTP"):
		return "the answer was not HTTP"
	}
	return "the call failed"
}
