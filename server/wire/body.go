package wire

import (
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"os"
	"reflect"
	"slices"
	"strings"

	"esnaf/store/trade"
)

// Sent is what came with a body beside its value.
type Sent struct {
	// Faults are the fields that could not be read. They belong into the Check
	// of what is done with the body; Check is one that has them already.
	Faults []trade.Fault
	// Charset is what a file of text is said to be in, in small letters; "" when nothing
	// is said.
	Charset string
	key     string
	print   []byte
}

// Check is a new Check that begins with the body's faults.
func (s *Sent) Check() *trade.Check {
	f := &trade.Check{}
	for _, fault := range s.Faults {
		f.AddFault(fault)
	}
	return f
}

// Body reads the body of a request to a route whose body is an In, and its
// Idempotency-Key when it is a POST. Where In has no fields, or the route is an
// action and none of them is required, the body may be left out, and then needs no
// Content-Type. Errors: Malformed, TooBig, Unsupported.
func Body[In any](c *Call, w http.ResponseWriter, r *http.Request) (in In, sent Sent, err error) {
	if c.route.in == nil || c.route.in.of != reflect.TypeFor[In]() {
		panic(fmt.Sprintf("wire: %s %s says that its body is something else than the %T it reads", c.route.Method, c.route.Path, in))
	}
	if r.Method == http.MethodPost {
		if sent.key, err = idempotencyKey(r.Header["Idempotency-Key"], c.route.keyRequired); err != nil {
			return in, sent, err
		}
	}
	buf := c.buffers.get()
	defer c.buffers.put(buf)
	optional := c.route.optionalBody()
	if err = c.readBody(w, r, buf, optional); err != nil {
		return in, sent, err
	}
	normal := *buf
	if len(normal) > 0 || !optional {
		if normal, sent.Faults, err = decode(normal, c.route.in.shape(), &in, c.foreign); err != nil {
			return in, sent, err
		}
	}
	if sent.key != "" {
		scratch := c.buffers.get()
		defer c.buffers.put(scratch)
		sent.print, *scratch = fingerprint(normal, *scratch)
	}
	return in, sent, nil
}

// optionalBody tells whether a body that the route reads may be left out.
func (rt *Route) optionalBody() bool {
	fields := rt.in.shape().fields
	return len(fields) == 0 || rt.acts && !slices.ContainsFunc(fields, func(f field) bool { return f.required })
}

// readBody reads the whole body into buf and refuses what is no JSON by its
// headers; an optional body may be empty.
func (c *Call) readBody(w http.ResponseWriter, r *http.Request, buf *[]byte, optional bool) error {
	if !optional || r.ContentLength > 0 {
		if err := c.isJSON(r.Header); err != nil {
			return err
		}
	}
	if r.ContentLength > c.MaxBody {
		return trade.Fail(trade.TooBig, trade.BodyTooLarge, c.MaxBody)
	}
	err := readAll(http.MaxBytesReader(w, r.Body, c.MaxBody), buf, max(r.ContentLength, 0), c.MaxBody)
	switch {
	case err != nil:
		return unread(err, c.MaxBody)
	case optional && r.ContentLength < 0 && len(*buf) > 0: // sent in chunks: only now it is known to be there
		return c.isJSON(r.Header)
	}
	return nil
}

// unread says why a body could not be read to its end.
func unread(err error, limit int64) error {
	var large *http.MaxBytesError
	if errors.As(err, &large) {
		return trade.Fail(trade.TooBig, trade.BodyTooLarge, limit)
	}
	why := trade.Phrase{"its body ended early", "gövdesi erken bitti"}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		why = trade.Phrase{"its body did not come in time", "gövdesi zamanında gelmedi"}
	}
	return errors.Join(trade.Fail(trade.Malformed, trade.BadRequest, why), err)
}

// firstPart is how much room a body gets before any of it is here: what it
// announces costs nothing to say.
const firstPart = 64 << 10

// readAll reads all of body into buf. size is how much it announces, 0 when it
// does not, limit how much it may be. Beyond firstPart all the room it may need
// is made at once: growing in steps would cost twice as much for a body that
// turns out too large.
func readAll(body io.Reader, buf *[]byte, size, limit int64) error {
	b := *buf
	if size >= int64(cap(b)) {
		b = make([]byte, 0, min(size+1, firstPart)) // one more, to see the end without growing
	}
	for {
		n, err := body.Read(b[len(b):cap(b)])
		b = b[:len(b)+n]
		*buf = b
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case len(b) < cap(b):
		case cap(b) < firstPart:
			b = append(make([]byte, 0, 2*cap(b)), b...)
		case int64(cap(b)) < size:
			b = append(make([]byte, 0, size+1), b...)
		default:
			b = append(make([]byte, 0, max(limit, int64(cap(b)))+1), b...)
		}
	}
}

// isJSON refuses a body of another media type than JSON in UTF-8, and one that
// is encoded: a few kilobytes of gzip may be gigabytes of JSON. A merge patch may
// be called by its own name.
func (c *Call) isJSON(h http.Header) error {
	if coding := h.Get("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
		return trade.Fail(trade.Unsupported, trade.UnsupportedMediaType, trade.Phrase{"application/json without Content-Encoding", "Content-Encoding olmadan application/json"})
	}
	value := h.Get("Content-Type")
	if value == jsonMedia {
		return nil
	}
	media, params, err := mime.ParseMediaType(value)
	charset, named := params["charset"]
	if err != nil || media != jsonMedia && !(c.route.merges && media == mergeMedia) || named && !strings.EqualFold(charset, "utf-8") {
		return trade.Fail(trade.Unsupported, trade.UnsupportedMediaType, trade.Phrase{"application/json in UTF-8", "UTF-8 olarak application/json"})
	}
	return nil
}
