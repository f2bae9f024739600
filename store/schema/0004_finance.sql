-- Money: the accounts it lies in, payments and transfers, and the double-entry
-- ledger under them. touches says which kinds of account a record moves money of,
-- since a caller may be allowed only one of them.

CREATE TABLE bank_accounts (
  n INTEGER PRIMARY KEY, tenant TEXT NOT NULL, id TEXT NOT NULL UNIQUE, version INTEGER NOT NULL,
  updated_at INTEGER NOT NULL, deleted_at INTEGER, search TEXT NOT NULL,
  code TEXT NOT NULL, name_key TEXT NOT NULL, doc TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX bank_accounts_id ON bank_accounts (tenant, id);
CREATE UNIQUE INDEX bank_accounts_code ON bank_accounts (tenant, code) WHERE deleted_at IS NULL;
CREATE INDEX bank_accounts_name ON bank_accounts (tenant, name_key, id);
CREATE INDEX bank_accounts_updated ON bank_accounts (tenant, updated_at, id);

CREATE TABLE cash_accounts (
  n INTEGER PRIMARY KEY, tenant TEXT NOT NULL, id TEXT NOT NULL UNIQUE, version INTEGER NOT NULL,
  updated_at INTEGER NOT NULL, deleted_at INTEGER, search TEXT NOT NULL,
  code TEXT NOT NULL, name_key TEXT NOT NULL, doc TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX cash_accounts_id ON cash_accounts (tenant, id);
CREATE UNIQUE INDEX cash_accounts_code ON cash_accounts (tenant, code) WHERE deleted_at IS NULL;
CREATE INDEX cash_accounts_name ON cash_accounts (tenant, name_key, id);
CREATE INDEX cash_accounts_updated ON cash_accounts (tenant, updated_at, id);

CREATE TABLE payments (
  n INTEGER PRIMARY KEY, tenant TEXT NOT NULL, id TEXT NOT NULL UNIQUE, version INTEGER NOT NULL,
  updated_at INTEGER NOT NULL, deleted_at INTEGER, search TEXT NOT NULL,
  company_id TEXT NOT NULL, status TEXT NOT NULL, date TEXT NOT NULL, touches TEXT NOT NULL, doc TEXT NOT NULL,
  CHECK (status IN ('BOOKED', 'REVERSED'))
) STRICT;
CREATE UNIQUE INDEX payments_id ON payments (tenant, id);
CREATE INDEX payments_company ON payments (tenant, company_id, id);
CREATE INDEX payments_date ON payments (tenant, date, id);
CREATE INDEX payments_updated ON payments (tenant, updated_at, id);

CREATE TABLE transfers (
  n INTEGER PRIMARY KEY, tenant TEXT NOT NULL, id TEXT NOT NULL UNIQUE, version INTEGER NOT NULL,
  updated_at INTEGER NOT NULL, deleted_at INTEGER, search TEXT NOT NULL,
  date TEXT NOT NULL, touches TEXT NOT NULL, doc TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX transfers_id ON transfers (tenant, id);
CREATE INDEX transfers_date ON transfers (tenant, date, id);
CREATE INDEX transfers_updated ON transfers (tenant, updated_at, id);

-- One row per side of an entry. The rows of an entry come to nothing in each
-- currency, unless it changes one into another, and always in lira. amount is in
-- hundredths of currency and lira in kuruş, positive for what an account gets
-- (borç). Rows are never changed: what is taken back is booked the other way round.
CREATE TABLE postings (
  n INTEGER PRIMARY KEY, tenant TEXT NOT NULL, entry INTEGER NOT NULL, date TEXT NOT NULL, source TEXT NOT NULL,
  number TEXT NOT NULL, kind TEXT NOT NULL, account TEXT NOT NULL, currency TEXT NOT NULL, amount INTEGER NOT NULL, lira INTEGER NOT NULL,
  CHECK (kind IN ('BANK', 'CASH', 'COMPANY', 'SALES', 'EXCHANGE', 'OPENING'))
) STRICT;
CREATE INDEX postings_account ON postings (tenant, account, date, n, currency, amount);
CREATE INDEX postings_source ON postings (tenant, source);
