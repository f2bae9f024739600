package store

import (
	"crypto/sha256"
	"database/sql/driver"
	"encoding/binary"

	"esnaf/store/trade"
)

// head is the end of a tenant's two chains: the last event's sequence and the
// last audit row.
type head struct {
	eventSeq, auditSeq int64
	auditHash          []byte
}

// theHead is the tenant's head, to be moved on by this change.
func (tx *Tx) theHead() (*head, error) {
	return tx.db.heads.move(tx.who.Tenant, func() (head, error) {
		var row [3]driver.Value
		err := tx.first(row[:], "SELECT event_seq, audit_seq, audit_hash FROM heads WHERE tenant = ?", tx.who.Tenant)
		switch {
		case noRows(err):
			return head{auditHash: make([]byte, sha256.Size)}, nil
		case err != nil:
			return head{}, err
		}
		return head{row[0].(int64), row[1].(int64), row[2].([]byte)}, nil
	})
}

func (c *conn) putHead(tenant string, h head) error {
	_, err := c.exec(`INSERT INTO heads (tenant, event_seq, audit_seq, audit_hash) VALUES (?, ?, ?, ?) ON CONFLICT (tenant)
		DO UPDATE SET event_seq = excluded.event_seq, audit_seq = excluded.audit_seq, audit_hash = excluded.audit_hash`,
		tenant, h.eventSeq, h.auditSeq, h.auditHash)
	return err
}

// audit writes who did what to which record. The row's hash covers the row
// before it, so that no row can be changed or taken out unseen (DECISIONS 42a).
func (tx *Tx) audit(action, object, detail string) error {
	h, err := tx.theHead()
	if err != nil {
		return err
	}
	h.auditSeq++
	at := int64(trade.At(tx.now))
	h.auditHash = auditHash(h.auditHash, h.auditSeq, at, tx.who.Actor, action, object, tx.who.Request, tx.who.Addr, detail)
	_, err = tx.exec("INSERT INTO audit (tenant, seq, at, actor, action, object, request, addr, detail, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		tx.who.Tenant, h.auditSeq, at, tx.who.Actor, action, object, tx.who.Request, tx.who.Addr, detail, h.auditHash)
	return err
}

// auditHash is SHA-256 over the previous hash and the row, each text with its
// length before it, so that no two rows are written alike.
func auditHash(previous []byte, seq, at int64, texts ...string) []byte {
	b := make([]byte, 0, 512)
	b = append(b, previous...)
	b = binary.BigEndian.AppendUint64(b, uint64(seq))
	b = binary.BigEndian.AppendUint64(b, uint64(at))
	for _, t := range texts {
		b = binary.BigEndian.AppendUint32(b, uint32(len(t)))
		b = append(b, t...)
	}
	sum := sha256.Sum256(b)
	return sum[:]
}
