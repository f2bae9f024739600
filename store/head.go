package store

import (
	"crypto/sha256"
	"encoding/binary"

	"esnaf/store/trade"
)

// head is the end of a tenant's two chains: the last event's sequence and the
// last audit row. It is a row, read and written inside the change's savepoint
// and never kept longer, so that a change that is rolled back leaves no gap.
type head struct {
	eventSeq, auditSeq int64
	auditHash          []byte
	isNew              bool
}

func (tx *Tx) theHead() (*head, error) {
	if tx.head != nil {
		return tx.head, nil
	}
	var row [3]any
	err := tx.first(row[:], "SELECT event_seq, audit_seq, audit_hash FROM heads WHERE tenant = ?", tx.who.Tenant)
	switch {
	case noRows(err):
		tx.head = &head{isNew: true, auditHash: make([]byte, sha256.Size)}
	case err != nil:
		return nil, err
	default:
		tx.head = &head{eventSeq: row[0].(int64), auditSeq: row[1].(int64), auditHash: row[2].([]byte)}
	}
	return tx.head, nil
}

// putHead writes the head back, once per change.
func (tx *Tx) putHead() (err error) {
	h := tx.head
	switch {
	case h == nil:
	case h.isNew:
		_, err = tx.exec("INSERT INTO heads (event_seq, audit_seq, audit_hash, tenant) VALUES (?, ?, ?, ?)", h.eventSeq, h.auditSeq, h.auditHash, tx.who.Tenant)
	default:
		_, err = tx.exec("UPDATE heads SET event_seq = ?, audit_seq = ?, audit_hash = ? WHERE tenant = ?", h.eventSeq, h.auditSeq, h.auditHash, tx.who.Tenant)
	}
	return err
}

// become lets a change go on for another tenant: one that it just made, or the
// next of those a worker goes over. Each tenant has its own head.
func (tx *Tx) become(tenant string) error {
	if tenant == tx.who.Tenant {
		return nil
	}
	err := tx.putHead()
	tx.head, tx.who.Tenant, tx.day = nil, tenant, ""
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
