package cli_test

import (
	"bytes"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	_ "modernc.org/sqlite"
)

// ledger is the database of a stopped server, read beside all code of the
// program, with what clients and receiver know of it.
type ledger struct {
	*testing.T
	db   *sql.DB
	book *book
	bird *cuckoo
}

func (s *site) openLedger(b *book, bird *cuckoo) *ledger {
	s.t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(s.dir, "esnaf.db")+"?mode=ro")
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { db.Close() })
	l := &ledger{s.t, db, b, bird}
	if got := l.texts("PRAGMA integrity_check"); len(got) != 1 || got[0] != "ok" {
		s.t.Fatalf("integrity_check: %v", got)
	}
	if got := l.texts("SELECT \"table\" || rowid FROM pragma_foreign_key_check"); len(got) > 0 {
		s.t.Fatalf("foreign_key_check: %v", got)
	}
	return l
}

// each calls fn for every row of a query, to scan it.
func (l *ledger) each(query string, fn func(scan func(...any))) {
	l.Helper()
	rows, err := l.db.Query(query)
	if err != nil {
		l.Fatalf("%s: %v", query, err)
	}
	defer rows.Close()
	for rows.Next() {
		fn(func(into ...any) {
			if err := rows.Scan(into...); err != nil {
				l.Fatalf("%s: %v", query, err)
			}
		})
	}
	if err := rows.Err(); err != nil {
		l.Fatalf("%s: %v", query, err)
	}
}

func (l *ledger) texts(query string) (out []string) {
	l.Helper()
	l.each(query, func(scan func(...any)) {
		var s string
		scan(&s)
		out = append(out, s)
	})
	return out
}

// answeredIsThere compares the records and the kept answers with the book: each
// key made exactly one record, nobody else made any, and nothing that was
// answered is older on disk.
func (l *ledger) answeredIsThere() {
	l.Helper()
	found := 0
	l.each("SELECT id, version FROM companies UNION ALL SELECT id, version FROM invoices", func(scan func(...any)) {
		var id string
		var version int64
		scan(&id, &version)
		found++
		if told, ok := l.book.versions[id]; !ok || version < told {
			l.Errorf("%s has version %d; answered was %d (%v)", id, version, told, ok)
		}
	})
	if found != len(l.book.versions) || found == 0 {
		l.Errorf("%d records are there, %d were answered", found, len(l.book.versions))
	}
	kept := map[string]int{}
	l.each("SELECT r.key, CASE WHEN r.event IS NULL THEN r.body ELSE substr(e.body, r.start + 1, r.size) END FROM replies r LEFT JOIN events e ON e.n = r.event", func(scan func(...any)) {
		var key, body string
		scan(&key, &body)
		kept[key]++
		if l.book.bodies[key] != body {
			l.Errorf("kept for the key %s is %s, answered was %s", key, body, l.book.bodies[key])
		}
	})
	if len(kept) != len(l.book.bodies) {
		l.Errorf("%d keys are kept, %d were answered", len(kept), len(l.book.bodies))
	}
}

// numbersAreGapless takes each legal series apart: 1 to its last number, none
// missing or twice, in the order of the commits.
func (l *ledger) numbersAreGapless() {
	l.Helper()
	for id, number := range l.book.numbers {
		var stored string
		if err := l.db.QueryRow("SELECT number FROM invoices WHERE id = ?", id).Scan(&stored); err != nil || stored != number {
			l.Errorf("%s was sent as %s and is stored as %q: %v", id, number, stored, err)
		}
	}
	next, total := map[string]int{}, 0
	l.each("SELECT i.number FROM events e JOIN invoices i ON i.id = e.body ->> '$.data.object.id' WHERE e.event = 'invoice.queued' ORDER BY e.seq", func(scan func(...any)) {
		var number string
		scan(&number)
		series := number[:7]
		next[series]++
		total++
		if want := fmt.Sprintf("%s%09d", series, next[series]); number != want {
			l.Errorf("after %d numbers the series has %s, want %s", next[series]-1, number, want)
		}
	})
	for series, last := range next {
		var drawn int
		if err := l.db.QueryRow("SELECT last FROM numbers WHERE series = ?", series).Scan(&drawn); err != nil || drawn != last {
			l.Errorf("series %s: %d numbers were drawn, %d are used: %v", series, drawn, last, err)
		}
	}
	legal := len(l.texts("SELECT number FROM invoices WHERE number NOT LIKE 'DRAFT-%'"))
	if len(next) != 2 || total != legal || total != len(l.book.numbers) {
		l.Errorf("%d series with %d numbers, %d invoices have one, %d were answered", len(next), total, legal, len(l.book.numbers))
	}
}

// eventOf is the event that tells of an audited action.
var eventOf = map[string]string{
	"company.create": "company.created", "company.update": "company.updated",
	"invoice.create": "invoice.created", "invoice.send": "invoice.queued", "invoice.take": "invoice.sent",
}

