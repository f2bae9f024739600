package store

// tally is what the writer remembers of rows that nearly every change moves on: the
// ends of chains and the last numbers of series. A group reads each of them once
// at most and writes it once, right before its commit. What a change moves counts
// only if the change goes well, so that one that is taken back leaves no gap.
type tally[K comparable, V any] struct {
	cells     map[K]*cell[K, V]
	moved     []*cell[K, V] // by the change at work
	unwritten []*cell[K, V] // by the group at work
}

type cell[K comparable, V any] struct {
	key     K
	now     V // as the change at work sees it
	settled V // as the changes before it left it
	written bool
}

// move gives the value of key to the change at work, which moves it on in place.
func (t *tally[K, V]) move(key K, read func() (V, error)) (*V, error) {
	c := t.cells[key]
	if c == nil {
		v, err := read()
		if err != nil {
			return nil, err
		}
		if t.cells == nil {
			t.cells = map[K]*cell[K, V]{}
		}
		c = &cell[K, V]{key: key, now: v, settled: v, written: true}
		t.cells[key] = c
	}
	t.moved = append(t.moved, c)
	return &c.now, nil
}

// settle takes over what the change at work moved.
func (t *tally[K, V]) settle() {
	for _, c := range t.moved {
		c.settled = c.now
		if c.written {
			c.written = false
			t.unwritten = append(t.unwritten, c)
		}
	}
	t.moved = t.moved[:0]
}

// undo takes back what the change at work moved.
func (t *tally[K, V]) undo() {
	for _, c := range t.moved {
		c.now = c.settled
	}
	t.moved = t.moved[:0]
}

// write puts every value that moved in this group into the file.
func (t *tally[K, V]) write(put func(K, V) error) error {
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
func (t *tally[K, V]) forget() { *t = tally[K, V]{} }
