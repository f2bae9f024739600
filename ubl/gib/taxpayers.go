package gib

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"strings"

	"esnaf/store"
	"esnaf/store/trade"
	"esnaf/ubl/bounded"
)

// The bounds of a list. The office's own has about 1.2 million users in some
// 700 MB, which pack to a twentieth.
const (
	maxListSize = 4 << 30 // bytes of XML
	maxToken    = 64 << 10
	maxText     = 4 << 10
	maxDepth    = 16
	maxAliases  = 1000 // of one user
)

// ReadTaxpayers reads the tax office's list of registered users (kayıtlı
// kullanıcı listesi) of mailboxes (newUserPkListxml): a ZIP file with one XML
// file, or that XML by itself. add is called with each alias in force that takes
// invoices or despatch notes; its error ends the reading.
//
// passed is how many such aliases were passed over because something of them
// cannot be used: the number, the urn or the time. A file that is no such list,
// is not whole, or is made to exhaust its reader is a Malformed; what add was
// called with until then is worth nothing.
func ReadTaxpayers(file io.ReaderAt, size int64, add func(store.Taxpayer) error) (passed int, err error) {
	begin := make([]byte, 4)
	n, err := file.ReadAt(begin, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return 0, badList("it cannot be read", "okunamıyor")
	}
	switch begin = begin[:n]; {
	case n == 0:
		return 0, badList("it is empty", "boş")
	case !bytes.HasPrefix(begin, []byte("PK")) && !mayBeXML(file):
		return 0, badList("it is neither a ZIP file nor XML in UTF-8, so not a list of registered users (UserList)", "ne bir ZIP dosyası ne de UTF-8 XML, yani kayıtlı kullanıcı listesi (UserList) değil")
	case !bytes.HasPrefix(begin, []byte("PK")) && size > maxListSize:
		return 0, tooLarge()
	case !bytes.HasPrefix(begin, []byte("PK")):
		return readList(io.NewSectionReader(file, 0, size), add)
	}
	packed, err := onlyFile(file, size)
	if err != nil {
		return 0, err
	}
	r, err := packed.Open()
	if err != nil {
		return 0, badList("the ZIP file is damaged", "ZIP dosyası bozuk")
	}
	defer r.Close()
	return readList(r, add)
}

// mayBeXML tells whether the first sign of a file, behind a mark of the byte order,
// is one that XML begins with. What is all white space its reader judges.
func mayBeXML(file io.ReaderAt) bool {
	begin := make([]byte, 64)
	n, _ := file.ReadAt(begin, 0) // a short file ends here with an error
	begin = bytes.TrimSpace(bytes.TrimPrefix(begin[:n], []byte("\xef\xbb\xbf")))
	return len(begin) == 0 || begin[0] == '<'
}

// onlyFile finds the one XML file of a ZIP file.
func onlyFile(file io.ReaderAt, size int64) (*zip.File, error) {
	z, err := zip.NewReader(file, size)
	if err != nil {
		return nil, badList("it is no ZIP file that can be read: it is damaged or not whole", "okunabilir bir ZIP dosyası değil: bozuk ya da eksik")
	}
	var only *zip.File
	for _, f := range z.File {
		if f.FileInfo().IsDir() {
			continue
		}
		if only != nil || !strings.HasSuffix(strings.ToLower(f.Name), ".xml") {
			return nil, badList("the ZIP file must hold one XML file and nothing else", "ZIP dosyasında yalnızca bir XML dosyası olmalı")
		}
		only = f
	}
	switch {
	case only == nil:
		return nil, badList("the ZIP file is empty: it holds no XML", "ZIP dosyası boş: içinde XML yok")
	case only.UncompressedSize64 > maxListSize:
		return nil, tooLarge()
	case bounded.TooTight(only):
		return nil, badList("it is packed more tightly than any real list", "gerçek bir liste bu kadar sıkıştırılamaz")
	}
	return only, nil
}

// badList says why a list is not taken.
func badList(english, turkish string) error {
	return trade.Fail(trade.Malformed, trade.BadFile, trade.Phrase{english, turkish})
}

func tooLarge() error { return badList("it is larger than 4 GB", "4 GB'tan büyük") }
