package store

import (
	"fmt"
	"maps"
	"slices"

	"esnaf/store/money"
	"esnaf/store/trade"
)

// checkSums holds what is kept of sums, so that changes need not add them up, against what
// it is the sum of: postings, and invoices at the tax office.
func checkSums(v *View, differ differ) error {
	err := v.compared(`WITH both AS (
			SELECT tenant, account, currency, amount AS want, 0 AS have FROM postings
			UNION ALL SELECT tenant, account, currency || ' worth TRY', lira, 0 FROM postings WHERE currency <> 'TRY'
			UNION ALL SELECT tenant, account, currency, 0, amount FROM balances
			UNION ALL SELECT tenant, account, currency || ' worth TRY', 0, lira FROM balances WHERE currency <> 'TRY'
		) SELECT account || ' of ' || tenant || ' in ' || currency, sum(want), sum(have) FROM both WHERE account <> ''
		GROUP BY tenant, account, currency HAVING sum(want) <> sum(have)`,
		func(called string, want, have money.Amount) {
			differ("the balance of %s is kept as %s, its postings come to %s", called, have, want)
		})
	if err != nil {
		return err
	}
	err = v.compared(`WITH both AS (
			SELECT tenant, account, currency, date, sum(amount) AS amount, min(sofar) AS least, max(sofar) AS most FROM (
				SELECT *, sum(amount) OVER (PARTITION BY tenant, account, currency, date ORDER BY n) AS sofar FROM postings WHERE account <> ''
			) GROUP BY tenant, account, currency, date
			UNION ALL SELECT tenant, account, currency, date, -amount, -least, -most FROM days
		) SELECT account || ' of ' || tenant || ' in ' || currency || ' on ' || date, 0, 0 FROM both
		GROUP BY tenant, account, currency, date HAVING sum(amount) <> 0 OR sum(least) <> 0 OR sum(most) <> 0`,
		func(called string, _, _ money.Amount) {
			differ("the day of %s is kept otherwise than it was booked", called)
		})
	if err != nil {
		return err
	}
	return checkQueued(v, differ)
}

// checkQueued adds up anew what is at the tax office for each company. Of a company with
// an invoice that cannot be read, which checkRecords tells, nobody knows it.
func checkQueued(v *View, differ differ) error {
	type both struct {
		company    string
		want, have sum
	}
	sums, unknown := map[string]both{}, map[string]bool{}
	var row [5]any
	err := v.each(row[:3], "SELECT company_id, tenant, doc FROM invoices WHERE status = 'QUEUED'", nil, func() bool {
		var inv trade.Invoice
		company, doc := row[0].(string), row[2].(string)
		if decode([]byte(doc), &inv) != nil {
			unknown[company] = true
			return true
		}
		lira, _ := inv.InLira()
		called := fmt.Sprintf("%s of %s in %s", company, row[1], inv.Currency)
		before := sums[called].want
		sums[called] = both{company: company, want: sum{before.amount + inv.Payable, before.lira + lira}}
		return true
	})
	if err != nil {
		return err
	}
	err = v.each(row[:], "SELECT company, tenant, currency, amount, lira FROM queued", nil, func() bool {
		called := fmt.Sprintf("%s of %s in %s", row[0], row[1], row[2])
		sums[called] = both{row[0].(string), sums[called].want, sum{money.Amount(row[3].(int64)), money.Amount(row[4].(int64))}}
		return true
	})
	for _, called := range slices.Sorted(maps.Keys(sums)) {
		want, have := sums[called].want, sums[called].have
		if want.amount != have.amount && !unknown[sums[called].company] {
			differ("what is at the tax office for %s is kept as %s, the invoices come to %s", called, have.amount, want.amount)
		}
		if want.lira != have.lira && !unknown[sums[called].company] {
			differ("what is at the tax office for %s worth TRY is kept as %s, the invoices come to %s", called, have.lira, want.lira)
		}
	}
	return err
}

// checkAllocations holds what payments are found by against what they say.
func checkAllocations(v *View, differ differ) error {
	return v.compared(readable()+`said AS (
			SELECT DISTINCT p.tenant, p.id AS payment, coalesce(a.value ->> 'invoiceId', a.value ->> 'paymentId') AS target
			FROM payments p, json_each(p.said, '$.allocations') a WHERE p.status = 'BOOKED'
		), both AS (
			SELECT tenant, payment, target, 1 AS want, 0 AS have FROM said
			UNION ALL SELECT tenant, payment, target, 0, 1 FROM allocations WHERE payment NOT IN (SELECT id FROM unreadable)
		) SELECT payment || ' of ' || tenant || ' by ' || target, sum(want), sum(have) FROM both GROUP BY tenant, payment, target HAVING sum(want) <> sum(have)`,
		func(called string, want, _ money.Amount) {
			if want > 0 {
				differ("payment %s is not found, which it says to be spent on", called)
			} else {
				differ("payment %s is found, which it does not say to be spent on", called)
			}
		})
}
