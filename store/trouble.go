package store

import (
	"errors"
	"fmt"
	"syscall"

	"esnaf/store/trade"
)

// trouble is an error of the machine: its sentence for people. What the system or the
// driver said is wrapped for whoever asks what it was, and is in no sentence.
type trouble struct {
	what trade.Phrase
	err  error
}

func (t *trouble) Error() string { return t.what[trade.English] }

func (t *trouble) Unwrap() error { return t.err }

// Trouble puts an error of the database, the disk or the network into a sentence; what
// was being done, and with which file, is for the caller to say before it. An error that
// has its sentence already, or is none of the machine's, is returned as it is.
func Trouble(err error) error {
	if errors.As(err, new(*trouble)) {
		return err
	}
	if what, ok := whatTroubles(err); ok {
		return &trouble{what, err}
	}
	return err
}

// whatTroubles is the one place where numbers of the machine become words.
func whatTroubles(err error) (what trade.Phrase, ok bool) {
	var e *sqlError
	var no syscall.Errno
	switch {
	case errors.As(err, &e):
		if what, ok = ofSQLite[e.code]; !ok {
			what, ok = ofSQLite[e.code&0xff]
		}
		if !ok {
			what = trade.Phrase{fmt.Sprintf("the database cannot do it (SQLite's code %d)", e.code), fmt.Sprintf("veritabanı bunu yapamıyor (SQLite kodu %d)", e.code)}
		}
	case lost(err):
		what = trade.Phrase{"the connection to the database broke", "veritabanı bağlantısı koptu"}
	case errors.As(err, &no):
		if what, ok = ofSystem[no]; !ok {
			what = trade.Phrase{no.Error(), no.Error()}
		}
	default:
		return what, false
	}
	return what, true
}

// SQLite's result codes that have a meaning here; the extended ones have more bits.
const (
	codeError    = 1
	codePerm     = 3
	codeBusy     = 5
	codeLocked   = 6
	codeNoMemory = 7
	codeReadOnly = 8
	codeIO       = 10
	codeCorrupt  = 11
	codeFull     = 13
	codeCantOpen = 14
	codeTooBig   = 18
	codeNoDB     = 26
	codeIOWrite  = 778
	codePrimary  = 1555
	codeUnique   = 2067
	codeIOShared = 4874
)

var (
	diskFull   = trade.Phrase{"the disk is full, and this needs some room", "disk dolu, bunun içinse biraz yer gerekiyor"}
	diskBroken = trade.Phrase{"the disk does not work (I/O error)", "disk çalışmıyor (G/Ç hatası)"}
	readOnly   = trade.Phrase{"the disk or the file may only be read", "disk ya da dosya yalnızca okunabiliyor"}
	noRight    = trade.Phrase{"esnaf has no permission for it", "esnaf'ın buna izni yok"}
	noMemory   = trade.Phrase{"there is not enough memory", "bellek yetmiyor"}
	tooLarge   = trade.Phrase{"it is larger than the system allows", "sistemin izin verdiğinden büyük"}
)

var ofSQLite = map[int]trade.Phrase{
	codePerm:     noRight,
	codeBusy:     {"another program holds the database", "veritabanını başka bir program tutuyor"},
	codeLocked:   {"another program holds the database", "veritabanını başka bir program tutuyor"},
	codeNoMemory: noMemory,
	codeReadOnly: readOnly,
	codeIO:       diskBroken,
	codeCorrupt:  {"the database is damaged", "veritabanı bozuk"},
	codeFull:     diskFull,
	codeIOShared: diskFull, // the index of the log finds no room, which is needed to read too
	codeIOWrite:  {"the disk takes no more: it is full, its quota is used up, or it is broken", "disk daha fazlasını almıyor: dolu, kotası bitmiş ya da bozuk"},
	codeCantOpen: {"a file of the database cannot be opened, perhaps for want of permission, or since its path has more than 500 bytes", "veritabanının bir dosyası açılamıyor, belki izin olmadığından ya da yolu 500 bayttan uzun olduğundan"},
	codeTooBig:   tooLarge,
	codeNoDB:     {"the file is not a database", "dosya bir veritabanı değil"},
}

var ofSystem = map[syscall.Errno]trade.Phrase{
	syscall.ENOSPC:     diskFull,
	syscall.EDQUOT:     diskFull,
	syscall.EIO:        diskBroken,
	syscall.EROFS:      readOnly,
	syscall.EACCES:     noRight,
	syscall.EPERM:      noRight,
	syscall.ENOMEM:     noMemory,
	syscall.EFBIG:      tooLarge,
	syscall.ENOENT:     {"there is no such file or folder", "böyle bir dosya ya da klasör yok"},
	syscall.EISDIR:     {"it is a folder", "bu bir klasör"},
	syscall.ENOTDIR:    {"part of its path is no folder", "yolunun bir parçası klasör değil"},
	syscall.EMFILE:     {"too many files are open", "çok fazla dosya açık"},
	syscall.ENFILE:     {"too many files are open", "çok fazla dosya açık"},
	syscall.EADDRINUSE: {"another program uses this address", "bu adresi başka bir program kullanıyor"},
}

// codeOf is SQLite's result code of err, 0 when err is not SQLite's.
func codeOf(err error) int {
	var e *sqlError
	if errors.As(err, &e) {
		return e.code
	}
	return 0
}

// outOfRoom tells whether err says that the disk takes no more.
func outOfRoom(err error) bool {
	code := codeOf(err)
	return code == codeFull || code == codeIOWrite || code == codeIOShared
}

// damaged tells whether err says that what is stored is not what was written.
func damaged(err error) bool {
	switch codeOf(err) & 0xff {
	case codeCorrupt, codeNoDB:
		return true
	}
	return errors.Is(err, errUnreadable)
}

// plain turns what the database says into what a caller may hear: a disk that
// takes no writes, or a file that another program holds, is "try again later"; a file
// that is damaged is for the operator. Anything else stays internal.
func plain(err error) error {
	switch trade.KindOf(err) {
	case trade.Unavailable, trade.Damaged:
		return err
	}
	if damaged(err) {
		return unavailable(err)
	}
	switch codeOf(err) & 0xff {
	case codePerm, codeBusy, codeNoMemory, codeReadOnly, codeIO, codeFull, codeCantOpen:
		return unavailable(err)
	}
	if lost(err) {
		return unavailable(err)
	}
	return err
}

// lost tells whether err says that the connection is gone.
func lost(err error) bool {
	return errors.Is(err, errConnClosed)
}

// unavailable says "try again later" because of err, where that can help.
func unavailable(err error) error {
	if damaged(err) {
		return errors.Join(trade.Fail(trade.Damaged, trade.DatabaseDamaged), err)
	}
	what, ok := whatTroubles(err)
	if !ok {
		what = trade.Phrase{"the database did not take it", "veritabanı kabul etmedi"}
	}
	return errors.Join(trade.Fail(trade.Unavailable, trade.StoreUnavailable, what), err)
}

// errClosed answers who comes after Close.
func errClosed() error {
	return errors.Join(trade.Fail(trade.Unavailable, trade.StoreUnavailable, trade.Phrase{"the server is stopping", "sunucu kapanıyor"}), errors.New("the store is closed"))
}
