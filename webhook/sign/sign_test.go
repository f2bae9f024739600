package sign_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"esnaf/webhook/sign"
)

var sent = time.Unix(1_790_000_000, 0)

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

// bodies are those of ACCEPTANCE W2: what re-encoding by a receiver would break.
var bodies = map[string]string{
	"ASCII":         `{"event":"invoice.created"}`,
	"Turkish":       `{"name":"ığüşöçİ Ticaret A.Ş."}`,
	"emoji":         `{"name":"🧿 Nazar 🫖"}`,
	"markup":        `{"name":"<Ahmet & Oğlu>"}`,
	"U+2028":        "{\"name\":\"a\u2028b\"}",
	"long invoice":  `{"lines":[` + strings.Repeat(`{"name":"Çay, demlik poşet","quantity":"1","unitPrice":"12.50"},`, 200) + `{}]}`,
	"empty":         "",
	"not even text": "\x00\xff\xfe",
}

func TestEverySchemeChecksWhatItSigns(t *testing.T) {
	const other = "another secret of 16"
	for _, format := range []sign.Format{"", sign.Hex, sign.V1Hex, sign.SHA256Hex, sign.Base64} {
		for _, content := range []sign.Content{"", sign.TimestampBody, sign.IDTimestampBody, sign.Body} {
			s := sign.Scheme{Format: format, Content: content}
			m := sign.Message{ID: "evt_1", Timestamp: sign.Timestamp(sent), Body: []byte("{}")}
			both := s.Sign(m, secret, other)
			if n := strings.Count(both, ","); n != 1 {
				t.Errorf("%v: two secrets gave %q", s, both)
			}
			for _, key := range []string{secret, other} { // W28: a receiver with either
				if err := s.Check(m, key, both, sent); err != nil {
					t.Errorf("%v with %q: %v", s, key, err)
				}
			}
			if err := s.Check(m, other, s.Sign(m, secret), sent); !errors.Is(err, sign.ErrMismatch) {
				t.Errorf("%v with a wrong secret: %v", s, err)
			}
		}
	}
}

func TestFormatsLookAsNamed(t *testing.T) {
	m := sign.Message{Timestamp: "1790000000", Body: []byte("{}")}
	hex := sign.Sum(secret, sent, m.Body)
	if len(hex) != 64 || hex != strings.ToLower(hex) {
		t.Fatalf("Sum is %q", hex)
	}
	for format, want := range map[sign.Format]string{sign.Hex: hex, sign.V1Hex: "v1=" + hex, sign.SHA256Hex: "sha256=" + hex} {
		if got := (sign.Scheme{Format: format}).Sign(m, secret); got != want {
			t.Errorf("%s: %q, want %q", format, got, want)
		}
	}
	if got := (sign.Scheme{Format: sign.Base64}).Sign(m, secret); len(got) != 44 {
		t.Errorf("base64: %q", got)
	}
}

