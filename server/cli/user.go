package cli

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"esnaf/server"
	"esnaf/store"
)

func (c *console) user() *cobra.Command {
	return c.group("user", "Make, list, disable and enable users", "",
		c.userCreate(), c.userLimit(), c.userPassword(),
		c.toUser("disable", "Keep a user out of every tenant, from the next request on", "disabled"),
		c.toUser("enable", "Let a disabled user in again, with the password there was", "enabled"),
		c.userList())
}

func (c *console) userCreate() *cobra.Command {
	var in server.UserCreate
	var secret password
	cmd := c.operation("create", "Add a user to a tenant", cobra.NoArgs, func(cmd *cobra.Command, _ []string) (err error) {
		if in.Password, err = c.password(&secret, passwordVariable, "Password of "+in.Email); err != nil {
			return err
		}
		return do(c, cmd, "user create", in, func(out server.UserDone) error {
			c.noteKnown(out.KnownUser, in.Email)
			return c.print("user %s\n", out.UserID)
		})
	})
	f := cmd.Flags()
	f.StringVar(&in.Tenant, "tenant", "", "id of the tenant, required")
	f.StringVar(&in.Email, "email", "", "e-mail address to sign in with, required")
	f.StringVar(&in.Name, "name", "", "name (default: the e-mail address)")
	f.StringVar((*string)(&in.Role), "role", "", "MASTER, ADMIN, ACCOUNTANT, SALES, WAREHOUSE or READONLY, required")
	f.StringVar(&in.DiscountLimit, "discount-limit", "", "highest discount in percent that the user may give without approval (default: any)")
	secret.flags(f, "password", passwordVariable)
	return cmd
}

func (c *console) userLimit() *cobra.Command {
	var in server.UserLimit
	cmd := c.operation("limit", "Say which discount a user may give without approval", cobra.NoArgs, func(cmd *cobra.Command, _ []string) error {
		return do(c, cmd, "user limit", in, func(out server.UserDone) error {
			return c.print("user %s may give discounts up to %s percent\n", out.UserID, cmp.Or(in.DiscountLimit, "100"))
		})
	})
	f := cmd.Flags()
	f.StringVar(&in.Tenant, "tenant", "", "id of the tenant, required")
	f.StringVar(&in.Email, "email", "", "e-mail address of the user, required")
	f.StringVar(&in.DiscountLimit, "discount-limit", "", "highest discount in percent (default: any)")
	return cmd
}

func (c *console) userPassword() *cobra.Command {
	var in server.UserPassword
	var secret password
	cmd := c.operation("password", "Give a user another password and end every session", cobra.NoArgs, func(cmd *cobra.Command, _ []string) (err error) {
		if in.Password, err = c.password(&secret, passwordVariable, "New password of "+in.Email); err != nil {
			return err
		}
		return do(c, cmd, "user password", in, func(out server.UserDone) error {
			if out.Disabled {
				return c.print("user %s has the new password, but is disabled: user enable lets it in\n", out.UserID)
			}
			return c.print("user %s has the new password\n", out.UserID)
		})
	})
	cmd.Flags().StringVar(&in.Email, "email", "", "e-mail address of the user, required")
	secret.flags(cmd.Flags(), "password", passwordVariable)
	return cmd
}

// toUser is a command that needs no more than the person; said is what they are then.
func (c *console) toUser(name, about, said string) *cobra.Command {
	var in server.OfUser
	cmd := c.operation(name, about, cobra.NoArgs, func(cmd *cobra.Command, _ []string) error {
		return do(c, cmd, "user "+name, in, func(out server.UserDone) error {
			if n := len(out.ActiveWebhooks); n > 0 {
				said += fmt.Sprintf("\nwebhooks that the user registered belong to the tenant and go on, %d of them: %s\nDELETE /api/webhooks/ID by a user of the tenant ends one",
					n, strings.Join(out.ActiveWebhooks, " "))
			}
			if out.WebhooksUnread {
				said += "\nwhich webhooks the user registered could not be read; those go on: GET /api/webhooks by a user of the tenant lists all that there are"
			}
			return c.print("user %s is %s\n", out.UserID, said)
		})
	})
	cmd.Flags().StringVar(&in.Email, "email", "", "e-mail address of the user, required")
	return cmd
}

func (c *console) userList() *cobra.Command {
	var in server.OfTenant
	cmd := c.operation("list", "List the users of a tenant", cobra.NoArgs, func(cmd *cobra.Command, _ []string) error {
		return do(c, cmd, "user list", in, func(out server.List[store.User]) error {
			return table(c, "ID\tE-MAIL\tNAME\tROLE\tDISABLED\tCREATED", out.Data, func(u store.User) []any {
				return []any{u.ID, u.Email, u.Name, u.Role, u.Disabled, u.CreatedAt}
			})
		})
	})
	cmd.Flags().StringVar(&in.Tenant, "tenant", "", "id of the tenant, required")
	return cmd
}
