package server

import (
	"context"
	"errors"
	"net/http"
	"slices"

	"esnaf/server/sheet"
	"esnaf/store"
	"esnaf/store/trade"
)

// importable are the kinds of record that files can bring.
var importable = []string{"companies", "products", "contacts"}

// fileImport is one file on its way into one account.
type fileImport struct {
	db       *store.DB
	who      store.Who
	resource string
	dryRun   bool // only judge it
	skipBad  bool // leave out the rows that are wrong, where otherwise nothing is written
	// once says how the writing of a row may be repeated.
	once func(row int) store.Once
	tell func(done, total int64)

	head    head
	rows    int // below the head
	save    func(tx *store.Tx, l *line) (created bool, err error)
	created []bool         // by place in rows: it makes a record, and changes none
	seen    map[string]int // what rows are known by, and the first row with each
	bad     map[int]bool   // places in rows
	faults  []rowFault     // the first maxFaults
	more    int            // further ones
	done    imported
}

// imported counts what became of the rows of a file.
type imported struct{ rows, created, updated, unchanged int }

// together is how many rows go to the writer at a time. Others' changes come in
// between them.
const together = 200

// run judges every row by doing what it asks for and taking it back; then, if all
// are right or the wrong ones may be left out, it does it. What is wrong with the
// file is in faults; the error is one that stopped the import half-way.
func (m *fileImport) run(ctx context.Context, table *sheet.Table) error {
	m.head, m.faults = readHead(table, importColumns(m.resource))
	if len(m.faults) > 0 {
		return nil
	}
	m.rows, m.save = table.Len()-1, saver(m.resource)
	m.created, m.seen, m.bad = make([]bool, m.rows), map[string]int{}, map[int]bool{}
	m.done.rows = m.rows
	err := m.judge(ctx)
	if m.refused() { // a dry run tells what would be done: nothing
		m.done = imported{rows: m.rows}
	}
	if err != nil || m.dryRun || m.refused() {
		return err
	}
	return m.write(ctx)
}

// refused tells that the file is not taken: something in it is wrong, and must not
// be left out.
func (m *fileImport) refused() bool { return len(m.faults) > 0 && (!m.skipBad || m.created == nil) }

// row is the row at a place below the head.
func (m *fileImport) row(at int) sheet.Row { return m.head.table.Row(at + 1) }

func (m *fileImport) judge(ctx context.Context) error {
	for from := 0; from < m.rows; from += together {
		part := min(together, m.rows-from)
		errs := m.db.TryEach(ctx, m.who, part, func(tx *store.Tx, i int) (err error) {
			m.created[from+i], err = m.saveRow(tx, from+i)
			return err
		})
		for i, err := range errs {
			switch {
			case errors.Is(err, store.ErrUnchanged):
				m.count(&m.done.unchanged)
			case err == nil && m.created[from+i]:
				m.count(&m.done.created)
			case err == nil:
				m.count(&m.done.updated)
			case !m.note(from+i, err):
				return err
			}
		}
		m.advance(from + part)
	}
	return nil
}

// count counts a row that was only judged where nothing else will be done.
func (m *fileImport) count(n *int) {
	if m.dryRun {
		*n++
	}
}

// advance tells how far the import is: judging takes as long as writing.
func (m *fileImport) advance(rows int) {
	steps := int64(2)
	if m.dryRun {
		steps = 1
	}
	m.tell(int64(rows), steps*int64(m.rows))
}

// saveRow makes a record of the row at a place.
func (m *fileImport) saveRow(tx *store.Tx, at int) (created bool, err error) {
	l := line{head: &m.head, Row: m.row(at)}
	created, err = m.save(tx, &l)
	for _, key := range l.keys() {
		if first, again := m.seen[key.value]; again && first != at {
			tx.Check().Add(key.field, trade.GivenBefore, m.row(first).N)
			return created, tx.Check().Err()
		}
		m.seen[key.value] = at
	}
	return created, err
}

// note files what is wrong with a row; false means that err is no matter of the
// row's.
func (m *fileImport) note(at int, err error) bool {
	var e *trade.Error
	if !errors.As(err, &e) || len(e.Faults) == 0 {
		return false
	}
	m.bad[at] = true
	row := m.row(at).N
	for _, f := range e.Faults {
		if len(m.faults) == maxFaults { // a file of nothing else would fill the memory
			m.more++
			continue
		}
		m.faults = append(m.faults, rowFault{row: row, column: m.head.titleOf(f.Field), Fault: f})
	}
	return true
}

// write makes records of the rows that are right. Each is a change of its own: what
// stops the import leaves those before it written.
func (m *fileImport) write(ctx context.Context) error {
	var places []int
	for at := range m.rows {
		if !m.bad[at] {
			places = append(places, at)
		}
	}
	for part := range slices.Chunk(places, together) {
		list := make([]store.Once, len(part))
		for i, at := range part {
			list[i] = m.once(at)
		}
		out := m.db.WriteEach(ctx, m.who, list, func(tx *store.Tx, i int) (store.Reply, error) {
			created, err := m.saveRow(tx, part[i])
			if created {
				return store.Reply{Status: http.StatusCreated}, err
			}
			return store.Reply{Status: http.StatusOK}, err
		})
		var stopped error
		row := 0
		for i, o := range out {
			switch {
			case errors.Is(o.Err, store.ErrUnchanged):
				m.done.unchanged++
			case o.Err == nil && o.Status == http.StatusCreated:
				m.done.created++
			case o.Err == nil:
				m.done.updated++
			case m.skipBad && m.note(part[i], o.Err):
			case stopped == nil:
				stopped, row = o.Err, m.row(part[i]).N
			}
		}
		if stopped != nil {
			return m.stopped(row, stopped)
		}
		m.advance(m.rows + part[len(part)-1] + 1)
	}
	return nil
}

// stopped tells what stays written of an import that did not come to its end.
func (m *fileImport) stopped(row int, err error) error {
	e := trade.Fail(trade.Unavailable, trade.StoreUnavailable, trade.Phrase{"something went wrong on our side", "bizim tarafımızda bir şey ters gitti"})
	if errors.As(err, &e) && (e.Code == trade.KeyInProgress || e.Code == trade.KeyReused) {
		return err
	}
	stop := trade.Fail(e.Kind, trade.ImportStopped, trade.Phrase{e.Text(trade.English), e.Text(trade.Turkish)}, row, m.done.created, m.done.updated)
	return errors.Join(stop.With("row", row).With("created", m.done.created).With("updated", m.done.updated), err)
}
