-- What accounts hold and companies owe is the sum of their postings. It is kept beside
-- them, so that a change takes no longer where there are many: by currency, and by day
-- for what is booked before others. Whoever writes a posting, the file adds it up.
CREATE TABLE balances (
  tenant TEXT NOT NULL, account TEXT NOT NULL, currency TEXT NOT NULL, amount INTEGER NOT NULL, lira INTEGER NOT NULL,
  PRIMARY KEY (tenant, account, currency)
) STRICT, WITHOUT ROWID;
INSERT INTO balances (tenant, account, currency, amount, lira)
  SELECT tenant, account, currency, sum(amount), sum(lira) FROM postings WHERE account <> '' GROUP BY tenant, account, currency;

-- least and most are the ends of where the sum of the day went, posting by posting.
CREATE TABLE days (
  tenant TEXT NOT NULL, account TEXT NOT NULL, currency TEXT NOT NULL, date TEXT NOT NULL,
  amount INTEGER NOT NULL, least INTEGER NOT NULL, most INTEGER NOT NULL,
  PRIMARY KEY (tenant, account, currency, date)
) STRICT, WITHOUT ROWID;
INSERT INTO days (tenant, account, currency, date, amount, least, most)
  SELECT tenant, account, currency, date, sum(amount), min(sofar), max(sofar) FROM (
    SELECT *, sum(amount) OVER (PARTITION BY tenant, account, currency, date ORDER BY n) AS sofar FROM postings WHERE account <> ''
  ) GROUP BY tenant, account, currency, date;

CREATE TRIGGER posted AFTER INSERT ON postings WHEN new.account <> '' BEGIN
  INSERT INTO balances (tenant, account, currency, amount, lira) VALUES (new.tenant, new.account, new.currency, new.amount, new.lira)
    ON CONFLICT (tenant, account, currency) DO UPDATE SET amount = amount + excluded.amount, lira = lira + excluded.lira;
  INSERT INTO days (tenant, account, currency, date, amount, least, most)
    VALUES (new.tenant, new.account, new.currency, new.date, new.amount, new.amount, new.amount)
    ON CONFLICT (tenant, account, currency, date) DO UPDATE SET amount = amount + excluded.amount,
      least = min(least, amount + excluded.amount), most = max(most, amount + excluded.amount);
END;

-- Nothing is added up by the index of accounts any more.
DROP INDEX postings_account;
CREATE INDEX postings_account ON postings (tenant, account, date);

-- What companies will owe by the invoices that are at the tax office. payable is in
-- hundredths, the rate in millionths; what no amount can hold has no value in lira.
CREATE TABLE queued (
  tenant TEXT NOT NULL, company TEXT NOT NULL, currency TEXT NOT NULL, amount INTEGER NOT NULL, lira INTEGER NOT NULL,
  PRIMARY KEY (tenant, company, currency)
) STRICT, WITHOUT ROWID;
INSERT INTO queued (tenant, company, currency, amount, lira)
  WITH waiting AS (
    SELECT tenant, company_id, coalesce(doc ->> 'currency', '') AS currency, coalesce(CAST(replace(doc ->> 'payable', '.', '') AS INTEGER), 0) AS payable, doc ->> 'exchangeRate' AS rate
    FROM invoices WHERE status = 'QUEUED' AND json_valid(doc)
  ), rated AS (
    SELECT *, CAST(rate AS INTEGER) * 1000000 + CAST(substr(substr(rate, instr(rate || '.', '.') + 1) || '000000', 1, 6) AS INTEGER) AS millionths FROM waiting
  )
  SELECT tenant, company_id, currency, sum(payable), sum(coalesce(CASE
      WHEN currency = 'TRY' THEN payable
      WHEN payable / 1e6 * millionths > 99999999999999999 THEN 0
      ELSE payable / 1000000 * millionths + (payable % 1000000 * millionths + 500000) / 1000000
    END, 0)) FROM rated GROUP BY tenant, company_id, currency;
DROP INDEX invoices_queued;

-- What the payments that count are spent on: invoices, and payments the other way.
CREATE TABLE allocations (
  tenant TEXT NOT NULL, target TEXT NOT NULL, payment TEXT NOT NULL, PRIMARY KEY (tenant, target, payment)
) STRICT, WITHOUT ROWID;
INSERT OR IGNORE INTO allocations (tenant, target, payment)
  SELECT tenant, coalesce(on_what ->> 'invoiceId', on_what ->> 'paymentId'), id FROM (
    SELECT p.tenant, p.id, iif(a.type = 'object', a.value, '{}') AS on_what
    FROM payments p, json_each(iif(json_valid(p.doc), p.doc, '{}'), '$.allocations') a WHERE p.status = 'BOOKED'
  ) WHERE coalesce(on_what ->> 'invoiceId', on_what ->> 'paymentId') IS NOT NULL;

-- Whoever tells of a change asks for the webhooks that listen, not for those of before.
CREATE INDEX webhooks_active ON webhooks (tenant, id) WHERE status = 'ACTIVE' AND deleted_at IS NULL;
