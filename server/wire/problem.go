package wire

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"esnaf/auth"
	"esnaf/store"
	"esnaf/store/trade"
)

// problemMedia is the media type of all errors (RFC 9457).
const problemMedia = "application/problem+json"

// problemType is the start of a problem's type; its code completes it.
const problemType = "urn:esnaf:problem:"

// statuses is the one place where a kind of failure becomes a status.
var statuses = map[trade.Kind]int{
	trade.Malformed:   http.StatusBadRequest,
	trade.Unknown:     http.StatusUnauthorized,
	trade.Forbidden:   http.StatusForbidden,
	trade.NotFound:    http.StatusNotFound,
	trade.Conflict:    http.StatusConflict,
	trade.Invalid:     http.StatusUnprocessableEntity,
	trade.Unmet:       http.StatusPreconditionRequired,
	trade.TooBig:      http.StatusRequestEntityTooLarge,
	trade.Unsupported: http.StatusUnsupportedMediaType,
	trade.Throttled:   http.StatusTooManyRequests,
	trade.Unavailable: http.StatusServiceUnavailable,
	trade.Damaged:     http.StatusServiceUnavailable,
}

// statusOf is the status of an error. Three codes are HTTP's own business and
// have a status that no kind stands for.
func statusOf(e *trade.Error) int {
	switch e.Code {
	case trade.MethodNotAllowed:
		return http.StatusMethodNotAllowed
	case trade.NotAcceptable:
		return http.StatusNotAcceptable
	case trade.URITooLong:
		return http.StatusRequestURITooLong
	}
	if status, ok := statuses[e.Kind]; ok {
		return status
	}
	return http.StatusInternalServerError
}

// fail answers with err and names the credentials that would help a 401.
func (c *Call) fail(w http.ResponseWriter, r *http.Request, err error) {
	if trade.KindOf(err) == trade.Unknown {
		challenge := `Bearer realm="esnaf"`
		if c.Interface == auth.InterfaceB {
			challenge = `ApiKey realm="esnaf", header="x-api-key"`
		}
		w.Header().Set("WWW-Authenticate", challenge)
	}
	Problem(w, r, c.Log, err)
}

// unavailableWait is after how many seconds a caller may ask again whether the store takes
// writes: an operator has to make room first, or a backup to end.
const unavailableWait = "10"

// Problem answers with err. What is no *trade.Error is logged whole, once, and
// told to nobody; a caller who has left is told nothing.
func Problem(w http.ResponseWriter, r *http.Request, log *slog.Logger, err error) {
	if errors.Is(err, context.Canceled) && r.Context().Err() != nil {
		return
	}
	e := told(err)
	if broken(e) {
		log.ErrorContext(r.Context(), "request failed", "request", RequestID(r.Context()), "method", r.Method, "path", r.URL.Path, "error", err)
	}
	h := w.Header()
	h.Del("Etag") // what a handler may have set for the answer it had in mind
	h.Del("Content-Encoding")
	h.Add("Vary", "Accept-Language")
	switch {
	case e.Wait > 0:
		h.Set("Retry-After", strconv.Itoa(e.Wait))
	case e.Kind == trade.Unavailable:
		h.Set("Retry-After", unavailableWait)
	}
	if e.Kind == trade.TooBig {
		h.Set("Connection", "close") // no request follows on what is left of the body
	}
	rep := problem(r, e)
	write(w, r, rep, rep.Body)
}

// broken tells whether e is for whoever runs the server to see. Who says when to come
// again is busy, not broken.
func broken(e *trade.Error) bool {
	return e.Code == trade.Internal || e.Kind == trade.Damaged || e.Kind == trade.Unavailable && e.Wait == 0
}

// told is what a caller may know of err.
func told(err error) *trade.Error {
	var e *trade.Error
	if !errors.As(err, &e) {
		e = trade.Fail("", trade.Internal)
	}
	return e
}

// problem writes an error as the body of an answer to r.
func problem(r *http.Request, e *trade.Error) store.Reply {
	lang := language(r.Header["Accept-Language"])
	status := statusOf(e)
	faults := causes(e.Faults)
	if e.Code == trade.ValidationFailed && len(faults) > 0 { // the count is of those that are told
		e = &trade.Error{Kind: e.Kind, Code: e.Code, Args: []any{len(faults), faults[0]}, Faults: faults, Extra: e.Extra}
	}
	message := e.Text(lang)
	b := append(make([]byte, 0, 512), `{"type":`...)
	b = quoted(b, problemType+string(e.Code))
	b = append(b, `,"title":`...)
	b = quoted(b, http.StatusText(status))
	b = append(b, `,"status":`...)
	b = strconv.AppendInt(b, int64(status), 10)
	b = append(b, `,"detail":`...)
	b = quoted(b, message)
	b = append(b, `,"message":`...)
	b = quoted(b, message)
	b = append(b, `,"code":`...)
	b = quoted(b, string(e.Code))
	b = append(b, `,"requestId":`...)
	b = quoted(b, RequestID(r.Context()))
	b = append(b, `,"errors":[`...)
	for i, f := range faults {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendFault(b, f, lang)
	}
	b = append(b, ']')
	for _, name := range slices.Sorted(maps.Keys(e.Extra)) {
		value, err := json.Marshal(e.Extra[name], json.Deterministic(true))
		if err == nil {
			b = append(quoted(append(b, ','), name), ':')
			b = append(b, value...)
		}
	}
	return store.Reply{Status: status, ContentType: problemMedia, Body: append(b, '}')}
}

func appendFault(b []byte, f trade.Fault, lang trade.Lang) []byte {
	b = quoted(append(b, `{"field":`...), f.Field)
	b = quoted(append(b, `,"code":`...), string(f.Code))
	b = quoted(append(b, `,"message":`...), f.Text(lang))
	for i, value := range f.Allowed {
		if i == 0 {
			b = append(b, `,"allowed":[`...)
		} else {
			b = append(b, ',')
		}
		b = quoted(b, value)
	}
	if len(f.Allowed) > 0 {
		b = append(b, ']')
	}
	return append(b, '}')
}

// causes leaves out faults that only follow from another one: of an element that
// is no object at all, every required field is missing too.
func causes(faults []trade.Fault) []trade.Fault {
	var wrong []string
	for _, f := range faults {
		if f.Code == trade.WrongType {
			wrong = append(wrong, f.Field)
		}
	}
	if wrong == nil {
		return faults
	}
	return slices.DeleteFunc(slices.Clone(faults), func(f trade.Fault) bool {
		return slices.ContainsFunc(wrong, func(field string) bool {
			rest, below := strings.CutPrefix(f.Field, field)
			return below && rest != "" && (rest[0] == '.' || rest[0] == '[')
		})
	})
}

// quoted appends s as a JSON string. Some of what errors speak of came from
// outside, and not as JSON.
func quoted(b []byte, s string) []byte {
	b, _ = jsontext.AppendQuote(b, strings.ToValidUTF8(s, "\uFFFD"))
	return b
}
