package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/spf13/cobra"

	"esnaf/server"
	"esnaf/store"
	"esnaf/store/clock"
)

// patience is how long a command waits for a folder that is held by a process
// which does not answer: one that is starting or stopping, or another command.
const patience = 5 * time.Second

// operation is a command that is carried out on the data folder.
func (c *console) operation(use, short string, args cobra.PositionalArgs, run func(cmd *cobra.Command, args []string) error) *cobra.Command {
	return c.command(use, short, args, func(cmd *cobra.Command, args []string) error {
		if err := c.settings.resolve(cmd.Flags(), "json"); err != nil {
			return err
		}
		return run(cmd, args)
	})
}

// do carries out an operation of the operator and prints its result: as it is
// when JSON was asked for, otherwise by text.
func do[Out any](c *console, cmd *cobra.Command, name string, in any, text func(Out) error) error {
	_, err := did(c, cmd, name, in, text)
	return err
}

// did is do for who needs the result too.
func did[Out any](c *console, cmd *cobra.Command, name string, in any, text func(Out) error) (out Out, err error) {
	params, err := json.Marshal(in)
	if err != nil {
		return out, err
	}
	answer, err := perform(cmd.Context(), c.settings.Data, name, params)
	if err != nil {
		return out, inFlags(err)
	}
	if err := json.Unmarshal(answer, &out); err != nil {
		return out, fmt.Errorf("the server's answer cannot be read: %w", err)
	}
	if c.settings.JSON {
		return out, c.print("%s\n", answer)
	}
	return out, text(out)
}

// perform lets the server that runs on dir carry out the operation, or where
// none runs does so itself.
func perform(ctx context.Context, dir, name string, in []byte) ([]byte, error) {
	var wall clock.System
	for deadline := wall.Now().Add(patience); ; {
		answer, err := server.Command(ctx, dir, name, in)
		if !errors.Is(err, server.ErrNoServer) {
			return answer, err
		}
		answer, err = onFolder(ctx, dir, name, in)
		if !errors.Is(err, store.ErrBusy) {
			return answer, err
		}
		if wall.Now().After(deadline) {
			return nil, fmt.Errorf("%w, which does not answer: if it is starting or stopping, try again when it is done", err)
		}
		again, _ := wall.After(wall.Now().Add(50 * time.Millisecond))
		<-again
	}
}

// onFolder opens the folder for one operation. Only a new tenant may make a
// folder; for all else one that holds nothing was named by mistake.
func onFolder(ctx context.Context, dir, name string, in []byte) (answer []byte, err error) {
	db, err := store.Open(store.Options{Dir: dir, Clock: clock.System{}, IDs: clock.RandomIDs(), Existing: name != "tenant create"})
	if errors.Is(err, store.ErrNoData) {
		return nil, noData(dir)
	}
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	admin, err := server.NewAdmin(db)
	if err != nil {
		return nil, err
	}
	out, err := admin.Do(ctx, name, in)
	if err != nil {
		return nil, server.Refuse(err)
	}
	return json.Marshal(out, server.Legible())
}

// noData says that a folder was named by mistake.
func noData(dir string) error {
	return fmt.Errorf("there is no data in %s: name the folder with --data, or begin with esnaf tenant create", dir)
}

// inFlags says a refusal with the fields called by their flags.
func inFlags(err error) error {
	var refused *server.Refused
	if !errors.As(err, &refused) || len(refused.Faults) == 0 {
		return err
	}
	said := *refused
	sentences := make([]string, len(said.Faults))
	for i, f := range said.Faults {
		sentences[i] = "--" + flagName(f.Field) + strings.TrimPrefix(f.Message, f.Field)
	}
	said.Message = strings.Join(sentences, " ")
	return &said
}

// flagName is the flag of a field: masterEmail is --master-email, series.E_FATURA
// --series-e-fatura, scopes[1] --scopes.
func flagName(field string) string {
	field, _, _ = strings.Cut(field, "[")
	var b strings.Builder
	lower := false // the character before was a lower-case letter
	for _, r := range field {
		switch {
		case r == '.' || r == '_':
			r = '-'
		case lower && 'A' <= r && r <= 'Z':
			b.WriteByte('-')
		}
		lower = 'a' <= r && r <= 'z'
		b.WriteString(strings.ToLower(string(r)))
	}
	return b.String()
}
