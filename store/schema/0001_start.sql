-- Every record table has the same head: the rowid, the tenant, a unique id that
-- sorts by time, the version, and the folded words the record is searched by. Then
-- come the columns that are searched, sorted, joined or constrained, and at the
-- end, where it is in nobody's way, the whole record as JSON in doc.

CREATE TABLE tenants (
  n INTEGER PRIMARY KEY, tenant TEXT NOT NULL, id TEXT NOT NULL UNIQUE, version INTEGER NOT NULL,
  updated_at INTEGER NOT NULL, deleted_at INTEGER, search TEXT NOT NULL,
  name_key TEXT NOT NULL, doc TEXT NOT NULL
) STRICT;

CREATE TABLE companies (
  n INTEGER PRIMARY KEY, tenant TEXT NOT NULL, id TEXT NOT NULL UNIQUE, version INTEGER NOT NULL,
  updated_at INTEGER NOT NULL, deleted_at INTEGER, search TEXT NOT NULL,
  code TEXT NOT NULL, name_key TEXT NOT NULL, doc TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX companies_id ON companies (tenant, id);
CREATE UNIQUE INDEX companies_code ON companies (tenant, code) WHERE deleted_at IS NULL;
CREATE INDEX companies_name ON companies (tenant, name_key, id);
CREATE INDEX companies_updated ON companies (tenant, updated_at, id);

CREATE TABLE products (
  n INTEGER PRIMARY KEY, tenant TEXT NOT NULL, id TEXT NOT NULL UNIQUE, version INTEGER NOT NULL,
  updated_at INTEGER NOT NULL, deleted_at INTEGER, search TEXT NOT NULL,
  code TEXT NOT NULL, name_key TEXT NOT NULL, doc TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX products_id ON products (tenant, id);
CREATE UNIQUE INDEX products_code ON products (tenant, code) WHERE deleted_at IS NULL;
CREATE INDEX products_name ON products (tenant, name_key, id);
CREATE INDEX products_updated ON products (tenant, updated_at, id);

CREATE TABLE invoices (
  n INTEGER PRIMARY KEY, tenant TEXT NOT NULL, id TEXT NOT NULL UNIQUE, version INTEGER NOT NULL,
  updated_at INTEGER NOT NULL, deleted_at INTEGER, search TEXT NOT NULL,
  number TEXT NOT NULL, company_id TEXT NOT NULL, status TEXT NOT NULL, issue_date TEXT NOT NULL,
  total INTEGER NOT NULL, ettn TEXT NOT NULL, doc TEXT NOT NULL,
  CHECK (status IN ('DRAFT', 'QUEUED', 'SENT', 'ACCEPTED', 'REJECTED', 'FAILED', 'CANCELLED'))
) STRICT;
CREATE UNIQUE INDEX invoices_id ON invoices (tenant, id);
CREATE UNIQUE INDEX invoices_number ON invoices (tenant, number);
CREATE INDEX invoices_company ON invoices (tenant, company_id, id);
CREATE INDEX invoices_status ON invoices (tenant, status, id);
CREATE INDEX invoices_issued ON invoices (tenant, issue_date, id);
CREATE INDEX invoices_updated ON invoices (tenant, updated_at, id);

CREATE TABLE webhooks (
  n INTEGER PRIMARY KEY, tenant TEXT NOT NULL, id TEXT NOT NULL UNIQUE, version INTEGER NOT NULL,
  updated_at INTEGER NOT NULL, deleted_at INTEGER, search TEXT NOT NULL,
  event TEXT NOT NULL, status TEXT NOT NULL, secret BLOB NOT NULL DEFAULT x'', failing_since INTEGER, failed_at INTEGER,
  doc TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX webhooks_id ON webhooks (tenant, id);
CREATE INDEX webhooks_updated ON webhooks (tenant, updated_at, id);

-- One row per word of a record's folded search text, and up to which row (n) of
-- each table the records are in it.
CREATE TABLE files (name TEXT PRIMARY KEY, upto INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE words (
  tenant TEXT NOT NULL, kind TEXT NOT NULL, word TEXT NOT NULL, id TEXT NOT NULL,
  PRIMARY KEY (tenant, kind, word, id)
) STRICT, WITHOUT ROWID;

-- The last number of each series; last_date keeps the dates of legal numbers in order.
CREATE TABLE numbers (
  tenant TEXT NOT NULL, series TEXT NOT NULL, last INTEGER NOT NULL, last_date TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (tenant, series)
) STRICT, WITHOUT ROWID;

-- Numbers that were drawn and then given up, so that no gap is unexplained.
CREATE TABLE void_numbers (
  tenant TEXT NOT NULL, number TEXT NOT NULL, invoice TEXT NOT NULL, reason TEXT NOT NULL, at INTEGER NOT NULL,
  PRIMARY KEY (tenant, number)
) STRICT, WITHOUT ROWID;

-- The XML of sent documents, byte for byte.
CREATE TABLE documents (
  n INTEGER PRIMARY KEY, tenant TEXT NOT NULL, owner TEXT NOT NULL UNIQUE, number TEXT NOT NULL,
  sha256 BLOB NOT NULL, xml BLOB NOT NULL, at INTEGER NOT NULL
) STRICT;

-- Documents on their way to the tax office; a row goes when nothing is left to do.
CREATE TABLE courier (
  n INTEGER PRIMARY KEY, invoice TEXT NOT NULL UNIQUE, tenant TEXT NOT NULL, step TEXT NOT NULL,
  envelope TEXT NOT NULL, due_at INTEGER NOT NULL, tries INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX courier_due ON courier (due_at, n);

-- Answers kept for a repeated Idempotency-Key; rows stand in the order they expire.
-- mark is the SHA-256 of tenant, key and scope. A body that an event holds too is
-- not kept twice: it is size bytes of the event's body, from byte start on.
CREATE TABLE replies (
  n INTEGER PRIMARY KEY, mark BLOB NOT NULL UNIQUE, tenant TEXT NOT NULL, key TEXT NOT NULL, print BLOB NOT NULL,
  status INTEGER NOT NULL, content_type TEXT NOT NULL, location TEXT NOT NULL, etag TEXT NOT NULL,
  sealed INTEGER NOT NULL, event INTEGER REFERENCES events (n), start INTEGER NOT NULL, size INTEGER NOT NULL,
  body BLOB NOT NULL, expires_at INTEGER NOT NULL
) STRICT;

-- Per tenant: the last event, and the end of the audit chain.
CREATE TABLE heads (
  tenant TEXT PRIMARY KEY, event_seq INTEGER NOT NULL, audit_seq INTEGER NOT NULL, audit_hash BLOB NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE audit (
  tenant TEXT NOT NULL, seq INTEGER NOT NULL, at INTEGER NOT NULL, actor TEXT NOT NULL, action TEXT NOT NULL,
  object TEXT NOT NULL, request TEXT NOT NULL, addr TEXT NOT NULL, detail TEXT NOT NULL, hash BLOB NOT NULL,
  PRIMARY KEY (tenant, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE events (
  n INTEGER PRIMARY KEY, tenant TEXT NOT NULL, id TEXT NOT NULL UNIQUE, seq INTEGER NOT NULL, event TEXT NOT NULL,
  at INTEGER NOT NULL, body BLOB NOT NULL
) STRICT;

CREATE TABLE deliveries (
  n INTEGER PRIMARY KEY, tenant TEXT NOT NULL, id TEXT NOT NULL UNIQUE, webhook TEXT NOT NULL,
  event INTEGER NOT NULL REFERENCES events (n), state TEXT NOT NULL, attempts INTEGER NOT NULL DEFAULT 0,
  due_at INTEGER, created_at INTEGER NOT NULL,
  CHECK (state IN ('pending', 'delivered', 'failed', 'cancelled')),
  CHECK ((state = 'pending') = (due_at IS NOT NULL))
) STRICT;
CREATE INDEX deliveries_due ON deliveries (webhook, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX deliveries_log ON deliveries (tenant, webhook, id);

CREATE TABLE attempts (
  delivery INTEGER NOT NULL REFERENCES deliveries (n), number INTEGER NOT NULL, at INTEGER NOT NULL, status INTEGER NOT NULL,
  ms INTEGER NOT NULL, error TEXT NOT NULL, excerpt TEXT NOT NULL,
  PRIMARY KEY (delivery, number)
) STRICT, WITHOUT ROWID;

-- One person; members says to which tenants the person belongs.
CREATE TABLE users (
  n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, email TEXT NOT NULL UNIQUE, name TEXT NOT NULL,
  password TEXT NOT NULL, disabled_at INTEGER, created_at INTEGER NOT NULL
) STRICT;
CREATE TABLE members (
  user TEXT NOT NULL, tenant TEXT NOT NULL, role TEXT NOT NULL, created_at INTEGER NOT NULL,
  PRIMARY KEY (user, tenant)
) STRICT, WITHOUT ROWID;
CREATE INDEX members_tenant ON members (tenant, user);

-- A session is one login. Its refresh token changes at each use; a used one keeps
-- its successor for a minute, and after that gives away whoever shows it.
CREATE TABLE sessions (
  id TEXT PRIMARY KEY, user TEXT NOT NULL, tenant TEXT NOT NULL, addr TEXT NOT NULL, created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL, revoked_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_user ON sessions (user);
CREATE INDEX sessions_end ON sessions (expires_at);
CREATE TABLE refresh_tokens (
  hash BLOB PRIMARY KEY, session TEXT NOT NULL, used_at INTEGER, successor BLOB
) STRICT, WITHOUT ROWID;
CREATE INDEX refresh_tokens_session ON refresh_tokens (session);

CREATE TABLE login_failures (
  who TEXT PRIMARY KEY, failures INTEGER NOT NULL, last_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX login_failures_last ON login_failures (last_at);

CREATE TABLE keys (
  id TEXT PRIMARY KEY, tenant TEXT NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL, hash BLOB NOT NULL UNIQUE,
  hint TEXT NOT NULL, scopes TEXT NOT NULL, rate INTEGER NOT NULL, created_at INTEGER NOT NULL, created_by TEXT NOT NULL,
  expires_at INTEGER, revoked_at INTEGER, used_at INTEGER,
  CHECK (kind IN ('live', 'user'))
) STRICT, WITHOUT ROWID;
CREATE INDEX keys_tenant ON keys (tenant, id);

-- The tax office's list of registered users (kayıtlı kullanıcılar): the aliases in force.
CREATE TABLE taxpayers (
  tax_number TEXT NOT NULL, document TEXT NOT NULL, alias TEXT NOT NULL, title TEXT NOT NULL, type TEXT NOT NULL,
  since INTEGER NOT NULL, PRIMARY KEY (tax_number, document, alias)
) STRICT, WITHOUT ROWID;
