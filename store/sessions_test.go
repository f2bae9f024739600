package store_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"esnaf/auth"
	"esnaf/store"
	"esnaf/store/trade"
)

// userHash is the stored password of every user.
const userHash = "$argon2id$hash"

// user adds a person to an account.
func (b *book) user(who store.Who, email string, role auth.Role) (u store.User) {
	b.t.Helper()
	b.write(who, func(tx *store.Tx) (err error) {
		u, err = tx.CreateUser(email, "Ayşe", userHash, role)
		return err
	})
	return u
}

// login opens a session whose refresh token is token.
func (b *book) login(who store.Who, user, token string) (s store.Session) {
	b.t.Helper()
	who.Actor, who.Addr = user, "127.0.0.1"
	b.write(who, func(tx *store.Tx) (err error) {
		s, err = tx.OpenSession(user, userHash, auth.HashToken(token))
		return err
	})
	return s
}

func (b *book) refresh(token, fresh string) (r store.Refreshed, err error) {
	err = b.Write(context.Background(), store.Who{Actor: "refresh"}, func(tx *store.Tx) (err error) {
		r, err = tx.Refresh(auth.HashToken(token), fresh)
		return err
	})
	return r, err
}

func (b *book) alive(session string) bool {
	b.t.Helper()
	l, err := b.FindLogin(context.Background(), session)
	if err != nil {
		b.t.Fatal(err)
	}
	return l.Alive
}

// Acceptance A8: a used token gives its successor for a minute, after that it
// ends the whole session, and the audit trail says why.
func TestRefreshing(t *testing.T) {
	b := open(t)
	u := b.user(b.who, "ayse@example.com", auth.Master)
	s := b.login(b.who, u.ID, "R1")
	for _, step := range []struct {
		about, token, fresh, want string
		after                     time.Duration
		code                      trade.Code
		reused                    bool
	}{
		{about: "an unknown token", token: "R0", fresh: "R9", code: trade.NoCredentials},
		{about: "the first use", token: "R1", fresh: "R2", want: "R2"},
		{about: "again within the minute", after: 59 * time.Second, token: "R1", fresh: "R3", want: "R2"},
		{about: "on its last moment", after: time.Second, token: "R1", fresh: "R4", want: "R2"},
		{about: "the successor", token: "R2", fresh: "R5", want: "R5"},
		{about: "the successor again", token: "R2", fresh: "R6", want: "R5"},
		{about: "the first one after the minute", after: time.Millisecond, token: "R1", fresh: "R7", reused: true},
		{about: "the newest one of an ended session", token: "R5", fresh: "R8", code: trade.NoCredentials},
	} {
		b.clock.Advance(step.after)
		r, err := b.refresh(step.token, step.fresh)
		if r.Token != step.want || r.Reused != step.reused || asError(err).Code != step.code {
			t.Errorf("%s: %+v, %v", step.about, r, err)
		}
	}
	if b.alive(s.ID) {
		t.Error("the session of a stolen token lives on")
	}
	if n := sqlRow[int](b, "SELECT count(*) FROM audit WHERE tenant = ? AND action = 'session.reused_token' AND object = ?", b.who.Tenant, s.ID); n != 1 {
		t.Errorf("%d audit rows tell of it", n)
	}
	if _, err := checkAudit(file(t, b.Dir())); err != nil {
		t.Error(err)
	}
	for _, token := range []string{"R1-gizli"} {
		b.login(b.who, u.ID, token)
		if _, err := b.refresh(token, "R2-gizli"); err != nil {
			t.Error(err)
		}
		b.hides(token)
		b.hides("R2-gizli")
	}
}

// Acceptance A9: however many refresh at once, there is one successor and the
// user stays signed in.
func TestParallelRefreshesDoNotFork(t *testing.T) {
	b := open(t)
	u := b.user(b.who, "ayse@example.com", auth.Master)
	s := b.login(b.who, u.ID, "R1")
	var wg sync.WaitGroup
	got := make([]string, 20)
	for i := range got {
		wg.Go(func() {
			r, err := b.refresh("R1", fmt.Sprintf("S%d", i))
			if err != nil {
				t.Error(err)
			}
			got[i] = r.Token
		})
	}
	wg.Wait()
	for _, token := range got {
		if token == "" || token != got[0] {
			t.Fatalf("successors %q", got)
		}
	}
	if n := sqlRow[int](b, "SELECT count(*) FROM refresh_tokens WHERE session = ?", s.ID); n != 2 || !b.alive(s.ID) {
		t.Errorf("%d tokens, alive %v", n, b.alive(s.ID))
	}
	if r, err := b.refresh(got[0], "T"); err != nil || r.Token != "T" {
		t.Errorf("the successor gives %+v, %v", r, err)
	}
}

// A session ends 30 days after its last use and 90 after its beginning.
func TestASessionEnds(t *testing.T) {
	b := open(t)
	u := b.user(b.who, "ayse@example.com", auth.Master)
	idle := b.login(b.who, u.ID, "I1")
	if want := trade.At(start.AddDate(0, 0, 30)); idle.ExpiresAt != want {
		t.Errorf("ends %s, want %s", idle.ExpiresAt, want)
	}
	used := b.login(b.who, u.ID, "U1")
	for i := range 4 {
		b.clock.Advance(25 * 24 * time.Hour)
		_, err := b.refresh(fmt.Sprintf("U%d", i+1), fmt.Sprintf("U%d", i+2))
		if (err != nil) != (i == 3) { // on day 100 the 90 days are over
			t.Errorf("day %d: %v", 25*(i+1), err)
		}
		if i == 0 && !b.alive(idle.ID) || i == 1 && b.alive(idle.ID) || b.alive(used.ID) != (i < 3) {
			t.Errorf("day %d: idle alive %v, used alive %v", 25*(i+1), b.alive(idle.ID), b.alive(used.ID))
		}
	}
	b.login(b.who, u.ID, "N1")
	if n := sqlRow[int](b, "SELECT count(*) FROM sessions"); n != 1 {
		t.Errorf("%d sessions kept, want the new one", n)
	}
	if n := sqlRow[int](b, "SELECT count(*) FROM refresh_tokens"); n != 1 {
		t.Errorf("%d tokens kept, want the new one", n)
	}
}

