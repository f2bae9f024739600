package cli

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/go-json-experiment/json"

	"esnaf/store/trade"
)

// print writes to standard output, which is for results alone.
func (c *console) print(format string, args ...any) error {
	_, err := fmt.Fprint(c.out, trade.Say(format, args...))
	return err
}

// note tells something beside the result, on standard error.
func (c *console) note(format string, args ...any) {
	fmt.Fprintln(c.err, "esnaf: "+trade.Say(format, args...))
}

// noteKnown warns that a password was not used.
func (c *console) noteKnown(known bool, email string) {
	if known {
		c.note("%s had a login already and keeps its name and password", email)
	}
}

// printJSON writes v as one line.
func (c *console) printJSON(v any) error {
	line, err := json.Marshal(v, json.Deterministic(true))
	if err != nil {
		return err
	}
	return c.print("%s\n", line)
}

// table writes a list under a head whose columns are parted by tabs.
func table[T any](c *console, head string, list []T, cells func(T) []any) error {
	w := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, head)
	for _, item := range list {
		row := cells(item)
		fmt.Fprintf(w, strings.Repeat("%v\t", len(row)-1)+"%v\n", row...)
	}
	return w.Flush()
}
