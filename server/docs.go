package server

import (
	"bytes"
	"compress/gzip"
	"embed"
	"fmt"
	"html"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/go-chi/chi/v5"

	"esnaf/server/wire"
	"esnaf/store/trade"
)

// The reference for people: Swagger UI 5.35 (Apache-2.0, its licence beside it) over
// the two descriptions, and tables made from the code. Nothing of it is fetched from
// elsewhere.
//
//go:embed docs
var docFiles embed.FS

// docs serves the reference under /docs, to everyone.
func (s *Server) docs(r chi.Router, routes []wire.Route) {
	get := func(path string, h http.HandlerFunc) {
		r.Get(path, h)
		r.Head(path, h)
	}
	get("/docs", func(w http.ResponseWriter, r *http.Request) { s.docFile(w, r, "index.html") })
	get("/docs/errors", func(w http.ResponseWriter, _ *http.Request) { page(w, "Error codes", errorTable()) })
	get("/docs/events", func(w http.ResponseWriter, _ *http.Request) { page(w, "Events", eventTable(routes)) })
	get("/docs/{file}", func(w http.ResponseWriter, r *http.Request) { s.docFile(w, r, r.PathValue("file")) })
}

// docFile sends an embedded file. Where its compressed form is kept that is what goes out,
// unpacked only for who cannot: the largest has 1.7 MB, and anyone may ask for it.
func (s *Server) docFile(w http.ResponseWriter, r *http.Request, name string) {
	media := map[string]string{".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8"}[name[max(strings.LastIndexByte(name, '.'), 0):]]
	body, err := docFiles.ReadFile("docs/" + name)
	packed := err != nil
	if packed {
		body, err = docFiles.ReadFile("docs/" + name + ".gz")
	}
	if err != nil || media == "" {
		wire.NotFound(s.log)(w, r)
		return
	}
	docHeaders(w, media)
	if packed {
		w.Header().Set("Vary", "Accept-Encoding")
		if !wire.TakesGzip(r) {
			s.unpack(w, r, body)
			return
		}
		w.Header().Set("Content-Encoding", "gzip")
	}
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.Write(body) // a client that left has no use for an error
}

// unpack sends what is in packed, part by part.
func (s *Server) unpack(w http.ResponseWriter, r *http.Request, packed []byte) {
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		wire.Problem(w, r, s.log, err)
		return
	}
	if r.Method != http.MethodHead {
		io.Copy(w, z) // a client that left has no use for an error
	}
}

// docHeaders lets a page run nothing but our own files.
func docHeaders(w http.ResponseWriter, media string) {
	h := w.Header()
	h.Set("Content-Type", media)
	h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	h.Set("Referrer-Policy", "no-referrer")
}

// page sends a reference table as a page of its own.
func page(w http.ResponseWriter, title, table string) {
	docHeaders(w, "text/html; charset=utf-8")
	fmt.Fprintf(w, `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>esnaf: %[1]s</title><link rel="stylesheet" href="/docs/page.css"></head>
<body><nav><a href="/docs">operations</a> <a href="/docs/errors">error codes</a> <a href="/docs/events">events</a></nav><main><h1>%[1]s</h1>%[2]s</main></body></html>
`, html.EscapeString(title), table)
}

// errorTable lists every code that an error may carry, and what it says.
func errorTable() string {
	codes := trade.Codes()
	slices.Sort(codes)
	var b strings.Builder
	b.WriteString("<p>The <code>code</code> of an error, or of one of its <code>errors</code>, is one of these. Codes are stable, sentences are not.</p><table><tr><th>code<th>English<th>Türkçe")
	for _, c := range codes {
		cells(&b, string(c), trade.Described(c, trade.English), trade.Described(c, trade.Turkish))
	}
	return b.String() + "</table>"
}

// eventTable lists every event and the operations that emit it.
func eventTable(routes []wire.Route) string {
	from := map[trade.Event][]string{}
	for _, rt := range routes {
		for _, e := range rt.Events {
			from[e] = append(from[e], rt.Method+" "+baseA+rt.Path)
		}
	}
	var b strings.Builder
	b.WriteString("<p>A change emits each of its events once, in its own transaction. Events without an operation come from the server's own work: the tax office's answers, the calendar, deliveries that fail.</p><table><tr><th>event<th>emitted by")
	for _, e := range trade.Events {
		cells(&b, string(e), strings.Join(from[e], ", "))
	}
	return b.String() + "</table>"
}

func cells(b *strings.Builder, all ...string) {
	b.WriteString("<tr>")
	for _, c := range all {
		b.WriteString("<td>" + html.EscapeString(c))
	}
}