// Signing out, another password and being shut out end sessions from the next
// request on, though each request's check is answered from memory.
func TestEndingSessions(t *testing.T) {
	for about, test := range map[string]struct {
		end func(*store.Tx, string, string) error
		all bool // every session of the user
	}{
		"signing out":  {func(tx *store.Tx, user, session string) error { return tx.EndSession(user, session) }, false},
		"a password":   {func(tx *store.Tx, user, _ string) error { return tx.SetPassword(user, "$new") }, true},
		"shutting out": {func(tx *store.Tx, user, _ string) error { return tx.DisableUser(user) }, true},
	} {
		t.Run(about, func(t *testing.T) {
			b := open(t)
			u, v := b.user(b.who, "ayse@example.com", auth.Master), b.user(b.who, "veli@example.com", auth.Sales)
			one, two, others := b.login(b.who, u.ID, "A"), b.login(b.who, u.ID, "B"), b.login(b.who, v.ID, "C")
			for _, s := range []store.Session{one, two, others} {
				if !b.alive(s.ID) {
					t.Fatal("a new session is dead")
				}
			}
			b.write(b.who, func(tx *store.Tx) error { return test.end(tx, u.ID, one.ID) })
			if b.alive(one.ID) || b.alive(two.ID) == test.all || !b.alive(others.ID) {
				t.Errorf("alive: %v %v %v", b.alive(one.ID), b.alive(two.ID), b.alive(others.ID))
			}
			if _, err := b.refresh("A", "X"); asError(err).Code != trade.NoCredentials {
				t.Errorf("its token still works: %v", err)
			}
			if b.alive("ses_none") {
				t.Error("a session that never was is alive")
			}
		})
	}
}

// A login whose password was verified before another one was set, or before its user was
// shut out, opens no session after that.
func TestASessionBeginsWithThePasswordOfNow(t *testing.T) {
	b := open(t)
	other := b.tenant("Öbür Ltd.", trade.CompleteVKN("111222333"))
	u, v := b.user(b.who, "ayse@example.com", auth.Master), b.user(b.who, "veli@example.com", auth.Sales)
	verified, _, err := b.FindAccount(context.Background(), "ayse@example.com")
	if err != nil {
		t.Fatal(err)
	}
	begin := func(user, password string) func(*store.Tx) error {
		return func(tx *store.Tx) error {
			_, err := tx.OpenSession(user, password, auth.HashToken("R"))
			return err
		}
	}
	b.write(b.who, func(tx *store.Tx) error { return tx.SetPassword(u.ID, "$new") })
	b.write(b.who, func(tx *store.Tx) error { return tx.DisableUser(v.ID) })
	for about, fn := range map[string]func(*store.Tx) error{
		"another password": begin(u.ID, verified.Password),
		"shut out":         begin(v.ID, userHash),
		"nobody":           begin("usr_none", userHash),
	} {
		if e := b.refused(b.who, fn); e.Code != trade.BadLogin {
			t.Errorf("%s: %v", about, e)
		}
	}
	if e := b.refused(other, begin(u.ID, "$new")); e.Code != trade.BadLogin {
		t.Errorf("in an account that is not the user's: %v", e)
	}
	b.write(b.who, begin(u.ID, "$new"))
	if n := sqlRow[int](b, "SELECT count(*) FROM sessions"); n != 1 {
		t.Errorf("%d sessions", n)
	}
}

func TestSessionsOfAUser(t *testing.T) {
	b := open(t)
	other := b.tenant("Öbür Ltd.", trade.CompleteVKN("111222333"))
	u := b.user(b.who, "ayse@example.com", auth.Master)
	b.user(other, "ayse@example.com", auth.ReadOnly)
	first, second, elsewhere := b.login(b.who, u.ID, "A"), b.login(b.who, u.ID, "B"), b.login(other, u.ID, "C")
	b.write(b.who, func(tx *store.Tx) error { return tx.EndSession(u.ID, first.ID) })
	b.read(b.who, func(v *store.View) error {
		got, err := v.Sessions(u.ID)
		if err == nil && (len(got) != 1 || got[0] != second || got[0].Addr != "127.0.0.1") {
			t.Errorf("live sessions %+v, want %+v", got, second)
		}
		return err
	})
	onB := b.who
	onB.Interface = 'B'
	for _, test := range []struct {
		about   string
		who     store.Who
		user    string
		session string
		want    trade.Kind
	}{
		{"ended before", b.who, u.ID, first.ID, trade.NotFound},
		{"another user's", b.who, "usr_x", second.ID, trade.NotFound},
		{"in another account", b.who, u.ID, elsewhere.ID, trade.Forbidden},
		{"in another account, on B", onB, u.ID, elsewhere.ID, trade.NotFound},
		{"none", b.who, u.ID, "ses_none", trade.NotFound},
	} {
		if e := b.refused(test.who, func(tx *store.Tx) error { return tx.EndSession(test.user, test.session) }); e.Kind != test.want {
			t.Errorf("%s: %s, want %s", test.about, e.Kind, test.want)
		}
	}
}
