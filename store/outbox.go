package store

import (
	"strconv"

	"esnaf/store/trade"
)

// apiVersion is the version of the payload's shape.
const apiVersion = "2026-11-01"

// maxPayload is the largest event that carries its object; a larger one says
// where to read it.
const maxPayload = 256 << 10

// change is what an event tells: the record after the change, and on *.updated
// the old values of what changed.
type change struct {
	event    trade.Event
	object   []byte
	previous string
	url      string // of the record on Interface A
}

// emit writes an event and a delivery for every webhook that now listens, in the
// same commit as the change it tells of.
func (tx *Tx) emit(c change) error {
	h, err := tx.theHead()
	if err != nil {
		return err
	}
	h.eventSeq++
	id := tx.db.ids.New("evt", tx.now)
	body, start := payload(tx.db.payload[:0], id, tx.who.Tenant, h.eventSeq, trade.At(tx.now), c)
	tx.db.payload = body
	n, err := tx.insert("INSERT INTO events (tenant, id, seq, event, at, body) VALUES (?, ?, ?, ?, ?, ?)",
		tx.who.Tenant, id, h.eventSeq, string(c.event), int64(trade.At(tx.now)), body)
	if err != nil {
		return err
	}
	if start > 0 {
		tx.told = told{event: n, start: start, object: c.object}
	}
	return tx.deliver(n, c.event)
}

// told is the object of the last event of a change, and where it stands in that
// event. An answer with the same bytes need not be kept apart from it.
type told struct {
	event  int64
	start  int
	object []byte
}

// is tells whether body is the very object that was told.
func (t *told) is(body []byte) bool {
	return len(body) > 0 && len(body) == len(t.object) && &body[0] == &t.object[0]
}

// row is the event for a column that may be NULL.
func (t *told) row() any {
	if t.event == 0 {
		return nil
	}
	return t.event
}

// payload appends the event as it is delivered to b, which is empty, and tells at which
// byte its object begins; 0 when it is too large to carry one.
func payload(b []byte, id, tenant string, seq int64, at trade.Instant, c change) (_ []byte, start int) {
	b = append(b, `{"id":"`+id+`","event":"`+string(c.event)+`","apiVersion":"`+apiVersion+`","createdAt":"`...)
	b, _ = at.AppendText(b)
	b = append(b, `","tenantId":"`+tenant+`","sequence":`...)
	b = strconv.AppendInt(b, seq, 10)
	b = append(b, `,"data":{`...)
	head := len(b)
	b = append(b, `"object":`...)
	start = len(b)
	b = append(b, c.object...)
	if c.previous != "" {
		b = append(append(b, `,"previous":`...), c.previous...)
	}
	if b = append(b, "}}"...); len(b) > maxPayload {
		return append(b[:head], `"url":"`+c.url+`"}}`...), 0
	}
	return b, start
}

// deliver makes a delivery of event n for every active webhook that wants it.
func (tx *Tx) deliver(n int64, event trade.Event) error {
	all, err := tx.listeners()
	if err != nil {
		return err
	}
	for _, l := range all {
		if !trade.Wants(l.pattern, event) {
			continue
		}
		if err := tx.addDelivery(l.id, n); err != nil {
			return err
		}
	}
	return nil
}

// listener is an active webhook and what it wants to hear.
type listener struct{ id, pattern string }

// listeners are the active webhooks of the account. The writer remembers them until
// one of them changes, or a change that may have touched them is taken back.
func (tx *Tx) listeners() (all []listener, err error) {
	if all, ok := tx.db.listeners[tx.who.Tenant]; ok {
		return all, nil
	}
	rows, err := tx.query("SELECT id, event FROM webhooks WHERE tenant = ? AND status = 'ACTIVE' AND deleted_at IS NULL ORDER BY id", tx.who.Tenant)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var l listener
		if err := rows.Scan(&l.id, &l.pattern); err != nil {
			return nil, err
		}
		all = append(all, l)
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	if len(tx.db.listeners) >= maxKept {
		clear(tx.db.listeners)
	}
	tx.db.listeners[tx.who.Tenant] = all
	return all, nil
}

func (tx *Tx) addDelivery(webhook string, event int64) error {
	tx.queued = true
	at := int64(trade.At(tx.now))
	_, err := tx.exec("INSERT INTO deliveries (tenant, id, webhook, event, state, due_at, created_at) VALUES (?, ?, ?, ?, 'pending', ?, ?)",
		tx.who.Tenant, tx.db.ids.New("dlv", tx.now), webhook, event, at, at)
	return err
}
