package server

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptrace"
	"net/textproto"
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

// tellProgress sends what operations of the context tell as interim answers.
func tellProgress(ctx context.Context, w http.ResponseWriter) context.Context {
	return OnProgress(ctx, func(done, total int64) {
		w.Header().Set(progressHeader, fmt.Sprint(done, " ", total))
		w.WriteHeader(http.StatusProcessing)
		w.Header().Del(progressHeader)
	})
}

// hearProgress hands interim answers on to whom the context tells.
func hearProgress(ctx context.Context) context.Context {
	tell := progress(ctx)
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{Got1xxResponse: func(_ int, h textproto.MIMEHeader) error {
		var done, total int64
		if _, err := fmt.Sscan(h.Get(progressHeader), &done, &total); err == nil {
			tell(done, total)
		}
		return nil
	}})
}
