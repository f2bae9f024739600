package cli

import (
	"github.com/spf13/cobra"

	"esnaf/server"
)

const repairHelp = `Computes what is on hand, reserved, in lots and in serial numbers anew from the
movements and reservations, and prints where it differs, and what is held for orders
that do not count on it. Nothing is changed without --apply; with it, what can be put
right is, each with a row in the audit log.

Where orders hold more than there is, cancel one of them first.

Exit code 4 says that there are differences; with --apply, that some are left.`

func (c *console) repair() *cobra.Command {
	return c.group("repair", "Put right what can be computed anew", "", c.repairStock())
}

func (c *console) repairStock() *cobra.Command {
	var in server.StockRepair
	cmd := c.operation("stock", "Compute stock anew from its movements", cobra.NoArgs, func(cmd *cobra.Command, _ []string) error {
		out, err := did(c, cmd, "repair stock", in, func(out server.StockRepaired) error {
			for _, d := range out.Found {
				if err := c.print("%s\n", d); err != nil {
					return err
				}
			}
			if len(out.Found) == 0 {
				return c.print("stock is what its movements and reservations come to\n")
			}
			if !in.Apply {
				return c.print("found %d, changed nothing: --apply puts them right\n", len(out.Found))
			}
			return c.print("found %d, left %d\n", len(out.Found), len(out.Left))
		})
		if err == nil && len(out.Left) > 0 {
			err = differs(len(out.Left))
		}
		return err
	})
	cmd.Long = repairHelp
	cmd.Flags().BoolVar(&in.Apply, "apply", false, "put it right")
	return cmd
}
