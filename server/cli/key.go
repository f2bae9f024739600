package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"esnaf/auth"
	"esnaf/server"
	"esnaf/store"
)

func (c *console) key() *cobra.Command {
	return c.group("key", "Make, list and revoke the keys of Interface B", "",
		c.keyCreate(), c.keyList(), c.keyRescope(), c.keyRotate(), c.keyRevoke())
}

// oneKey takes the id of a key as the only argument.
func oneKey(_ *cobra.Command, args []string) error {
	if len(args) != 1 {
		return usageError("name one key by its id, which key list shows")
	}
	return nil
}

// scopesHelp explains --scopes.
const scopesHelp = "what the key may do: resource:action, comma-separated, as in companies:read,invoices:*,*:export, or the one word all; required"

func (c *console) keyCreate() *cobra.Command {
	var in server.KeyCreate
	cmd := c.operation("create", "Make a key of Interface B; it is shown this once", cobra.NoArgs, func(cmd *cobra.Command, _ []string) error {
		return c.issue(cmd, "key create", in)
	})
	cmd.Long = cmd.Short + ".\n\nScopes:\n  " + strings.Join(auth.KeyScopes().List(), "\n  ") +
		"\n\nPayments and transfers take the scopes of the accounts they touch. What a company owes is read with\ncompanies:read; its statement takes invoices:read, bank:read and cashAccount:read as well."
	f := cmd.Flags()
	f.StringVar(&in.Tenant, "tenant", "", "id of the tenant, required")
	f.StringVar(&in.Name, "name", "", "what the key is for, required")
	f.StringSliceVar(&in.Scopes, "scopes", nil, scopesHelp)
	f.IntVar(&in.Rate, "rate", 120, "requests a minute; 0 is no limit")
	return cmd
}

// issue carries out an operation that makes a key.
func (c *console) issue(cmd *cobra.Command, name string, in any) error {
	return do(c, cmd, name, in, func(out server.KeyIssued) error {
		c.note("keep the key now; it is not shown again")
		return c.print("id  %s\nkey %s\n", out.ID, out.Key)
	})
}

func (c *console) keyList() *cobra.Command {
	var in server.OfTenant
	cmd := c.operation("list", "List the keys of a tenant, revoked ones too", cobra.NoArgs, func(cmd *cobra.Command, _ []string) error {
		return do(c, cmd, "key list", in, func(out server.List[store.Key]) error {
			return table(c, "ID\tNAME\tKEY\tRATE\tCREATED\tREVOKED\tSCOPES", out.Data, func(k store.Key) []any {
				revoked := "-"
				if k.RevokedAt != 0 {
					revoked = k.RevokedAt.String()
				}
				scopes, _ := auth.ParseScopes(k.Names) // shorter than the full list, with wildcards
				return []any{k.ID, k.Name, k.Hint, k.Rate, k.CreatedAt, revoked, scopes}
			})
		})
	})
	cmd.Flags().StringVar(&in.Tenant, "tenant", "", "id of the tenant, required")
	return cmd
}

func (c *console) keyRescope() *cobra.Command {
	var in server.KeyRescope
	cmd := c.operation("rescope KEY_ID", "Give a key other scopes, from the next request on", oneKey, func(cmd *cobra.Command, args []string) error {
		in.ID = args[0]
		return do(c, cmd, "key rescope", in, func(out server.OfKey) error {
			return c.print("key %s has the new scopes\n", out.ID)
		})
	})
	cmd.Flags().StringSliceVar(&in.Scopes, "scopes", nil, scopesHelp)
	return cmd
}

func (c *console) keyRotate() *cobra.Command {
	return c.operation("rotate KEY_ID", "Revoke a key and make another with the same name, scopes and rate", oneKey, func(cmd *cobra.Command, args []string) error {
		return c.issue(cmd, "key rotate", server.OfKey{ID: args[0]})
	})
}

func (c *console) keyRevoke() *cobra.Command {
	return c.operation("revoke KEY_ID", "End a key, from the next request on", oneKey, func(cmd *cobra.Command, args []string) error {
		return do(c, cmd, "key revoke", server.OfKey{ID: args[0]}, func(out server.OfKey) error {
			return c.print("key %s is revoked\n", out.ID)
		})
	})
}