func TestCheckTellsWhatIsWrong(t *testing.T) {
	body, at := []byte(`{"a":1}`), sign.Timestamp(sent)
	good := sign.Sum(secret, sent, body)
	for _, row := range []struct {
		name, secret, signature, timestamp, body string
		now                                      time.Time
		want                                     error
	}{
		{"as sent", secret, good, at, `{"a":1}`, sent, nil},
		{"second of two", secret, strings.Repeat("0", 64) + ", " + good, at, `{"a":1}`, sent, nil},
		{"beside one of another format", secret, "v9=zz," + good, at, `{"a":1}`, sent, nil},
		{"five minutes late", secret, good, at, `{"a":1}`, sent.Add(sign.Window), nil},
		{"five minutes early", secret, good, at, `{"a":1}`, sent.Add(-sign.Window), nil},
		{"a second more", secret, good, at, `{"a":1}`, sent.Add(sign.Window + time.Second), sign.ErrWindow},
		{"a second less", secret, good, at, `{"a":1}`, sent.Add(-sign.Window - time.Second), sign.ErrWindow},
		{"one bit of the body", secret, good, at, `{"a":0}`, sent, sign.ErrMismatch},
		{"one bit of the timestamp", secret, good, "1790000001", `{"a":1}`, sent, sign.ErrMismatch},
		{"one bit of the secret", secret[:len(secret)-1] + "v", good, at, `{"a":1}`, sent, sign.ErrMismatch},
		{"one bit of the signature", secret, string(good[0]^1) + good[1:], at, `{"a":1}`, sent, sign.ErrMismatch},
		{"body written anew", secret, good, at, `{"a": 1}`, sent, sign.ErrMismatch},
		{"no signature", secret, "", at, `{"a":1}`, sent, sign.ErrFormat},
		{"half a signature", secret, good[:32], at, `{"a":1}`, sent, sign.ErrFormat},
		{"other format", secret, "sha256=" + good, at, `{"a":1}`, sent, sign.ErrFormat},
		{"no timestamp", secret, good, "", `{"a":1}`, sent, sign.ErrTimestamp},
		{"milliseconds", secret, good, at + "000", `{"a":1}`, sent, sign.ErrWindow},
		{"signed timestamp", secret, good, "+" + at, `{"a":1}`, sent, sign.ErrTimestamp},
		{"a date", secret, good, "2026-09-21T14:13:20Z", `{"a":1}`, sent, sign.ErrTimestamp},
		{"beyond all time", secret, good, "99999999999999999999", `{"a":1}`, sent, sign.ErrTimestamp},
	} {
		if err := sign.Check(row.secret, row.signature, row.timestamp, []byte(row.body), row.now); !errors.Is(err, row.want) {
			t.Errorf("%s: %v, want %v", row.name, err, row.want)
		}
	}
}

func TestStandardWebhooks(t *testing.T) {
	// The example of the Standard Webhooks reference implementations.
	m := sign.Message{ID: "msg_p5jXN8AQM9LWM0D4loKWxJek", Timestamp: "1614265330", Body: []byte(`{"test": 2432232314}`)}
	const want = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
	now := time.Unix(1614265330, 0)
	if got := sign.Standard(m, secret); got != want {
		t.Fatalf("%q, want %q", got, want)
	}
	const plain = "a secret that is plain text"
	both := sign.Standard(m, plain, secret)
	for _, key := range []string{plain, secret} {
		if err := sign.CheckStandard(m, key, "v1a,c2lnbmF0dXJl "+both, now); err != nil {
			t.Errorf("%q: %v", key, err)
		}
	}
	m.ID = "msg_other"
	if err := sign.CheckStandard(m, secret, want, now); !errors.Is(err, sign.ErrMismatch) {
		t.Errorf("another id: %v", err)
	}
	if err := sign.CheckStandard(m, secret, "v1a,c2lnbmF0dXJl", now); !errors.Is(err, sign.ErrFormat) {
		t.Errorf("another version: %v", err)
	}
	if err := sign.CheckStandard(m, secret, want, now.Add(time.Hour)); !errors.Is(err, sign.ErrWindow) {
		t.Errorf("an hour later: %v", err)
	}
}

// FuzzCheck: whatever arrives, Check neither panics nor takes for genuine what
// the secret did not sign.
func FuzzCheck(f *testing.F) {
	good := sign.Sum(secret, sent, []byte("{}"))
	f.Add(good, "1790000000", []byte("{}"))
	f.Add(","+good+",v1=,", "1790000300", []byte("{}"))
	f.Add("", "-1", []byte(nil))
	f.Add("ffff", "18446744073709551615", []byte{0xff})
	f.Fuzz(func(t *testing.T, signature, timestamp string, body []byte) {
		genuine := sign.Check(secret, signature, timestamp, body, sent) == nil
		m := sign.Message{Timestamp: timestamp, Body: body}
		if genuine && !strings.Contains(strings.ToLower(signature), sign.Scheme{}.Sign(m, secret)) {
			t.Errorf("%q at %q passes for %q", signature, timestamp, body)
		}
		if err := sign.Check(secret, signature+","+sign.Scheme{}.Sign(m, secret), timestamp, body, sent); errors.Is(err, sign.ErrMismatch) || errors.Is(err, sign.ErrFormat) {
			t.Errorf("a good signature among %q is not found: %v", signature, err)
		}
		_ = sign.CheckStandard(m, secret, signature, sent)
	})
}
