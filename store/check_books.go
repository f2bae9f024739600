package store

import (
	"regexp"

	"esnaf/store/money"
)

// inCents writes cents(doc, path), the amount that a record has at path in hundredths,
// as SQL: records write every amount with two decimals.
func inCents(text string) string {
	return regexp.MustCompile(`cents\(([a-z.]+), ([A-Za-z]+)\)`).ReplaceAllString(text, "CAST(replace($1 ->> '$2', '.', '') AS INTEGER)")
}

// checkEntries sums every entry up, in lira and, unless it changes one currency into
// another, in its currency.
func checkEntries(v *View, differ differ) error {
	err := v.compared(`SELECT 'entry ' || entry || ' of ' || tenant, 0, sum(lira) FROM postings GROUP BY tenant, entry HAVING sum(lira) <> 0`,
		func(called string, _, have money.Amount) { differ("the sides of %s leave %s TRY over", called, have) })
	if err != nil {
		return err
	}
	return v.compared(`SELECT 'entry ' || entry || ' of ' || tenant || ' in ' || min(currency), 0, sum(amount) FROM postings
		GROUP BY tenant, entry HAVING count(DISTINCT currency) = 1 AND sum(amount) <> 0`,
		func(called string, _, have money.Amount) { differ("the sides of %s leave %s over", called, have) })
}

// checkPostings holds what is booked for each record on each account against what the
// record says.
func checkPostings(v *View, differ differ) error {
	return v.compared(inCents(readable()+`moved (tenant, source, account, currency, amount) AS (
			SELECT tenant, id, company_id, said ->> 'currency', cents(said, payable) FROM invoices WHERE status IN ('SENT', 'ACCEPTED')
			UNION ALL SELECT tenant, id, company_id, said ->> 'currency', iif(said ->> 'direction' = 'IN', -1, 1) * cents(said, amount) FROM payments WHERE status = 'BOOKED'
			UNION ALL SELECT tenant, id, said ->> 'accountId', said ->> 'currency', iif(said ->> 'direction' = 'IN', 1, -1) * cents(said, amount) FROM payments WHERE status = 'BOOKED'
			UNION ALL SELECT tenant, id, said ->> 'fromAccountId', said ->> 'currency', -cents(said, amount) FROM transfers
			UNION ALL SELECT tenant, id, said ->> 'toAccountId', said ->> 'toCurrency', cents(said, toAmount) FROM transfers
			UNION ALL SELECT tenant, id, id, said ->> 'currency', cents(said, openingBalance) FROM bank_accounts
			UNION ALL SELECT tenant, id, id, said ->> 'currency', cents(said, openingBalance) FROM cash_accounts
		), both AS (
			SELECT tenant, source, account, currency, amount AS want, 0 AS have FROM moved
			UNION ALL SELECT tenant, source, account, currency, 0, amount FROM postings WHERE account <> '' AND source NOT IN (SELECT id FROM unreadable)
		) SELECT account || ' by ' || source || ' of ' || tenant || ' in ' || currency, sum(want), sum(have) FROM both
		GROUP BY tenant, source, account, currency HAVING sum(want) IS NOT sum(have)`),
		func(called string, want, have money.Amount) {
			differ("the ledger has moved %s by %s, the record says %s", called, have, want)
		})
}

// checkCash finds cash accounts that paid out what they did not have yet, each by the
// day on which it held the least.
func checkCash(v *View, differ differ) error {
	return v.compared(`SELECT account || ' of ' || tenant || ' in ' || currency || ' on ' || date, 0, min(held) FROM (
			SELECT tenant, account, currency, date, sum(sum(amount)) OVER (PARTITION BY tenant, account, currency ORDER BY date) AS held
			FROM postings WHERE kind = 'CASH' GROUP BY tenant, account, currency, date
		) GROUP BY tenant, account, currency HAVING min(held) < 0`,
		func(called string, _, have money.Amount) { differ("cash account %s holds %s", called, have) })
}

// spentText compares what each record of a table says to have been spent on it, in the
// member says, with what the payments that count say of it, which name it by the member by.
func spentText(by, table, says string) string {
	return inCents(readable() + `both AS (
			SELECT p.tenant, a.value ->> '` + by + `' AS id, cents(a.value, amount) AS want, 0 AS have FROM payments p, json_each(p.said, '$.allocations') a WHERE p.status = 'BOOKED' AND a.value ->> '` + by + `' IS NOT NULL
			UNION ALL SELECT tenant, id, 0, cents(said, ` + says + `) FROM ` + table + `
		) SELECT id || ' of ' || tenant, sum(want), sum(have) FROM both GROUP BY tenant, id HAVING sum(want) IS NOT sum(have)`)
}

// checkInvoices holds what invoices say to have been paid against what the payments
// that count say to have paid of them.
func checkInvoices(v *View, differ differ) error {
	err := v.compared(spentText("invoiceId", "invoices", "paidTotal"),
		func(called string, want, have money.Amount) {
			differ("invoice %s says that %s is paid, its payments say %s", called, have, want)
		})
	if err != nil {
		return err
	}
	return v.compared(inCents(readable()+`one AS (SELECT 1) SELECT id || ' of ' || tenant, iif(status IN ('REJECTED', 'CANCELLED'), 0, cents(said, payable) - cents(said, paidTotal)) AS want, cents(said, remaining) AS have FROM invoices WHERE want IS NOT have`),
		func(called string, want, have money.Amount) {
			differ("invoice %s says that %s remains, by what is paid it is %s", called, have, want)
		})
}

// checkPayments holds what was given back of each payment against what the payments that
// count say to have given back, and what is left of it against what it was spent on.
func checkPayments(v *View, differ differ) error {
	err := v.compared(spentText("paymentId", "payments", "refunded"),
		func(called string, want, have money.Amount) {
			differ("payment %s says that %s of it was given back, the others say %s", called, have, want)
		})
	if err != nil {
		return err
	}
	return v.compared(inCents(readable()+`one AS (SELECT 1) SELECT id || ' of ' || tenant, iif(status = 'REVERSED', 0, cents(said, amount) - cents(said, refunded) - (SELECT coalesce(sum(cents(a.value, amount)), 0) FROM json_each(said, '$.allocations') a)) AS want,
		cents(said, unallocated) AS have FROM payments WHERE want IS NOT have OR have < 0`),
		func(called string, want, have money.Amount) {
			differ("payment %s says that %s of it is unallocated, what it was spent on leaves %s", called, have, want)
		})
}
