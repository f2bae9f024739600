package trade

import "strings"

// Contact is a person at a company (ilgili kişi).
type Contact struct {
	Meta
	CompanyID string `json:"companyId" api:"required"`
	FirstName string `json:"firstName" api:"required"`
	LastName  string `json:"lastName"`
	Title     string `json:"title,omitempty" doc:"what the person does there"`
	Email     string `json:"email"`
	Phone     string `json:"phone"`
	Mobile    string `json:"mobile,omitempty"`
	IsPrimary bool   `json:"isPrimary" doc:"the one to turn to first; a company has at most one: making another one primary takes it from this one, whose version rises without an event of its own"`
}

// Check finds what is wrong with the fields that a caller sets.
func (c *Contact) Check(f *Check) {
	c.Meta.check(f)
	f.Required("firstName", strings.TrimSpace(c.FirstName))
	f.Max("firstName", c.FirstName, 100)
	f.Max("lastName", c.LastName, 100)
	f.Max("title", c.Title, 100)
	f.Max("email", c.Email, 254)
	checkEmail(f, "email", c.Email)
	f.Max("phone", c.Phone, 50)
	f.Max("mobile", c.Mobile, 50)
}

// Keep carries over from old what a caller may not set.
func (c *Contact) Keep(old *Contact) { c.Meta.keep(old.Meta) }

// Name is the person's whole name.
func (c *Contact) Name() string { return strings.TrimSpace(c.FirstName + " " + c.LastName) }

// SearchText is what q finds a contact by.
func (c *Contact) SearchText() string { return c.FirstName + " " + c.LastName + " " + c.Email }
