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

// folderLock is the flock on DIR/lock; it goes with the process, however that
// ends.
type folderLock struct{ f *os.File }

// lockFolder makes dir, takes it over and locks it. Files in it that are not
// ours are left alone.
func lockFolder(dir string) (*folderLock, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("the data folder cannot be made: %w", err)
	}
	if err := closeFolder(dir); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("the data folder cannot be written: %w", err)
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		f.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, fmt.Errorf("%w (%s)", ErrBusy, dir)
		}
		return nil, fmt.Errorf("the data folder cannot be locked: %w", err)
	}
	return &folderLock{f}, f.Chmod(0o600)
}

// closeFolder takes all rights to dir from other users. A folder that holds more than
// our data keeps its mode, since it may be theirs too; where everybody may write into
// it, it is no place for data.
func closeFolder(dir string) error {
	all, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("the data folder cannot be read: %w", err)
	}
	for _, e := range all {
		if name, _, _ := strings.Cut(e.Name(), "-"); !slices.Contains(ourFiles, name) {
			return notWorldWritable(dir, e.Name())
		}
	}
	if err := os.Chmod(dir, 0o700); err != nil {
		return fmt.Errorf("the data folder cannot be made private: %w", err)
	}
	return nil
}

// ourFiles are all that is in a data folder, but for what SQLite adds after a dash; the
// config file its owner puts there.
var ourFiles = []string{"esnaf.db", "esnaf.yaml", "keys.json", "keys.json.new", "lock", "control.sock"}

func notWorldWritable(dir, other string) error {
	info, err := os.Stat(dir)
	if err == nil && info.Mode()&0o002 != 0 {
		err = fmt.Errorf("everybody may write into the folder %s, which also holds %s: take that right away (chmod o-w) or name another data folder", dir, other)
	}
	return err
}

func (l *folderLock) release() error { return l.f.Close() }

// makePrivate makes path a file that only its owner reads, whatever the umask;
// SQLite gives the log and the index beside it the same mode.
func makePrivate(path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return fmt.Errorf("the database cannot be opened: %w", err)
	}
	return errors.Join(f.Chmod(0o600), f.Close())
}

// rotateSigning is the age at which a signing key is succeeded at the next start;
// its successor signs, and it goes on verifying.
const rotateSigning = 90 * 24 * time.Hour

// loadKeyring reads DIR/keys.json, or makes it. The file is written beside its
// place and renamed, so that a crash leaves the old one or the new one.
func loadKeyring(o Options) (*auth.Keyring, error) {
	path, now := filepath.Join(o.Dir, "keys.json"), o.Clock.Now()
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		if info, err := os.Stat(filepath.Join(o.Dir, "esnaf.db")); err == nil && info.Size() > 0 {
			return nil, fmt.Errorf("%s is missing beside a database that it belongs to: put it back, for without it no secret of the database can be opened", path)
		}
		keys, err := auth.NewKeyring(o.IDs, now)
		if err != nil {
			return nil, err
		}
		return keys, writePrivate(path, keys.Marshal())
	}
	if err != nil {
		return nil, fmt.Errorf("the folder's keys cannot be read: %w", err)
	}
	keys, err := auth.ParseKeyring(text)
	if err != nil {
		return nil, fmt.Errorf("%s is not readable as keys: %w", path, err)
	}
	if now.Sub(keys.SigningSince()) < rotateSigning {
		return keys, nil
	}
	if keys, err = keys.Rotate(o.IDs, now); err != nil {
		return nil, err
	}
	return keys, writePrivate(path, keys.Marshal())
}

func writePrivate(path string, text []byte) error {
	f, err := os.OpenFile(path+".new", os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err := errors.Join(err, f.Chmod(0o600), f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}
