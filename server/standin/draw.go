package standin

import (
	"esnaf/store/money"
	"esnaf/store/trade"
)

// One whole unit of the fixed-point numbers that are drawn here.
const (
	one      = money.Quantity(1_000_000)
	lira     = money.Price(100_000_000)
	kuru     = lira / 100 // kuruş, cent
	noVAT    = "351"      // exemption code of a sale without VAT that is no exemption
	maxLines = 8
)

// invoice draws what was sold in a deal: to whom, what, how much of it. A draft
// has no date yet: it gets one when it is sent.
func (l *ledger) invoice(d deal) trade.Invoice {
	pool := l.buyers[d.Profile != trade.EArsivFatura]
	buyer := &pool[l.dice.IntN(len(pool))]
	date := l.today.AddDays(-d.ago)
	v := trade.Invoice{CompanyID: buyer.ID, Profile: d.Profile, Lines: l.lines(buyer)}
	if d.Status != trade.InvoiceDraft {
		v.IssueDate = date
	}
	if buyer.Currency != "TRY" {
		// Of the evening before: the central bank's rates hold from the next day on.
		v.ExchangeRate, v.ExchangeRateDate = exchangeRate(buyer.Currency, d.ago+1), date.AddDays(-1)
	}
	return v
}

// exchangeRate is an invented rate that rises a little every day.
func exchangeRate(currency string, daysAgo int) money.Exchange {
	ago := money.Exchange(daysAgo)
	if currency == "EUR" {
		return 49_861_500 - 14_700*ago
	}
	return 42_914_000 - 11_300*ago
}

// lines draws between one and eight lines of different products, priced in the
// buyer's currency.
func (l *ledger) lines(buyer *trade.Company) []trade.Line {
	shelf := l.products[buyer.Currency]
	n := min(1+l.dice.IntN(maxLines), len(shelf))
	lines := make([]trade.Line, n)
	for i, at := range l.dice.Perm(len(shelf))[:n] {
		lines[i] = l.line(&shelf[at], buyer)
	}
	return lines
}

// line draws a quantity and, on one line in three, a discount. A person pays the
// price on the label, which includes VAT.
func (l *ledger) line(p *trade.Product, buyer *trade.Company) trade.Line {
	line := trade.Line{ProductID: p.ID, Quantity: l.quantity(p)}
	if buyer.PersonType == trade.NaturalPerson {
		line.PriceIncludesVAT, line.UnitPrice = true, new(label(p))
	}
	switch l.dice.IntN(6) {
	case 0:
		line.DiscountRate = new(money.Percent(5 + 5*l.dice.IntN(3)))
	case 1:
		line.DiscountAmount = new(money.Amount(p.SalePrice / kuru / 10)) // less than one unit costs, so less than the line
	}
	if *p.VATRate == 0 {
		line.ExemptionCode = noVAT
	}
	return line
}

// quantity draws much of what is cheap and little of what is dear; what is
// weighed, poured or worked also by the half.
func (l *ledger) quantity(p *trade.Product) money.Quantity {
	most := 60
	switch {
	case p.SalePrice >= 2000*lira:
		most = 3
	case p.SalePrice >= 200*lira:
		most = 12
	}
	q := money.Quantity(1+l.dice.IntN(most)) * one
	switch p.Unit {
	case "KGM", "LTR", "HUR":
		q += money.Quantity(l.dice.IntN(2)) * one / 2
	}
	return q
}

// label is the price of p with VAT, to the kuruş.
func label(p *trade.Product) money.Price {
	net := money.Amount(p.SalePrice / kuru)
	return money.Price(net+p.VATRate.Of(net)) * kuru
}
