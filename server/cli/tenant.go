package cli

import (
	"github.com/spf13/cobra"

	"esnaf/server"
	"esnaf/store/trade"
)

func (c *console) tenant() *cobra.Command {
	return c.group("tenant", "Make and list tenants (accounts)", "", c.tenantCreate(), c.tenantList(), c.tenantPlan())
}

func (c *console) tenantCreate() *cobra.Command {
	var in server.TenantCreate
	var secret password
	cmd := c.operation("create", "Make a tenant and its MASTER, the user who may do everything", cobra.NoArgs, func(cmd *cobra.Command, _ []string) (err error) {
		if in.MasterPassword, err = c.password(&secret, masterPasswordVariable, "Password of "+in.MasterEmail); err != nil {
			return err
		}
		return do(c, cmd, "tenant create", in, func(out server.TenantMade) error {
			c.noteKnown(out.KnownUser, in.MasterEmail)
			return c.print("tenant %s\nuser   %s\n", out.TenantID, out.UserID)
		})
	})
	f := cmd.Flags()
	f.StringVar(&in.Name, "name", "", "legal title (ünvan), required")
	f.StringVar(&in.TaxNumber, "tax-number", "", "tax number (VKN, 10 digits) or citizen number (TCKN, 11 digits), required")
	f.StringVar((*string)(&in.Plan), "plan", "enterprise", "requests a minute: standard 60, professional 200, enterprise 1000, or unlimited")
	f.StringVar(&in.MasterEmail, "master-email", "", "e-mail address that the MASTER signs in with, required")
	secret.flags(f, "master-password", masterPasswordVariable)
	f.StringVar(&in.FirstName, "first-name", "", "first name of a sole trader")
	f.StringVar(&in.LastName, "last-name", "", "family name of a sole trader")
	f.StringVar(&in.TaxOffice, "tax-office", "", "tax office (vergi dairesi)")
	f.StringVar(&in.Address, "address", "", "street and number")
	f.StringVar(&in.District, "district", "", "district (ilçe)")
	f.StringVar(&in.City, "city", "", "city (il)")
	f.StringVar(&in.PostalCode, "postal-code", "", "postal code")
	f.StringVar(&in.Country, "country", "TR", "country, ISO 3166")
	f.StringVar(&in.Phone, "phone", "", "telephone")
	f.StringVar(&in.Email, "email", "", "e-mail address on documents")
	f.StringVar(&in.IBAN, "iban", "", "bank account")
	f.StringVar(&in.SenderAlias, "sender-alias", "", "sender unit (gönderici birim etiketi), such as urn:mail:defaultgb@example.com.tr")
	f.StringVar((*string)(&in.DefaultProfile), "default-profile", string(trade.TicariFatura), "e-Fatura profile: TICARIFATURA or TEMELFATURA")
	f.StringVar(&in.Series.EFatura, "series-e-fatura", "EFA", "series of e-Fatura numbers")
	f.StringVar(&in.Series.EArsiv, "series-e-arsiv", "EAR", "series of e-Arşiv numbers")
	f.StringVar(&in.Series.Export, "series-export", "IHR", "series of export numbers")
	f.StringVar(&in.Series.Despatch, "series-despatch", "IRS", "series of despatch numbers")
	f.StringVar((*string)(&in.TaxNumberCheck), "tax-number-check", string(trade.CheckError), "what a wrong check digit does: error, or warn to let test numbers through")
	f.StringVar(&in.Timezone, "timezone", "Europe/Istanbul", "time zone of its days")
	return cmd
}

func (c *console) tenantList() *cobra.Command {
	return c.operation("list", "List the tenants, oldest first", cobra.NoArgs, func(cmd *cobra.Command, _ []string) error {
		return do(c, cmd, "tenant list", server.None{}, func(out server.List[trade.Tenant]) error {
			return table(c, "ID\tNAME\tTAX NUMBER\tPLAN\tCREATED", out.Data, func(t trade.Tenant) []any {
				return []any{t.ID, t.Name, t.TaxNumber, t.Plan, t.CreatedAt}
			})
		})
	})
}

func (c *console) tenantPlan() *cobra.Command {
	var in server.TenantPlan
	cmd := c.operation("plan", "Book another plan for a tenant", cobra.NoArgs, func(cmd *cobra.Command, _ []string) error {
		return do(c, cmd, "tenant plan", in, func(out server.TenantPlan) error {
			return c.print("tenant %s has the plan %s\n", out.Tenant, out.Plan)
		})
	})
	f := cmd.Flags()
	f.StringVar(&in.Tenant, "tenant", "", "id of the tenant, required")
	f.StringVar((*string)(&in.Plan), "plan", "", "standard, professional, enterprise or unlimited, required")
	return cmd
}
