package store

import "esnaf/store/trade"

// CreateQuote adds a draft; a number is drawn when none is given.
func (tx *Tx) CreateQuote(q trade.Quote) (Doc, error) {
	q.Status, q.RejectReason, q.OrderID = trade.QuoteDraft, "", ""
	if err := tx.prepareQuote(&q, kept{}); err != nil {
		return Doc{}, err
	}
	return Quotes.Create(tx, &q)
}

// UpdateQuote replaces what a caller may set of a draft whose version match allows.
func (tx *Tx) UpdateQuote(id string, match Match, q trade.Quote) (Doc, error) {
	was, old, err := current(tx, Quotes, id, match)
	if err != nil {
		return Doc{}, err
	}
	if err := tx.mayQuote(&old, trade.EditQuote); err != nil {
		return Doc{}, err
	}
	q.Keep(&old)
	if err := tx.prepareQuote(&q, keeping(old.Lines, old.CompanyID, old.ContactID, old.OpportunityID)); err != nil {
		return Doc{}, err
	}
	return Quotes.Replace(tx, was, &old, &q)
}

// mayQuote is why a quote is not for action today.
func (tx *Tx) mayQuote(q *trade.Quote, action trade.QuoteAction) error {
	today, err := tx.today()
	if err == nil {
		_, err = q.Next(action, today)
	}
	return err
}

// DeleteQuote marks a draft deleted.
func (tx *Tx) DeleteQuote(id string, match Match) error { return Quotes.Remove(tx, id, match) }

// MoveQuote does action with a quote; reason is why it was rejected.
func (tx *Tx) MoveQuote(id string, action trade.QuoteAction, reason string) (Doc, error) {
	was, q, err := current(tx, Quotes, id, Any)
	if err != nil {
		return Doc{}, err
	}
	today, err := tx.today()
	if err != nil {
		return Doc{}, err
	}
	old := q
	if err := q.Move(action, today); err != nil {
		return Doc{}, err
	}
	if action == trade.SendQuote {
		q.CheckSend(tx.Check(), today)
	}
	q.RejectReason = reason
	tx.Check().Max("reason", reason, 500)
	if err := tx.Check().Err(); err != nil {
		return Doc{}, err
	}
	return Quotes.Move(tx, string(action), quoteEvents[action], was, &old, &q)
}

// ConvertQuote makes the order that an accepted quote stands for, once.
func (tx *Tx) ConvertQuote(id string) (order Doc, err error) {
	was, q, err := current(tx, Quotes, id, Any)
	if err != nil {
		return order, err
	}
	today, err := tx.today()
	if err != nil {
		return order, err
	}
	old := q
	if err := q.Move(trade.ConvertQuote, today); err != nil {
		return order, err
	}
	day, err := tx.documentDay()
	if err != nil {
		return order, err
	}
	o := trade.Order{
		Meta: trade.Meta{Notes: q.Notes, Metadata: q.Metadata}, CompanyID: q.CompanyID, QuoteID: q.ID, Currency: q.Currency, ExchangeRate: q.ExchangeRate, ExchangeRateDate: trade.RateDate(q.ExchangeRateDate, q.IssueDate, day),
	}
	for _, l := range q.Lines {
		o.Lines = append(o.Lines, trade.OrderLine{Line: l})
	}
	if order, err = tx.createOrder(o, keeping(q.Lines, q.CompanyID)); err != nil {
		return order, err
	}
	q.OrderID = idOf(order.JSON)
	_, err = Quotes.Move(tx, string(trade.ConvertQuote), "", was, &old, &q)
	return order, err
}

// revertQuote makes a quote accepted again when the order that was made of it is gone.
func (tx *Tx) revertQuote(id string) error {
	was, q, err := current(tx, Quotes, id, Any)
	if err != nil {
		return err
	}
	old := q
	if err := q.Move(trade.RevertQuote, ""); err != nil {
		return err
	}
	q.OrderID = ""
	_, err = Quotes.Move(tx, string(trade.RevertQuote), "", was, &old, &q)
	return err
}

// quoteEvents are the events of a quote's moves; the others have none.
var quoteEvents = map[trade.QuoteAction]trade.Event{
	trade.SendQuote: trade.EventQuoteSent, trade.AcceptQuote: trade.EventQuoteAccepted, trade.RejectQuote: trade.EventQuoteRejected,
}

func (tx *Tx) prepareQuote(q *trade.Quote, k kept) error {
	company, err := tx.companyOf(q.CompanyID, k)
	if err != nil {
		return err
	}
	if err := tx.contactOf(q.ContactID, q.CompanyID, k); err != nil {
		return err
	}
	if q.OpportunityID != "" {
		o, ok, err := Opportunities.refer(tx, "opportunityId", q.OpportunityID, k)
		if err != nil {
			return err
		}
		if ok && o.CompanyID != q.CompanyID && !(k.ids[o.ID] && k.ids[q.CompanyID]) {
			tx.Check().Add("opportunityId", trade.OtherCompany)
		}
	}
	products, err := tx.productsOf(q.Lines, k)
	if err != nil {
		return err
	}
	today, err := tx.today()
	if err != nil {
		return err
	}
	q.Defaults(company, today)
	q.Check(tx.Check(), products)
	k.check(tx.Check(), q.Lines)
	day, err := tx.documentDay()
	if err != nil {
		return err
	}
	q.CheckDate(tx.Check(), day)
	return tx.Check().Err()
}
