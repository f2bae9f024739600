package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"esnaf/server"
	"esnaf/store"
)

const settleHelp = `Records what a person has seen at the tax office of the document of an invoice or a
shipment, where the program learns nothing final:

  it waits there for ever (QUEUED; codes such as 1220, 1235 or one that is on no list),
  or was handed over and the office cannot be reached any more:
    --as taken    the office has it: it is SENT. An e-Arşiv invoice can be cancelled for
                  8 days from when it was last handed over
    --as refused  the office has not got it: it is FAILED
  (but not at the moment at which it is being handed over)

  it FAILED since the office has a document of its number or ETTN (codes 1163, 1164):
    --as refused  that is another document: the invoice can be cancelled, and another be
                  made, which draws a new number. Send it again first: where it is this
                  very document, the office says so. Where another program numbers in
                  the same series, give this account other letters (PUT /api/tenant).

Look first: who calls refused what the office has, and then makes another, has two
documents for one sale.`

func (c *console) document() *cobra.Command {
	return c.group("document", "Settle what became of a document at the tax office", "", c.documentSettle())
}

// oneDocument takes the id of an invoice or a shipment as the only argument.
func oneDocument(_ *cobra.Command, args []string) error {
	if len(args) != 1 {
		return usageError("name one invoice or shipment by its id")
	}
	invoice, shipment := store.Invoices.Prefix+"_", store.Shipments.Prefix+"_"
	if id := args[0]; !strings.HasPrefix(id, invoice) && !strings.HasPrefix(id, shipment) {
		return usageError(fmt.Sprintf("%q is no invoice (%s...) and no shipment (%s...): only these have documents", id, invoice, shipment))
	}
	return nil
}

func (c *console) documentSettle() *cobra.Command {
	var in server.DocumentSettle
	cmd := c.operation("settle ID", "Record whether the tax office has a document", oneDocument, func(cmd *cobra.Command, args []string) error {
		in.ID = args[0]
		return do(c, cmd, "document settle", in, func(out server.DocumentSettle) error {
			return c.print("the document of %s is settled as %s\n", out.ID, out.As)
		})
	})
	cmd.Long = settleHelp
	cmd.Flags().StringVar(&in.Tenant, "tenant", "", "id of the tenant, required")
	cmd.Flags().StringVar(&in.As, "as", "", "taken or refused, required")
	return cmd
}
