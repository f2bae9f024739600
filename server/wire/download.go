package wire

import (
	"bufio"
	"compress/gzip"
	"errors"
	"net/http"
	"os"
	"slices"
	"time"

	"github.com/go-json-experiment/json"

	"esnaf/store"
	"esnaf/store/clock"
	"esnaf/store/trade"
)

// fileKind is a kind of file that rows can be sent as.
type fileKind struct{ name, media string }

var fileKinds = []fileKind{
	{"csv", "text/csv"},
	{"xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"},
	{"ndjson", "application/x-ndjson"},
	{"pdf", "application/pdf"},
	{"json", jsonMedia},
}

func kindOf(name string) fileKind {
	return fileKinds[slices.IndexFunc(fileKinds, func(k fileKind) bool { return k.name == name })]
}

// Format is the kind of file that a caller wants rows as: the value of the
// parameter format, and whether the file is for Excel in Turkey (excel=tr).
type Format struct {
	Name    string
	Turkish bool
}

// FormatParams are the parameters format, of which names are the values and the
// first one the default, and excel. FormatOf reads them.
func FormatParams(names ...string) []Param {
	known := func(*trade.Query, string) {}
	format := choiceParam("format", "kind of file", names, known)
	format.Schema["default"] = names[0]
	excel := choiceParam("excel", "tr: CSV as Excel in Turkey opens it, with semicolons between cells, a comma as the decimal sign and a byte order mark", []string{"tr"}, known)
	return []Param{format, excel}
}

// FormatOf reads what FormatParams with the same names has described from the
// parameters of r, as Query gives them: Malformed when they do not go together,
// Unsupported when the caller does not accept that kind of file.
func FormatOf(r *http.Request, given map[string]string, names ...string) (Format, error) {
	f := Format{names[0], given["excel"] == "tr"}
	if name := given["format"]; name != "" {
		f.Name = name
	}
	if f.Turkish && f.Name != "csv" {
		return f, Refused("excel", trade.Phrase{"it goes with format=csv alone", "yalnızca format=csv ile kullanılır"})
	}
	if media := kindOf(f.Name).media; !accepts(r.Header["Accept"], media) {
		return f, trade.Fail(trade.Unsupported, trade.NotAcceptable, media)
	}
	return f, nil
}

// rowWriter writes records, given as JSON, into one kind of file.
type rowWriter interface{ add(doc []byte) error }

// Download answers with rows as a file, of any size in little memory: rows is to
// call add with each of them, as JSON of type of, and to end with the error of
// add. name is what the file is called, with the day behind it; it is plain ASCII.
// HEAD gets no rows. The first error before anything was sent is returned; one
// that comes later ends the connection, so that no part passes for the whole.
func (c *Call) Download(w http.ResponseWriter, r *http.Request, name string, f Format, of *Type, rows func(add func(doc []byte) error) error) error {
	file, err := c.fileName(r, name, f)
	if err != nil {
		return err
	}
	kind := kindOf(f.Name)
	out := c.output(w, kind.media)
	out.header["Content-Disposition"] = attachment(file)
	if kind.name == "csv" {
		out.header["Content-Type"] += "; charset=utf-8; header=present"
	}
	return c.flow(r, out, func() error { return fill(r, out, name, f, of, rows) })
}

