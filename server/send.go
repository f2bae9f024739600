package server

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"esnaf/server/wire"
	"esnaf/store"
	"esnaf/store/trade"
)

// maxWait is how long a send may wait for the outcome.
const maxWait = 30

const sendAbout = "Answers 202 with the document QUEUED. With wait it answers 200 once the tax office has taken or refused it, and 202 when the time is over."

// document is a record that goes to the tax office as an electronic document.
type document[T any] interface {
	store.Record[T]
	Document() *trade.EDocument
}

// send queues a document by op (202), or with ?wait=SECONDS answers with what became
// of it (200) as soon as that is known.
func send[T any, P document[T]](path, scope string, t *store.Table[T, P], op func(*store.Tx, string) (store.Doc, error), about wire.Info) wire.Route {
	about.Status, about.Or, about.In, about.Out = http.StatusAccepted, http.StatusOK, wire.Of[struct{}](), wire.Of[T]()
	about.Params = []wire.Param{{Name: "wait", About: "seconds to wait for the outcome", Schema: map[string]any{"type": "integer", "minimum": 0, "maximum": maxWait, "default": 0}}}
	return wire.Plain(http.MethodPost, path, scope, about, func(c *wire.Call, w http.ResponseWriter, r *http.Request) error {
		wait, err := waitOf(c)
		if err != nil {
			return err
		}
		_, sent, err := wire.Body[struct{}](c, w, r)
		if err != nil {
			return err
		}
		id := r.PathValue("id")
		rep, replayed, err := c.Once(r, sent, func(tx *store.Tx) (store.Doc, error) { return op(tx, id) })
		if err != nil {
			return err
		}
		if wait > 0 && rep.Status == http.StatusAccepted {
			doc, settled, err := awaitOutcome(r.Context(), c, c.Who(r), t, id, wait)
			if err != nil {
				return err
			}
			if settled {
				return c.Doc(w, r, doc)
			}
			rep = wire.Renewed(rep, doc)
		}
		return c.Reply(w, r, rep, replayed)
	}).Versioned()
}

func waitOf(c *wire.Call) (time.Duration, error) {
	q, err := c.Query()
	if err != nil || q["wait"] == "" {
		return 0, err
	}
	n, err := strconv.Atoi(q["wait"])
	if err != nil || n < 0 || n > maxWait {
		return 0, wire.Refused("wait", trade.Phrase{"it must be a number of seconds from 0 to 30", "0 ile 30 arasında bir saniye sayısı olmalı"})
	}
	return time.Duration(n) * time.Second, nil
}

// awaitOutcome reads the record after every change of the store until its document is
// no longer queued, or until the time is over.
func awaitOutcome[T any, P document[T]](ctx context.Context, c *wire.Call, who store.Who, t *store.Table[T, P], id string, wait time.Duration) (doc store.Doc, settled bool, err error) {
	over := time.NewTimer(wait)
	defer over.Stop()
	for late := false; ; {
		wake := c.DB.Wake()
		var rec T
		err := c.DB.Read(ctx, who, func(v *store.View) (err error) {
			doc, rec, err = t.Record(v, id)
			return err
		})
		settled := P(&rec).Document().Status != trade.EDocumentQueued
		if err != nil || settled || late {
			return doc, settled, err
		}
		select {
		case <-wake:
		case <-over.C:
			late = true
		case <-ctx.Done():
			return doc, false, ctx.Err()
		}
	}
}
