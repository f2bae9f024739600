package store

// tally is what the writer remembers of series, which nearly every new record moves
// on. A group reads each of them once at most and writes it once, right before its
// commit. What a change draws counts only if the change goes well, so that one that
// is taken back leaves no gap.
type tally struct {
	cells     map[series]*cell
	moved     []*cell // by the change at work
	unwritten []*cell // by the group at work
}

type cell struct {
	key     series
	now     lastNumber // as the change at work sees it
	settled lastNumber // as the changes before it left it
	written bool
}

// move gives the end of a series to the change at work, which moves it on in place.
func (t *tally) move(key series, read func() (lastNumber, error)) (*lastNumber, error) {
	c := t.cells[key]
	if c == nil {
		v, err := read()
		if err != nil {
			return nil, err
		}
		if t.cells == nil {
			t.cells = map[series]*cell{}
		}
		c = &cell{key: key, now: v, settled: v, written: true}
		t.cells[key] = c
	}
	t.moved = append(t.moved, c)
	return &c.now, nil
}

// settle takes over what the change at work drew.
func (t *tally) settle() {
	for _, c := range t.moved {
		c.settled = c.now
		if c.written {
			c.written = false
			t.unwritten = append(t.unwritten, c)
		}
	}
	t.moved = t.moved[:0]
}

// undo takes back what the change at work drew.
func (t *tally) undo() {
	for _, c := range t.moved {
		c.now = c.settled
	}
	t.moved = t.moved[:0]
}

// write puts every series that this group moved on into the file.
func (t *tally) write(put func(series, lastNumber) error) error {
	for _, c := range t.unwritten {
		if err := put(c.key, c.settled); err != nil {
			return err
		}
		c.written = true
	}
	t.unwritten = t.unwritten[:0]
	if len(t.cells) > maxKept {
		clear(t.cells)
	}
	return nil
}

// forget is for when the file may not hold what is remembered.
func (t *tally) forget() { *t = tally{} }
