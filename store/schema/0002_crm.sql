-- Contacts, opportunities and quotes.

CREATE TABLE contacts (
  n INTEGER PRIMARY KEY, tenant TEXT NOT NULL, id TEXT NOT NULL UNIQUE, version INTEGER NOT NULL,
  updated_at INTEGER NOT NULL, deleted_at INTEGER, search TEXT NOT NULL,
  company_id TEXT NOT NULL, name_key TEXT NOT NULL, main INTEGER NOT NULL, doc TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX contacts_id ON contacts (tenant, id);
CREATE INDEX contacts_company ON contacts (tenant, company_id, id);
CREATE INDEX contacts_name ON contacts (tenant, name_key, id);
CREATE INDEX contacts_updated ON contacts (tenant, updated_at, id);
-- A company has one contact to turn to first.
CREATE UNIQUE INDEX contacts_main ON contacts (tenant, company_id) WHERE main = 1 AND deleted_at IS NULL;

CREATE TABLE opportunities (
  n INTEGER PRIMARY KEY, tenant TEXT NOT NULL, id TEXT NOT NULL UNIQUE, version INTEGER NOT NULL,
  updated_at INTEGER NOT NULL, deleted_at INTEGER, search TEXT NOT NULL,
  code TEXT NOT NULL, name_key TEXT NOT NULL, company_id TEXT NOT NULL, status TEXT NOT NULL, doc TEXT NOT NULL,
  CHECK (status IN ('NEW', 'QUALIFIED', 'PROPOSAL', 'NEGOTIATION', 'WON', 'LOST'))
) STRICT;
CREATE UNIQUE INDEX opportunities_id ON opportunities (tenant, id);
CREATE UNIQUE INDEX opportunities_code ON opportunities (tenant, code) WHERE deleted_at IS NULL;
CREATE INDEX opportunities_name ON opportunities (tenant, name_key, id);
CREATE INDEX opportunities_company ON opportunities (tenant, company_id, id);
CREATE INDEX opportunities_status ON opportunities (tenant, status, id);
CREATE INDEX opportunities_updated ON opportunities (tenant, updated_at, id);

CREATE TABLE quotes (
  n INTEGER PRIMARY KEY, tenant TEXT NOT NULL, id TEXT NOT NULL UNIQUE, version INTEGER NOT NULL,
  updated_at INTEGER NOT NULL, deleted_at INTEGER, search TEXT NOT NULL,
  number TEXT NOT NULL, company_id TEXT NOT NULL, status TEXT NOT NULL, issue_date TEXT NOT NULL, total INTEGER NOT NULL, doc TEXT NOT NULL,
  CHECK (status IN ('DRAFT', 'SENT', 'ACCEPTED', 'REJECTED', 'EXPIRED', 'CONVERTED'))
) STRICT;
CREATE UNIQUE INDEX quotes_id ON quotes (tenant, id);
CREATE UNIQUE INDEX quotes_number ON quotes (tenant, number) WHERE deleted_at IS NULL;
CREATE INDEX quotes_company ON quotes (tenant, company_id, id);
CREATE INDEX quotes_status ON quotes (tenant, status, id);
CREATE INDEX quotes_issued ON quotes (tenant, issue_date, id);
CREATE INDEX quotes_updated ON quotes (tenant, updated_at, id);
