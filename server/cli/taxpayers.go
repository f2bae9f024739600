package cli

import (
	"github.com/spf13/cobra"

	"esnaf/server"
)

func (c *console) taxpayers() *cobra.Command {
	return c.group("taxpayers", "Take in the tax office's list of registered users", "", c.taxpayersImport())
}

// oneFile takes the path of a file as the only argument.
func oneFile(_ *cobra.Command, args []string) error {
	if len(args) != 1 || args[0] == "" {
		return usageError("name one file")
	}
	return nil
}

const taxpayersHelp = `Replaces the list of registered users (kayıtlı kullanıcı listesi) by that of FILE:
the tax office's list of mailboxes for e-Fatura and e-İrsaliye (newUserPkListxml.zip),
or the XML in it; a pipe will do. Companies whose registration changes are brought up to date.

A file that is not whole changes nothing, and one that would take away more than a
tenth of the list is refused unless --force is given.`

func (c *console) taxpayersImport() *cobra.Command {
	var in server.TaxpayersImport
	cmd := c.operation("import FILE", "Replace the list of registered users", oneFile, func(cmd *cobra.Command, args []string) error {
		return c.withFile(cmd, args[0], func(path string) error {
			in.File = path
			defer c.showProgress(cmd, "reading")()
			return do(c, cmd, "taxpayers import", in, c.tellTaxpayers)
		})
	})
	cmd.Long = taxpayersHelp
	cmd.Flags().BoolVar(&in.Force, "force", false, "also when more than a tenth of the list in force would go")
	return cmd
}

// tellTaxpayers prints what became of the list.
func (c *console) tellTaxpayers(out server.TaxpayersImported) error {
	if out.Passed > 0 {
		c.note("%d entr{1:y was|ies were} passed over: number, urn or time cannot be used", out.Passed)
	}
	return c.print("entries   %d (%d before, %d added, %d removed)\ncompanies %d brought up to date\n",
		out.Entries, out.Before, out.Added, out.Removed, out.Companies)
}
