package store

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"esnaf/auth"
	"esnaf/store/trade"
)

// KeyKind tells Interface B's keys from those that act for a user on A.
type KeyKind string

// The kinds of key; they are also the middle of the key's prefix.
const (
	LiveKey KeyKind = "live"
	UserKey KeyKind = "user"
)

// Key is an API key without its secret.
type Key struct {
	ID        string        `json:"id"`
	Tenant    string        `json:"tenantId"`
	Kind      KeyKind       `json:"kind"`
	Name      string        `json:"name"`
	Hint      string        `json:"hint" doc:"prefix and last four characters"`
	Names     []string      `json:"scopes"`
	Rate      int           `json:"rate" doc:"requests a minute; 0 is no limit"`
	CreatedAt trade.Instant `json:"createdAt"`
	ExpiresAt trade.Instant `json:"expiresAt,omitzero"`
	RevokedAt trade.Instant `json:"revokedAt,omitzero"`
	UsedAt    trade.Instant `json:"lastUsedAt,omitzero" doc:"to about a minute"`
	Scopes    auth.Scopes   `json:"-"`
}

// Alive tells whether the key may be used at the moment now.
func (k Key) Alive(now time.Time) bool {
	return k.ID != "" && k.RevokedAt == 0 && (k.ExpiresAt == 0 || trade.At(now) < k.ExpiresAt)
}

// CreateKey issues a key of the caller's account. The key itself is returned
// once and kept only as its hash.
func (tx *Tx) CreateKey(kind KeyKind, name string, scopes auth.Scopes, rate int, expires trade.Instant) (Key, string, error) {
	secret, err := auth.NewKey(tx.db.ids, "svc_"+string(kind)+"_")
	if err != nil {
		return Key{}, "", err
	}
	k, err := tx.CreateKeyAs(secret, kind, name, scopes, rate, expires)
	return k, secret, err
}

// CreateKeyAs is CreateKey for a secret that auth.NewKey made of something the
// caller can repeat: a demo's key is the same at every start.
func (tx *Tx) CreateKeyAs(secret string, kind KeyKind, name string, scopes auth.Scopes, rate int, expires trade.Instant) (Key, error) {
	k := Key{
		ID: tx.db.ids.New("key", tx.now), Tenant: tx.who.Tenant, Kind: kind, Name: name, Names: scopes.List(),
		Scopes: scopes, Rate: rate, CreatedAt: trade.At(tx.now), ExpiresAt: expires,
	}
	f := tx.Check()
	f.Required("name", strings.TrimSpace(name))
	f.Max("name", name, 100)
	if scopes.Empty() {
		f.Required("scopes", "")
	}
	if rate < 0 {
		f.Add("rate", trade.MustNotBeNegative)
	}
	if expires != 0 && expires <= k.CreatedAt {
		f.Add("expiresAt", trade.MustBeLater, k.CreatedAt.String())
	}
	if err := f.Err(); err != nil {
		return k, err
	}
	if err := tx.addKey(&k, secret); err != nil {
		return k, err
	}
	return k, tx.audit("key.create", k.ID, strings.Join(k.Names, " "))
}

