package standin

import (
	"embed"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json"

	"esnaf/auth"
	"esnaf/store/trade"
)

// Every name, number and address in seed is invented. Tax numbers and IBANs have
// right check digits, but the IBANs name a bank that does not exist; mail and web
// addresses end in .example, which leads nowhere (RFC 2606).
//
//go:embed seed/*.json
var seeds embed.FS

// firmFiles are the firms in the order in which they are shown.
func firmFiles() []string { return []string{"seed/cinar.json", "seed/gumusdal.json"} }

// firm is a tenant and all that it knows, as it stands in its file. Records look
// there as they do in the API; the registration of a company, which a caller of
// the API cannot set, is what the tax office's list will say of it.
type firm struct {
	Tenant    trade.Tenant    `json:"tenant"`
	Users     []user          `json:"users"` // the master first
	Companies []trade.Company `json:"companies"`
	Products  []trade.Product `json:"products"`
	Invoices  []batch         `json:"invoices"`
}

// user is one of the firm's people.
type user struct {
	Email string    `json:"email"`
	Name  string    `json:"name"`
	Role  auth.Role `json:"role"`
}

// batch is a number of invoices of one kind that ended alike, spread evenly over
// a time counted in days before the seeding.
type batch struct {
	Profile trade.Profile      `json:"profile"`
	Status  trade.InvoiceState `json:"status"`
	Count   int                `json:"count"`
	Oldest  int                `json:"oldest"`
	Newest  int                `json:"newest"`
}

func readFirms() ([]firm, error) {
	var firms []firm
	for _, name := range firmFiles() {
		text, err := seeds.ReadFile(name)
		if err != nil {
			return nil, err
		}
		var f firm
		if err := json.Unmarshal(text, &f, json.RejectUnknownMembers(true)); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		firms = append(firms, f)
	}
	return firms, nil
}

// deal is one invoice to be made.
type deal struct {
	batch
	ago int // days before the seeding
}

// deals are the firm's invoices, the oldest first: dates and numbers of a series
// must rise together.
func (f *firm) deals() []deal {
	var all []deal
	for _, b := range f.Invoices {
		for i := range b.Count {
			all = append(all, deal{b, b.Oldest - (b.Oldest-b.Newest)*i/max(b.Count-1, 1)})
		}
	}
	slices.SortStableFunc(all, func(a, b deal) int { return b.ago - a.ago })
	return all
}