// eventsAreChanges holds the events against the records: they are numbered
// without a gap, tell of each version that was committed once and of no other,
// in the order of the audit, and the last tells the record as it is.
func (l *ledger) eventsAreChanges() {
	l.Helper()
	var actions []string
	for _, a := range l.texts("SELECT action || ' ' || object FROM audit WHERE object LIKE 'cmp%' OR object LIKE 'inv%' ORDER BY seq") {
		action, object, _ := strings.Cut(a, " ")
		actions = append(actions, eventOf[action]+" "+object)
	}
	told, last, n := map[string]int64{}, map[string]string{}, 0
	l.each("SELECT seq, event, body FROM events ORDER BY seq", func(scan func(...any)) {
		var seq int
		var event string
		var body []byte
		scan(&seq, &event, &body)
		var p struct {
			Event    string
			Sequence int
			Data     struct{ Object json.RawMessage }
		}
		var record struct {
			ID      string
			Version int64
		}
		if err := json.Unmarshal(body, &p); err != nil {
			l.Fatal(err)
		}
		if err := json.Unmarshal(p.Data.Object, &record); err != nil {
			l.Fatal(err)
		}
		if n++; seq != n || p.Sequence != n || p.Event != event || n > len(actions) || actions[n-1] != event+" "+record.ID {
			l.Errorf("event %d is %s of %s with sequence %d, row %d", n, event, record.ID, p.Sequence, seq)
		}
		if record.Version != told[record.ID]+1 {
			l.Errorf("%s is told with version %d after %d", record.ID, record.Version, told[record.ID])
		}
		told[record.ID], last[record.ID] = record.Version, string(p.Data.Object)
	})
	l.each("SELECT id, version, doc FROM companies UNION ALL SELECT id, version, doc FROM invoices", func(scan func(...any)) {
		var id, doc string
		var version int64
		scan(&id, &version, &doc)
		if told[id] != version || last[id] != doc {
			l.Errorf("%s is %s, told was %s", id, doc, last[id])
		}
		delete(told, id)
	})
	if len(told) > 0 || n != len(actions) {
		l.Errorf("%d events of %d changes; of records that are not there: %v", n, len(actions), told)
	}
}

// eventsArrived holds the events against what the receiver heard: the same ids,
// the same bytes, and nothing left to deliver.
func (l *ledger) eventsArrived() {
	l.Helper()
	n := 0
	l.each("SELECT id, body FROM events", func(scan func(...any)) {
		var id string
		var body []byte
		scan(&id, &body)
		n++
		if got := l.bird.bodies[id]; !bytes.Equal(got, body) {
			l.Errorf("event %s is %s, the receiver heard %q", id, body, got)
		}
	})
	if n != len(l.bird.bodies) {
		l.Errorf("%d events are there, the receiver heard %d", n, len(l.bird.bodies))
	}
	if left := l.texts("SELECT id || state FROM deliveries WHERE state <> 'delivered'"); len(left) > 0 {
		l.Errorf("not delivered: %v", left)
	}
	if got := len(l.texts("SELECT id FROM deliveries")); got != n {
		l.Errorf("%d deliveries of %d events", got, n)
	}
}

// auditIsWhole computes the chain of every account anew (DECISIONS 42a).
func (l *ledger) auditIsWhole() {
	l.Helper()
	hash, seq := map[string][]byte{}, map[string]int64{}
	l.each("SELECT tenant, seq, at, actor, action, object, request, addr, detail, hash FROM audit ORDER BY tenant, seq", func(scan func(...any)) {
		var tenant string
		var texts [6]string
		var n, at int64
		var stored []byte
		scan(&tenant, &n, &at, &texts[0], &texts[1], &texts[2], &texts[3], &texts[4], &texts[5], &stored)
		if hash[tenant] == nil {
			hash[tenant] = make([]byte, sha256.Size)
		}
		b := binary.BigEndian.AppendUint64(bytes.Clone(hash[tenant]), uint64(n))
		b = binary.BigEndian.AppendUint64(b, uint64(at))
		for _, text := range texts {
			b = append(binary.BigEndian.AppendUint32(b, uint32(len(text))), text...)
		}
		if sum := sha256.Sum256(b); n != seq[tenant]+1 || !bytes.Equal(sum[:], stored) {
			l.Errorf("audit row %d of %s after %d does not fit the chain", n, tenant, seq[tenant])
		}
		hash[tenant], seq[tenant] = stored, n
	})
	heads := 0
	l.each("SELECT tenant, audit_seq, audit_hash FROM heads", func(scan func(...any)) {
		var tenant string
		var n int64
		var stored []byte
		scan(&tenant, &n, &stored)
		if heads++; n != seq[tenant] || !bytes.Equal(stored, hash[tenant]) {
			l.Errorf("the head of %s is row %d, the last one is %d", tenant, n, seq[tenant])
		}
	})
	if heads == 0 || heads != len(seq) {
		l.Errorf("%d heads of %d chains", heads, len(seq))
	}
}