func (tx *Tx) addKey(k *Key, secret string) error {
	prefix, last := auth.KeyHint(secret)
	k.Hint = prefix + "..." + last
	hash := auth.HashKey(secret)
	_, err := tx.exec("INSERT INTO keys (id, tenant, kind, name, hash, hint, scopes, rate, created_at, created_by, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		k.ID, k.Tenant, string(k.Kind), k.Name, hash[:], k.Hint, strings.Join(k.Names, " "), k.Rate, int64(k.CreatedAt), tx.who.Actor, nilIfZero(k.ExpiresAt))
	tx.afterCommit(tx.db.callers.clear)
	return err
}

// RescopeKey gives a key other scopes, from the next request on.
func (tx *Tx) RescopeKey(id string, scopes auth.Scopes) error {
	if scopes.Empty() {
		tx.Check().Required("scopes", "")
		return tx.Check().Err()
	}
	return tx.changeKey("key.rescope", id, strings.Join(scopes.List(), " "), "UPDATE keys SET scopes = ? WHERE id = ? AND tenant = ? AND revoked_at IS NULL", strings.Join(scopes.List(), " "))
}

// RevokeKey ends a key, from the next request on.
func (tx *Tx) RevokeKey(id string) error {
	return tx.changeKey("key.revoke", id, "", "UPDATE keys SET revoked_at = ? WHERE id = ? AND tenant = ? AND revoked_at IS NULL", int64(trade.At(tx.now)))
}

// RevokeUserKey is RevokeKey for the account's own keys: those of Interface B are
// the operator's (specification 5, B 2).
func (tx *Tx) RevokeUserKey(id string) error {
	return tx.changeKey("key.revoke", id, "", "UPDATE keys SET revoked_at = ? WHERE id = ? AND tenant = ? AND kind = 'user' AND revoked_at IS NULL", int64(trade.At(tx.now)))
}

func (tx *Tx) changeKey(action, id, detail, text string, value any) error {
	n, err := tx.exec(text, value, id, tx.who.Tenant)
	if err == nil && n == 0 {
		err = tx.missing("key", id)
	}
	if err != nil {
		return err
	}
	tx.afterCommit(tx.db.callers.clear)
	return tx.audit(action, id, detail)
}

// RotateKey ends a key and issues another with the same name, scopes and rate.
func (tx *Tx) RotateKey(id string) (Key, string, error) {
	keys, err := tx.keys("AND id = ? AND revoked_at IS NULL", id)
	if err != nil {
		return Key{}, "", err
	}
	if err := tx.RevokeKey(id); err != nil {
		return Key{}, "", err
	}
	k := keys[0]
	return tx.CreateKey(k.Kind, k.Name, k.Scopes, k.Rate, k.ExpiresAt)
}

// ListKeys lists the keys of the caller's account of one kind, revoked ones too.
func (v *View) ListKeys(kind KeyKind) ([]Key, error) { return v.keys("AND kind = ?", string(kind)) }

const keyColumns = "SELECT id, tenant, kind, name, hint, scopes, rate, created_at, coalesce(expires_at, 0), coalesce(revoked_at, 0), coalesce(used_at, 0) FROM keys "

func (v *View) keys(and string, args ...any) (out []Key, err error) {
	rows, err := v.query(keyColumns+"WHERE tenant = ? "+and+" ORDER BY id", append([]any{v.who.Tenant}, args...)...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	out = []Key{}
	for rows.Next() {
		k, err := scanKey(rows)
		if err != nil {
			return nil, err
		}
		out = append(out, k)
	}
	return out, rows.Err()
}

func scanKey(row scanner) (k Key, err error) {
	var scopes string
	if err = row.Scan(&k.ID, &k.Tenant, &k.Kind, &k.Name, &k.Hint, &scopes, &k.Rate, &k.CreatedAt, &k.ExpiresAt, &k.RevokedAt, &k.UsedAt); err != nil {
		return k, err
	}
	k.Names = strings.Fields(scopes)
	k.Scopes, err = auth.ParseScopes(k.Names)
	return k, err
}

// FindKey finds who a presented key belongs to: from memory, until any key
// changes. A key that nobody has is an empty Key, and is not remembered.
func (db *DB) FindKey(ctx context.Context, hash [32]byte) (Key, error) {
	k, err := db.callers.get(string(hash[:]), func() (k Key, err error) {
		err = db.Read(ctx, Who{Actor: "login"}, func(v *View) (err error) {
			k, err = scanKey(v.row(keyColumns+"WHERE hash = ?", hash[:]))
			return err
		})
		return k, err
	})
	if noRows(err) {
		return Key{}, nil
	}
	return k, err
}

// TenantOfKey finds the account of a key by its id. It is the operator's look-up.
func (db *DB) TenantOfKey(ctx context.Context, id string) (tenant string, err error) {
	err = db.Peek(ctx, Who{Actor: "operator"}, func(v *View) error {
		return v.row("SELECT tenant FROM keys WHERE id = ?", id).Scan(&tenant)
	})
	if noRows(err) {
		err = trade.Fail(trade.NotFound, trade.RecordNotFound, "key")
	}
	return tenant, err
}

// uses remembers when keys were last used, until it is written down: a request
// must not wait for that.
type uses struct {
	mu sync.Mutex
	at map[string]trade.Instant
}

// KeyUsed tells that a key was used just now.
func (db *DB) KeyUsed(id string) {
	at := trade.At(db.clock.Now())
	db.uses.mu.Lock()
	defer db.uses.mu.Unlock()
	if db.uses.at == nil {
		db.uses.at = map[string]trade.Instant{}
	}
	db.uses.at[id] = at
}

// putBack remembers uses that could not be written down; a key that was used again
// meanwhile has a later one.
func (u *uses) putBack(used map[string]trade.Instant) {
	u.mu.Lock()
	defer u.mu.Unlock()
	maps.Copy(used, u.at)
	u.at = used
}

// SaveKeyUses writes down when keys were last used. What cannot be written is kept for
// the next time.
func (db *DB) SaveKeyUses(ctx context.Context) error {
	db.uses.mu.Lock()
	used := db.uses.at
	db.uses.at = nil
	db.uses.mu.Unlock()
	if len(used) == 0 {
		return nil
	}
	err := db.Write(ctx, Who{Actor: "sweeper"}, func(tx *Tx) error {
		for _, id := range slices.Sorted(maps.Keys(used)) {
			if _, err := tx.exec("UPDATE keys SET used_at = ? WHERE id = ?", int64(used[id]), id); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		db.uses.putBack(used)
	}
	return err
}
