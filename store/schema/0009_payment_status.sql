-- Lists of invoices can be narrowed to those that are late, say.
ALTER TABLE invoices ADD COLUMN payment_status TEXT NOT NULL DEFAULT '';
UPDATE invoices SET payment_status = doc ->> 'paymentStatus';
CREATE INDEX invoices_payment_status ON invoices (tenant, payment_status, id);

-- Nothing remains of an invoice that is owed no longer. It is a change of the record
-- like any other, so that whoever keeps a copy comes to know of it.
UPDATE invoices SET version = version + 1, updated_at = CAST(round(unixepoch('subsec') * 1000) AS INTEGER),
  doc = json_set(doc, '$.remaining', '0.00', '$.version', version + 1, '$.updatedAt', strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
  WHERE status IN ('REJECTED', 'CANCELLED') AND doc ->> 'remaining' <> '0.00';
