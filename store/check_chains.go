package store

import (
	"bytes"
	"crypto/sha256"
)

// checkAudit computes the chain of every tenant anew (DECISIONS 42a). After a row that
// does not fit it goes on from there, so that one changed row is one difference.
func checkAudit(v *View, differ differ) error {
	heads := map[string]head{}
	var end [3]any
	err := v.each(end[:], "SELECT tenant, audit_seq, audit_hash FROM heads", nil, func() bool {
		heads[end[0].(string)] = head{auditSeq: end[1].(int64), auditHash: bytes.Clone(end[2].([]byte))}
		return true
	})
	if err != nil {
		return err
	}
	at := map[string]head{} // how far each chain has been followed
	var row [10]any
	err = v.each(row[:], "SELECT tenant, seq, at, actor, action, object, request, addr, detail, hash FROM audit ORDER BY n", nil, func() bool {
		tenant, seq := row[0].(string), row[1].(int64)
		last, begun := at[tenant]
		if !begun {
			last.auditHash = make([]byte, sha256.Size)
		}
		var texts [6]string
		for i := range texts {
			texts[i] = row[3+i].(string)
		}
		stored := bytes.Clone(row[9].([]byte))
		switch {
		case seq <= last.auditSeq:
			differ("in the audit of %s, row %d comes after row %d", tenant, seq, last.auditSeq)
			return true
		case seq != last.auditSeq+1:
			differ("the audit of %s goes from row %d to row %d: what was between is gone", tenant, last.auditSeq, seq)
		case !bytes.Equal(auditHash(last.auditHash, seq, row[2].(int64), texts[:]...), stored):
			differ("row %d of the audit of %s, %s of %s, is not what was written", seq, tenant, texts[1], texts[2])
		}
		at[tenant] = head{auditSeq: seq, auditHash: stored}
		return true
	})
	if err != nil {
		return err
	}
	for tenant, h := range heads {
		if last := at[tenant]; h.auditSeq != last.auditSeq || h.auditSeq > 0 && !bytes.Equal(h.auditHash, last.auditHash) {
			differ("the audit of %s ends with row %d, its end was written down as row %d", tenant, last.auditSeq, h.auditSeq)
		}
		delete(at, tenant)
	}
	for tenant := range at {
		differ("the end of the audit of %s is not written down", tenant)
	}
	return nil
}

// usedNumbers are all numbers that were drawn from series without gaps, by tenant and
// series, and the end of each series as "one more". Legal numbers are three letters,
// the year and nine digits; those that were drawn and given up count as used, once when
// what they were drawn for still shows them.
func usedNumbers() string {
	return readable() + `legal AS (
		SELECT tenant, number, id FROM main.invoices WHERE number NOT GLOB 'DRAFT-*'
		UNION SELECT tenant, number, id FROM shipments
		UNION SELECT tenant, number, owner FROM void_numbers
	), used AS (
		SELECT tenant, substr(number, 1, 7) AS series, CAST(substr(number, 8) AS INTEGER) AS n, 0 AS ends FROM legal
		UNION ALL SELECT tenant, 'payments', CAST(substr(said ->> 'number', 5) AS INTEGER), 0 FROM payments
		UNION ALL SELECT tenant, 'transfers', CAST(substr(said ->> 'number', 5) AS INTEGER), 0 FROM transfers
		UNION ALL SELECT tenant, series, last + 1, 1 FROM numbers WHERE series IN ('payments', 'transfers') OR series GLOB '[A-Z0-9][A-Z0-9][A-Z0-9]20[0-9][0-9]'
	) SELECT tenant, series, n, ends FROM used ORDER BY tenant, series, ends, n`
}

// checkNumbers follows each series from 1 to its end.
func checkNumbers(v *View, differ differ) error {
	var row [4]any
	var at series
	var last int64
	open := false // the series has begun, and its end has not come yet
	ended := func() {
		if open {
			differ("the end of the series %s of %s is not written down; its last number is %d", at.name, at.tenant, last)
		}
	}
	err := v.each(row[:], usedNumbers(), nil, func() bool {
		if next := (series{row[0].(string), row[1].(string)}); next != at {
			ended()
			at, last, open = next, 0, true
		}
		n, _ := row[2].(int64)
		switch {
		case row[3].(int64) == 1 && n <= last:
			differ("the series %s of %s was drawn up to %d, but number %d is used", at.name, at.tenant, n-1, last)
		case n == last:
			differ("number %d of the series %s of %s is used twice", n, at.name, at.tenant)
		case n == last+2:
			differ("number %d of the series %s of %s is missing", last+1, at.name, at.tenant)
		case n > last+1:
			differ("numbers %d to %d of the series %s of %s are missing", last+1, n-1, at.name, at.tenant)
		}
		last = n
		open = open && row[3].(int64) == 0
		return true
	})
	ended()
	return err
}

// checkDocuments computes what the kept XML is told by anew, and looks for that of
// every invoice that the tax office has taken. Of one whose number is void it has none.
func checkDocuments(v *View, differ differ) error {
	var row [3]any
	err := v.each(row[:], "SELECT owner, sha256, xml FROM documents", nil, func() bool {
		sum := sha256.Sum256(row[2].([]byte))
		if !bytes.Equal(sum[:], row[1].([]byte)) {
			differ("the document of %s is not the one that was kept", row[0])
		}
		return true
	})
	if err != nil {
		return err
	}
	var lost [2]any
	return v.each(lost[:], `SELECT number, id FROM invoices WHERE status IN ('SENT', 'ACCEPTED', 'REJECTED', 'CANCELLED')
		AND NOT EXISTS (SELECT 1 FROM documents WHERE owner = invoices.id)
		AND NOT EXISTS (SELECT 1 FROM void_numbers AS void WHERE void.tenant = invoices.tenant AND void.number = invoices.number)`, nil, func() bool {
		differ("the document of invoice %s (%s), which the tax office has taken, is not there", lost[0], lost[1])
		return true
	})
}
