package store

import (
	"context"
	"time"

	"esnaf/auth"
)

// LoginThrottle is the record of failed logins under a name that auth.Guesser makes.
func (db *DB) LoginThrottle(ctx context.Context, who string) (t auth.Throttle, err error) {
	err = db.Read(ctx, Who{Actor: "login"}, func(v *View) (err error) {
		t, err = v.throttle(who)
		return err
	})
	return t, err
}

func (v *View) throttle(who string) (t auth.Throttle, err error) {
	var last int64
	err = v.row("SELECT failures, last_at FROM login_failures WHERE who = ?", who).Scan(&t.Failures, &last)
	if noRows(err) {
		return t, nil
	}
	t.Last = time.UnixMilli(last).UTC()
	return t, err
}

// LoginTried settles a login whose password has been checked: a wrong one is counted, so
// that it survives a restart, and the right one forgets the failures. Others under the
// same name may have failed while it was checked. When they have used up what is free,
// the login is refused for wait seconds whatever its password was, and not counted:
// else as many could be tried as are sent at once.
func (db *DB) LoginTried(ctx context.Context, who string, good bool) (wait int, err error) {
	err = db.Write(ctx, Who{Actor: "login"}, func(tx *Tx) error {
		t, err := tx.throttle(who)
		if err != nil {
			return err
		}
		if wait = t.RetryAfter(tx.now); wait > 0 {
			return nil
		}
		if good {
			_, err = tx.exec("DELETE FROM login_failures WHERE who = ?", who)
			return err
		}
		return tx.countFailure(who, t.Failed(tx.now))
	})
	return wait, err
}

// countFailure writes the failures down. Old ones that count no more are forgotten on
// the way: whoever guesses at ever new addresses must not fill the disk.
func (tx *Tx) countFailure(who string, t auth.Throttle) error {
	_, err := tx.exec("INSERT INTO login_failures (who, failures, last_at) VALUES (?, ?, ?) ON CONFLICT (who) DO UPDATE SET failures = excluded.failures, last_at = excluded.last_at",
		who, t.Failures, t.Last.UnixMilli())
	if err != nil {
		return err
	}
	_, err = tx.exec("DELETE FROM login_failures WHERE who IN (SELECT who FROM login_failures WHERE last_at < ? ORDER BY last_at LIMIT 3)",
		tx.now.Add(-rememberFailures).UnixMilli())
	return err
}

// rememberFailures is longer than any failure counts (auth.Throttle: an hour's
// wait at most and 15 quiet minutes).
const rememberFailures = 2 * time.Hour
