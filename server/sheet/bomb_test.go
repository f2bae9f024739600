package sheet_test

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash/crc32"
	"maps"
	"runtime"
	"strings"
	"testing"

	"esnaf/server/sheet"
	"esnaf/store/trade"
)

// bomb packs a part of begin, n MB of the same piece, and end. It packs one of
// those, and puts it there n times.
func bomb(t *testing.T, name, begin, piece string, n int, end string) string {
	t.Helper()
	mega := strings.Repeat(piece, 1<<20/len(piece))
	sum, size := crc32.NewIEEE(), 0
	var content bytes.Buffer
	for _, part := range []struct {
		text  string
		times int
	}{{begin, 1}, {mega, n}, {end, 1}} {
		text := []byte(part.text)
		var b bytes.Buffer
		w, err := flate.NewWriter(&b, flate.BestCompression)
		if err == nil {
			_, err = w.Write(text)
		}
		if err = errors.Join(err, w.Flush()); err != nil {
			t.Fatal(err)
		}
		for range part.times {
			content.Write(b.Bytes())
			size += len(text)
			if n <= 64 { // larger ones are refused before they are read to their sum
				_, _ = sum.Write(text)
			}
		}
	}
	content.WriteString("\x03\x00") // an empty block, the last
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	others := maps.Clone(parts)
	others["xl/worksheets/sheet1.xml"] = "<worksheet/>"
	delete(others, name)
	for other, text := range others {
		w, err := z.Create(other)
		if err == nil {
			_, err = w.Write([]byte(text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	w, err := z.CreateRaw(&zip.FileHeader{Name: name, Method: zip.Deflate, CRC32: sum.Sum32(), CompressedSize64: uint64(content.Len()), UncompressedSize64: uint64(size)})
	if err == nil {
		_, err = w.Write(content.Bytes())
	}
	if err = errors.Join(err, z.Close()); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// A small file takes little memory, whatever it unpacks to.
func TestBombs(t *testing.T) {
	const (
		begin, end = "<worksheet><sheetData>", "</sheetData></worksheet>"
		sheetPart  = "xl/worksheets/sheet1.xml"
		texts      = "xl/sharedStrings.xml"
		cell       = `<row><c t="inlineStr"><is><t>`
	)
	large := sheet.Limits{Rows: 100_000, Bytes: 96 << 20}
	var noise strings.Builder // that packs to a half
	for i := range 2048 {
		fmt.Fprintf(&noise, "%x", sha256.Sum256([]byte{byte(i), byte(i >> 8)}))
	}
	var many bytes.Buffer
	z := zip.NewWriter(&many)
	for i := range 40_000 {
		if _, err := z.CreateHeader(&zip.FileHeader{Name: fmt.Sprint(i), Method: zip.Store}); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct{ name, file, says string }{
		{"600 MB of rows", bomb(t, sheetPart, begin, `<row><c><v>1</v></c></row>`, 600, end), "larger than 512 MB when unpacked"},
		{"300 MB in one cell", bomb(t, sheetPart, begin+cell, "x", 300, "</t></is></c></row>"+end), "packed more than 200 to 1"},
		{"40 MB in one cell", bomb(t, sheetPart, begin+cell, "x", 40, "</t></is></c></row>"+end), "packed more than 200 to 1"},
		{"100 MB of texts", bomb(t, texts, "<sst>", "<si/>", 100, "</sst>"), "packed more than 200 to 1"},
		{"1 MB in one cell", packed(t, cell+strings.Repeat("x", 1000_000)+"</t></is></c></row>"), "a cell has more than 32767 characters"},
		{"a large cell, in pieces", packed(t, cell+strings.Repeat("xxxxxxxxx<!---->", 15_000)+"</t></is></c></row>"), "a cell has more than 32767 characters"},
		{"1 MB in one tag", bomb(t, sheetPart, begin, noise.String(), 3, end), "more than 1 MB between two tags"},
		{"many parts", many.String(), "more than 10000 parts"},
		{"600 MB of a picture", bomb(t, "xl/media/a.bmp", "", "x", 600, ""), "larger than 512 MB when unpacked"},
		{"60 MB of a picture, which is none of ours", bomb(t, "xl/media/a.bmp", "", "x", 60, ""), "it is empty"},
	} {
		t.Run(row.name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := sheet.Read(strings.NewReader(row.file), int64(len(row.file)), "", large)
			runtime.ReadMemStats(&after)
			used := (after.TotalAlloc - before.TotalAlloc) >> 20 // all that was ever asked for
			if used > 32 {
				t.Errorf("a file of %d KB takes %d MB", len(row.file)>>10, used)
			}
			if trade.KindOf(err) != trade.Malformed || !strings.Contains(err.Error(), row.says) {
				t.Errorf("%v, want %q", err, row.says)
			}
		})
	}
}
