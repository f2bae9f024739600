package store_test

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"esnaf/auth"
	"esnaf/store"
	"esnaf/store/trade"
)

func (b *book) key(who store.Who, kind store.KeyKind, scopes ...string) (k store.Key, secret string) {
	b.t.Helper()
	b.write(who, func(tx *store.Tx) (err error) {
		k, secret, err = tx.CreateKey(kind, "anahtar", must(auth.ParseScopes(scopes)), 120, 0)
		return err
	})
	return k, secret
}

func (b *book) findKey(secret string) store.Key {
	b.t.Helper()
	k, err := b.FindKey(context.Background(), auth.HashKey(secret))
	if err != nil {
		b.t.Fatal(err)
	}
	return k
}

func TestTheLifeOfAKey(t *testing.T) {
	b := open(t)
	k, secret := b.key(b.who, store.LiveKey, "companies:read", "invoices:*")
	if !auth.ValidKeyShape(secret) || !strings.HasPrefix(secret, "svc_live_") || k.Hint != "svc_live_..."+secret[len(secret)-4:] {
		t.Errorf("%q shown as %q", secret, k.Hint)
	}
	b.hides(secret)
	b.hides(secret[9:41])
	got := b.findKey(secret)
	if !got.Alive(start) || got.ID != k.ID || got.Tenant != b.who.Tenant || got.Kind != store.LiveKey || got.Rate != 120 || !got.Scopes.Has("invoices:delete") || got.Scopes.Has("products:read") {
		t.Errorf("found as %+v", got)
	}
	b.write(b.who, func(tx *store.Tx) error {
		return tx.RescopeKey(k.ID, must(auth.ParseScopes([]string{"products:read"})))
	})
	if got := b.findKey(secret); got.Scopes.Has("invoices:delete") || !got.Scopes.Has("products:read") {
		t.Errorf("rescoped to %v", got.Scopes)
	}
	var fresh string
	b.write(b.who, func(tx *store.Tx) (err error) { _, fresh, err = tx.RotateKey(k.ID); return err })
	if old, now := b.findKey(secret), b.findKey(fresh); old.Alive(start) || !now.Alive(start) || now.Name != "anahtar" || !now.Scopes.Has("products:read") || now.Rate != 120 {
		t.Errorf("rotated from %+v to %+v", old, now)
	}
	b.write(b.who, func(tx *store.Tx) error { return tx.RevokeKey(b.findKey(fresh).ID) })
	if got := b.findKey(fresh); got.Alive(start) {
		t.Error("a revoked key is alive")
	}
	if got := b.findKey("svc_live_none"); got.ID != "" || got.Alive(start) {
		t.Errorf("a key that nobody has is %+v", got)
	}
	b.key(b.who, store.UserKey, "companies:read")
	b.read(b.who, func(v *store.View) error {
		keys, err := v.ListKeys(store.LiveKey)
		if err == nil && (len(keys) != 2 || keys[0].RevokedAt == 0) {
			t.Errorf("listed %+v", keys)
		}
		return err
	})
}

