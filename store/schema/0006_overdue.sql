-- What becomes overdue: the due date of an invoice that is owed, not paid and not
-- said to be overdue yet; '' for every other one.
ALTER TABLE invoices ADD COLUMN falls_due TEXT NOT NULL DEFAULT '';
UPDATE invoices SET falls_due = coalesce(doc ->> 'dueDate', '')
  WHERE status IN ('SENT', 'ACCEPTED') AND doc ->> 'paymentStatus' IN ('UNPAID', 'PARTIALLY_PAID');
CREATE INDEX invoices_due ON invoices (falls_due, tenant, id) WHERE falls_due <> '';

-- Invoices that the tax office took before there was a ledger are owed too: each is
-- booked on its own day, the company's side (120) and the sale's (600 and 391).
-- payable is in hundredths, the rate in millionths; their product is taken apart so
-- that it keeps within 64 bits, and what no amount can hold has no value in lira.
CREATE TEMP TABLE unbooked AS
  WITH owed AS (
    SELECT n, tenant, id, number, issue_date, company_id, doc ->> 'currency' AS currency,
      CAST(replace(doc ->> 'payable', '.', '') AS INTEGER) AS payable, doc ->> 'exchangeRate' AS rate
    FROM invoices i WHERE status IN ('SENT', 'ACCEPTED')
      AND NOT EXISTS (SELECT 1 FROM postings p WHERE p.tenant = i.tenant AND p.source = i.id)
  ), rated AS (
    SELECT *, CAST(rate AS INTEGER) * 1000000 + CAST(substr(substr(rate, instr(rate || '.', '.') + 1) || '000000', 1, 6) AS INTEGER) AS millionths
    FROM owed WHERE payable <> 0
  )
  SELECT n, tenant, id, number, issue_date, company_id, currency, payable, CASE
      WHEN currency = 'TRY' THEN payable
      WHEN payable / 1e6 * millionths > 99999999999999999 THEN 0
      ELSE payable / 1000000 * millionths + (payable % 1000000 * millionths + 500000) / 1000000
    END AS lira,
    coalesce((SELECT last FROM numbers WHERE numbers.tenant = rated.tenant AND series = 'entries'), 0)
      + row_number() OVER (PARTITION BY tenant ORDER BY n) AS entry
  FROM rated;
INSERT INTO postings (tenant, entry, date, source, number, kind, account, currency, amount, lira)
  SELECT tenant, entry, issue_date, id, number, 'COMPANY', company_id, currency, payable, lira FROM unbooked
  UNION ALL SELECT tenant, entry, issue_date, id, number, 'SALES', '', currency, -payable, -lira FROM unbooked
  ORDER BY 1, 2, 9 DESC;
INSERT INTO numbers (tenant, series, last)
  SELECT tenant, 'entries', max(entry) FROM unbooked GROUP BY tenant
  ON CONFLICT (tenant, series) DO UPDATE SET last = excluded.last;
DROP TABLE unbooked;
