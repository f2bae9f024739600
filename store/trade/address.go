package trade

// Address is where goods are shipped to (teslimat adresi).
type Address struct {
	Name       string `json:"name,omitempty" doc:"who takes the goods, when it is not the company"`
	Address    string `json:"address,omitempty"`
	District   string `json:"district,omitempty" doc:"ilçe"`
	City       string `json:"city,omitempty" doc:"province (il)"`
	PostalCode string `json:"postalCode,omitempty"`
	Country    string `json:"country" doc:"ISO 3166 alpha-2, TR when absent"`
}

func (a *Address) check(f *Check) {
	f.Max("name", a.Name, 250)
	checkAddress(f, a.Address, a.District, a.City, a.PostalCode, a.Country)
}

// deliveryAddress is where goods go that the company has not asked to be sent
// elsewhere.
func (c *Company) deliveryAddress() *Address {
	return &Address{Address: c.Address, District: c.District, City: c.City, PostalCode: c.PostalCode, Country: c.Country}
}
