package wire

import (
	"archive/zip"
	"compress/flate"
	"fmt"
	"io"
	"strings"
	"time"
)

// The parts of a workbook beside its sheets, as ECMA-376 has them: part 1 the elements,
// part 2 how parts are packed and refer to each other. {sheets} stands for a text for
// each sheet.
const (
	xmlHead   = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\n"
	mainSpace = `http://schemas.openxmlformats.org/spreadsheetml/2006/main`
	relations = `http://schemas.openxmlformats.org/officeDocument/2006/relationships`
	packed    = `http://schemas.openxmlformats.org/package/2006/`
	sheetType = `application/vnd.openxmlformats-officedocument.spreadsheetml.`
)

// bookParts are written after the sheets, when these are counted. each is what stands
// for the sheet of number %[1]d and name %[2]s.
var bookParts = []struct{ name, text, each string }{
	{
		"xl/workbook.xml",
		`<workbook xmlns="` + mainSpace + `" xmlns:r="` + relations + `"><bookViews><workbookView/></bookViews><sheets>{sheets}</sheets></workbook>`,
		`<sheet name="%[2]s" sheetId="%[1]d" r:id="rId%[1]d"/>`,
	},
	{
		"xl/_rels/workbook.xml.rels",
		`<Relationships xmlns="` + packed + `relationships"><Relationship Id="styles" Type="` + relations + `/styles" Target="styles.xml"/>{sheets}</Relationships>`,
		`<Relationship Id="rId%[1]d" Type="` + relations + `/worksheet" Target="worksheets/sheet%[1]d.xml"/>`,
	},
	{
		"xl/styles.xml", // the formats of cellXfs, from 0 on, are the styles of cells
		`<styleSheet xmlns="` + mainSpace + `"><numFmts count="3"><numFmt numFmtId="164" formatCode="#,##0.00"/><numFmt numFmtId="165" formatCode="yyyy-mm-dd"/><numFmt numFmtId="166" formatCode="yyyy-mm-dd hh:mm:ss"/></numFmts>` +
			`<fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>` +
			`<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>` +
			`<cellXfs count="4"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>` +
			`<xf numFmtId="165" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="166" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs>` +
			`<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`,
		"",
	},
	{
		"_rels/.rels",
		`<Relationships xmlns="` + packed + `relationships"><Relationship Id="rId1" Type="` + relations + `/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
		"",
	},
	{
		"[Content_Types].xml",
		`<Types xmlns="` + packed + `content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>` +
			`<Override PartName="/xl/workbook.xml" ContentType="` + sheetType + `sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="` + sheetType + `styles+xml"/>{sheets}</Types>`,
		`<Override PartName="/xl/worksheets/sheet%[1]d.xml" ContentType="` + sheetType + `worksheet+xml"/>`,
	},
}

// The texts around the rows of a sheet: the titles stay in sight.
const (
	sheetHead = xmlHead + `<worksheet xmlns="` + mainSpace + `"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>` +
		`<cols><col min="1" max="%d" width="%d" customWidth="1"/></cols><sheetData>`
	sheetTail = `</sheetData></worksheet>`
)

// newPacker packs parts one after the other into w, as they come.
func newPacker(w io.Writer) *zip.Writer {
	z := zip.NewWriter(w)
	z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestSpeed) })
	return z
}

// newPart begins a part. All are of one day, since the same rows are to make the same
// bytes: the first that the format knows.
func newPart(z *zip.Writer, name string) (io.Writer, error) {
	return z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)})
}

// packRest writes the parts beside the sheets of these names.
func packRest(z *zip.Writer, sheets []string) error {
	for _, p := range bookParts {
		var all strings.Builder
		for i, name := range sheets {
			if p.each != "" {
				fmt.Fprintf(&all, p.each, i+1, name)
			}
		}
		w, err := newPart(z, p.name)
		if err != nil {
			return err
		}
		if _, err := io.WriteString(w, xmlHead+strings.Replace(p.text, "{sheets}", all.String(), 1)); err != nil {
			return err
		}
	}
	return z.Close()
}