// Rows has Download send each of list.
func Rows[T any](list []T) func(add func(doc []byte) error) error {
	return func(add func([]byte) error) error {
		for i := range list {
			doc, err := json.Marshal(&list[i])
			if err == nil {
				err = add(doc)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
}

// flow answers with what write writes to out; to HEAD without. The first error before
// anything was sent is returned; one that comes later ends the connection, so that no part
// passes for the whole.
func (c *Call) flow(r *http.Request, out *output, write func() error) error {
	if r.Method == http.MethodHead {
		out.begin()
		return nil
	}
	err := write()
	if err == nil {
		err = out.close()
	}
	if err == nil || !out.begun {
		return err
	}
	if r.Context().Err() == nil || errors.Is(err, os.ErrDeadlineExceeded) { // else the client has left
		c.Log.Error("an answer was cut off", "error", err, "request", RequestID(r.Context()))
	}
	panic(http.ErrAbortHandler)
}

// Attach answers with a whole file, which is named and dated as by Download.
func (c *Call) Attach(w http.ResponseWriter, r *http.Request, name string, f Format, body []byte) error {
	file, err := c.fileName(r, name, f)
	if err != nil {
		return err
	}
	return c.AttachAs(w, r, file, kindOf(f.Name).media, body)
}

// AttachAs answers with a whole file, which is stored under name: plain ASCII.
func (c *Call) AttachAs(w http.ResponseWriter, r *http.Request, name, media string, body []byte) error {
	w.Header().Set("Content-Disposition", attachment(name))
	return c.Send(w, r, store.Reply{Status: http.StatusOK, ContentType: media, Body: body})
}

// fileName puts the day, as the caller's account has it, behind the name of a file.
func (c *Call) fileName(r *http.Request, name string, f Format) (string, error) {
	day, err := c.DB.Today(r.Context(), c.Principal.Tenant)
	return name + "-" + string(day) + "." + f.Name, err
}

func attachment(name string) string { return `attachment; filename="` + name + `"` }

// fill writes the rows into a file of their kind.
func fill(r *http.Request, out *output, name string, f Format, of *Type, rows func(add func(doc []byte) error) error) error {
	var cells cellWriter
	switch f.Name {
	case "ndjson":
		return each(r, lines{out}, rows)
	case "xlsx":
		cells = newBook(out, name)
	default:
		cells = newCSV(out, f.Turkish)
	}
	t, err := newTable(cells, of)
	if err != nil {
		return err
	}
	if err := each(r, t, rows); err != nil {
		return err
	}
	return cells.close()
}

// each writes every row, as long as the client is there.
func each(r *http.Request, to rowWriter, rows func(add func(doc []byte) error) error) error {
	return rows(func(doc []byte) error {
		if err := r.Context().Err(); err != nil {
			return err
		}
		return to.add(doc)
	})
}

// moreTime is how long a client may take until we hear that it took something: the
// system's buffers hold some megabytes, and take more only when a third is free.
// maxTime is how long it may take for the whole of a file: a key that is revoked
// meanwhile must not read on for ever.
const (
	moreTime = 5 * time.Minute
	maxTime  = 2 * time.Hour
)

// outputSize is how much is sent at once.
const outputSize = 64 << 10

// output is the body of an answer of any size. The headers go out with the first bytes.
type output struct {
	w       http.ResponseWriter
	control *http.ResponseController
	end     time.Time // of the connection, whatever is sent by then
	header  map[string]string
	packer  *gzip.Writer // nil: as it is
	buf     *bufio.Writer
	begun   bool
}

func (c *Call) output(w http.ResponseWriter, media string) *output {
	o := &output{w: w, control: http.NewResponseController(w), end: clock.System{}.Now().Add(maxTime), header: map[string]string{
		"Content-Type":  media,
		"Cache-Control": "no-store",
	}}
	o.buf = bufio.NewWriterSize(sender{o}, outputSize)
	if compressible(media) {
		o.header["Vary"] = "Accept-Encoding"
		if c.coding.gzip {
			o.header["Content-Encoding"] = "gzip"
			o.packer, _ = gzip.NewWriterLevel(o.buf, gzip.BestSpeed) // the level is valid
		}
	}
	o.goOn()
	return o
}

// goOn gives the connection more time. Its deadlines are the operating system's,
// so the machine's clock counts, whatever the store's says. Also reading must go
// on: that is how the server sees that the client has left.
func (o *output) goOn() {
	at := clock.System{}.Now().Add(moreTime)
	if at.After(o.end) {
		at = o.end
	}
	_ = o.control.SetReadDeadline(at) // an error: there is no connection, as in a test
	_ = o.control.SetWriteDeadline(at)
}

// begin sends the headers.
func (o *output) begin() {
	o.begun = true
	for name, value := range o.header {
		o.w.Header().Set(name, value)
	}
	o.w.WriteHeader(http.StatusOK)
	_ = o.control.Flush() // no length was told, so the body comes in chunks, however short
}

// Write takes a part of the file.
func (o *output) Write(p []byte) (int, error) {
	if o.packer != nil {
		return o.packer.Write(p)
	}
	return o.buf.Write(p)
}

// close sends what is left.
func (o *output) close() error {
	if o.packer != nil {
		if err := o.packer.Close(); err != nil {
			return err
		}
	}
	if !o.begun && o.buf.Buffered() == 0 { // of no rows at all
		o.begin()
	}
	return o.buf.Flush()
}

// sender is where the buffer of an output goes.
type sender struct{ *output }

// Write sends p to the client.
func (s sender) Write(p []byte) (int, error) {
	if !s.begun {
		s.begin()
	}
	s.goOn()
	return s.w.Write(p)
}
