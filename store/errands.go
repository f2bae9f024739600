package store

import (
	"context"
	"crypto/sha256"
	"errors"
	"time"

	"esnaf/store/trade"
)

// Step is what is to be done next for a document on its way to the tax office.
type Step string

// The steps: hand it over; find out what became of it while it is being handed over, and
// after that; wait for the buyer's answer. Nobody but the courier decides about a document
// that is being handed over. Where a crash broke that off, it asks, as in StepAsk.
const (
	StepSubmit   Step = "submit"
	StepHandOver Step = "handover"
	StepAsk      Step = "ask"
	StepAnswer   Step = "answer"
)

// Asks tells whether the next step is to find out what became of the document.
func (s Step) Asks() bool { return s == StepAsk || s == StepHandOver }

// Errand is one document on its way. It is a row, so that the courier goes on
// where a crash left it.
type Errand struct {
	Tenant   string
	Owner    string // id of the invoice or the shipment whose document it is
	Step     Step
	Envelope string // id the document was handed over under
	Tries    int    // how often it was postponed since it last got anywhere
}

// addErrand hands the document of an invoice or a shipment to the courier. One that has an
// envelope already goes under that as it is kept, unless the tax office turns out to have it.
func (tx *Tx) addErrand(owner, envelope string) error {
	tx.queued = true
	step := StepSubmit
	if envelope != "" {
		step = StepAsk
	}
	_, err := tx.exec("INSERT INTO courier (owner, tenant, step, envelope, due_at) VALUES (?, ?, ?, ?, ?)",
		owner, tx.who.Tenant, string(step), envelope, int64(trade.At(tx.now)))
	return err
}

// Errands reads at most limit errands due by now, longest waiting first, and
// when the next one after them is due (zero when none waits).
func (db *DB) Errands(ctx context.Context, now time.Time, limit int) (due []Errand, next time.Time, err error) {
	err = db.Read(ctx, Who{Actor: "courier"}, func(v *View) error {
		rows, err := v.query("SELECT tenant, owner, step, envelope, tries, due_at FROM courier ORDER BY due_at, n LIMIT ?", limit+1)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var e Errand
			var at int64
			if err := rows.Scan(&e.Tenant, &e.Owner, &e.Step, &e.Envelope, &e.Tries, &at); err != nil {
				return err
			}
			if len(due) == limit || at > int64(trade.At(now)) {
				next = time.UnixMilli(at).UTC()
				break
			}
			due = append(due, e)
		}
		return rows.Err()
	})
	return due, next, err
}

// ErrOvertaken says that an errand is no longer the one that was read: someone
// else has carried it on. Whoever gets it has nothing left to do.
var ErrOvertaken = errors.New("the errand has been carried on by someone else")

// holds is nil as long as e is what is to be done for its document. An outcome of
// an earlier envelope must not be taken for one of the present one.
func (tx *Tx) holds(e Errand) error {
	var one int
	err := tx.row("SELECT 1 FROM courier WHERE owner = ? AND tenant = ? AND step = ? AND envelope = ?",
		e.Owner, tx.who.Tenant, string(e.Step), e.Envelope).Scan(&one)
	if noRows(err) {
		return ErrOvertaken
	}
	return err
}

// Post keeps the document of an errand before it is handed over under envelope:
// from here on a crash leads to a question, not to a second document. The errand
// is at StepHandOver afterwards.
func (tx *Tx) Post(e Errand, number string, xml []byte, envelope string) error {
	if err := tx.holds(e); err != nil {
		return err
	}
	sum := sha256.Sum256(xml)
	_, err := tx.exec(`INSERT INTO documents (tenant, owner, number, sha256, xml, at) VALUES (?, ?, ?, ?, ?, ?)
		ON CONFLICT (owner) DO UPDATE SET number = excluded.number, sha256 = excluded.sha256, xml = excluded.xml, at = excluded.at`,
		tx.who.Tenant, e.Owner, number, sum[:], xml, int64(trade.At(tx.now)))
	if err != nil {
		return err
	}
	_, err = tx.exec("UPDATE courier SET step = ?, envelope = ? WHERE owner = ?", string(StepHandOver), envelope, e.Owner)
	return err
}

// HandOver announces that the document of an errand is handed over again, as it was, since
// it has not arrived. The errand is at StepHandOver afterwards.
func (tx *Tx) HandOver(e Errand) error {
	if err := tx.holds(e); err != nil {
		return err
	}
	if _, err := tx.exec("UPDATE documents SET at = ? WHERE owner = ?", int64(trade.At(tx.now)), e.Owner); err != nil {
		return err
	}
	_, err := tx.exec("UPDATE courier SET step = ? WHERE owner = ?", string(StepHandOver), e.Owner)
	return err
}

// EndErrand ends an errand whose document needs it no longer, unless there is another for
// that by now.
func (tx *Tx) EndErrand(e Errand) error {
	_, err := tx.exec("DELETE FROM courier WHERE owner = ? AND tenant = ? AND step = ? AND envelope = ?", e.Owner, tx.who.Tenant, string(e.Step), e.Envelope)
	return err
}

// Document is the XML of an invoice or a despatch note as it was last handed over; ok is false as
// long as it never was. Only what the tax office has taken is the document for
// good: after a failure the next one takes its place.
func (v *View) Document(owner string) (xml []byte, ok bool, err error) {
	err = v.row("SELECT xml FROM documents WHERE owner = ? AND tenant = ?", owner, v.who.Tenant).Scan(&xml)
	if noRows(err) {
		return nil, false, nil
	}
	return xml, err == nil, err
}
