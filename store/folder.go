package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"esnaf/auth"
)

// ErrBusy says that another process works with the data folder.
var ErrBusy = errors.New("the data folder is in use by another esnaf")

// The files of a data folder.
const (
	dbFile   = "esnaf.db"
	keysFile = "keys.json"
	lockFile = "lock"
	// beginFile is there while a folder is used for the first time, until all that
	// belongs into it is there: what is missing before was never there.
	beginFile = "esnaf.db.new"
)

// ourFiles are all that is in a data folder, but for what SQLite adds after a dash; the
// config file its owner puts there.
var ourFiles = []string{dbFile, beginFile, keysFile, keysFile + ".new", lockFile, "esnaf.yaml", "control.sock"}

// folderLock is the flock on DIR/lock; it goes with the process, however that
// ends.
type folderLock struct {
	f    *os.File
	made bool // by us
}

// takeFolder makes the folder, locks it, judges it and takes it over. Files in it that
// are not ours are left alone; a folder that is refused is left as it was. begins tells
// that there is nothing in it yet.
func takeFolder(o Options) (l *folderLock, begins bool, err error) {
	if o.Existing && missing(o.Dir) {
		return nil, false, ErrNoData
	}
	if err := os.MkdirAll(o.Dir, 0o700); err != nil {
		return nil, false, fmt.Errorf("the data folder %s cannot be made: %w", o.Dir, Trouble(err))
	}
	if l, err = lockFolder(o.Dir); err != nil {
		return nil, false, err
	}
	if begins, err = checkFolder(o.Dir); err == nil && begins && o.Existing {
		err = ErrNoData
	}
	if err == nil {
		err = closeFolder(o.Dir)
	}
	if err != nil {
		return nil, false, errors.Join(err, l.undo())
	}
	if begins {
		err = os.WriteFile(filepath.Join(o.Dir, beginFile), nil, 0o600)
	}
	if err = errors.Join(err, l.f.Chmod(0o600)); err != nil {
		return nil, false, errors.Join(fmt.Errorf("the data folder %s cannot be written: %w", o.Dir, Trouble(err)), l.release())
	}
	return l, begins, nil
}

// lockFolder takes the lock. One that was taken away between its opening and its locking,
// by undo, locks nothing any more: then it is tried again.
func lockFolder(dir string) (*folderLock, error) {
	path := filepath.Join(dir, lockFile)
	for {
		made := missing(path)
		f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
		if err != nil {
			return nil, fmt.Errorf("the data folder %s cannot be written: %w", dir, Trouble(err))
		}
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil && isAt(f, path) {
			return &folderLock{f, made}, nil
		}
		f.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, fmt.Errorf("%w (%s)", ErrBusy, dir)
		}
		if err != nil {
			return nil, fmt.Errorf("the data folder %s cannot be locked: %w", dir, Trouble(err))
		}
	}
}

// isAt tells whether f is the file that path names.
func isAt(f *os.File, path string) bool {
	mine, err := f.Stat()
	there, e := os.Stat(path)
	return err == nil && e == nil && os.SameFile(mine, there)
}

func (l *folderLock) release() error { return l.f.Close() }

// undo takes the lock file away too, where it was not there before.
func (l *folderLock) undo() (err error) {
	if l.made {
		err = os.Remove(l.f.Name())
	}
	return errors.Join(err, l.release())
}

// begun says that all which belongs into the folder is there.
func begun(dir string, noSync bool) error {
	err := os.Remove(filepath.Join(dir, beginFile))
	if err == nil && !noSync {
		err = syncFolder(dir)
	}
	return err
}

// closeFolder takes all rights to dir from other users. A folder that holds more than
// our data keeps its mode, since it may be theirs too; where everybody may write into
// it, it is no place for data.
func closeFolder(dir string) error {
	all, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("the data folder %s cannot be read: %w", dir, Trouble(err))
	}
	for _, e := range all {
		if name, _, _ := strings.Cut(e.Name(), "-"); !slices.Contains(ourFiles, name) {
			return notWorldWritable(dir, e.Name())
		}
	}
	if err := os.Chmod(dir, 0o700); err != nil {
		return fmt.Errorf("the data folder %s cannot be made private: %w", dir, Trouble(err))
	}
	return nil
}

func notWorldWritable(dir, other string) error {
	info, err := os.Stat(dir)
	if err == nil && info.Mode()&0o002 != 0 {
		err = fmt.Errorf("everybody may write into the folder %s, which also holds %s: take that right away (chmod o-w) or name another data folder", dir, other)
	}
	return err
}

// makePrivate makes path a file that only its owner reads, whatever the umask;
// SQLite gives the log and the index beside it the same mode.
func makePrivate(path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	return errors.Join(f.Chmod(0o600), f.Close())
}

// rotateSigning is the age at which a signing key is succeeded at the next start;
// its successor signs, and it goes on verifying.
const rotateSigning = 90 * 24 * time.Hour

// loadKeyring reads DIR/keys.json, or makes it where a folder begins.
func loadKeyring(o Options, begins bool) (*auth.Keyring, error) {
	path, now := filepath.Join(o.Dir, keysFile), o.Clock.Now()
	if begins && missing(path) {
		keys, err := auth.NewKeyring(o.IDs, now)
		if err != nil {
			return nil, err
		}
		return keys, writeKeys(path, keys)
	}
	keys, err := readKeys(o.Dir)
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(path, 0o600); err != nil {
		return nil, fmt.Errorf("%s cannot be made private: %w", path, Trouble(err))
	}
	if now.Sub(keys.SigningSince()) < rotateSigning {
		return keys, nil
	}
	if keys, err = keys.Rotate(o.IDs, now); err != nil {
		return nil, err
	}
	return keys, writeKeys(path, keys)
}

func readKeys(dir string) (*auth.Keyring, error) {
	path := filepath.Join(dir, keysFile)
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("%s is missing beside the database that it belongs to: put it back, for without it no secret of the database can be opened", path)
	}
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read: %w", path, Trouble(err))
	}
	keys, err := auth.ParseKeyring(text)
	if err != nil {
		return nil, fmt.Errorf("%s is not readable as keys: %w", path, err)
	}
	return keys, nil
}

func writeKeys(path string, keys *auth.Keyring) error {
	if err := WritePrivate(path, keys.Marshal()); err != nil {
		return fmt.Errorf("%s cannot be written: %w", path, err)
	}
	return nil
}