// When a key was last used is shown once it is written down, in one go for all.
func TestTheLastUseOfKeys(t *testing.T) {
	b := open(t)
	used, _ := b.key(b.who, store.LiveKey, "companies:read")
	idle, _ := b.key(b.who, store.LiveKey, "companies:read")
	shown := func(id string) (at trade.Instant) {
		b.read(b.who, func(v *store.View) error {
			keys, err := v.ListKeys(store.LiveKey)
			for _, k := range keys {
				if k.ID == id {
					at = k.UsedAt
				}
			}
			return err
		})
		return at
	}
	b.KeyUsed(used.ID)
	b.clock.Advance(time.Minute)
	b.KeyUsed(used.ID)
	for range 2 { // the second time there is nothing to write
		if err := b.SaveKeyUses(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	if shown(used.ID) != trade.At(b.clock.Now()) || shown(idle.ID) != 0 {
		t.Errorf("last used %s and %s", shown(used.ID), shown(idle.ID))
	}
	tenant, err := b.TenantOfKey(context.Background(), used.ID)
	if tenant != b.who.Tenant || err != nil {
		t.Errorf("the key is %q's, %v", tenant, err)
	}
	if _, err := b.TenantOfKey(context.Background(), "key_none"); trade.KindOf(err) != trade.NotFound {
		t.Errorf("a key that is none: %v", err)
	}
}

// Acceptance K4: whoever asks after the revocation is answered for never finds the
// key alive again, however many look it up meanwhile.
func TestARevokedKeyStaysRevoked(t *testing.T) {
	b := open(t)
	for range 20 {
		k, secret := b.key(b.who, store.LiveKey, "companies:read")
		var revoked atomic.Bool
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				for range 200 {
					after := revoked.Load()
					got, err := b.FindKey(context.Background(), auth.HashKey(secret))
					if err != nil || after && got.Alive(start) {
						t.Errorf("found alive after it was revoked; %v", err)
						return
					}
				}
			})
		}
		b.write(b.who, func(tx *store.Tx) error { return tx.RevokeKey(k.ID) })
		revoked.Store(true)
		wg.Wait()
		if b.findKey(secret).Alive(start) {
			t.Error("alive in the end")
		}
	}
}

func TestAKeyExpires(t *testing.T) {
	b := open(t)
	var secret string
	b.write(b.who, func(tx *store.Tx) (err error) {
		_, secret, err = tx.CreateKey(store.UserKey, "geçici", auth.AllScopes(), 0, trade.At(start.Add(time.Hour)))
		return err
	})
	for after, alive := range map[time.Duration]bool{0: true, time.Hour - time.Millisecond: true, time.Hour: false} {
		if got := b.findKey(secret); got.Alive(start.Add(after)) != alive {
			t.Errorf("after %s alive %v", after, !alive)
		}
	}
}

func TestWhatIsRefusedOfKeys(t *testing.T) {
	b := open(t)
	other := b.tenant("Öbür Ltd.", trade.CompleteVKN("111222333"))
	theirs, _ := b.key(other, store.LiveKey, "companies:read")
	gone, _ := b.key(b.who, store.LiveKey, "companies:read")
	b.write(b.who, func(tx *store.Tx) error { return tx.RevokeKey(gone.ID) })
	onB := b.who
	onB.Interface = 'B'
	some := must(auth.ParseScopes([]string{"companies:read"}))
	for _, test := range []struct {
		about  string
		who    store.Who
		fn     func(*store.Tx) error
		kind   trade.Kind
		fields string
	}{
		{"all wrong", b.who, func(tx *store.Tx) error {
			_, _, err := tx.CreateKey(store.LiveKey, " ", auth.Scopes{}, -1, trade.At(start))
			return err
		}, trade.Invalid, "expiresAt must_be_later, name required, rate must_not_be_negative, scopes required"},
		{"no scopes left", b.who, func(tx *store.Tx) error { return tx.RescopeKey(gone.ID, auth.Scopes{}) }, trade.Invalid, "scopes required"},
		{"another account's", b.who, func(tx *store.Tx) error { return tx.RevokeKey(theirs.ID) }, trade.Forbidden, ""},
		{"another account's, on B", onB, func(tx *store.Tx) error { return tx.RescopeKey(theirs.ID, some) }, trade.NotFound, ""},
		{"revoked before", b.who, func(tx *store.Tx) error { return tx.RevokeKey(gone.ID) }, trade.NotFound, ""},
		{"rotating a revoked one", b.who, func(tx *store.Tx) error { _, _, err := tx.RotateKey(gone.ID); return err }, trade.NotFound, ""},
		{"none", b.who, func(tx *store.Tx) error { _, _, err := tx.RotateKey("key_none"); return err }, trade.NotFound, ""},
	} {
		if e := b.refused(test.who, test.fn); e.Kind != test.kind || fields(e) != test.fields {
			t.Errorf("%s: %s with %q, want %s with %q", test.about, e.Kind, fields(e), test.kind, test.fields)
		}
	}
}
