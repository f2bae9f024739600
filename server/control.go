package server

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"esnaf/server/wire"
	"esnaf/store"
	"esnaf/store/trade"
)

// controlFile is the socket in the data folder by which commands reach the server
// that runs on it, so that their changes go through its writer and its caches
// and hold from the next request on (DECISIONS 46). The folder is private, and so
// is the socket: who may open it is the operator.
const controlFile = "control.sock"

const (
	maxCommand   = 1 << 20          // bytes of a command's parameters
	commandGrace = 10 * time.Second // for commands at work when the server stops
)

// serveControl answers on the socket until ctx ends and the commands at work are
// done. The path of an operation is its words: POST /tenant/create.
func (s *Server) serveControl(ctx context.Context, ln net.Listener) error {
	defer os.Remove(filepath.Join(s.db.Dir(), controlFile))
	srv := &http.Server{
		Handler:           control(&Admin{DB: s.db, Passwords: s.passwords}, s.log),
		ReadHeaderTimeout: commandGrace,
		BaseContext:       func(net.Listener) context.Context { return ctx },
	}
	ended := make(chan error, 1)
	go func() { ended <- srv.Serve(ln) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	late, cancel := context.WithTimeout(context.WithoutCancel(ctx), commandGrace)
	defer cancel()
	err := srv.Shutdown(late)
	<-ended
	return err
}

// listenControl takes the socket. One that is there already was left by a process
// that was killed: the folder's lock is ours.
func listenControl(dir string) (net.Listener, error) {
	path := filepath.Join(dir, controlFile)
	if info, err := os.Lstat(path); err == nil {
		if info.Mode().Type() != fs.ModeSocket {
			return nil, fmt.Errorf("%s is no socket, so commands cannot reach the server: take it out of the data folder", path)
		}
		if err := os.Remove(path); err != nil {
			return nil, fmt.Errorf("the old control socket %s cannot be removed: %w", path, store.Trouble(err))
		}
	}
	short, done, err := shortPath(dir)
	if err != nil {
		return nil, err
	}
	defer done()
	ln, err := net.ListenUnix("unix", &net.UnixAddr{Name: short, Net: "unix"})
	if err != nil {
		return nil, fmt.Errorf("the control socket %s cannot be made: %w", path, store.Trouble(err))
	}
	ln.SetUnlinkOnClose(false) // the short path may be gone by then
	return ln, os.Chmod(path, 0o600)
}

// maxSocketPath is the longest path of a socket that every system takes; Linux
// has 107 bytes, the BSDs 103.
const maxSocketPath = 103

// shortPath is a path of the socket that is short enough for the system. A long
// one goes by way of the open folder, which done closes again.
func shortPath(dir string) (path string, done func(), err error) {
	if path = filepath.Join(dir, controlFile); len(path) <= maxSocketPath {
		return path, func() {}, nil
	}
	f, err := os.Open(dir)
	if err != nil {
		return "", nil, fmt.Errorf("the data folder %s cannot be opened: %w", dir, store.Trouble(err))
	}
	return fmt.Sprintf("/proc/self/fd/%d/%s", f.Fd(), controlFile), func() { f.Close() }, nil
}

// control answers commands; errors look like those of the API.
func control(a *Admin, log *slog.Logger) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := strings.ReplaceAll(strings.TrimPrefix(r.URL.Path, "/"), "/", " ")
		params, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxCommand))
		if err != nil {
			wire.Problem(w, r, log, trade.Fail(trade.TooBig, trade.BodyTooLarge, maxCommand))
			return
		}
		// It ends with the server, or when nobody waits for it any more, only where it
		// changes nothing. What does is carried out to its end, as any change is.
		ctx := r.Context()
		if name != "check" {
			ctx = context.WithoutCancel(ctx)
		}
		interim := sendInterim(w)
		defer interim.end()
		out, err := a.Do(interim.tellProgress(ctx), name, params)
		interim.end()
		if ctx.Err() != nil {
			err = trade.Later(trade.Unavailable, trade.Stopping, int(commandGrace.Seconds()))
		}
		if err != nil {
			wire.Problem(w, r, log, err)
			return
		}
		log.Info("operator", "command", name) // never its parameters: there are passwords among them
		w.Header().Set("Content-Type", "application/json")
		if err := json.MarshalWrite(w, out, Legible()); err != nil {
			log.Error("answer to a command", "command", name, "error", err)
		}
	})
}

