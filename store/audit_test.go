package store_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/go-json-experiment/json"

	"esnaf/store"
	"esnaf/store/trade"
)

// file opens the database of a folder the way a stock sqlite3 would.
func file(t testing.TB, dir string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, "esnaf.db")+"?_pragma=busy_timeout(5000)") // the driver is the store's
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// auditRow is a row of the audit trail.
type auditRow struct {
	tenant                                       string
	seq, at                                      int64
	actor, action, object, request, addr, detail string
	hash                                         []byte
}

// hashAfter is the hash the row must have after a row with the hash previous:
// SHA-256 over that hash, number and time in eight bytes each, and the texts,
// each with its length before it in four (DECISIONS 42a).
func (r auditRow) hashAfter(previous []byte) []byte {
	h := sha256.New()
	h.Write(previous)
	binary.Write(h, binary.BigEndian, []int64{r.seq, r.at})
	for _, text := range []string{r.actor, r.action, r.object, r.request, r.addr, r.detail} {
		binary.Write(h, binary.BigEndian, uint32(len(text)))
		h.Write([]byte(text))
	}
	return h.Sum(nil)
}

// querier is a database, or a transaction on one.
type querier interface {
	Query(text string, args ...any) (*sql.Rows, error)
	QueryRow(text string, args ...any) *sql.Row
}

// checkAudit goes over every account's chain from its first row to its head.
func checkAudit(db querier) (rows int, err error) {
	found, err := db.Query("SELECT tenant, seq, at, actor, action, object, request, addr, detail, hash FROM audit ORDER BY tenant, seq")
	if err != nil {
		return 0, err
	}
	defer found.Close()
	last := map[string]auditRow{}
	for found.Next() {
		var r auditRow
		if err := found.Scan(&r.tenant, &r.seq, &r.at, &r.actor, &r.action, &r.object, &r.request, &r.addr, &r.detail, &r.hash); err != nil {
			return 0, err
		}
		before, ok := last[r.tenant]
		if !ok {
			before.hash = make([]byte, sha256.Size)
		}
		if r.seq != before.seq+1 || !bytes.Equal(r.hash, r.hashAfter(before.hash)) {
			return 0, fmt.Errorf("audit row %d of %s does not follow row %d", r.seq, r.tenant, before.seq)
		}
		last[r.tenant] = r
		rows++
	}
	if err := found.Err(); err != nil {
		return 0, err
	}
	for tenant, r := range last {
		var seq int64
		var hash []byte
		err := db.QueryRow("SELECT audit_seq, audit_hash FROM heads WHERE tenant = ?", tenant).Scan(&seq, &hash)
		if err != nil || seq != r.seq || !bytes.Equal(hash, r.hash) {
			return 0, fmt.Errorf("the head of %s is at %d, its last row is %d: %v", tenant, seq, r.seq, err)
		}
	}
	return rows, nil
}

// checkEvents finds the first event that is not its account's next one, or whose
// body says something else than its row.
func checkEvents(db querier) (rows int, err error) {
	found, err := db.Query("SELECT e.tenant, e.id, e.seq, e.event, e.body, h.event_seq FROM events e JOIN heads h ON h.tenant = e.tenant ORDER BY e.tenant, e.n")
	if err != nil {
		return 0, err
	}
	defer found.Close()
	last, head := map[string]int64{}, map[string]int64{}
	for found.Next() {
		var tenant, id, event string
		var seq, ends int64
		var text []byte
		if err := found.Scan(&tenant, &id, &seq, &event, &text, &ends); err != nil {
			return 0, err
		}
		body := eventBody{}
		if err := json.Unmarshal(text, &body); err != nil {
			return 0, fmt.Errorf("event %s: %w", id, err)
		}
		if seq != last[tenant]+1 || body.ID != id || body.Event != event || body.TenantID != tenant || body.Sequence != seq {
			return 0, fmt.Errorf("event %s (%d of %s) follows %d and says %+v", id, seq, tenant, last[tenant], body)
		}
		last[tenant], head[tenant] = seq, ends
		rows++
	}
	for tenant, seq := range last {
		if head[tenant] != seq {
			return 0, fmt.Errorf("the head of %s is at event %d, its last event is %d", tenant, head[tenant], seq)
		}
	}
	return rows, found.Err()
}

func TestTheAuditChainHolds(t *testing.T) {
	b := open(t)
	other := b.tenant("Öbür Ltd.", trade.CompleteVKN("111222333"))
	for i := range 20 {
		who := []store.Who{b.who, other}[i%2]
		who.Actor, who.Request, who.Addr = fmt.Sprintf("usr_%d", i), fmt.Sprintf("req-%d", i), "127.0.0.1"
		c := b.company(who, named(i))
		b.write(who, func(tx *store.Tx) error { _, err := tx.UpdateCompany(c.ID, store.Any, named(i+1)); return err })
		b.Write(context.Background(), who, func(tx *store.Tx) error {
			if _, err := tx.CreateCompany(named(i)); err != nil {
				return err
			}
			return trade.Fail(trade.Conflict, trade.Duplicate, "code")
		})
	}
	db := file(t, b.Dir())
	if rows, err := checkAudit(db); err != nil || rows != 42 {
		t.Errorf("%d rows, want 42: %v", rows, err)
	}
	// Nothing can be changed or taken out unseen.
	for _, forgery := range []string{
		"UPDATE audit SET actor = 'usr_9' WHERE seq = 5", "UPDATE audit SET at = at + 1 WHERE seq = 5", "UPDATE audit SET detail = '' WHERE seq = 3",
		"UPDATE audit SET request = addr, addr = request WHERE seq = 5", "DELETE FROM audit WHERE seq = 5", "DELETE FROM audit WHERE seq = 21", "DELETE FROM audit WHERE seq = 1",
	} {
		tx, err := db.Begin()
		if err != nil {
			t.Fatal(err)
		}
		if r, err := tx.Exec(forgery); err != nil || must(r.RowsAffected()) == 0 {
			t.Fatalf("%s: nothing forged: %v", forgery, err)
		}
		if _, err := checkAudit(tx); err == nil {
			t.Errorf("%s goes unseen", forgery)
		}
		if err := tx.Rollback(); err != nil {
			t.Fatal(err)
		}
	}
}
