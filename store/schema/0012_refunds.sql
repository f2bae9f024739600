-- What was given back of a payment: nothing so far.
UPDATE payments SET doc = json_set(doc, '$.refunded', '0.00');

-- Nothing is left of a payment that was reversed. It is a change of the record like any
-- other, so that whoever keeps a copy comes to know of it.
UPDATE payments SET version = version + 1, updated_at = CAST(round(unixepoch('subsec') * 1000) AS INTEGER),
  doc = json_set(doc, '$.unallocated', '0.00', '$.version', version + 1, '$.updatedAt', strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
  WHERE status = 'REVERSED' AND doc ->> 'unallocated' <> '0.00';

-- What a company owes is bounded in lira too, which its postings are summed up for.
DROP INDEX postings_account;
CREATE INDEX postings_account ON postings (tenant, account, date, n, currency, amount, lira);
