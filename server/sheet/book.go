package sheet

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"esnaf/ubl/bounded"
)

// The bounds of a workbook's insides.
const (
	maxXLSX      = 64 << 20 // bytes, packed
	maxUnpacked  = 512 << 20
	maxDirectory = 2 << 20 // bytes
	maxParts     = 10_000
)

// book is a workbook: a ZIP file of parts, most of them XML (ECMA-376 part 2).
type book struct {
	parts map[string]*zip.File // by their names in lower case
	read  map[string]bool      // those that were read to their ends
}

// openBook reads the directory of a workbook, and holds it against the bounds
// before anything is unpacked.
func openBook(file io.ReaderAt, size int64) (*book, error) {
	if size > maxXLSX {
		return nil, bad("it is larger than 64 MB", "64 MB'tan büyük")
	}
	// The ZIP reader takes as many entries as there are, whatever their number is
	// said to be: it is given no more bytes than a directory may have.
	directory := &meter{r: file, left: maxDirectory}
	z, err := zip.NewReader(directory, size)
	switch {
	case errors.Is(err, bounded.ErrFull) || err == nil && len(z.File) > maxParts:
		return nil, bad(fmt.Sprintf("it has more than %d parts", maxParts), fmt.Sprintf("%d parçadan fazla", maxParts))
	case err != nil:
		return nil, damaged()
	}
	directory.open = true
	b := &book{parts: map[string]*zip.File{}, read: map[string]bool{}}
	left := uint64(maxUnpacked)
	for _, f := range z.File {
		name := partName(f.Name)
		if b.parts[name] != nil {
			return nil, bad(fmt.Sprintf("its part %.100q is there twice", name), fmt.Sprintf("%.100q parçası iki kez var", name))
		}
		if f.UncompressedSize64 > left {
			return nil, bad("it is larger than 512 MB when unpacked", "açılmış hâli 512 MB'tan büyük")
		}
		left -= f.UncompressedSize64 // package zip unpacks no more than is said here
		b.parts[name] = f
	}
	return b, nil
}

// partName is the name by which a part is looked up: names differ in case between
// the programs that write them, and some part folders by backslashes.
func partName(name string) string {
	return strings.ToLower(strings.TrimPrefix(strings.ReplaceAll(name, `\`, "/"), "/"))
}

// meter reads no more than is left of a bound, until it is open.
type meter struct {
	r    io.ReaderAt
	left int
	open bool
}

// ReadAt reads all that is asked for, or refuses.
func (m *meter) ReadAt(p []byte, at int64) (int, error) {
	if m.left -= len(p); m.left < 0 && !m.open {
		return 0, bounded.ErrFull
	}
	return m.r.ReadAt(p, at)
}

// each calls take with every token of a part in XML. A part is read to its end,
// where its check sum is held against it. There is no error when the workbook has
// none by that name.
func (b *book) each(name string, take func(*part, token) error) error {
	f := b.parts[partName(name)]
	if f == nil {
		return nil
	}
	if bounded.TooTight(f) {
		return bad(fmt.Sprintf("its part %.100q is packed more than %d to 1, as no real one is", name, bounded.MaxPacking), fmt.Sprintf("%.100q parçası %d kattan fazla sıkıştırılmış, gerçek bir dosyada bu olmaz", name, bounded.MaxPacking))
	}
	b.read[partName(name)] = true
	r, err := f.Open()
	if err != nil {
		return damagedPart(name, err)
	}
	defer r.Close()
	return newPart(name, r).each(take)
}

// rest reads the parts that nobody asked for: one that is damaged tells that the
// file is.
func (b *book) rest() error {
	for name, f := range b.parts {
		if b.read[name] || f.FileInfo().IsDir() {
			continue
		}
		r, err := f.Open()
		if err == nil {
			_, err = io.Copy(io.Discard, r)
			err = errors.Join(err, r.Close())
		}
		if err != nil {
			return damagedPart(name, err)
		}
	}
	return nil
}

// related are the parts that a part names as its own, by the ids under which it
// does so and by the last words of their types. "" is the workbook as a whole.
func (b *book) related(of string) (byID, byType map[string]string, err error) {
	folder, name := path.Split(of)
	byID, byType = map[string]string{}, map[string]string{}
	err = b.each(folder+"_rels/"+name+".rels", func(_ *part, t token) error {
		if t.start == nil || t.start.Name.Local != "Relationship" || attr(t.start, "TargetMode") == "External" {
			return nil
		}
		target := attr(t.start, "Target")
		if strings.HasPrefix(target, "/") {
			target = strings.TrimPrefix(target, "/")
		} else {
			target = path.Join(folder, target)
		}
		byID[attr(t.start, "Id")], byType[path.Base(attr(t.start, "Type"))] = target, target
		return nil
	})
	return byID, byType, err
}

// firstSheet finds the parts that hold the first sheet, and the texts that its
// cells name by number: "" when there are none.
func (b *book) firstSheet() (sheet, texts string, err error) {
	_, byType, err := b.related("")
	if err != nil {
		return "", "", err
	}
	workbook := byType["officeDocument"]
	byID, byType, err := b.related(workbook)
	if err != nil {
		return "", "", err
	}
	id := ""
	err = b.each(workbook, func(_ *part, t token) error {
		if id == "" && t.start != nil && t.start.Name.Local == "sheet" {
			id = attr(t.start, "id")
		}
		return nil
	})
	if err != nil {
		return "", "", err
	}
	if sheet = byID[id]; id == "" || b.parts[partName(sheet)] == nil {
		return "", "", damaged()
	}
	return sheet, byType["sharedStrings"], nil
}

// damaged is a file that begins as a ZIP file, and is no workbook.
func damaged() error {
	return bad("it is no workbook (XLSX) that can be read, or is damaged", "okunabilir bir çalışma kitabı (XLSX) değil ya da bozuk")
}

// damagedPart says which part of a workbook is not as it was written.
func damagedPart(name string, err error) error {
	if errors.Is(err, bounded.ErrFull) {
		return bad(fmt.Sprintf("its part %.100q has more than 1 MB between two tags", name), fmt.Sprintf("%.100q parçasında iki etiket arasında 1 MB'tan fazla var", name))
	}
	return bad(fmt.Sprintf("its part %.100q is damaged", name), fmt.Sprintf("%.100q parçası bozuk", name))
}
