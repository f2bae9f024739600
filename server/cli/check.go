package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"esnaf/server"
	"esnaf/store"
	"esnaf/store/trade"
)

const checkHelp = `Computes anew what the data folder says of itself and prints every difference. It
looks whether

%s
Nothing is changed; yet where no server runs, some room on the disk is needed to open
the data folder. Exit code 4 says that there is a difference.`

// differs is the error of data that does not agree with itself.
type differs int

func (n differs) Error() string {
	return trade.Say("the data has %d difference{1:|s}", int(n))
}

func (c *console) check() *cobra.Command {
	cmd := c.operation("check", "Check whether the books agree with themselves", cobra.NoArgs, func(cmd *cobra.Command, _ []string) error {
		out, err := did(c, cmd, "check", server.None{}, c.printChecks)
		if err == nil && out.Differences > 0 {
			err = differs(out.Differences)
		}
		return err
	})
	var each strings.Builder
	for _, check := range store.Checks() {
		fmt.Fprintf(&each, "  %-10s %s\n", check.Name, check.About)
	}
	cmd.Long = fmt.Sprintf(checkHelp, each.String())
	return cmd
}

// printChecks writes a line for each check, and under it what it has found.
func (c *console) printChecks(out server.CheckReport) error {
	for _, check := range out.Checks {
		state := "ok"
		if n := len(check.Differences); n > 0 {
			state = fmt.Sprint(n)
		}
		if err := c.print("%-10s %-4s %s\n", check.Name, state, check.About); err != nil {
			return err
		}
		for _, d := range check.Differences {
			if err := c.print("  %s\n", d); err != nil {
				return err
			}
		}
	}
	return nil
}
