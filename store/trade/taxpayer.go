package trade

// Taxpayer is what the tax office's list of registered users (kayıtlı kullanıcı
// listesi) says of one tax number. Whom it does not list is registered for
// nothing, and has no title.
type Taxpayer struct {
	TaxNumber string  `json:"taxNumber" doc:"VKN (10 digits) or TCKN (11 digits)"`
	Title     string  `json:"title" doc:"as listed (ünvan); empty when the number is not listed"`
	Type      string  `json:"type" doc:"OZEL, or KAMU for a public body; empty when the number is not listed"`
	EInvoice  Listing `json:"eInvoice"`
	EDespatch Listing `json:"eDespatch"`
}

// Listing tells whether a taxpayer takes one kind of electronic document, and
// where.
type Listing struct {
	Registered bool          `json:"registered"`
	Aliases    []ListedAlias `json:"aliases" doc:"mailboxes (posta kutusu etiketi) in force, the oldest first: that is the one documents go to"`
}

// ListedAlias is one mailbox.
type ListedAlias struct {
	Alias string  `json:"alias" doc:"such as urn:mail:defaultpk@example.com.tr"`
	Since Instant `json:"since"`
}
