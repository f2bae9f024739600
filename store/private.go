package store

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
)

// WritePrivate puts a file in its place, whole or not at all, on the disk, and readable
// by its owner alone whatever the umask: it holds secrets, its reader may be waiting for
// it, and a crash leaves the old one or the new one.
func WritePrivate(path string, text []byte) error {
	next := path + ".new"
	if err := os.Remove(next); err != nil && !errors.Is(err, os.ErrNotExist) {
		return Trouble(err)
	}
	// What stands there by now was put there by somebody else.
	f, err := os.OpenFile(next, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return Trouble(err)
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Chmod(0o600), f.Sync(), f.Close()); err == nil {
		err = os.Rename(next, path)
	}
	if err != nil {
		return Trouble(errors.Join(err, os.Remove(next)))
	}
	return syncFolder(filepath.Dir(path))
}

// syncFolder brings what was added to a folder, or taken out of it, to the disk. Not
// every file system can do that for a folder.
func syncFolder(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return Trouble(err)
	}
	if err = f.Sync(); errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP) {
		err = nil
	}
	return Trouble(errors.Join(err, f.Close()))
}
