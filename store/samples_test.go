package store_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"esnaf/store"
	"esnaf/store/money"
	"esnaf/store/trade"
)

func named(i int) trade.Company { return trade.Company{Name: fmt.Sprintf("Firma %d Ltd. Şti.", i)} }

// buyer is a company with all that a document says of it.
func buyer() trade.Company {
	return trade.Company{Name: "Yıldız Güneş İnşaat Ltd. Şti.", TaxNumber: trade.CompleteVKN("987654321"), District: "Çankaya", City: "Ankara"}
}

// draft is an invoice of 2 pieces at 100.00 with 20 percent VAT.
func draft(company string) trade.Invoice {
	return trade.Invoice{CompanyID: company, Lines: []trade.Line{line("Danışmanlık", "100")}}
}

// line is 2 pieces with 20 percent VAT.
func line(name, price string) trade.Line {
	return trade.Line{Name: name, Quantity: must(money.ParseQuantity("2")), UnitPrice: new(must(money.ParsePrice(price))), VATRate: new(money.Percent(20))}
}

// registered is the tax office's entry for a company that receives e-Fatura.
func registered(taxNumber string, since time.Time) store.Taxpayer {
	return store.Taxpayer{TaxNumber: taxNumber, Document: "Invoice", Alias: "urn:mail:defaultpk@example.com.tr", Title: "Örnek", Type: "OZEL", Since: since}
}

// must is for literals.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// faultsOf are the codes of the faults of an error by their fields.
func faultsOf(err error) map[string]trade.Code {
	codes := map[string]trade.Code{}
	for _, f := range asError(err).Faults {
		codes[f.Field] = f.Code
	}
	return codes
}

// fields lists the faulty fields of an error with their codes.
func fields(err error) string {
	var all []string
	for _, f := range asError(err).Faults {
		all = append(all, f.Field+" "+string(f.Code))
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}

// asError is the error a caller sees; an empty one when there is none.
func asError(err error) *trade.Error {
	e := &trade.Error{}
	errors.As(err, &e)
	return e
}