// Legible is how what commands tell is written: a text of the file that is damaged is told
// all the same.
func Legible() json.Options { return jsontext.AllowInvalidUTF8(true) }

// ErrNoServer says that no server listens in the data folder.
var ErrNoServer = errors.New("no server runs on the data folder")

// errSilent says that a server takes commands, but does nothing.
var errSilent = errors.New("the server that runs on the data folder does not answer: it is held (SIGSTOP) or hangs; once it goes on, look whether the change was made")

// Command has the server that runs on the folder dir carry out an operation, and
// returns its result as JSON. How far a long one is goes where OnProgress of ctx
// says. Errors: ErrNoServer, a *Refused, or that of a
// connection that broke or on which nothing came.
func Command(ctx context.Context, dir, name string, params []byte) ([]byte, error) {
	short, done, err := shortPath(dir)
	if err != nil {
		return nil, errors.Join(ErrNoServer, err)
	}
	defer done()
	conn, err := new(net.Dialer).DialContext(ctx, "unix", short)
	if err != nil {
		return nil, errors.Join(ErrNoServer, err)
	}
	defer conn.Close()
	dial := func(context.Context, string, string) (net.Conn, error) { return conn, nil }
	client := http.Client{Transport: &http.Transport{DialContext: dial, DisableKeepAlives: true}}
	ctx, giveUp := context.WithCancelCause(ctx)
	defer giveUp(nil)
	silent := time.AfterFunc(Silence, func() { giveUp(errSilent) })
	defer silent.Stop()
	ctx = hearProgress(ctx, func() { silent.Reset(Silence) })
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://control/"+strings.ReplaceAll(name, " ", "/"), bytes.NewReader(params))
	if err != nil {
		return nil, err
	}
	res, err := client.Do(req)
	switch {
	case errors.Is(context.Cause(ctx), errSilent):
		return nil, errSilent
	case err != nil:
		return nil, fmt.Errorf("the server stopped before it answered; look whether the change was made: %w", store.Trouble(err))
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	if err != nil {
		return nil, fmt.Errorf("the server stopped in its answer; look whether the change was made: %w", store.Trouble(err))
	}
	if res.StatusCode != http.StatusOK {
		return nil, readRefused(answer)
	}
	return answer, nil
}

// Refused is an error of an operation as a command sees it, from whichever side
// of the socket.
type Refused struct {
	Code    trade.Code    `json:"code"`
	Message string        `json:"message"`
	Faults  []FaultyField `json:"errors"`
}

// FaultyField is one wrong parameter; the message begins with the field.
type FaultyField struct {
	Field   string `json:"field"`
	Message string `json:"message"`
}

// Error is the message.
func (r *Refused) Error() string { return r.Message }

func readRefused(problem []byte) error {
	var r Refused
	if err := json.Unmarshal(problem, &r); err != nil || r.Message == "" {
		return errors.New("the server's answer cannot be read: is it of another version than this command?")
	}
	return &r
}

// Refuse is err of an operation that was carried out without a server. What a server
// would keep for its log is told in brackets.
func Refuse(err error) error {
	var e *trade.Error
	if !errors.As(err, &e) {
		return &Refused{Code: trade.Internal, Message: fmt.Sprintf("%s (%v)", trade.Fail("", trade.Internal), store.Trouble(err))}
	}
	r := &Refused{Code: e.Code, Message: e.Error()}
	for _, f := range e.Faults {
		r.Faults = append(r.Faults, FaultyField{f.Field, f.Text(trade.English)})
	}
	return r
}
