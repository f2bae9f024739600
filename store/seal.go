package store

import (
	"crypto/rand"
	"database/sql/driver"
	"fmt"
	"path/filepath"

	"esnaf/auth"
)

// seal closes a secret for the database, bound to what it belongs to.
func (db *DB) seal(plain []byte, owner string) ([]byte, error) {
	return db.sealer().Seal(plain, []byte(owner))
}

func (db *DB) open(sealed []byte, owner string) ([]byte, error) {
	return db.sealer().Open(sealed, []byte(owner))
}

// sealer draws its nonces from the system even where ids are seeded: a nonce used
// twice under one key would give the secrets away.
func (db *DB) sealer() *auth.Sealer { return auth.NewSealer(db.keys.Derive("seal"), rand.Reader) }

// markOwner is what the mark of the file belongs to.
const markOwner = "esnaf.db"

// match refuses keys that are another folder's: the secrets of the database could not be
// opened, and new ones would be closed with the wrong key. A file that has no mark yet
// is judged by a secret that it holds.
func (db *DB) match() error {
	var row [2]driver.Value
	err := db.writer.first(row[:], "SELECT '"+markOwner+"', mark FROM seal")
	marked := err == nil
	if noRows(err) {
		err = db.writer.first(row[:], "SELECT id, secret FROM webhooks WHERE length(secret) > 0 LIMIT 1")
	}
	switch {
	case err == nil:
		if _, err := db.open(row[1].([]byte), row[0].(string)); err != nil {
			return fmt.Errorf("%s belongs to another database than the one beside it: put back the one that was copied together with it", filepath.Join(db.dir, "keys.json"))
		}
	case !noRows(err):
		return err
	}
	if marked {
		return nil
	}
	mark, err := db.seal([]byte(markOwner), markOwner)
	if err == nil {
		_, err = db.writer.exec("INSERT INTO seal (n, mark) VALUES (1, ?)", mark)
	}
	return err
}

// checkSecrets opens what is sealed in the database.
func checkSecrets(v *View, differ differ) error {
	var row [3]driver.Value
	return v.each(row[:], "SELECT tenant, id, secret FROM webhooks ORDER BY id", nil, func() bool {
		if _, err := v.db.open(row[2].([]byte), row[1].(string)); err != nil {
			differ("the secret of webhook %s of %s cannot be opened: nothing is delivered to it", row[1], row[0])
		}
		return true
	})
}
