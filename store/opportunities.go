package store

import "esnaf/store/trade"

// CreateOpportunity adds an opportunity in the stage NEW; a code is drawn when none is
// given.
func (tx *Tx) CreateOpportunity(o trade.Opportunity) (Doc, error) {
	o.Stage, o.LostReason = trade.StageNew, ""
	if err := tx.prepareOpportunity(&o, kept{}); err != nil {
		return Doc{}, err
	}
	return Opportunities.Create(tx, &o)
}

// UpdateOpportunity replaces what a caller may set of an open opportunity whose
// version match allows.
func (tx *Tx) UpdateOpportunity(id string, match Match, o trade.Opportunity) (Doc, error) {
	was, old, err := current(tx, Opportunities, id, match)
	if err != nil {
		return Doc{}, err
	}
	if _, err := trade.OpportunityMoves.Next(old.Stage, trade.EditOpportunity); err != nil {
		return Doc{}, err
	}
	o.Keep(&old)
	if err := tx.prepareOpportunity(&o, keeping(nil, old.CompanyID, old.ContactID)); err != nil {
		return Doc{}, err
	}
	return Opportunities.Replace(tx, was, &old, &o)
}

// DeleteOpportunity marks an opportunity deleted, whatever refers to it.
func (tx *Tx) DeleteOpportunity(id string, match Match) error {
	return Opportunities.Remove(tx, id, match)
}

// MoveOpportunity does action with an opportunity; reason is why it was lost.
func (tx *Tx) MoveOpportunity(id string, action trade.OpportunityAction, reason string) (Doc, error) {
	was, o, err := current(tx, Opportunities, id, Any)
	if err != nil {
		return Doc{}, err
	}
	old := o
	if err := o.Move(action, reason); err != nil {
		return Doc{}, err
	}
	tx.Check().Max("lostReason", reason, 500)
	if err := tx.Check().Err(); err != nil {
		return Doc{}, err
	}
	event := trade.EventOpportunityUpdated
	switch action {
	case trade.Win:
		event = trade.EventOpportunityWon
	case trade.Lose:
		event = trade.EventOpportunityLost
	}
	return Opportunities.Move(tx, string(action), event, was, &old, &o)
}

func (tx *Tx) prepareOpportunity(o *trade.Opportunity, k kept) error {
	company, err := tx.companyOf(o.CompanyID, k)
	if err != nil {
		return err
	}
	if err := tx.contactOf(o.ContactID, o.CompanyID, k); err != nil {
		return err
	}
	o.Defaults(company)
	o.Check(tx.Check())
	return tx.Check().Err()
}
