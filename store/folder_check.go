package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// ErrNoData says that a folder holds nothing yet, where Options ask for one that does.
var ErrNoData = errors.New("the data folder holds no data")

// putBack is what helps where part of a folder is gone.
const putBack = "put a copy of the whole data folder in the place of this one, or name an empty one to begin anew"

// dbPath is where the database of a folder is. Where that is a link, SQLite keeps the log
// beside what it leads to.
func dbPath(dir string) string {
	path := filepath.Join(dir, dbFile)
	if target, err := filepath.EvalSymlinks(path); err == nil {
		return target
	}
	return path
}

// checkFolder decides whether a folder can be worked with, before anything in it is
// made or changed. begins tells that nothing is in it yet. A folder of which a part is
// gone is refused: to make the part anew would bury the rest.
func checkFolder(dir string) (begins bool, err error) {
	note, keys, db := filepath.Join(dir, beginFile), filepath.Join(dir, keysFile), dbPath(dir)
	log := db + "-wal"
	files, err := stat(dir, note, keys, db, log, db+"-shm", db+"-journal")
	if err != nil {
		return false, err
	}
	has := func(path string) bool { return files[path] != nil }
	full := func(path string) bool { return has(path) && files[path].Size() > 0 }
	switch {
	case has(note), !has(db) && !has(keys) && !has(log):
		return true, nil
	case !has(db):
		return false, fmt.Errorf("%s is missing (what is left: %s): %s", db, left(has(keys), has(log)), putBack)
	case !full(db):
		return false, fmt.Errorf("%s is empty: %s", db, putBack)
	}
	return false, checkDatabase(dir, db, full(log), full(db+"-journal"))
}

// stat looks at the files that are there.
func stat(dir string, paths ...string) (map[string]os.FileInfo, error) {
	files := map[string]os.FileInfo{}
	for _, path := range paths {
		info, err := os.Stat(path)
		switch {
		case err == nil && !info.Mode().IsRegular():
			return nil, fmt.Errorf("%s is no regular file: %s", path, putBack)
		case err == nil:
			files[path] = info
		case !errors.Is(err, os.ErrNotExist):
			return nil, fmt.Errorf("the data folder %s cannot be read: %w", dir, Trouble(err))
		}
	}
	return files, nil
}

// left names what there is of a folder without a database.
func left(keys, log bool) string {
	var names []string
	if keys {
		names = append(names, keysFile)
	}
	if log {
		names = append(names, dbFile+"-wal")
	}
	return strings.Join(names, " and ")
}

// checkDatabase reads what the database is and whether the keys are its own. After a
// crash in the old form of log only SQLite can tell, when it is opened for writing.
func checkDatabase(dir, path string, log, journal bool) error {
	if journal {
		_, err := readKeys(dir)
		return err
	}
	return look(path, log, func(c *conn) error {
		schema, err := c.schema()
		if err == nil && schema == 0 {
			err = unfit("it holds nothing: " + putBack)
		}
		if err != nil {
			return notOpened(path, err)
		}
		keys, err := readKeys(dir)
		if err == nil {
			_, err = c.marked(keys, dir, schema)
		}
		return err
	})
}

// look has fn read a database so that neither it nor the log beside it is changed.
func look(path string, log bool, fn func(*conn) error) (err error) {
	how := "mode=ro&immutable=1"
	if log {
		how = "mode=ro"
		if index := path + "-shm"; missing(index) { // SQLite makes one to read the log by
			defer func() {
				if !missing(index) {
					err = errors.Join(err, os.Remove(index))
				}
			}()
		}
	}
	c, err := newConn(path, how)
	if err != nil {
		return notOpened(path, err)
	}
	defer c.close()
	return fn(c)
}

func missing(path string) bool {
	_, err := os.Stat(path)
	return errors.Is(err, os.ErrNotExist)
}

// unfit says why a database is not opened that SQLite can read.
type unfit string

func (u unfit) Error() string { return string(u) }

// schema is the number of the schema that a database has, 0 when there is nothing in it.
// One of another program, or of a newer esnaf, is an error: what it holds is not known
// here.
func (c *conn) schema() (version int, err error) {
	var tables, ours int
	if err := c.row("PRAGMA user_version").Scan(&version); err != nil {
		return 0, err
	}
	if err := c.row("SELECT count(*), count(CASE name WHEN 'tenants' THEN 1 END) FROM sqlite_schema WHERE type = 'table'").Scan(&tables, &ours); err != nil {
		return 0, err
	}
	names, err := schemas()
	switch {
	case err != nil:
		return 0, err
	case version == 0 && tables == 0:
		return 0, nil
	case version == 0 || ours == 0:
		return 0, unfit("it is the database of another program: name another data folder, or take that file out of this one")
	case version > len(names):
		return 0, unfit(fmt.Sprintf("the database has schema %d, this esnaf knows up to %d: use a newer esnaf", version, len(names)))
	}
	return version, nil
}

// notOpened says why a file is not opened, in words for the operator.
func notOpened(path string, err error) error {
	switch codeOf(err) & 0xff {
	case codeCorrupt, codeNoDB:
		return fmt.Errorf("%s is not a database, or it is damaged: put a copy of the whole data folder in the place of this one", path)
	}
	return fmt.Errorf("%s cannot be opened: %w", path, Trouble(err))
}
