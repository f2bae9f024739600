package cli

import (
	"context"
	"log/slog"
	"sync/atomic"

	"esnaf/store/trade"
)

// logger writes what the settings ask for.
func (c *console) logger() *slog.Logger {
	var level slog.Level
	if err := level.UnmarshalText([]byte(c.settings.LogLevel)); err != nil {
		level = slog.LevelInfo // plan lets no other text through
	}
	options := &slog.HandlerOptions{Level: level}
	if c.settings.LogFormat == "json" {
		return slog.New(damageOnce{slog.NewJSONHandler(c.err, options), new(atomic.Bool)})
	}
	return slog.New(damageOnce{slog.NewTextHandler(c.err, options), new(atomic.Bool)})
}

// damageOnce lets one line about a damaged database through: every request and every
// round of a worker meets it again, and more of them would bury what else there is.
type damageOnce struct {
	slog.Handler
	told *atomic.Bool
}

// Handle writes the line, unless it is such a one again.
func (h damageOnce) Handle(ctx context.Context, line slog.Record) error {
	damage := false
	line.Attrs(func(a slog.Attr) bool {
		err, ok := a.Value.Any().(error)
		damage = ok && trade.KindOf(err) == trade.Damaged
		return !damage
	})
	if damage && h.told.Swap(true) {
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
