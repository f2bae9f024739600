package trade

import (
	"fmt"
	"time"
)

// CheckSend finds what the electronic document needs and the invoice, its seller
// or its buyer lacks. It is asked at send, so that a draft may be incomplete.
func (v *Invoice) CheckSend(f *Check) {
	v.Seller.checkForDocument(f.In("seller"))
	v.Buyer.checkForDocument(f.In("buyer"))
	if v.DocumentType == EFatura {
		OneOf(f, "profile", v.Profile, TemelFatura, TicariFatura)
	}
	for i := range v.Lines {
		v.Lines[i].checkExemption(f.In(fmt.Sprintf("lines[%d]", i)))
	}
}

// satisExemption is the reason code of a sale without VAT that is no exemption
// (istisna olmayan diğer); the others belong to other invoice types.
const satisExemption = "351"

// checkExemption asks for a reason where the VAT is zero, also where it merely
// rounds to zero (rule TaxExemptionReasonCheck), and refuses one elsewhere.
func (l *Line) checkExemption(f *Check) {
	switch {
	case l.VAT == 0 && l.ExemptionCode == "":
		f.Add("exemptionCode", ExemptionRequired)
	case l.VAT == 0 && l.ExemptionCode != satisExemption, l.VAT != 0 && l.ExemptionCode != "":
		f.Add("exemptionCode", ExemptionNotAllowed, l.ExemptionCode)
	}
}

// Freeze copies seller and buyer onto the document: it must not follow later
// edits of either.
func (v *Invoice) Freeze(seller, buyer Party) {
	v.Seller, v.Buyer, v.BuyerName = &seller, &buyer, buyer.Name
}

// Issue sets date and time of the document: the date the caller gave, else the
// day of now in the tenant's zone.
func (v *Invoice) Issue(now time.Time) {
	defaultTo(&v.IssueDate, DateOf(now))
	v.IssueTime = now.Format(time.TimeOnly)
	if v.DueDate == "" {
		v.DueDate = v.IssueDate.AddDays(v.PaymentTermDays)
	}
	if v.Currency != "TRY" {
		defaultTo(&v.ExchangeRateDate, v.IssueDate)
	}
}

// firstIssueDate is the earliest date that the tax office takes (rule TimeCheck).
const firstIssueDate Date = "2005-01-01"

// checkNameable refuses a date that no document of the day last may name: one after it, or
// before the tax office's first.
func checkNameable(f *Check, field string, day, last Date) {
	if day != "" && (day < firstIssueDate || day > last) {
		f.Add(field, OutOfRange, string(firstIssueDate), string(last))
	}
}

// CheckDate refuses a date after today, one before the tax office's first and one
// before the series' last document (rule TimeCheck; numbers and dates of a series
// rise together), a due date before the date, and an exchange rate of a later day.
func (v *Invoice) CheckDate(f *Check, today, last Date) {
	switch {
	case v.IssueDate > today:
		f.Add("issueDate", IssueDateFuture, string(today))
	case v.IssueDate < firstIssueDate:
		f.Add("issueDate", OutOfRange, string(firstIssueDate), string(today))
	case v.IssueDate < last:
		f.Add("issueDate", IssueDateOrder, string(last))
	}
	for _, note := range v.Despatches { // goods are invoiced once they have left (VUK 231/5)
		if v.IssueDate < note.Date {
			f.Add("issueDate", OutOfRange, string(note.Date), string(today))
			break
		}
	}
	checkNameable(f, "exchangeRateDate", v.ExchangeRateDate, v.IssueDate)
	v.checkDue(f)
}

func (v *Invoice) checkDue(f *Check) {
	if v.DueDate != "" && v.IssueDate != "" && v.DueDate < v.IssueDate {
		f.Add("dueDate", OutOfRange, string(v.IssueDate), string(lastDate))
	}
}

// AnswerDays is how long a TICARIFATURA may be answered; unanswered it counts as
// accepted (Turkish Commercial Code 21/2). The same term cancels an e-Arşiv.
const AnswerDays = 8
