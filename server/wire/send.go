package wire

import (
	"compress/gzip"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"esnaf/store"
)

// minGzip is the size above which a body is compressed: below, the answer fits
// into one packet either way.
const minGzip = 1024

// Send writes a whole answer at once: status, headers and body, compressed when
// that is wanted and worth it; to HEAD the same without the body. It returns nil
// also when the client has left meanwhile.
func (c *Call) Send(w http.ResponseWriter, r *http.Request, rep store.Reply) error {
	body := rep.Body
	if len(body) > 0 && compressible(rep.ContentType) {
		w.Header().Add("Vary", "Accept-Encoding")
		if c.coding.gzip && (len(body) > minGzip || !c.coding.identity) {
			buf := c.buffers.get()
			defer c.buffers.put(buf)
			c.gzips.compress(buf, body)
			body = *buf
			w.Header().Set("Content-Encoding", "gzip")
		}
	}
	write(w, r, rep, body)
	return nil
}

// write sends the headers of rep and body, which is rep's, encoded or not.
func write(w http.ResponseWriter, r *http.Request, rep store.Reply, body []byte) {
	length := ""
	if rep.Status != http.StatusNoContent && rep.Status != http.StatusNotModified {
		length = strconv.Itoa(len(body))
	}
	h := w.Header()
	values := make([]string, 0, 6) // one array for all headers, where Set makes one for each
	for _, f := range [...]struct{ name, value string }{
		{"Content-Type", rep.ContentType},
		{"Content-Length", length},
		{"Location", rep.Location},
		{"Etag", rep.ETag},
		{"Cache-Control", "no-store"},
		{"X-Content-Type-Options", "nosniff"},
	} {
		if f.value != "" && h[f.name] == nil { // what a handler has set itself stays
			values = append(values, f.value)
			h[f.name] = values[len(values)-1 : len(values) : len(values)]
		}
	}
	w.WriteHeader(rep.Status)
	if r.Method != http.MethodHead && len(body) > 0 {
		_, _ = w.Write(body) // an error means that nobody listens any more
	}
}

// compressible tells whether gzip makes a body of this type smaller.
func compressible(contentType string) bool {
	return strings.HasPrefix(contentType, "text/") || strings.Contains(contentType, "json") || strings.Contains(contentType, "xml")
}

// buffers are byte slices between two requests.
type buffers struct{ pool sync.Pool }

// maxKept is how large a buffer may be and still be kept.
const maxKept = 1 << 20

func (b *buffers) get() *[]byte {
	if buf, ok := b.pool.Get().(*[]byte); ok {
		*buf = (*buf)[:0]
		return buf
	}
	return new(make([]byte, 0, 8<<10))
}

func (b *buffers) put(buf *[]byte) {
	if cap(*buf) <= maxKept {
		b.pool.Put(buf)
	}
}

// gzips are compressors between two requests: each holds some 800 KB.
type gzips struct{ pool sync.Pool }

// compress appends body to *dst in gzip form. It goes for speed: an answer is
// compressed once and read once.
func (g *gzips) compress(dst *[]byte, body []byte) {
	z, ok := g.pool.Get().(*gzip.Writer)
	if !ok {
		z, _ = gzip.NewWriterLevel(nil, gzip.BestSpeed) // the level is valid
	}
	z.Reset((*sink)(dst))
	_, _ = z.Write(body) // a sink takes everything
	_ = z.Close()
	g.pool.Put(z)
}

// sink is a slice that can be written to.
type sink []byte

func (s *sink) Write(p []byte) (int, error) {
	*s = append(*s, p...)
	return len(p), nil
}
