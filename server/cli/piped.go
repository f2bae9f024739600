package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"esnaf/store"
)

// maxPiped is how many bytes of a pipe are taken: a pipe may have no end.
const maxPiped = 2 << 30

// pipedFile is how the name of a file begins that holds what came by a pipe.
const pipedFile = "esnaf.db-piped-"

// keepPiped is how long such a file may be in use; after that its command was killed.
const keepPiped = 24 * time.Hour

// errInterrupted ends a command that was told to stop while a server worked for it.
var errInterrupted = errors.New("interrupted: look whether the change was made")

// withFile runs fn with a path by which the server finds the file that was named. What
// comes by a pipe is nowhere but in this process, so it is put into the data folder as
// long as fn runs.
func (c *console) withFile(cmd *cobra.Command, path string, fn func(path string) error) error {
	path, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil || info.IsDir() {
		return fn(path) // which says what is wrong with it
	}
	if real, err := filepath.EvalSymlinks(path); err == nil && info.Mode().IsRegular() {
		return fn(real) // /dev/stdin is another file to the server
	}
	from, err := opened(path, info) // which waits for who writes: nothing is to be tidied up yet when a signal ends that
	if err != nil {
		return fmt.Errorf("%s cannot be read: %w", path, store.Trouble(err))
	}
	signals := slices.DeleteFunc([]os.Signal{os.Interrupt, syscall.SIGHUP}, signal.Ignored) // as under nohup
	ctx, stop := signal.NotifyContext(cmd.Context(), append(signals, syscall.SIGTERM)...)
	defer stop()
	cmd.SetContext(ctx)
	copied, err := c.spool(ctx, from, path)
	if err != nil {
		return err
	}
	err = errors.Join(fn(copied), os.Remove(copied))
	if ctx.Err() != nil {
		return errInterrupted
	}
	return err
}

// opened is what stands at path. A socket has no name to be opened by; the one that is
// standard input is here already.
func opened(path string, info fs.FileInfo) (io.ReadCloser, error) {
	if own, err := os.Stdin.Stat(); err == nil && info.Mode()&fs.ModeSocket != 0 && os.SameFile(own, info) {
		return net.FileConn(os.Stdin)
	}
	return os.Open(path)
}

// spool writes what comes from path, by a pipe, into a file of the data folder, and closes
// the pipe.
func (c *console) spool(ctx context.Context, from io.ReadCloser, path string) (copied string, err error) {
	defer from.Close()
	defer context.AfterFunc(ctx, func() { from.Close() })() // nothing else ends a read of what does not come
	to, err := os.CreateTemp(c.settings.Data, pipedFile+"*")
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", noData(c.settings.Data)
	case err != nil:
		return "", fmt.Errorf("the data folder %s cannot be written: %w", c.settings.Data, store.Trouble(err))
	}
	n, err := io.Copy(to, io.LimitReader(from, maxPiped+1))
	if err = errors.Join(err, to.Close()); err == nil && n > maxPiped {
		err = fmt.Errorf("more than %d GiB come from %s", maxPiped>>30, path)
	}
	if err == nil {
		copied, err = filepath.Abs(to.Name())
	}
	if err == nil {
		return copied, nil
	}
	if ctx.Err() != nil {
		err = errors.New("interrupted: nothing was changed")
	} else {
		err = fmt.Errorf("what comes from %s cannot be kept in the data folder: %w", path, store.Trouble(err))
	}
	return "", errors.Join(err, os.Remove(to.Name()))
}

// sweepPiped removes what commands that were killed have left in the folder dir. What
// cannot be removed stays: it is in nobody's way.
func sweepPiped(dir string, now time.Time) {
	files, _ := os.ReadDir(dir)
	for _, f := range files {
		info, err := f.Info()
		if err == nil && strings.HasPrefix(f.Name(), pipedFile) && now.Sub(info.ModTime()) > keepPiped {
			os.Remove(filepath.Join(dir, f.Name()))
		}
	}
}
