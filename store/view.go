package store

import (
	"context"
	"errors"
	"time"

	"esnaf/store/trade"
)

// Who is on whose behalf a call is made. Every read and write needs one; there
// is no call without a tenant but the few that look for one.
type Who struct {
	Tenant     string
	Actor      string // usr_, key_ or the name of a worker
	Credential string // ses_ or key_ that a request came with
	Request    string // X-Request-Id
	Addr       string // the caller's address
	Interface  byte   // 'A' or 'B': only A tells that a record is another tenant's
}

// View is a consistent look at one tenant's data: every query of one View sees
// the same commit. Rows are read to their end or closed before fn returns.
type View struct {
	*conn
	db  *DB
	who Who
}

// Who is on whose behalf this View looks.
func (v *View) Who() Who { return v.who }

// Read runs fn against a snapshot. It waits for a free reader, or for ctx.
func (db *DB) Read(ctx context.Context, who Who, fn func(*View) error) error {
	return db.lend(ctx, func(c *conn) (err error) {
		if _, err := c.exec("BEGIN"); err != nil {
			c.close()
			return err
		}
		// However fn ends, the reader goes back without a transaction, or not at
		// all: an old snapshot would be everyone's and keep the log from being
		// folded in.
		defer func() {
			c.finish()
			if _, e := c.exec("COMMIT"); e != nil {
				c.close()
			}
		}()
		return fn(&View{conn: c, db: db, who: who})
	})
}

// Peek is Read for a single query, which is a snapshot by itself: it spares the
// two statements that would hold one for more.
func (db *DB) Peek(ctx context.Context, who Who, fn func(*View) error) error {
	return db.lend(ctx, func(c *conn) error {
		defer c.finish()
		return fn(&View{conn: c, db: db, who: who})
	})
}

// lend gives fn a reader for its time. One that was closed is opened anew at the next
// read.
func (db *DB) lend(ctx context.Context, fn func(*conn) error) error {
	var c *conn
	open := true
	select {
	case c, open = <-db.readers:
	case <-ctx.Done():
		return ctx.Err()
	}
	if !open {
		return errClosed()
	}
	defer func() {
		if c != nil && c.closed {
			c = nil
		}
		db.readers <- c
	}()
	if c == nil {
		var err error
		if c, err = db.newReader(); err != nil {
			return db.heard(err)
		}
	}
	c.tidy()
	return db.heard(fn(c))
}

// Now is the moment the View is taken for filters that need one.
func (v *View) Now() time.Time { return v.db.clock.Now() }

// Elsewhere tells whether id is a record of any tenant. It is the single read
// without a tenant, asked only after a miss.
func (v *View) Elsewhere(id string) bool {
	table := tableOf(id)
	if table == "" {
		return false
	}
	var n int
	return v.row("SELECT 1 FROM "+table+" WHERE id = ? AND tenant <> ?", id, v.who.Tenant).Scan(&n) == nil
}

// missing says that a record of this kind is not there; on Interface A a record
// of another tenant is told apart (specification 7: 403 on A, 404 on B).
func (v *View) missing(one, id string) error {
	if v.who.Interface == 'A' && v.Elsewhere(id) {
		return trade.Fail(trade.Forbidden, trade.CrossTenant)
	}
	return NoRecord(one)
}

// NoRecord says that a record of this kind is not there: the answer to what is no id.
func NoRecord(kind string) error {
	name, ok := kinds[kind]
	if !ok {
		name = trade.Phrase{kind, kind}
	}
	return trade.Fail(trade.NotFound, trade.RecordNotFound, name)
}

// kinds are what kinds of records are called in sentences, in both languages, where that
// is not one word for all. Two have another word in the paths of the API.
var kinds = map[string]trade.Phrase{
	"company": {"company", "Firma"}, "contact": {"contact", "Kişi"}, "opportunity": {"opportunity", "Fırsat"}, "product": {"product", "Ürün"},
	"quote": {"quote", "Teklif"}, "order": {"order", "Sipariş"}, "shipment": {"shipment", "Sevkiyat"}, "invoice": {"invoice", "Fatura"},
	"warehouse": {"warehouse", "Depo"}, "movement": {"movement", "Stok hareketi"}, "counting sheet": countKind, "count": countKind,
	"bank account": {"bank account", "Banka hesabı"}, "cash account": {"cash account", "Kasa"}, "payment": {"payment", "Ödeme"},
	"transfer": {"transfer", "Virman"}, "tenant": {"tenant", "Hesap"}, "key": keyKind, "api key": keyKind,
	"session": {"session", "Oturum"},
}

var (
	countKind = trade.Phrase{"counting sheet", "Sayım fişi"}
	keyKind   = trade.Phrase{"key", "Anahtar"}
)

func noRows(err error) bool { return errors.Is(err, errNoRows) }
