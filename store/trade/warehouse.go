package trade

import "strings"

// Warehouse is where goods lie (depo).
type Warehouse struct {
	Meta
	Code       string `json:"code" doc:"unique among live warehouses; drawn as W000001 on when absent"`
	Name       string `json:"name" api:"required"`
	Address    string `json:"address,omitempty"`
	District   string `json:"district,omitempty" doc:"ilçe"`
	City       string `json:"city,omitempty" doc:"province (il)"`
	PostalCode string `json:"postalCode,omitempty"`
	Country    string `json:"country" doc:"ISO 3166 alpha-2, TR when absent"`
	IsDefault  *bool  `json:"isDefault" doc:"taken where none is named; there is always exactly one: the first, until another takes over"`
}

// Defaults fills what a caller may leave out.
func (w *Warehouse) Defaults() { defaultTo(&w.Country, "TR") }

// Check finds what is wrong with the fields that a caller sets.
func (w *Warehouse) Check(f *Check) {
	w.Meta.check(f)
	checkCode(f, "code", &w.Code)
	f.Required("name", strings.TrimSpace(w.Name))
	f.Max("name", w.Name, 250)
	checkAddress(f, w.Address, w.District, w.City, w.PostalCode, w.Country)
}

// Default tells whether it is taken where none is named.
func (w *Warehouse) Default() bool { return w.IsDefault != nil && *w.IsDefault }

// Keep carries over from old what a caller may not set, and where the caller says
// nothing of it that it is the default one. Only another one takes that away: saying
// that it is not is a fault.
func (w *Warehouse) Keep(f *Check, old *Warehouse) {
	w.Meta.keep(old.Meta)
	defaultTo(&w.Code, old.Code)
	switch {
	case w.IsDefault == nil:
		w.IsDefault = old.IsDefault
	case old.Default() && !*w.IsDefault:
		f.Add("isDefault", DefaultStays)
	}
}

// SearchText is what q finds a warehouse by.
func (w *Warehouse) SearchText() string { return w.Code + " " + w.Name + " " + w.City }
