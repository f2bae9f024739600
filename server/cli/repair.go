package cli

import (
	"slices"

	"github.com/spf13/cobra"

	"esnaf/server"
)

const stockHelp = `Computes what is on hand, reserved, in lots and in serial numbers anew from the
movements and reservations, and prints where it differs, and where what is held for
orders is not what they say. Nothing is changed without --apply; with it, what can be
put right is, each with a row in the audit log.

Where orders hold more than there is, cancel one of them first.

Exit code 4 says that there are differences; with --apply, that some are left.`

const indexesHelp = `Looks through the database file and prints which indexes have not the rows that their
tables have. Nothing is changed without --apply; with it, those are made anew from the
tables. A server that says that the database is damaged is started again after that.

A file that is damaged otherwise is told of and left as it is: only a backup helps.

Exit code 4 says that something is wrong; with --apply, that something is left.`

func (c *console) repair() *cobra.Command {
	return c.group("repair", "Put right what can be computed anew", "",
		c.repairOf("stock", "Compute stock anew from its movements", stockHelp, "stock is what its movements and reservations come to"),
		c.repairOf("indexes", "Make indexes of the database anew from its tables", indexesHelp, "each index has the rows that its table has"))
}

// repairOf is the command that repairs what; sound is said where nothing is wrong.
func (c *console) repairOf(what, short, long, sound string) *cobra.Command {
	var in server.Repair
	cmd := c.operation(what, short, cobra.NoArgs, func(cmd *cobra.Command, _ []string) error {
		out, err := did(c, cmd, "repair "+what, in, func(out server.Repaired) error {
			further := slices.DeleteFunc(slices.Clone(out.Left), func(d string) bool { return slices.Contains(out.Found, d) })
			for _, d := range slices.Concat(out.Found, further) {
				if err := c.print("%s\n", d); err != nil {
					return err
				}
			}
			if len(out.Found) == 0 {
				return c.print("%s\n", sound)
			}
			if !in.Apply {
				return c.print("found %d, changed nothing: --apply puts right what can be\n", len(out.Found))
			}
			return c.print("found %d, left %d\n", len(out.Found), len(out.Left))
		})
		if err == nil && len(out.Left) > 0 {
			err = differs(len(out.Left))
		}
		return err
	})
	cmd.Long = long
	cmd.Flags().BoolVar(&in.Apply, "apply", false, "put it right")
	return cmd
}
