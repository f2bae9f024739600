package server

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptrace"
	"net/textproto"
	"sync"
	"time"
)

// A long operation tells how far it is through its context, on whichever side of
// the control socket it runs. Over the socket that goes as HTTP's own interim
// answers (102 Processing), so that the final one looks like any other.

// progressHeader carries "done total" on an interim answer.
const progressHeader = "Progress"

type progressKey struct{}

// OnProgress returns a context whose operations call fn, about once for every
// hundredth, with how much is done of how much.
func OnProgress(ctx context.Context, fn func(done, total int64)) context.Context {
	last := int64(-1)
	return context.WithValue(ctx, progressKey{}, func(done, total int64) {
		if percent := done * 100 / max(total, 1); percent != last {
			last = percent
			fn(done, total)
		}
	})
}

// progress is whom an operation tells how far it is.
func progress(ctx context.Context) func(done, total int64) {
	if fn, ok := ctx.Value(progressKey{}).(func(done, total int64)); ok {
		return fn
	}
	return func(int64, int64) {}
}

// pulse is after how long a server that is at work on a command says so once more, and
// Silence after how long without a word a command gives it up: it is held (SIGSTOP), or
// hangs.
const (
	pulse   = time.Second
	Silence = 15 * time.Second
)

// interim sends interim answers until the final one.
type interim struct {
	mu   sync.Mutex
	w    http.ResponseWriter
	next *time.Timer // of the pulse; nil when the final answer has begun
}

// sendInterim sends one at every pulse.
func sendInterim(w http.ResponseWriter) *interim {
	i := &interim{w: w}
	i.next = time.AfterFunc(pulse, func() { i.send("") })
	return i
}

// send sends an interim answer with how much is done, "" when that is not known.
func (i *interim) send(done string) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.next == nil {
		return
	}
	if done != "" {
		i.w.Header().Set(progressHeader, done)
		defer i.w.Header().Del(progressHeader)
	}
	i.w.WriteHeader(http.StatusProcessing)
	i.next.Reset(pulse)
}

// end makes room for the final answer.
func (i *interim) end() {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.next != nil {
		i.next.Stop()
		i.next = nil
	}
}

// tellProgress sends what operations of the context tell as interim answers.
func (i *interim) tellProgress(ctx context.Context) context.Context {
	return OnProgress(ctx, func(done, total int64) { i.send(fmt.Sprint(done, " ", total)) })
}

// hearProgress hands interim answers on to whom the context tells, and calls alive for
// each.
func hearProgress(ctx context.Context, alive func()) context.Context {
	tell := progress(ctx)
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{Got1xxResponse: func(_ int, h textproto.MIMEHeader) error {
		alive()
		var done, total int64
		if _, err := fmt.Sscan(h.Get(progressHeader), &done, &total); err == nil {
			tell(done, total)
		}
		return nil
	}})
}
