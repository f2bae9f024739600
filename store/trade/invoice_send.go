package trade

import (
	"cmp"
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

// Issue sets date and time of the document, and the dates that follow from them: the date
// the caller gave, else the day of now in the tenant's zone. What is set already stays, as
// it must where the invoice has its number.
func (v *Invoice) Issue(now time.Time) {
	defaultTo(&v.IssueDate, DateOf(now))
	defaultTo(&v.IssueTime, now.Format(time.TimeOnly))
	defaultTo(&v.DueDate, v.IssueDate.AddDays(v.PaymentTermDays))
	if v.Currency != "TRY" {
		defaultTo(&v.ExchangeRateDate, v.IssueDate)
	}
}

// firstIssueDate is the earliest date that the tax office takes (rule TimeCheck).
const firstIssueDate Date = "2005-01-01"

// nameable tells whether a document of the day last may name a day: none after it, and
// none before the tax office's first.
func nameable(day, last Date) bool { return day >= firstIssueDate && day <= last }

// checkNameable refuses a date that no document of the day last may name.
func checkNameable(f *Check, field string, day, last Date) {
	if day != "" && !nameable(day, last) {
		f.Add(field, OutOfRange, string(firstIssueDate), string(last))
	}
}

// RateDate is the day of a rate that one document hands on to another, made on the day
// today: that of the rate, else that of the document which names none. "" when the other
// could not name it.
func RateDate(of, document, today Date) Date {
	if day := cmp.Or(of, document); nameable(day, today) {
		return day
	}
	return ""
}

// CheckDate refuses a date after today and one before the series' last document (rule
// TimeCheck; numbers and dates of a series rise together), a due date before the date,
// and what CheckDates does.
func (v *Invoice) CheckDate(f *Check, today, last Date) {
	switch {
	case v.IssueDate > today:
		f.Add("issueDate", IssueDateFuture, string(today))
	case v.IssueDate >= firstIssueDate && v.IssueDate < last:
		f.Add("issueDate", IssueDateOrder, string(last))
	}
	v.CheckDates(f, today)
	v.checkDue(f)
}

// CheckDates refuses on the day today the dates with which the invoice could be sent on no
// day, also in a draft: a date before the tax office's first, or before its goods left (VUK
// 231/5), and an exchange rate of a later day, which nobody knows yet.
func (v *Invoice) CheckDates(f *Check, today Date) {
	last := today
	if v.IssueDate != "" {
		last = min(today, max(v.IssueDate, firstIssueDate))
		if v.IssueDate < firstIssueDate {
			f.Add("issueDate", OutOfRange, string(firstIssueDate), string(today))
		}
		for _, note := range v.Despatches {
			if v.IssueDate < note.Date {
				f.Add("issueDate", OutOfRange, string(note.Date), string(today))
				break
			}
		}
	}
	checkNameable(f, "exchangeRateDate", v.ExchangeRateDate, last)
}

func (v *Invoice) checkDue(f *Check) {
	if v.DueDate != "" && v.IssueDate != "" && v.DueDate < v.IssueDate {
		f.Add("dueDate", OutOfRange, string(v.IssueDate), string(lastDate))
	}
}

// AnswerDays is how long a TICARIFATURA may be answered; unanswered it counts as
// accepted (Turkish Commercial Code 21/2). The same term cancels an e-Arşiv.
const AnswerDays = 8
