package store_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	gocmp "github.com/google/go-cmp/cmp"

	"esnaf/store"
	"esnaf/store/money"
	"esnaf/store/trade"
)

func TestCreatingAnInvoice(t *testing.T) {
	b := open(t)
	c := buyer()
	c.PaymentTermDays = 30
	company := b.company(b.who, c)
	v := draft(company.ID)
	v.IssueDate = "2026-09-14"
	got := b.invoice(b.who, v)
	want := got // what is made anew each time stands as it is
	want.Number, want.CompanyID, want.BuyerName = "DRAFT-000001", company.ID, company.Name
	want.Total, want.Payable, want.Remaining = 24000, 24000, 24000
	want.Subtotal, want.VATTotal, want.PaidTotal, want.DiscountTotal = 20000, 4000, 0, 0
	want.DocumentType, want.Profile, want.InvoiceType, want.Direction = trade.EArsiv, trade.EArsivFatura, trade.Satis, trade.Sales
	want.Status, want.PaymentStatus, want.EDocument = trade.InvoiceDraft, trade.Unpaid, trade.EDocument{Status: trade.EDocumentNone}
	want.Currency, want.PaymentTermDays, want.IssueDate, want.DueDate = "TRY", 30, "2026-09-14", ""
	want.ExchangeRate = must(money.ParseExchange("1"))
	want.Taxes = []trade.Tax{{Rate: money.Percent(20), Base: 20000, Amount: 4000}}
	want.Seller, want.Buyer = nil, nil
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if !trade.ValidUUID(got.ETTN) || got.Version != 1 || got.CreatedAt != trade.At(start) || got.ID == "" {
		t.Errorf("ettn %q, version %d, created %s", got.ETTN, got.Version, got.CreatedAt)
	}
	if second := b.invoice(b.who, v); second.Number != "DRAFT-000002" || second.ETTN == got.ETTN {
		t.Errorf("the second is %s %s", second.Number, second.ETTN)
	}
	if sent := b.send(b.who, got.ID); sent.DueDate != "2026-10-14" || sent.Version != 2 {
		t.Errorf("due %s, version %d", sent.DueDate, sent.Version)
	}
}

// A line takes from its product what it leaves out, and nothing else.
func TestALineTakesFromItsProduct(t *testing.T) {
	b := open(t)
	company := b.company(b.who, buyer()).ID
	p := b.product(b.who, trade.Product{Code: "CAY", Name: "Çay", Unit: "KGM", VATRate: new(money.Percent(10)), SalePrice: must(money.ParsePrice("12.345678"))})
	own := trade.Line{ProductID: p.ID, Code: "X", Name: "Kahve", Quantity: must(money.ParseQuantity("1")), Unit: "C62", UnitPrice: new(must(money.ParsePrice("0"))), VATRate: new(money.Rate(0))}
	got := b.invoice(b.who, trade.Invoice{CompanyID: company, Lines: []trade.Line{
		{ProductID: p.ID, Quantity: must(money.ParseQuantity("3"))}, own, {ProductID: p.ID, Name: "Demli", Quantity: must(money.ParseQuantity("1"))},
	}}).Lines
	for i, want := range []string{"CAY Çay KGM 12.345678 10 37.04", "X Kahve C62 0.00 0 0.00", "CAY Demli KGM 12.345678 10 12.35"} {
		l := got[i]
		if is := fmt.Sprint(l.Code, " ", l.Name, " ", l.Unit, " ", l.UnitPrice, " ", l.VATRate, " ", l.Net); is != want {
			t.Errorf("line %d is %q, want %q", i, is, want)
		}
	}
}

