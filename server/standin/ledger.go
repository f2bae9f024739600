package standin

import (
	"math/rand/v2"
	"time"

	"github.com/go-json-experiment/json"

	"esnaf/store"
	"esnaf/store/clock"
	"esnaf/store/trade"
)

// ledger writes one firm's business into its account, in one change.
type ledger struct {
	tx     *store.Tx
	ids    *clock.IDs
	tenant string
	today  trade.Date // in the tenant's zone
	dice   *rand.Rand // always the same throws

	buyers   map[bool][]trade.Company   // by whether registered for e-Fatura
	products map[string][]trade.Product // by the currency of their price
	waiting  []string                   // numbers of what is left on the way to the tax office
}

func newLedger(tx *store.Tx, ids *clock.IDs, t *trade.Tenant) *ledger {
	return &ledger{
		tx: tx, ids: ids, tenant: t.ID, today: trade.DateOf(tx.Now().In(t.Zone())), dice: rand.New(rand.NewPCG(2026, 11)),
		buyers: map[bool][]trade.Company{}, products: map[string][]trade.Product{},
	}
}

// keep writes all that the firm knows and did.
func (l *ledger) keep(f *firm) error {
	if err := l.register(f.Companies); err != nil {
		return err
	}
	for _, c := range f.Companies {
		c, err := stored[trade.Company](l.tx.CreateCompany(c))
		if err != nil {
			return err
		}
		if c.Type == trade.Customer || c.Type == trade.Both {
			l.buyers[c.EInvoice.Registered] = append(l.buyers[c.EInvoice.Registered], c)
		}
	}
	for _, p := range f.Products {
		p.MinimumPrice = new(p.SalePrice / 4 * 3) // below what discounts are drawn to
		p, err := stored[trade.Product](l.tx.CreateProduct(p))
		if err != nil {
			return err
		}
		l.products[p.SaleCurrency] = append(l.products[p.SaleCurrency], p)
	}
	if err := l.approach(); err != nil {
		return err
	}
	for _, d := range f.deals() {
		v, err := stored[trade.Invoice](l.tx.CreateInvoice(l.invoice(d)))
		if err != nil {
			return err
		}
		if err := l.carry(v.ID, d.Status); err != nil {
			return err
		}
	}
	return l.orders()
}

// register puts the companies that are marked so on the tax office's list, before
// they are created and looked up there. They joined it long before the first sale.
func (l *ledger) register(companies []trade.Company) error {
	var list []store.Taxpayer
	for i, c := range companies {
		since := l.tx.Now().Add(-time.Duration(400+40*i) * 24 * time.Hour).Truncate(24 * time.Hour)
		t := store.Taxpayer{TaxNumber: c.TaxNumber, Title: c.Name, Type: "OZEL", Since: since}
		if c.EInvoice.Registered {
			t.Document, t.Alias = "Invoice", c.EInvoice.Alias
			list = append(list, t)
		}
		if c.EDespatch.Registered {
			t.Document, t.Alias = "DespatchAdvice", c.EDespatch.Alias
			list = append(list, t)
		}
	}
	return l.tx.PutTaxpayers(list)
}

// stored reads back what an operation wrote, with the id it got.
func stored[T any](d store.Doc, err error) (rec T, _ error) {
	if err != nil {
		return rec, err
	}
	return rec, json.Unmarshal(d.JSON, &rec)
}
