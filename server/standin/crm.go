package standin

import (
	"fmt"

	"esnaf/store/money"
	"esnaf/store/trade"
)

// The people and the wishes of the firm's customers. Names and texts are drawn by
// turns, so that they are the same on every machine.
var (
	firstNames = []string{"Ayşe", "Mehmet", "Işık", "Çağrı", "Şule", "Ömer", "Gül", "İpek", "Uğur", "Sıla", "Barış", "Nazlı"}
	lastNames  = []string{"Yıldız", "Öztürk", "Şimşek", "Çetin", "Güneş", "Ünal", "Kılıç", "Doğan"}
	titles     = []string{"Satın alma", "Muhasebe", "Genel müdür"}
	chances    = []string{"Yıllık sözleşme", "Yeni şube", "Fuar siparişi", "Toplu alım", "Deneme siparişi", "Kampanya"}
)

// ways lead to each stage of an opportunity, and steps to each state of a quote.
var (
	ways = [][]trade.OpportunityAction{
		nil,
		{trade.Qualify},
		{trade.Qualify, trade.Propose},
		{trade.Qualify, trade.Propose, trade.Negotiate},
		{trade.Qualify, trade.Propose, trade.Win},
		{trade.Lose},
	}
	steps = [][]trade.QuoteAction{
		nil,
		{trade.SendQuote},
		{trade.SendQuote, trade.AcceptQuote},
		{trade.SendQuote, trade.RejectQuote},
		{trade.SendQuote, trade.ExpireQuote},
		{trade.SendQuote, trade.AcceptQuote, trade.ConvertQuote},
	}
)

// approach writes whom the firm talks to and what may come of it: a contact for each
// of a dozen customers, an opportunity for each, in every stage, and quotes in every
// state.
func (l *ledger) approach() error {
	for i, c := range l.customers(12) {
		person, err := stored[trade.Contact](l.tx.CreateContact(trade.Contact{
			CompanyID: c.ID, FirstName: firstNames[i%len(firstNames)], LastName: lastNames[i%len(lastNames)],
			Title: titles[i%len(titles)], Email: fmt.Sprintf("ilgili%d@ornek.example", i+1), Phone: c.Phone, IsPrimary: true,
		}))
		if err != nil {
			return err
		}
		o, err := stored[trade.Opportunity](l.tx.CreateOpportunity(trade.Opportunity{
			CompanyID: c.ID, ContactID: person.ID, Name: chances[i%len(chances)], Amount: money.Amount(1_500_00 * (i + 1)),
			Probability: 10 * (i%9 + 1), ExpectedCloseDate: l.today.AddDays(10 + 5*i),
		}))
		if err != nil {
			return err
		}
		for _, a := range ways[i%len(ways)] {
			reason := ""
			if a == trade.Lose {
				reason = "fiyat"
			}
			if _, err := l.tx.MoveOpportunity(o.ID, a, reason); err != nil {
				return err
			}
		}
		if err := l.offer(&c, person.ID, o.ID, i); err != nil {
			return err
		}
	}
	return nil
}

// offer writes the i-th quote and takes it to its state.
func (l *ledger) offer(c *trade.Company, contact, opportunity string, i int) error {
	way := steps[i%len(steps)]
	q := trade.Quote{CompanyID: c.ID, ContactID: contact, OpportunityID: opportunity, Currency: "TRY", IssueDate: l.today.AddDays(-20), ValidUntil: l.today.AddDays(30)}
	now := l.tx.Now()
	if len(way) > 1 && way[1] == trade.ExpireQuote {
		q.ValidUntil = l.today.AddDays(-1)
		l.tx.Happen(now.AddDate(0, 0, -20)) // it was sent while it was valid
	}
	for k := range 1 + i%3 {
		p := l.products["TRY"][(3*i+k)%len(l.products["TRY"])]
		q.Lines = append(q.Lines, trade.Line{ProductID: p.ID, Quantity: money.Quantity((k + 2) * 1_000_000)})
	}
	made, err := stored[trade.Quote](l.tx.CreateQuote(q))
	for _, a := range way {
		if err != nil {
			return err
		}
		switch a {
		case trade.ExpireQuote:
			l.tx.Happen(now)
			_, err = l.tx.MoveQuote(made.ID, a, "")
		case trade.ConvertQuote:
			_, err = l.tx.ConvertQuote(made.ID)
		case trade.RejectQuote:
			_, err = l.tx.MoveQuote(made.ID, a, "bütçe")
		default:
			_, err = l.tx.MoveQuote(made.ID, a, "")
		}
	}
	return err
}

// customers are the first n that buy in Turkish lira.
func (l *ledger) customers(n int) (out []trade.Company) {
	for _, registered := range []bool{true, false} {
		for _, c := range l.buyers[registered] {
			if c.Currency == "TRY" && len(out) < n {
				out = append(out, c)
			}
		}
	}
	return out
}
