package standin_test

import (
	"testing"

	"esnaf/store"
	"esnaf/store/trade"
)

// TestApproach looks at contacts, opportunities and quotes of both accounts: every
// stage and every state occurs, and what belongs together is of one company.
func TestApproach(t *testing.T) {
	db := open(t, noon, 1)
	d := seed(t, db, nil)
	for _, te := range d.Tenants {
		found := map[string]int{}
		company := map[string]string{} // of a contact or an opportunity
		for _, c := range all[trade.Contact](t, db, te.ID, &store.Contacts.List, "") {
			found["contacts"]++
			company[c.ID] = c.CompanyID
		}
		for _, o := range all[trade.Opportunity](t, db, te.ID, &store.Opportunities.List, "") {
			found["stage "+string(o.Stage)]++
			company[o.ID] = o.CompanyID
			if company[o.ContactID] != o.CompanyID || (o.LostReason != "") != (o.Stage == trade.StageLost) {
				t.Errorf("%s: %+v", te.Name, o)
			}
		}
		orders := map[string]trade.Order{}
		for _, o := range all[trade.Order](t, db, te.ID, &store.Orders.List, "") {
			orders[o.ID] = o
		}
		for _, q := range all[trade.Quote](t, db, te.ID, &store.Quotes.List, "") {
			found["quote "+string(q.Status)]++
			if company[q.ContactID] != q.CompanyID || company[q.OpportunityID] != q.CompanyID || q.Total <= 0 {
				t.Errorf("%s: %+v", te.Name, q)
			}
			if o := orders[q.OrderID]; q.Status == trade.QuoteConverted && (o.QuoteID != q.ID || o.Total != q.Total) || q.Status != trade.QuoteConverted && q.OrderID != "" {
				t.Errorf("%s: %s became %+v", te.Name, q.Number, o)
			}
		}
		want := []string{}
		for _, s := range trade.Stage("").Values() {
			want = append(want, "stage "+s)
		}
		for _, s := range trade.QuoteState("").Values() {
			want = append(want, "quote "+s)
		}
		for _, what := range want {
			if found[what] == 0 {
				t.Errorf("%s: no %s", te.Name, what)
			}
		}
		if found["contacts"] < 8 {
			t.Errorf("%s: %d contacts", te.Name, found["contacts"])
		}
	}
}
