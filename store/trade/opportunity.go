package trade

import (
	"strings"

	"esnaf/store/money"
)

// Stage is how far an opportunity has come.
type Stage string

// The stages of an opportunity.
const (
	StageNew         Stage = "NEW"
	StageQualified   Stage = "QUALIFIED"
	StageProposal    Stage = "PROPOSAL"
	StageNegotiation Stage = "NEGOTIATION"
	StageWon         Stage = "WON"
	StageLost        Stage = "LOST"
)

// Values lists the stages.
func (Stage) Values() []string {
	return []string{"NEW", "QUALIFIED", "PROPOSAL", "NEGOTIATION", "WON", "LOST"}
}

// OpportunityAction is what can happen to an opportunity.
type OpportunityAction string

// The actions on an opportunity. Edit keeps the stage.
const (
	EditOpportunity OpportunityAction = "edit"
	Qualify         OpportunityAction = "qualify"
	Propose         OpportunityAction = "propose"
	Negotiate       OpportunityAction = "negotiate"
	Win             OpportunityAction = "win"
	Lose            OpportunityAction = "lose"
	Reopen          OpportunityAction = "reopen"
)

// OpportunityMoves is the whole life of an opportunity. It goes forward one stage
// at a time, may be won or lost from every open stage (a customer may say yes to the
// first call), and a closed one is reopened into negotiation.
var OpportunityMoves = Moves[Stage, OpportunityAction]{
	StageNew:         {EditOpportunity: StageNew, Qualify: StageQualified, Win: StageWon, Lose: StageLost},
	StageQualified:   {EditOpportunity: StageQualified, Propose: StageProposal, Win: StageWon, Lose: StageLost},
	StageProposal:    {EditOpportunity: StageProposal, Negotiate: StageNegotiation, Win: StageWon, Lose: StageLost},
	StageNegotiation: {EditOpportunity: StageNegotiation, Win: StageWon, Lose: StageLost},
	StageWon:         {Reopen: StageNegotiation},
	StageLost:        {Reopen: StageNegotiation},
}

// Opportunity is a sale that may come about (satış fırsatı).
type Opportunity struct {
	Meta
	Code              string       `json:"code" doc:"unique among live opportunities; drawn as F000001 on when absent"`
	Name              string       `json:"name" api:"required"`
	CompanyID         string       `json:"companyId" api:"required"`
	ContactID         string       `json:"contactId,omitempty" doc:"a contact of that company"`
	Stage             Stage        `json:"stage" api:"readonly" doc:"moved by the actions qualify, propose, negotiate, win, lose and reopen"`
	Amount            money.Amount `json:"amount" doc:"expected, in currency"`
	Currency          string       `json:"currency" doc:"ISO 4217, the company's when absent"`
	Probability       int          `json:"probability" doc:"percent, 0 to 100"`
	ExpectedCloseDate Date         `json:"expectedCloseDate,omitempty"`
	OwnerID           string       `json:"ownerId,omitempty" doc:"whose it is: any name or id of the caller's, at most 100 characters"`
	Source            string       `json:"source,omitempty" doc:"where it came from"`
	LostReason        string       `json:"lostReason,omitempty" api:"readonly" doc:"as told when it was lost"`
}

// Defaults fills what a caller may leave out; company may be nil.
func (o *Opportunity) Defaults(company *Company) {
	defaultTo(&o.Stage, StageNew)
	if company != nil {
		defaultTo(&o.Currency, company.Currency)
	}
	defaultTo(&o.Currency, "TRY")
}

// Check finds what is wrong with the fields that a caller sets.
func (o *Opportunity) Check(f *Check) {
	o.Meta.check(f)
	checkCode(f, "code", &o.Code)
	f.Required("name", strings.TrimSpace(o.Name))
	f.Max("name", o.Name, 250)
	if o.Amount < 0 {
		f.Add("amount", MustNotBeNegative)
	}
	checkCurrency(f, "currency", o.Currency)
	if o.Probability < 0 || o.Probability > 100 {
		f.Add("probability", OutOfRange, 0, 100)
	}
	f.Max("ownerId", o.OwnerID, 100)
	f.Max("source", o.Source, 100)
}

// Keep carries over from old what a caller may not set.
func (o *Opportunity) Keep(old *Opportunity) {
	o.Meta.keep(old.Meta)
	o.Stage, o.LostReason = old.Stage, old.LostReason
	defaultTo(&o.Code, old.Code)
}

// Move applies action, or reports why it may not. The reason stays with a lost one.
func (o *Opportunity) Move(a OpportunityAction, reason string) error {
	to, err := OpportunityMoves.Next(o.Stage, a)
	if err != nil {
		return err
	}
	o.Stage, o.LostReason = to, reason
	return nil
}

// SearchText is what q finds an opportunity by.
func (o *Opportunity) SearchText() string { return o.Code + " " + o.Name }