// Every fault of an invoice is told at once, each at its place.
func TestEveryFaultOfAnInvoiceAtOnce(t *testing.T) {
	b := open(t)
	foreign := b.company(b.tenant("Öbür Ltd.", trade.CompleteVKN("111222333")), named(1)).ID
	bare := b.company(b.who, trade.Company{Name: "Adressiz"}).ID
	faulty := func(company string) trade.Invoice {
		return trade.Invoice{CompanyID: company, Currency: "XXA", InvoiceType: "IADE", Profile: "IHRACAT", PaymentTermDays: -1, IssueDate: "2026-09-15", DueDate: "2026-09-14", Lines: []trade.Line{
			{ProductID: "prd_none", Unit: "adet", DiscountRate: new(money.Percent(101)), DiscountAmount: new(money.Amount(-1))},
			line("İyi", "1"),
			{Name: "x", Quantity: 1, UnitPrice: new(money.Price(-1)), VATRate: new(money.Percent(101))},
		}}
	}
	for about, test := range map[string]struct {
		fn   func(*store.Tx) error
		want string
	}{
		"at create": {func(tx *store.Tx) error { _, err := tx.CreateInvoice(faulty("cmp_none")); return err }, "companyId not_found, currency code_invalid, dueDate out_of_range, exchangeRate exchange_rate_required, invoiceType invalid_value, " +
			"lines[0].discountAmount must_not_be_negative, lines[0].discountRate mutually_exclusive, lines[0].productId not_found, lines[0].quantity must_be_positive, lines[0].unit code_invalid, " +
			"lines[2].unitPrice must_not_be_negative, lines[2].vatRate out_of_range, paymentTermDays out_of_range, profile invalid_value"},
		"nothing at all":         {func(tx *store.Tx) error { _, err := tx.CreateInvoice(trade.Invoice{}); return err }, "companyId required, lines required"},
		"with another account's": {func(tx *store.Tx) error { _, err := tx.CreateInvoice(trade.Invoice{CompanyID: foreign}); return err }, "companyId cross_tenant, lines required"},
		"at send": {func(tx *store.Tx) error {
			v := draft(bare)
			v.Lines[0].VATRate, v.Lines[0].ExemptionCode = new(money.Rate(0)), ""
			v.IssueDate = "2026-09-16"
			return createAndSend(tx, v)
		}, "buyer.city needed_for_document, buyer.district needed_for_document, buyer.taxNumber needed_for_document, issueDate issue_date_future, lines[0].exemptionCode exemption_required"},
		"what the body was read with": {func(tx *store.Tx) error {
			tx.Check().Add("note", trade.UnknownField)
			tx.Check().Add("companyId", trade.WrongType, "text")
			_, err := tx.CreateInvoice(trade.Invoice{})
			return err
		}, "companyId wrong_type, lines required, note unknown_field"},
		"discounts and sums": {func(tx *store.Tx) error {
			v := draft(bare)
			v.Lines[0].DiscountAmount = new(money.Amount(20001))
			huge := line("çok", "999999999")
			huge.Quantity = must(money.ParseQuantity("99999999"))
			v.Lines = append(v.Lines, huge)
			_, err := tx.CreateInvoice(v)
			return err
		}, "lines[0].discountAmount discount_too_large, lines[1].quantity amount_too_large"},
	} {
		t.Run(about, func(t *testing.T) {
			if e := b.refused(b.who, test.fn); fields(e) != test.want {
				t.Errorf("faults:\n%s\nwant:\n%s", fields(e), test.want)
			}
		})
	}
}

// A reference to another account's record says so on A, and does not on B; one
// to a record that was deleted or never was is a fault of its field on both.
func TestReferences(t *testing.T) {
	b := open(t)
	other := b.tenant("Öbür Ltd.", trade.CompleteVKN("111222333"))
	mine, theirs := b.company(b.who, buyer()).ID, b.company(other, buyer()).ID
	product := b.product(other, trade.Product{Name: "Onların"}).ID
	gone := b.company(b.who, named(1)).ID
	b.write(b.who, func(tx *store.Tx) error { return tx.DeleteCompany(gone, store.Any) })
	onB := b.who
	onB.Interface = 'B'
	withProduct := draft(mine)
	withProduct.Lines[0].ProductID = product
	for _, test := range []struct {
		about string
		who   store.Who
		v     trade.Invoice
		kind  trade.Kind
		want  string
	}{
		{"another account's company on A", b.who, draft(theirs), trade.Forbidden, "companyId cross_tenant"},
		{"another account's company on B", onB, draft(theirs), trade.Invalid, "companyId not_found"},
		{"another account's product on A", b.who, withProduct, trade.Forbidden, "lines[0].productId cross_tenant"},
		{"another account's product on B", onB, withProduct, trade.Invalid, "lines[0].productId not_found"},
		{"a deleted company on A", b.who, draft(gone), trade.Invalid, "companyId not_found"},
		{"a deleted company on B", onB, draft(gone), trade.Invalid, "companyId not_found"},
		{"no company's id", b.who, draft("cmp_01hzz"), trade.Invalid, "companyId not_found"},
		{"the id of something else", b.who, draft(product), trade.Forbidden, "companyId cross_tenant"},
		{"no id at all", b.who, draft("'; DROP TABLE companies; --"), trade.Invalid, "companyId not_found"},
	} {
		t.Run(test.about, func(t *testing.T) {
			e := b.refused(test.who, func(tx *store.Tx) error { _, err := tx.CreateInvoice(test.v); return err })
			if e.Kind != test.kind || fields(e) != test.want {
				t.Errorf("%s with %s, want %s with %s", e.Kind, fields(e), test.kind, test.want)
			}
		})
	}
}

