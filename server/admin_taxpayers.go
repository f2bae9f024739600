package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"

	"esnaf/store"
	"esnaf/store/trade"
	"esnaf/ubl/gib"
)

// TaxpayersImport are the parameters of "taxpayers import".
type TaxpayersImport struct {
	File  string `json:"file"`  // its path on this machine
	Force bool   `json:"force"` // also when much of the list in force would go
}

// TaxpayersImported is the result of "taxpayers import".
type TaxpayersImported struct {
	store.TaxpayerChanges
	Passed int `json:"passed"` // entries that cannot be used
}

// importTaxpayers replaces the list of registered users by that of a file.
func (a *Admin) importTaxpayers(ctx context.Context, in TaxpayersImport) (out TaxpayersImported, err error) {
	file, size, err := openFile("file", in.File)
	if err != nil {
		return out, err
	}
	defer file.Close()
	counted := &counter{file: file, size: size, tell: progress(ctx)}
	out.TaxpayerChanges, err = a.DB.ImportTaxpayers(ctx, operator(""), in.Force, func(add func(store.Taxpayer) error) (err error) {
		out.Passed, err = gib.ReadTaxpayers(counted, size, add)
		return err
	})
	return out, err
}

// openFile opens a file that the operator named. One that cannot be opened is a
// fault of field; the reason is told, since it may be that only the operator, and
// not the server, may read it.
func openFile(field, path string) (*os.File, int64, error) {
	var f trade.Check
	f.Required(field, path)
	if err := f.Err(); err != nil {
		return nil, 0, err
	}
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) // a pipe without a writer is no reason to wait
	if err != nil {
		why := trade.Phrase{"it cannot be read", "okunamıyor"}
		switch {
		case errors.Is(err, fs.ErrNotExist):
			why = trade.Phrase{fmt.Sprintf("there is no %s", path), fmt.Sprintf("%s yok", path)}
		case errors.Is(err, fs.ErrPermission):
			why = trade.Phrase{fmt.Sprintf("the user that the server runs as may not read %s", path), fmt.Sprintf("sunucunun kullanıcısı %s dosyasını okuyamıyor", path)}
		}
		return nil, 0, trade.Fail(trade.Malformed, trade.BadFile, why)
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = trade.Fail(trade.Malformed, trade.BadFile, trade.Phrase{path + " is no regular file", path + " normal bir dosya değil"})
	}
	if err != nil {
		return nil, 0, errors.Join(err, file.Close())
	}
	return file, info.Size(), nil
}

// counter tells how far a file has been read.
type counter struct {
	file       io.ReaderAt
	read, size int64
	tell       func(done, total int64)
}

// ReadAt reads from the file.
func (c *counter) ReadAt(p []byte, at int64) (int, error) {
	n, err := c.file.ReadAt(p, at)
	c.read = min(c.read+int64(n), c.size) // the ends of a ZIP file are read twice
	c.tell(c.read, c.size)
	return n, err
}
