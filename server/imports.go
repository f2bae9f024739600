package server

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"esnaf/server/sheet"
	"esnaf/server/wire"
	"esnaf/store"
	"esnaf/store/clock"
	"esnaf/store/trade"
)

// ImportReport tells what an import did, or would do.
type ImportReport struct {
	Resource   string        `json:"resource"`
	DryRun     bool          `json:"dryRun" doc:"nothing was written: what would be done is told"`
	Rows       int           `json:"rows" doc:"below the titles"`
	Created    int           `json:"created"`
	Updated    int           `json:"updated"`
	Unchanged  int           `json:"unchanged" doc:"rows that say what the record says already"`
	Skipped    int           `json:"skipped" doc:"rows with faults"`
	Faults     []ImportFault `json:"faults" doc:"at most 10000"`
	MoreFaults int           `json:"moreFaults" doc:"faults that are not listed"`
}

// ImportFault is something wrong in a file, and where.
type ImportFault struct {
	Row     int    `json:"row" doc:"as spreadsheets count: the titles are row 1, or 2 below a line such as sep=;"`
	Column  string `json:"column" doc:"title of the column in the file; empty when the file has none for the field"`
	Field   string `json:"field" doc:"of the record; a title that is not known is told as it is"`
	Code    string `json:"code"`
	Message string `json:"message"`
}

// maxFaults bounds the faults that are told, so that an answer stays an answer.
const maxFaults = 10_000

// importLimits are those of one request: what takes longer than a connection may is
// for the command, which has commandLimits. 100000 customers with all that is
// printed of them, in a dozen columns, take 50 MB from a workbook and half of that
// from CSV.
var (
	importLimits  = sheet.Limits{Rows: 100_000, Bytes: 96 << 20}
	commandLimits = sheet.Limits{Rows: 200_000, Bytes: 192 << 20}
)

// report tells what became of the file, in lang.
func (m *fileImport) report(lang trade.Lang) ImportReport {
	out := ImportReport{
		Resource: m.resource, DryRun: m.dryRun, Rows: m.done.rows, Created: m.done.created, Updated: m.done.updated,
		Unchanged: m.done.unchanged, Skipped: len(m.bad), Faults: []ImportFault{},
	}
	for _, f := range m.faults {
		out.Faults = append(out.Faults, ImportFault{f.row, f.column, f.Field, string(f.Code), f.Text(lang)})
	}
	out.MoreFaults = m.more
	return out
}

// invalid is the refusal of a file with faults: rows[4].taxNumber is the field of
// its fourth row.
func (m *fileImport) invalid() error {
	var f trade.Check
	for _, x := range m.faults {
		fault := x.Fault
		fault.Field = fmt.Sprintf("rows[%d].%s", x.row, x.Field)
		f.AddFault(fault)
	}
	return f.Err()
}

// importMedia are the media types of the files that are read.
var importMedia = []string{"text/csv", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "application/octet-stream"}

const importAbout = "Brings the records of a CSV file (comma, semicolon or tab, or what a first line such as sep=| says; UTF-8 or windows-1254, as the charset of its Content-Type says, else as it is found to be; at most 32 MiB) or of the first sheet of an XLSX workbook (at most 32 MiB, and 512 MiB unpacked), at most 100000 rows and 96 MiB in all cells. An account brings in one file at a time, and the server imports one at a time: others wait for up to 10 seconds (503 import_busy), and a file of which less than 64 KiB come in 3 seconds gives way to those that wait (503 import_stalled). " +
	"The first row holds the titles: the names of the fields, or what they are called in Turkish (Ünvan, Vergi No, Firma Kodu ...). " +
	"Numbers are read as the file writes them: where another one is 12,50, 1.234 is one thousand two hundred and thirty-four. Where none tells, 1.234 is a fraction in CSV with commas and 1,234 in CSV with semicolons; any other such number is faulty (decimal_doubtful). Numbers that a workbook stores as such are what they are. " +
	"A row changes the record with its code, for contacts that of its company with its e-mail address, and makes one when there is none; an empty cell leaves the field as it is. " +
	"A contact with an id in its row, or a company or product with an id and without a code, is the one with that id: when the account has none, the row is faulty, and so is one whose company has several contacts with its e-mail address when it has no id. " +
	"A file of an export can be brought back: its columns that no caller can set (version, createdAt ...) are ignored, and the apostrophes that an export puts before what looks like a formula are taken off; rows of deleted records (deletedAt is filled) are faulty. To bring contacts into another account leave out the column id, and write the codes of their companies in companyId. " +
	"Blanks around a cell are dropped, and line ends inside one (CRLF) become LF in CSV. " +
	"One faulty row, and nothing is written (422, with rows[4].taxNumber for the taxNumber of row 4), unless skipBad leaves those rows out. dryRun tells what the same call without it would do. " +
	"All rows are judged before the first is written, but they are not written in one step: where the server is stopped in between, the rows before stay. " +
	"Then send the same file again, with the same Idempotency-Key if there was one: rows with a code change nothing that is right already; without a key and a code (for contacts an e-mail address or id) they are made a second time. " +
	"Needs the scopes create and update of the resource."