// The same for the record a request names in its path.
func TestRecordsOfOtherAccounts(t *testing.T) {
	b := open(t)
	other := b.tenant("Öbür Ltd.", trade.CompleteVKN("111222333"))
	v := b.invoice(other, b.sale(other))
	onB := b.who
	onB.Interface = 'B'
	for about, fn := range map[string]func(*store.Tx, string) error{
		"get":     func(tx *store.Tx, id string) error { _, err := store.Invoices.Get(&tx.View, id); return err },
		"update":  func(tx *store.Tx, id string) error { _, err := tx.UpdateInvoice(id, store.Any, v); return err },
		"delete":  func(tx *store.Tx, id string) error { return tx.DeleteInvoice(id, store.Any) },
		"send":    func(tx *store.Tx, id string) error { _, err := tx.SendInvoice(id); return err },
		"cancel":  func(tx *store.Tx, id string) error { _, err := tx.CancelInvoice(id); return err },
		"preview": func(tx *store.Tx, id string) error { _, err := tx.PreviewInvoice(id); return err },
	} {
		for _, test := range []struct {
			who  store.Who
			id   string
			want trade.Kind
		}{{b.who, v.ID, trade.Forbidden}, {onB, v.ID, trade.NotFound}, {b.who, "inv_none", trade.NotFound}, {onB, "inv_none", trade.NotFound}} {
			e := b.refused(test.who, func(tx *store.Tx) error { return fn(tx, test.id) })
			if e.Kind != test.want {
				t.Errorf("%s of %s on %c: %s, want %s", about, test.id, test.who.Interface, e.Kind, test.want)
			}
		}
	}
	if e := b.refused(onB, func(tx *store.Tx) error { _, err := tx.SendInvoice(v.ID); return err }); e.Error() != "invoice was not found." {
		t.Errorf("B says %q", e)
	}
}

func TestUpdatingAnInvoice(t *testing.T) {
	b := open(t)
	was := b.invoice(b.who, b.sale(b.who))
	other := b.company(b.who, trade.Company{Name: "Yeni Alıcı", Currency: "USD"})
	v := draft(other.ID)
	v.ExchangeRate, v.Lines = must(money.ParseExchange("41.25")), []trade.Line{line("Bir", "10"), line("İki", "20")}
	v.Number, v.ETTN, v.Status, v.PaidTotal = "EAR2026000000009", "x", trade.InvoiceSent, 500 // not for a caller to set
	var got trade.Invoice
	b.write(b.who, func(tx *store.Tx) error {
		return into(&got)(tx.UpdateInvoice(was.ID, store.Match{Versions: []int64{1}}, v))
	})
	if got.Version != 2 || got.Number != was.Number || got.ETTN != was.ETTN || got.Status != trade.InvoiceDraft || got.PaidTotal != 0 {
		t.Errorf("version %d, %s %s %s, paid %s", got.Version, got.Number, got.ETTN, got.Status, got.PaidTotal)
	}
	if got.BuyerName != "Yeni Alıcı" || got.Currency != "USD" || got.Total != 7200 || len(got.Lines) != 2 {
		t.Errorf("%s, %s %s in %d lines", got.BuyerName, got.Total, got.Currency, len(got.Lines))
	}
	e := b.refused(b.who, func(tx *store.Tx) error {
		_, err := tx.UpdateInvoice(was.ID, store.Match{Versions: []int64{1}}, v)
		return err
	})
	if e.Code != trade.VersionConflict || e.Extra["currentVersion"] != int64(2) {
		t.Errorf("an old version: %v %v", e, e.Extra)
	}
	stored := sqlRow[string](b, "SELECT number || ' ' || company_id || ' ' || status || ' ' || total || ' ' || ettn FROM invoices")
	if want := fmt.Sprint(got.Number, " ", other.ID, " DRAFT 7200 ", got.ETTN); stored != want {
		t.Errorf("beside the record stands %q, want %q", stored, want)
	}
}

// Too many lines are one fault, found before anything is looked up.
func TestTooManyLines(t *testing.T) {
	b := open(t)
	v := b.sale(b.who)
	for range 100_000 {
		v.Lines = append(v.Lines, trade.Line{ProductID: "prd_none"})
	}
	e := b.refused(b.who, func(tx *store.Tx) error { _, err := tx.CreateInvoice(v); return err })
	if fields(e) != "lines too_many" {
		t.Errorf("faults %.200s", fields(e))
	}
}

