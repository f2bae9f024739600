package cli

import (
	"context"
	"log/slog"
	"sync"

	"esnaf/store/trade"
)

// logger writes what the settings ask for.
func (c *console) logger() *slog.Logger {
	var level slog.Level
	if err := level.UnmarshalText([]byte(c.settings.LogLevel)); err != nil {
		level = slog.LevelInfo // plan lets no other text through
	}
	options := &slog.HandlerOptions{Level: level}
	var lines slog.Handler = slog.NewTextHandler(c.err, options)
	if c.settings.LogFormat == "json" {
		lines = slog.NewJSONHandler(c.err, options)
	}
	return slog.New(damageOnce{lines, &told{texts: map[string]bool{}}})
}

// damageOnce lets one line about each damage of the database through: every request and
// every round of a worker meets it again, and more of them would bury what else there is.
type damageOnce struct {
	slog.Handler
	told *told
}

// told is what has been said.
type told struct {
	mu    sync.Mutex
	texts map[string]bool
}

// before tells whether text has been said before.
func (t *told) before(text string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	was := t.texts[text]
	t.texts[text] = true
	return was
}

// Handle writes the line, unless it is such a one again.
func (h damageOnce) Handle(ctx context.Context, line slog.Record) error {
	again := false
	line.Attrs(func(a slog.Attr) bool {
		err, ok := a.Value.Any().(error)
		damage := ok && trade.KindOf(err) == trade.Damaged
		again = damage && h.told.before(err.Error())
		return !damage
	})
	if again {
		return nil
	}
	return h.Handler.Handle(ctx, line)
}

// WithAttrs keeps the rule for a logger made of this one.
func (h damageOnce) WithAttrs(attrs []slog.Attr) slog.Handler {
	return damageOnce{h.Handler.WithAttrs(attrs), h.told}
}

// WithGroup keeps the rule for a logger made of this one.
func (h damageOnce) WithGroup(name string) slog.Handler {
	return damageOnce{h.Handler.WithGroup(name), h.told}
}
