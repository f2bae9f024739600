package server_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"esnaf/store/trade"
)

// heavy is the body of a document of a company with a thousand lines that have n wide
// characters of description each.
func heavy(company string, n int) string {
	line := `{"name":"Kalem","description":"` + strings.Repeat("漢", n) + `","quantity":"1","unitPrice":"1","vatRate":"20"}`
	return fmt.Sprintf(`{"companyId":%q,"lines":[%s]}`, company, strings.TrimSuffix(strings.Repeat(line+",", trade.MaxLines), ","))
}

// A document with too much text is refused by each way in, in the caller's language.
func TestHeavyDocumentsAreRefused(t *testing.T) {
	t.Parallel()
	f := start(t)
	f.as = "one"
	f.plan("unlimited")
	company := f.made("/api/companies", `{"name":"Ağır"}`)
	over := heavy(company, 200)
	says := []string{`errors[0].field = "lines"`, `errors[0].code = "texts_too_long"`, `message has 605000 bytes together, at most 524288`}
	for _, path := range []string{"/api/quotes", "/api/orders", "/api/invoices", "/api/v1/quotes", "/api/v1/orders", "/api/v1/finance/invoices"} {
		f.row(row{"", "POST " + path, over, "", 422, trade.ValidationFailed, says})
		f.row(row{"", "POST " + path + "/bulk", `{"items":[` + over + `]}`, "", 200, "", []string{"results[0].status = 422", `results[0].problem.errors[0].code = "texts_too_long"`}})
	}
	f.row(row{"", "POST /api/invoices", over, "Accept-Language: tr", 422, trade.ValidationFailed, []string{"message has birlikte 605000 bayt, en çok 524288 olabilir"}})
	id := f.made("/api/invoices", heavy(company, 1))
	f.row(row{"", "PATCH /api/invoices/" + id, over, "If-Match: *", 422, trade.ValidationFailed, says})
	f.made("/api/invoices", heavy(company, 170))
}

// An export of large documents, which is read in parts of fewer rows, has all of them.
func TestHeavyExports(t *testing.T) {
	t.Parallel()
	f := start(t)
	f.as = "one"
	f.plan("unlimited")
	company := f.made("/api/companies", `{"name":"Ağır"}`)
	var ids []string
	for range 8 { // each some 0.7 MB: a part has 6
		ids = append(ids, f.made("/api/invoices", heavy(company, 170)))
	}
	slices.Sort(ids)
	if got := f.names("/api/invoices/export", "id"); !slices.Equal(got, ids) {
		t.Errorf("the export has %q, want %q", got, ids)
	}
	f.row(row{"", "GET /api/invoices?page=1&limit=7", "", "", 200, "", []string{"meta.total = 8", "meta.hasMore = true"}})
}