// imports brings records in by files. The scope depends on the resource named, so
// the handler asks for it.
func (s *Server) imports() wire.Resource {
	flag := func(name, about string) wire.Param {
		return wire.Param{Name: name, About: about, Schema: map[string]any{"type": "boolean", "default": false}}
	}
	about := wire.Info{
		Name: "imports.create", Summary: "Import records from a file", About: importAbout, Files: importMedia, Out: wire.Of[ImportReport](),
		Params: []wire.Param{
			{Name: "resource", About: "what the rows are; required", Schema: map[string]any{"type": "string", "enum": importable}},
			flag("dryRun", "only judge the file"), flag("skipBad", "leave out rows with faults"),
		},
	}
	turns := newImportTurns()
	routes := []wire.Route{
		wire.Plain(http.MethodPost, "/imports", "", about, func(c *wire.Call, w http.ResponseWriter, r *http.Request) error {
			m, err := s.asked(c, r)
			if err != nil {
				return err
			}
			leave, err := turns.enter(r.Context(), m.who.Tenant)
			if err != nil {
				return err
			}
			defer leave()
			return m.serve(c, w, r, turns)
		}).Refuses(http.StatusServiceUnavailable).
			Emits(trade.EventCompanyCreated, trade.EventCompanyUpdated, trade.EventContactCreated, trade.EventContactUpdated, trade.EventProductCreated, trade.EventProductUpdated),
	}
	return wire.Resource{Name: "imports", A: routes, B: routes}
}

// asked reads what is to be done, and whether the caller may.
func (s *Server) asked(c *wire.Call, r *http.Request) (*fileImport, error) {
	given, err := c.Query()
	if err != nil {
		return nil, err
	}
	m := &fileImport{db: c.DB, who: c.Who(r), resource: given["resource"], tell: func(int64, int64) {}}
	if !slices.Contains(importable, m.resource) {
		names := strings.Join(importable, ", ")
		return nil, wire.Refused("resource", trade.Phrase{"it must be one of " + names, "şunlardan biri olmalı: " + names})
	}
	for name, flag := range map[string]*bool{"dryRun": &m.dryRun, "skipBad": &m.skipBad} {
		switch given[name] {
		case "true":
			*flag = true
		case "", "false":
		default:
			return nil, wire.Refused(name, trade.Phrase{"it must be true or false", "true ya da false olmalı"})
		}
	}
	for _, action := range []string{":create", ":update"} {
		if !c.Principal.May(m.resource + action) {
			return nil, trade.Fail(trade.Forbidden, trade.InsufficientScope, m.resource+action)
		}
	}
	return m, nil
}

// errFirst says that a request is no repeat.
var errFirst = errors.New("the first of its key")

// serve reads the file, imports it and answers with the report. A repeat with the
// same key gets the report there was; one of an import that did not come to its end
// goes on with the rows that were not written.
func (m *fileImport) serve(c *wire.Call, w http.ResponseWriter, r *http.Request, turns *importTurns) error {
	coming := turns.receive(m.who.Tenant, r.Body, func() {
		_ = http.NewResponseController(w).SetReadDeadline(clock.System{}.Now()) // an error: there is no connection, as in a test
	})
	r.Body = coming
	file, sent, err := c.File(w, r)
	if lost := coming.end(); lost != nil {
		return lost
	}
	if err == nil && sent.Charset != "" && sheet.Charset(sent.Charset) == "" {
		names := strings.Join(sheet.Charsets, ", ")
		err = trade.Fail(trade.Unsupported, trade.UnsupportedMediaType, trade.Phrase{"text with one of the charsets " + names + ", or with none named", "şu karakter kümelerinden birinde ya da küme belirtilmemiş: " + names})
	}
	if err != nil {
		return err
	}
	rep, replayed, err := c.Once(r, sent, func(*store.Tx) (store.Doc, error) { return store.Doc{}, errFirst })
	if err == nil {
		return c.Reply(w, r, rep, replayed)
	}
	if !errors.Is(err, errFirst) {
		return err
	}
	done, err := turns.begin(r.Context(), len(file))
	if err != nil {
		return err
	}
	defer done()
	table, err := sheet.Read(bytes.NewReader(file), int64(len(file)), sheet.Charset(sent.Charset), importLimits)
	if err != nil {
		return err
	}
	m.once = func(row int) store.Once { return c.Part(r, sent, row) }
	if err := m.run(context.WithoutCancel(r.Context()), table); err != nil {
		return err
	}
	if m.refused() && !m.dryRun {
		return m.invalid()
	}
	body, err := json.Marshal(m.report(wire.Language(r)), json.Deterministic(true))
	if err != nil {
		return err
	}
	rep, replayed, err = c.Once(r, sent, func(*store.Tx) (store.Doc, error) { return store.Doc{JSON: body}, nil })
	if err != nil {
		return err
	}
	return c.Reply(w, r, rep, replayed)
}