// The invoices of the social security institution, of public bodies and of the customs
// ministry are of kinds that are not made yet: better refused here than by the tax office.
func TestKindsThatAreNotMadeYet(t *testing.T) {
	b := open(t)
	sgk, public, customs := buyer(), buyer(), buyer()
	sgk.TaxNumber, public.TaxNumber, customs.TaxNumber = "7750409379", trade.CompleteVKN("333222111"), "1460415308"
	b.write(store.Who{Actor: "operator"}, func(tx *store.Tx) error {
		k := registered(public.TaxNumber, start)
		k.Type = "Kamu" // as the office writes it
		return tx.PutTaxpayers([]store.Taxpayer{k})
	})
	for _, c := range []trade.Company{sgk, public, customs} {
		company := b.company(b.who, c).ID
		if e := b.refused(b.who, func(tx *store.Tx) error { _, err := tx.CreateInvoice(draft(company)); return err }); fields(e) != "companyId not_supported" {
			t.Errorf("%s: %v", c.TaxNumber, e)
		}
	}
}

// A preview shows a draft as it would be sent, and changes nothing.
func TestPreview(t *testing.T) {
	b := open(t)
	v := b.invoice(b.who, b.sale(b.who))
	var p trade.Invoice
	b.read(b.who, func(view *store.View) (err error) { p, err = view.PreviewInvoice(v.ID); return err })
	if p.Number != v.Number || p.IssueDate != "2026-09-15" || p.IssueTime != "12:00:00" || p.Seller == nil || p.Buyer == nil || p.Buyer.Name != v.BuyerName {
		t.Errorf("shown as %s of %s %s from %+v to %+v", p.Number, p.IssueDate, p.IssueTime, p.Seller, p.Buyer)
	}
	if now := b.getInvoice(b.who, v.ID); now.Seller != nil || now.Version != 1 {
		t.Error("the preview changed the draft")
	}
	sent := b.send(b.who, v.ID)
	b.read(b.who, func(view *store.View) (err error) { p, err = view.PreviewInvoice(v.ID); return err })
	if diff := gocmp.Diff(sent, p); diff != "" {
		t.Errorf("a sent invoice is shown otherwise:\n%s", diff)
	}
}

// The list and the record are the same bytes.
func TestListsShowTheStoredBytes(t *testing.T) {
	b := open(t)
	v := b.invoice(b.who, b.sale(b.who))
	_, page := list[trade.Invoice](b, b.who, &store.Invoices.List, trade.Query{})
	var doc store.Doc
	b.read(b.who, func(view *store.View) (err error) { doc, err = store.Invoices.Doc(view, v.ID); return err })
	if string(page.Docs) != string(doc.JSON) || doc.Version != 1 {
		t.Errorf("listed %s\nread %s", page.Docs, doc.JSON)
	}
	again, err := json.Marshal(v, json.Deterministic(true))
	if err != nil || string(again) != string(doc.JSON) {
		t.Errorf("written again: %s %v", again, err)
	}
	if err := b.Read(context.Background(), b.who, func(view *store.View) error { _, err := store.Invoices.Doc(view, "inv_x"); return err }); trade.KindOf(err) != trade.NotFound {
		t.Error(err)
	}
}

// What is sent again keeps number and date, but its dates are judged anew: it may have been
// edited since.
func TestDatesOfAnInvoiceThatIsSentAgain(t *testing.T) {
	b := open(t)
	v := draft(b.company(b.who, buyer()).ID)
	v.Currency, v.ExchangeRate = "USD", must(money.ParseExchange("40"))
	v = b.send(b.who, b.invoice(b.who, v).ID)
	b.answer(b.who, v.ID, store.Answer{Outcome: trade.Failed, Code: "1150", Envelope: "env"})
	b.clock.Advance(72 * time.Hour)
	edit := func(day trade.Date) func(tx *store.Tx) error {
		now := b.getInvoice(b.who, v.ID)
		now.ExchangeRateDate = day
		return func(tx *store.Tx) error { _, err := tx.UpdateInvoice(v.ID, store.Any, now); return err }
	}
	if e := b.refused(b.who, edit("2026-09-18")); fields(e) != "exchangeRateDate out_of_range" {
		t.Errorf("a rate of a later day: %v", e)
	}
	b.write(b.who, edit("2026-09-14"))
	if again := b.send(b.who, v.ID); again.Number != v.Number || again.IssueDate != v.IssueDate {
		t.Errorf("sent again as %s of %s", again.Number, again.IssueDate)
	}
}
