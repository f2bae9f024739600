package trade

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestChooseDocumentVectors(t *testing.T) {
	rows := readVectors[[]struct {
		ID    string
		Query KindQuery
		Want  KindChoice
	}](t, "document-kind")
	if len(rows) < 14 {
		t.Fatalf("%d rows", len(rows))
	}
	for _, r := range rows {
		r.Query.Now = time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)
		if diff := cmp.Diff(r.Want, ChooseDocument(r.Query)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", r.ID, diff)
		}
	}
}

// What the vectors leave out: the other ways an invoice can take.
func TestChooseDocument(t *testing.T) {
	now := time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)
	box := []Mailbox{{Alias: "urn:mail:pk@x", Created: now.Add(-time.Hour)}}
	for _, c := range []struct {
		name string
		q    KindQuery
		want KindChoice
	}{
		{
			"tax-free sale goes through customs even where the buyer is registered",
			KindQuery{Sale: TaxFreeSale, BuyerTaxNumber: "9205121120", Mailboxes: box},
			KindChoice{
				DocumentType: "E_FATURA", Profile: "YOLCUBERABERFATURA", InvoiceType: "ISTISNA", SeriesGroup: "E_FATURA",
				ReceiverTaxNumber: "1460415308", ReceiverAlias: "urn:mail:yolcuberaberpk@gtb.gov.tr",
				BuyerTaxNumber: "9205121120", BuyerPartyType: "TAXFREE", ExemptionCode: "501",
			},
		},
		{
			"service export to a registered buyer",
			KindQuery{Sale: ServiceExport, BuyerTaxNumber: "9205121120", Mailboxes: box},
			KindChoice{
				DocumentType: "E_FATURA", Profile: "TICARIFATURA", InvoiceType: "ISTISNA", SeriesGroup: "E_FATURA",
				ReceiverTaxNumber: "9205121120", ReceiverAlias: "urn:mail:pk@x", BuyerTaxNumber: "9205121120", ExemptionCode: "302",
			},
		},
		{
			"internet sale to a registered buyer is an ordinary e-Fatura",
			KindQuery{Internet: true, BuyerTaxNumber: "9205121120", Mailboxes: box},
			KindChoice{
				DocumentType: "E_FATURA", Profile: "TICARIFATURA", InvoiceType: "SATIS", SeriesGroup: "E_FATURA",
				ReceiverTaxNumber: "9205121120", ReceiverAlias: "urn:mail:pk@x", BuyerTaxNumber: "9205121120",
			},
		},
		{
			"return to a public body stays KAMU",
			KindQuery{InvoiceType: "IADE", BuyerIsPublic: true, BuyerTaxNumber: "9205121120", Mailboxes: box},
			KindChoice{
				DocumentType: "E_FATURA", Profile: "KAMU", InvoiceType: "IADE", SeriesGroup: "E_FATURA",
				ReceiverTaxNumber: "9205121120", ReceiverAlias: "urn:mail:pk@x", BuyerTaxNumber: "9205121120",
				NeedsBillingReference: true, NeedsIBAN: true,
			},
		},
		{
			"withheld sale to the social security institution keeps its type",
			KindQuery{InvoiceType: "TEVKIFAT", BuyerTaxNumber: "7750409379", Mailboxes: box},
			KindChoice{
				DocumentType: "E_FATURA", Profile: "TICARIFATURA", InvoiceType: "TEVKIFAT", SeriesGroup: "E_FATURA",
				ReceiverTaxNumber: "7750409379", ReceiverAlias: "urn:mail:pk@x", BuyerTaxNumber: "7750409379",
			},
		},
		{
			"return of a withheld sale by a foreign person without a number",
			KindQuery{InvoiceType: "TEVKIFATIADE", BuyerCountry: "DE", BuyerIsPerson: true},
			KindChoice{
				DocumentType: "E_ARSIV", Profile: "EARSIVFATURA", InvoiceType: "TEVKIFATIADE", SeriesGroup: "E_ARSIV",
				BuyerTaxNumber: "22222222222", SendType: "ELEKTRONIK", SalesPlatform: "NORMAL", NeedsBillingReference: true,
			},
		},
	} {
		c.q.SellerRegistered, c.q.Now = true, now
		if diff := cmp.Diff(c.want, ChooseDocument(c.q)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

func TestMailbox(t *testing.T) {
	now := time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)
	day := func(n int) time.Time { return now.AddDate(0, 0, n) }
	for _, c := range []struct {
		name, kept, want string
		boxes            []Mailbox
	}{
		{"none", "urn:mail:a@x", "", nil},
		{"opens this instant", "", "urn:mail:a@x", []Mailbox{{Alias: "urn:mail:a@x", Created: now}}},
		{"opens later", "", "", []Mailbox{{Alias: "urn:mail:a@x", Created: now.Add(time.Second)}}},
		{"kept but deleted", "urn:mail:a@x", "urn:mail:b@x", []Mailbox{
			{Alias: "urn:mail:a@x", Created: day(-9), Deleted: day(-1)},
			{Alias: "urn:mail:b@x", Created: day(-2)},
		}},
		{"deleted and opened again", "", "urn:mail:a@x", []Mailbox{
			{Alias: "urn:mail:a@x", Created: day(-9), Deleted: day(-5)},
			{Alias: "urn:mail:a@x", Created: day(-2)},
		}},
		{"of one age the first by name", "", "urn:mail:a@x", []Mailbox{
			{Alias: "urn:mail:b@x", Created: day(-2)},
			{Alias: "urn:mail:a@x", Created: day(-2)},
		}},
	} {
		before := append([]Mailbox(nil), c.boxes...)
		q := KindQuery{BuyerAlias: c.kept, Mailboxes: c.boxes, Now: now}
		if got := q.mailbox(); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		if diff := cmp.Diff(before, c.boxes); diff != "" {
			t.Errorf("%s changed the caller's list:\n%s", c.name, diff)
		}
	}
}
