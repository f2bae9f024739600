package store

import (
	"crypto/rand"
	"fmt"
	"path/filepath"

	"esnaf/auth"
)

// seal closes a secret for the database, bound to what it belongs to.
func (db *DB) seal(plain []byte, owner string) ([]byte, error) {
	return sealer(db.keys).Seal(plain, []byte(owner))
}

func (db *DB) open(sealed []byte, owner string) ([]byte, error) {
	return sealer(db.keys).Open(sealed, []byte(owner))
}

// sealer draws its nonces from the system even where ids are seeded: a nonce used
// twice under one key would give the secrets away.
func sealer(keys *auth.Keyring) *auth.Sealer { return auth.NewSealer(keys.Derive("seal"), rand.Reader) }

// markOwner is what the mark of the file belongs to.
const markOwner = dbFile

// sealedSince is the number of the schema from which on a file has a mark.
const sealedSince = 15

// match refuses keys that are another folder's, and marks a file that has no mark yet.
func (db *DB) match() error {
	if marked, err := db.writer.marked(db.keys, db.dir, sealedSince); marked || err != nil { // by now it has this schema or a later one
		return err
	}
	mark, err := db.seal([]byte(markOwner), markOwner)
	if err == nil {
		_, err = db.writer.exec("INSERT INTO seal (n, mark) VALUES (1, ?)", mark)
	}
	return err
}

// marked tells whether the file has a mark. Keys that do not open it are an error: the
// secrets of the database could not be opened, and new ones would be closed with the
// wrong key. A file without a mark is judged by a secret that it holds.
func (c *conn) marked(keys *auth.Keyring, dir string, schema int) (bool, error) {
	var row [2]any
	err := errNoRows
	if schema >= sealedSince {
		err = c.first(row[:], "SELECT '"+markOwner+"', mark FROM seal")
	}
	marked := err == nil
	if noRows(err) {
		err = c.first(row[:], "SELECT id, secret FROM webhooks WHERE length(secret) > 0 LIMIT 1")
	}
	if noRows(err) {
		return false, nil
	}
	if err != nil {
		return false, notOpened(filepath.Join(dir, dbFile), err)
	}
	if _, err := sealer(keys).Open(row[1].([]byte), []byte(row[0].(string))); err != nil {
		return false, fmt.Errorf("%s belongs to another database than the one beside it: put back the one that was copied together with it", filepath.Join(dir, keysFile))
	}
	return marked, nil
}

// checkSecrets opens what is sealed in the database.
func checkSecrets(v *View, differ differ) error {
	var row [3]any
	return v.each(row[:], "SELECT tenant, id, secret FROM webhooks ORDER BY id", nil, func() bool {
		if _, err := v.db.open(row[2].([]byte), row[1].(string)); err != nil {
			differ("the secret of webhook %s of %s cannot be opened: nothing is delivered to it", row[1], row[0])
		}
		return true
	})
}
